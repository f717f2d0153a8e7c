// A graph that can be looked at: panned, zoomed, its nodes dragged and pinned. Positions last while nodes come and go.

import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Graph, GraphNode } from '../lib/graph';
import type { Point } from '../lib/layout';
import { picture, place, type Box } from '../lib/picture';
import { Arrows, EdgeShape, NodeShape } from './graph-shapes';
import { useKeys } from './keys';

interface Props {
  graph: Graph;
  label: string;
  selected: string | null;
  onSelect: (node: GraphNode) => void;
  /** What a double click, or Enter on the selected node, does. */
  onOpen?: (node: GraphNode) => void;
  /** Pictures with different names do not share positions. */
  name: string;
}

interface View {
  x: number;
  y: number;
  scale: number;
}

const SMALLEST = 0.15;
const LARGEST = 2.5;
/** Below this, letters are too small to read. */
const READABLE = 0.66;
/** How far keys move a node, and the picture. */
const NUDGE = 24;
const PAN = 80;
const DIRECTIONS = [
  { letter: 'H', arrow: 'Left', word: 'to the left', x: -1, y: 0 },
  { letter: 'J', arrow: 'Down', word: 'down', x: 0, y: 1 },
  { letter: 'K', arrow: 'Up', word: 'up', x: 0, y: -1 },
  { letter: 'L', arrow: 'Right', word: 'to the right', x: 1, y: 0 },
];

