// From a graph to a picture: sizes of nodes, lines of steps, the frame around everything.

import type { Graph, GraphEdge, GraphNode } from './graph';
import { layout, stay, type Drawing, type LayoutNode, type Point } from './layout';

const LETTER = 6.7;
const LINE = 16;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Line {
  edge: GraphEdge;
  path: string;
  label: Point;
  /** Whether it is an arc that goes back. */
  back: boolean;
}

export interface Picture {
  boxes: Map<string, Box>;
  lines: Line[];
  frame: Box;
}

export function sizeOf(node: GraphNode): LayoutNode {
  const title = node.title.length + node.marks.reduce((sum, mark) => sum + mark.length + 3, 0);
  const longest = Math.max(3, title, ...node.lines.map(line => line.length));
  return { id: node.id, width: Math.round(longest * LETTER + 24), height: 26 + node.lines.length * LINE };
}

/** Places the nodes; those of an earlier picture stay where they were. */
export function place(graph: Graph, previous: ReadonlyMap<string, Point>): Drawing {
  const nodes = graph.nodes.map(sizeOf);
  const edges = graph.edges.map(edge => ({ from: edge.from, to: edge.to, words: edge.loop === true ? 0 : edge.label.length * LETTER, light: edge.ghost === true || edge.aside === true }));
  return stay(layout(nodes, edges), previous, nodes, edges);
}

/** Draws the lines; nodes that somebody moved are where they were put. */
export function picture(graph: Graph, drawing: Drawing, moved: ReadonlyMap<string, Point>): Picture {
  const boxes = new Map<string, Box>();
  for (const node of graph.nodes) {
    const at = moved.get(node.id) ?? drawing.places.get(node.id) ?? { x: 0, y: 0 };
    const { width, height } = sizeOf(node);
    boxes.set(node.id, { x: at.x - width / 2, y: at.y - height / 2, width, height });
  }
  const parallel = new Map<string, number>();
  const arcs = arcHeights(graph, drawing, boxes);
  const lines = graph.edges.flatMap((edge, at): Line[] => {
    const from = boxes.get(edge.from);
    const to = boxes.get(edge.to);
    if (from === undefined || to === undefined) return [];
    const pair = `${edge.from} ${edge.to}`;
    const nth = parallel.get(pair) ?? 0;
    parallel.set(pair, nth + 1);
    if (edge.from === edge.to) return [selfLoop(edge, from, nth)];
    const arc = arcs.get(at);
    if (arc !== undefined) return [arcLine(edge, from, to, arc)];
    const route = moved.has(edge.from) || moved.has(edge.to) ? [] : drawing.routes[at] ?? [];
    return [forwardLine(edge, from, to, route, nth)];
  });
  return { boxes, lines, frame: frameOf(boxes, [...arcs.values()]) };
}

/** Arcs that go back run above everything that they pass, the wider ones higher. */
function arcHeights(graph: Graph, drawing: Drawing, boxes: ReadonlyMap<string, Box>): Map<number, number> {
  const backs = graph.edges.flatMap((edge, at) => {
    const from = boxes.get(edge.from);
    const to = boxes.get(edge.to);
    const back = drawing.routes[at] === null && edge.from !== edge.to;
    return back && from !== undefined && to !== undefined ? [{ at, from, to }] : [];
  });
  const span = ({ from, to }: { from: Box; to: Box }): number => Math.abs(from.x - to.x);
  backs.sort((a, b) => span(a) - span(b) || a.at - b.at);
  const heights = new Map<number, number>();
  const taken: { left: number; right: number; top: number }[] = [];
  for (const { at, from, to } of backs) {
    const left = Math.min(from.x, to.x);
    const right = Math.max(from.x + from.width, to.x + to.width);
    let top = Infinity;
    for (const box of boxes.values()) if (box.x < right && box.x + box.width > left) top = Math.min(top, box.y);
    for (const arc of taken) if (arc.left < right && arc.right > left) top = Math.min(top, arc.top);
    taken.push({ left, right, top: top - 26 });
    heights.set(at, top - 26);
  }
  return heights;
}

function arcLine(edge: GraphEdge, from: Box, to: Box, top: number): Line {
  const start = from.x + from.width / 2 + 6;
  const end = to.x + to.width / 2 - 6;
  const turn = start > end ? -1 : 1;
  const r = 10;
  const path = `M${n(start)} ${n(from.y)} V${n(top + r)} Q${n(start)} ${n(top)} ${n(start + turn * r)} ${n(top)} H${n(end - turn * r)} Q${n(end)} ${n(top)} ${n(end)} ${n(top + r)} V${n(to.y)}`;
  return { edge, path, label: { x: (start + end) / 2, y: top - 5 }, back: true };
}

function selfLoop(edge: GraphEdge, box: Box, nth: number): Line {
  const middle = box.x + box.width / 2;
  const rise = 34 + nth * 18;
  const path = `M${n(middle + 12)} ${n(box.y)} C${n(middle + 26)} ${n(box.y - rise)} ${n(middle - 26)} ${n(box.y - rise)} ${n(middle - 12)} ${n(box.y)}`;
  return { edge, path, label: { x: middle, y: box.y - rise * 0.75 - 4 }, back: true };
}

function forwardLine(edge: GraphEdge, from: Box, to: Box, route: readonly Point[], nth: number): Line {
  const shift = nth * 12;
  const forward = to.x >= from.x + from.width;
  const start = forward ? { x: from.x + from.width, y: from.y + from.height / 2 } : { x: from.x + from.width / 2, y: to.y > from.y ? from.y + from.height : from.y };
  const end = forward ? { x: to.x, y: to.y + to.height / 2 } : { x: to.x + to.width / 2, y: to.y > from.y ? to.y : to.y + to.height };
  const points = [start, ...route.map(point => ({ x: point.x, y: point.y + shift })), end];
  let path = `M${n(start.x)} ${n(start.y)}`;
  for (let at = 1; at < points.length; at += 1) {
    const a = points[at - 1] ?? start;
    const b = points[at] ?? end;
    const half = (a.x + b.x) / 2;
    path += forward ? ` C${n(half)} ${n(a.y + (route.length === 0 ? shift * 1.6 : 0))} ${n(half)} ${n(b.y + (route.length === 0 ? shift * 1.6 : 0))} ${n(b.x)} ${n(b.y)}` : ` L${n(b.x)} ${n(b.y)}`;
  }
  const middle = points.length > 2 ? points[points.length >> 1] ?? end : { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 + shift * 1.2 };
  return { edge, path, label: { x: middle.x, y: middle.y - 5 }, back: false };
}

function frameOf(boxes: ReadonlyMap<string, Box>, tops: readonly number[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes.values()) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  if (boxes.size === 0) return { x: 0, y: 0, width: 100, height: 100 };
  top = Math.min(top - 40, ...tops.map(each => each - 20));
  return { x: left - 40, y: top, width: right - left + 80, height: bottom - top + 30 };
}

const n = (value: number): string => String(Math.round(value * 10) / 10);
