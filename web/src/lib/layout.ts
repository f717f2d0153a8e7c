// A layered drawing of a graph, from left to right, after Sugiyama, Tagawa and Toda (1981).
//
// Steps that close a cycle are found first and do not count for layers: they are drawn as arcs above what they go round.
// Longer steps pass through points in the layers between. The order within layers comes from a few sweeps of medians. The
// result depends on the graph only, and nodes that were placed before stay where they are (`stay`).

export interface LayoutNode {
  id: string;
  width: number;
  height: number;
}

export interface LayoutEdge {
  from: string;
  to: string;
  /** Room that the words on it take. */
  words?: number;
  /** A step that should not pull the others aside. */
  light?: boolean;
}

export interface Point {
  x: number;
  y: number;
}

export interface Drawing {
  /** The centre of each node. */
  places: Map<string, Point>;
  /** For each step, in order, the points between its ends; null for a step that goes back. */
  routes: (Point[] | null)[];
}

const GAP_X = 34;
const GAP_Y = 26;
const SWEEPS = 6;

interface Slot {
  node: LayoutNode | null;
  layer: number;
  before: number[];
  after: number[];
  /** How strongly it asks for its place. */
  weight: number;
  y: number;
}

export function layout(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Drawing {
  const index = new Map(nodes.map((node, at) => [node.id, at]));
  const ends = edges.map(edge => [index.get(edge.from) ?? -1, index.get(edge.to) ?? -1] as const);
  const back = backEdges(nodes.length, ends);
  const layers = layersOf(nodes.length, ends, back);
  const slots: Slot[] = nodes.map((node, at) => ({ node, layer: layers[at] ?? 0, before: [], after: [], weight: 1, y: 0 }));
  edges.forEach((edge, at) => {
    const target = slots[ends[at]?.[1] ?? -1];
    if (edge.light === true && target !== undefined) target.weight = 0.02;
  });
  const paths = ends.map(([from, to], at) => (back.has(at) || from < 0 || to < 0 ? null : connect(slots, from, to)));
  const columns = columnsOf(slots);
  arrange(slots, columns);
  const xs = widths(slots, columns, edges.flatMap((edge, at) => (paths[at] === null ? [] : [{ layer: layers[ends[at]?.[0] ?? -1] ?? 0, words: edge.words ?? 0 }])));
  settle(slots, columns);
  const places = new Map<string, Point>();
  for (const slot of slots) if (slot.node !== null) places.set(slot.node.id, { x: xs[slot.layer] ?? 0, y: slot.y });
  const routes = paths.map(path => path?.map(at => ({ x: xs[slots[at]?.layer ?? 0] ?? 0, y: slots[at]?.y ?? 0 })) ?? null);
  return { places, routes };
}

/** Keeps the places of nodes that were drawn before, and moves new ones along with the nodes that they hang on. */
export function stay(drawing: Drawing, previous: ReadonlyMap<string, Point>, nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Drawing {
  if (![...drawing.places.keys()].some(id => previous.has(id))) return drawing;
  const places = new Map<string, Point>();
  for (const id of drawing.places.keys()) {
    const old = previous.get(id);
    if (old !== undefined) places.set(id, old);
  }
  const size = new Map(nodes.map(node => [node.id, node]));
  const free = (id: string, at: Point): boolean => {
    const mine = size.get(id);
    for (const [other, place] of places) {
      const theirs = size.get(other);
      if (mine === undefined || theirs === undefined) continue;
      const near = Math.abs(place.x - at.x) < (mine.width + theirs.width) / 2 + 12 && Math.abs(place.y - at.y) < (mine.height + theirs.height) / 2 + 12;
      if (near) return false;
    }
    return true;
  };
  for (const [id, wanted] of drawing.places) {
    if (places.has(id)) continue;
    const anchor = edges.flatMap(edge => (edge.to === id ? [edge.from] : edge.from === id ? [edge.to] : [])).find(other => places.has(other));
    const was = anchor === undefined ? undefined : drawing.places.get(anchor);
    const is = anchor === undefined ? undefined : places.get(anchor);
    const at = was === undefined || is === undefined ? { ...wanted } : { x: wanted.x - was.x + is.x, y: wanted.y - was.y + is.y };
    while (!free(id, at)) at.y += GAP_Y;
    places.set(id, at);
  }
  const moved = (id: string): boolean => {
    const now = places.get(id);
    const then = drawing.places.get(id);
    return now === undefined || then === undefined || now.x !== then.x || now.y !== then.y;
  };
  const routes = drawing.routes.map((route, at) => {
    const edge = edges[at];
    return route === null || edge === undefined ? route : moved(edge.from) || moved(edge.to) ? [] : route;
  });
  return { places, routes };
}

/** Steps that lead to a node that is still being visited: without them there is no cycle. */
function backEdges(size: number, ends: readonly (readonly [number, number])[]): Set<number> {
  const out: number[][] = Array.from({ length: size }, () => []);
  ends.forEach(([from], at) => out[from]?.push(at));
  const state = new Uint8Array(size);
  const back = new Set<number>();
  for (let start = 0; start < size; start += 1) {
    if (state[start] !== 0) continue;
    const stack: { node: number; next: number }[] = [{ node: start, next: 0 }];
    state[start] = 1;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const at = out[top.node]?.[top.next];
      if (at === undefined) {
        state[top.node] = 2;
        stack.pop();
        continue;
      }
      top.next += 1;
      const to = ends[at]?.[1] ?? -1;
      if (to < 0) continue;
      if (state[to] === 1) back.add(at);
      else if (state[to] === 0) {
        state[to] = 1;
        stack.push({ node: to, next: 0 });
      }
    }
  }
  return back;
}

/** The longest way to each node, over steps that do not go back. */
function layersOf(size: number, ends: readonly (readonly [number, number])[], back: ReadonlySet<number>): number[] {
  const layers = new Array<number>(size).fill(0);
  const degree = new Array<number>(size).fill(0);
  const out: number[][] = Array.from({ length: size }, () => []);
  ends.forEach(([from, to], at) => {
    if (back.has(at) || from < 0 || to < 0) return;
    out[from]?.push(to);
    degree[to] = (degree[to] ?? 0) + 1;
  });
  const queue = degree.flatMap((count, node) => (count === 0 ? [node] : []));
  // The list grows while it is gone through.
  for (const node of queue) {
    for (const to of out[node] ?? []) {
      layers[to] = Math.max(layers[to] ?? 0, (layers[node] ?? 0) + 1);
      degree[to] = (degree[to] ?? 0) - 1;
      if (degree[to] === 0) queue.push(to);
    }
  }
  return layers;
}

/** Joins two slots, over points in the layers between; gives these points. */
function connect(slots: Slot[], from: number, to: number): number[] {
  const path: number[] = [];
  let last = from;
  const target = slots[to];
  const source = slots[from];
  if (target === undefined || source === undefined) return path;
  for (let layer = source.layer + 1; layer < target.layer; layer += 1) {
    const at = slots.length;
    slots.push({ node: null, layer, before: [last], after: [], weight: 0.5, y: 0 });
    slots[last]?.after.push(at);
    path.push(at);
    last = at;
  }
  slots[last]?.after.push(to);
  target.before.push(last);
  return path;
}

function columnsOf(slots: readonly Slot[]): number[][] {
  const columns: number[][] = [];
  slots.forEach((slot, at) => (columns[slot.layer] ??= []).push(at));
  return Array.from(columns, column => column);
}

/** Orders the slots of each layer by the medians of their neighbours. */
function arrange(slots: readonly Slot[], columns: number[][]): void {
  const rank = new Array<number>(slots.length).fill(0);
  const number = (column: readonly number[]): void => {
    column.forEach((at, place) => (rank[at] = place));
  };
  columns.forEach(number);
  const sort = (column: number[], neighbours: (slot: Slot) => number[]): void => {
    const key = new Map(column.map(at => {
      const slot = slots[at];
      const around = slot === undefined ? [] : neighbours(slot).map(other => rank[other] ?? 0);
      return [at, around.length === 0 ? rank[at] ?? 0 : median(around)] as const;
    }));
    column.sort((a, b) => (key.get(a) ?? 0) - (key.get(b) ?? 0) || a - b);
    number(column);
  };
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    if (sweep % 2 === 0) for (const column of columns) sort(column, slot => slot.before);
    else for (const column of [...columns].reverse()) sort(column, slot => slot.after);
  }
  for (const column of columns) sort(column, slot => slot.before);
}

