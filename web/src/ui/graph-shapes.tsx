// How nodes and steps of a graph look.

import type { JSX } from 'preact';
import { CAUSE } from '../lib/blame';
import type { Graph, GraphNode } from '../lib/graph';
import { picture, place, type Box, type Line } from '../lib/picture';

/** A graph to be printed: it cannot be moved. */
export function StaticGraph({ graph, label }: { graph: Graph; label: string }): JSX.Element {
  const drawn = picture(graph, place(graph, new Map()), new Map());
  const { x, y, width, height } = drawn.frame;
  return (
    <svg class="static-graph" role="img" aria-label={label} viewBox={[x, y, width, height].join(' ')} style={{ maxWidth: `${String(width)}px` }}>
      <Arrows />
      {drawn.lines.map(line => <EdgeShape key={line.edge.id} line={line} />)}
      {graph.nodes.map(node => <NodeShape key={node.id} node={node} box={drawn.boxes.get(node.id)} selected={false} pinned={false} />)}
    </svg>
  );
}

export function Arrows(): JSX.Element {
  const kinds = ['plain', 'correct', 'incorrect', 'neutral', 'ghost'];
  return (
    <defs>
      {kinds.map(kind => (
        <marker key={kind} id={`arrow-${kind}`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse" class={`arrow-head edge-${kind}`}>
          <path d="M0 0.5 L8 4 L0 7.5 Z" />
        </marker>
      ))}
    </defs>
  );
}

const SIGNS = { correct: '+ ', incorrect: '× ', neutral: '· ' } as const;

export function EdgeShape({ line }: { line: Line }): JSX.Element {
  const { edge } = line;
  const kind = edge.ghost === true ? 'ghost' : edge.tag ?? 'plain';
  const label = `${edge.tag === undefined ? '' : SIGNS[edge.tag]}${edge.label}`;
  return (
    <g class={`edge edge-${kind}${edge.loop === true ? ' edge-loop' : ''}`}>
      <path d={line.path} marker-end={`url(#arrow-${kind})`} />
      {label.trim() === '' ? null : <text x={line.label.x} y={line.label.y} text-anchor="middle">{label}</text>}
    </g>
  );
}

interface NodeProps {
  node: GraphNode;
  box: Box | undefined;
  selected: boolean;
  /** Whether the Tab key comes here: one node of a picture is. */
  reachable?: boolean;
  pinned: boolean;
  onPress?: (event: PointerEvent) => void;
  onSelect?: () => void;
  onOpen?: (() => void) | undefined;
}

export function NodeShape({ node, box, selected, reachable = selected, pinned, onPress, onSelect, onOpen }: NodeProps): JSX.Element | null {
  if (box === undefined) return null;
  const said = [node.title, ...node.marks, ...node.lines, node.hint ?? ''].filter(part => part !== '').join(' ');
  const radius = node.kind === 'bundle' ? 13 : node.kind === 'sink' ? 18 : 6;
  return (
    <g
      class={`node node-${node.kind}${selected ? ' node-selected' : ''}${node.looping === true ? ' node-looping' : ''}`}
      transform={`translate(${String(box.x)} ${String(box.y)})`}
      {...(onSelect === undefined ? {} : { role: 'button' as const, tabIndex: reachable ? 0 : -1, 'aria-label': said, 'aria-pressed': selected })}
      onPointerDown={onPress}
      onDblClick={onOpen}
      onKeyDown={event => {
        if (event.key === 'Enter' && selected && onOpen !== undefined) onOpen();
        else if (event.key === 'Enter' || event.key === ' ') onSelect?.();
      }}
    >
      {node.hint === undefined ? null : <title>{node.hint}</title>}
      {node.initial === true ? <path class="node-start" d={`M-22 ${String(box.height / 2)} H-4`} marker-end="url(#arrow-plain)" /> : null}
      {node.kind === 'region' ? <rect class="node-outer" x="-4" y="-4" rx="9" width={box.width + 8} height={box.height + 8} /> : null}
      <rect class="node-body" rx={radius} width={box.width} height={box.height} />
      <text x="10" y="17" class="node-title">
        {node.title}{' '}
        {node.marks.map(mark => <tspan key={mark} class="node-mark" dx="8">{mark}{' '}</tspan>)}
      </text>
      {node.lines.map((line, at) => <text key={at} x="10" y={35 + at * 16} class="node-line">{line.startsWith(`${CAUSE} `) ? <><tspan class="node-cause">{CAUSE}</tspan>{line.slice(CAUSE.length)}</> : line}{' '}</text>)}
      {pinned ? <text x={box.width - 6} y="12" text-anchor="end" class="node-pin">pinned</text> : null}
    </g>
  );
}