export function GraphView({ graph, label, selected, onSelect, onOpen, name }: Props): JSX.Element {
  const memory = useRef({ name, places: new Map<string, Point>() });
  if (memory.current.name !== name) memory.current = { name, places: new Map() };
  const [moved, setMoved] = useState<{ name: string; places: ReadonlyMap<string, Point> }>({ name, places: new Map() });
  const pinned = moved.name === name ? moved.places : new Map<string, Point>();
  const drawing = useMemo(() => {
    const next = place(graph, memory.current.places);
    for (const [id, at] of next.places) memory.current.places.set(id, at);
    return next;
  }, [graph, name]);
  const drawn = useMemo(() => picture(graph, drawing, pinned), [graph, drawing, pinned]);
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const drag = useRef<{ id: string | null; x: number; y: number; start: Point; far: boolean } | null>(null);

  const fit = (): void => {
    const element = box.current;
    if (element !== null) setView(fitted(drawn.frame, element.clientWidth, element.clientHeight, SMALLEST));
  };
  const focus = (): void => {
    const element = box.current;
    const target = selected === null ? undefined : drawn.boxes.get(selected);
    if (element === null || target === undefined) return;
    setView(before => ({
      ...before,
      x: element.clientWidth / 2 - (target.x + target.width / 2) * before.scale,
      y: element.clientHeight / 2 - (target.y + target.height / 2) * before.scale,
    }));
  };
  const zoom = (by: number, at?: Point): void => {
    const element = box.current;
    if (element === null) return;
    const centre = at ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    setView(before => {
      const scale = Math.min(LARGEST, Math.max(SMALLEST, before.scale * by));
      const ratio = scale / before.scale;
      return { scale, x: centre.x - (centre.x - before.x) * ratio, y: centre.y - (centre.y - before.y) * ratio };
    });
  };
  const walk = (by: number): void => {
    const at = graph.nodes.findIndex(node => node.id === selected);
    const next = graph.nodes[(Math.max(at, by < 0 ? 0 : -1) + by + graph.nodes.length) % Math.max(1, graph.nodes.length)];
    if (next !== undefined) onSelect(next);
  };
  const nudge = (x: number, y: number): void => {
    const target = selected === null ? undefined : drawn.boxes.get(selected);
    if (selected === null || target === undefined) return;
    const at = centre(target);
    setMoved({ name, places: new Map(pinned).set(selected, { x: at.x + x * NUDGE, y: at.y + y * NUDGE }) });
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const whole = fitted(drawn.frame, element.clientWidth, element.clientHeight, SMALLEST);
    // A picture that would become too small to read starts at its beginning instead.
    setView(whole.scale >= READABLE ? whole : { scale: 0.85, x: 16 - drawn.frame.x * 0.85, y: element.clientHeight / 2 - (drawn.frame.y + drawn.frame.height / 2) * 0.85 });
  }, [name]);
  useLayoutEffect(() => {
    const element = box.current;
    const target = selected === null ? undefined : drawn.boxes.get(selected);
    if (element === null || target === undefined) return;
    setView(before => {
      const left = target.x * before.scale + before.x;
      const top = target.y * before.scale + before.y;
      const inside = left >= 0 && top >= 0 && left + target.width * before.scale <= element.clientWidth && top + target.height * before.scale <= element.clientHeight;
      if (inside) return before;
      return { ...before, x: element.clientWidth / 2 - (target.x + target.width / 2) * before.scale, y: element.clientHeight / 2 - (target.y + target.height / 2) * before.scale };
    });
  }, [selected, graph]);
  useKeys([
    { keys: ['f'], help: 'fit the picture', run: fit },
    { keys: ['c'], help: 'centre the selected node', run: focus },
    { keys: ['+', '='], help: 'larger', run: () => { zoom(1.25); } },
    { keys: ['-'], help: 'smaller', run: () => { zoom(0.8); } },
    { keys: ['.'], help: 'the next node', run: () => { walk(1); } },
    { keys: [','], help: 'the node before', run: () => { walk(-1); } },
    ...DIRECTIONS.flatMap(({ letter, arrow, word, x, y }) => [
      { keys: [`Shift+Arrow${arrow}`], help: `move the selected node ${word}, and pin it`, run: () => { nudge(x, y); } },
      { keys: [letter], help: `look further ${word}`, run: () => { setView(before => ({ ...before, x: before.x - x * PAN, y: before.y - y * PAN })); } },
    ]),
    { keys: ['U'], help: 'unpin all nodes', run: () => { setMoved({ name, places: new Map() }); } },
  ]);

  const pressed = (event: PointerEvent, id: string | null): void => {
    if (event.button !== 0) return;
    event.stopPropagation();
    const at = id === null ? view : centre(drawn.boxes.get(id));
    drag.current = { id, x: event.clientX, y: event.clientY, start: { x: at.x, y: at.y }, far: false };
    box.current?.setPointerCapture(event.pointerId);
  };
  const dragged = (event: PointerEvent): void => {
    const now = drag.current;
    if (now === null) return;
    const dx = event.clientX - now.x;
    const dy = event.clientY - now.y;
    if (!now.far && Math.hypot(dx, dy) < 4) return;
    now.far = true;
    const { id } = now;
    if (id === null) setView(before => ({ ...before, x: now.start.x + dx, y: now.start.y + dy }));
    else setMoved({ name, places: new Map(pinned).set(id, { x: now.start.x + dx / view.scale, y: now.start.y + dy / view.scale }) });
  };
  const released = (): void => {
    const now = drag.current;
    drag.current = null;
    const node = now === null || now.far ? undefined : graph.nodes.find(each => each.id === now.id);
    if (node !== undefined) onSelect(node);
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const element = box.current?.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey) zoom(event.deltaY < 0 ? 1.1 : 0.91, { x: event.clientX - (element?.left ?? 0), y: event.clientY - (element?.top ?? 0) });
    else setView(before => ({ ...before, x: before.x - event.deltaX, y: before.y - event.deltaY }));
  };

  return (
    <div class="graph">
      <div class="graph-tools">
        <button type="button" onClick={fit}>Fit</button>
        <button type="button" onClick={() => { zoom(1.25); }} aria-label="larger">+</button>
        <button type="button" onClick={() => { zoom(0.8); }} aria-label="smaller">−</button>
        {pinned.size === 0 ? null : <button type="button" onClick={() => { setMoved({ name, places: new Map() }); }}>Unpin {pinned.size}</button>}
        {graph.note === '' ? null : <span class="graph-note" role="note">{graph.note}</span>}
      </div>
      <div class="graph-box" ref={box} onPointerDown={event => { pressed(event, null); }} onPointerMove={dragged} onPointerUp={released} onWheel={wheel}>
        <svg role="group" aria-label={label} width="100%" height="100%">
          <Arrows />
          <g transform={`translate(${String(view.x)} ${String(view.y)}) scale(${String(view.scale)})`}>
            {drawn.lines.map(line => <EdgeShape key={line.edge.id} line={line} />)}
            {graph.nodes.map((node, at) => (
              <NodeShape
                key={node.id}
                node={node}
                box={drawn.boxes.get(node.id)}
                selected={node.id === selected}
                reachable={node.id === selected || (at === 0 && !graph.nodes.some(each => each.id === selected))}
                pinned={pinned.has(node.id)}
                onPress={event => { pressed(event, node.id); }}
                onSelect={() => { onSelect(node); }}
                onOpen={onOpen === undefined ? undefined : () => { onOpen(node); }}
              />
            ))}
          </g>
        </svg>
      </div>
    </div>
  );
}

function fitted(frame: Box, width: number, height: number, least: number): View {
  const scale = Math.max(least, Math.min(1.15, width / frame.width, height / frame.height));
  return { scale, x: (width - frame.width * scale) / 2 - frame.x * scale, y: (height - frame.height * scale) / 2 - frame.y * scale };
}

const centre = (box: Box | undefined): Point => ({ x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 });