/** The middle of each layer. */
function widths(slots: readonly Slot[], columns: readonly number[][], labels: readonly { layer: number; words: number }[]): number[] {
  const gaps = columns.map(() => GAP_X);
  for (const { layer, words } of labels) gaps[layer] = Math.max(gaps[layer] ?? GAP_X, words + 22);
  let x = 0;
  return columns.map((column, layer) => {
    const width = Math.max(8, ...column.map(at => slots[at]?.node?.width ?? 0));
    const middle = x + width / 2;
    x += width + (gaps[layer] ?? GAP_X);
    return middle;
  });
}

/** Heights: each slot near to its neighbours, none on top of another. */
function settle(slots: readonly Slot[], columns: readonly number[][]): void {
  const height = (at: number): number => slots[at]?.node?.height ?? 4;
  for (const column of columns) {
    let y = 0;
    for (const at of column) {
      const slot = slots[at];
      if (slot !== undefined) slot.y = y + height(at) / 2;
      y += height(at) + GAP_Y;
    }
    for (const at of column) {
      const slot = slots[at];
      if (slot !== undefined) slot.y -= (y - GAP_Y) / 2;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forward = sweep % 2 === 0;
    for (const column of forward ? columns : [...columns].reverse()) {
      const wanted = column.map(at => {
        const slot = slots[at];
        const near = (forward ? slot?.before : slot?.after) ?? [];
        const strong = near.filter(other => (slots[other]?.weight ?? 0) >= 1);
        const around = (strong.length > 0 ? strong : near).map(other => slots[other]?.y ?? 0);
        return around.length === 0 ? slot?.y ?? 0 : median(around);
      });
      spread(slots, column, wanted, height);
    }
  }
}

/** Puts the slots of a layer as near as possible to where they want to be, in their order. */
function spread(slots: readonly Slot[], column: readonly number[], wanted: readonly number[], height: (at: number) => number): void {
  // Groups of slots that touch move together to the weighted mean of what they want.
  const groups: { members: number[]; offsets: number[]; y: number; size: number; weight: number }[] = [];
  column.forEach((at, place) => {
    let group = { members: [at], offsets: [height(at) / 2], y: (wanted[place] ?? 0) - height(at) / 2, size: height(at), weight: slots[at]?.weight ?? 1 };
    for (let above = groups.at(-1); above !== undefined && above.y + above.size + GAP_Y > group.y; above = groups.at(-1)) {
      groups.pop();
      const shift = above.size + GAP_Y;
      const weight = above.weight + group.weight;
      group = {
        members: [...above.members, ...group.members],
        offsets: [...above.offsets, ...group.offsets.map(offset => offset + shift)],
        y: (above.y * above.weight + (group.y - shift) * group.weight) / weight,
        size: above.size + GAP_Y + group.size,
        weight,
      };
    }
    groups.push(group);
  });
  for (const group of groups) {
    group.members.forEach((at, place) => {
      const slot = slots[at];
      if (slot !== undefined) slot.y = Math.round(group.y + (group.offsets[place] ?? 0));
    });
  }
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? high)) / 2;
}
