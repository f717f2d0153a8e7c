// Pictures of the tagged graph: all counterexamples at once, where each step is correct, incorrect or open, and the
// states where good and bad part are marked with their type.

import type { CourseDoc, GraphEdgeDoc, GraphNodeDoc, NearbyAnswer, NeighbourhoodName, TagName } from '../api/wire';
import { MOST_NODES, type Graph, type GraphEdge, type GraphNode } from './graph';
import { diff } from './diff';
import { plural, show } from './values';

/** What the types of neighbourhoods mean. */
export const TYPES: Record<NeighbourhoodName, string> = {
  cn: 'right or open',
  in: 'wrong or open',
  ci: 'right or wrong',
  cin: 'right, wrong or open',
};

const SHAPES: Record<NeighbourhoodName, string> = { cn: '◐', in: '◑', ci: '◆', cin: '◈' };

/** The mark of a neighbourhood: a shape and its type. */
export const markOf = (type: NeighbourhoodName): string => `${SHAPES[type]} ${type}`;

const cut = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
/** Where correct steps lead: out of the counterexamples. Each state has an end of its own, so that lines stay short. */
const sink = (id: string): GraphNode => ({ id, kind: 'sink', title: '+ kept', lines: [], marks: [], hint: 'A correct step: the property is kept.' });

/** The picture of a run without a server: what its neighbourhoods list stands beside it. Long stretches are bundled. */
export function graphOfCourse(course: CourseDoc, every: boolean, most = MOST_NODES): Graph {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const home = new Map<number, string>();
  const { kept, left } = keepOfCourse(course, every, most);
  let bundle: { node: GraphNode; size: number } | null = null;
  const close = (): void => {
    if (bundle !== null) bundle.node.title = `… ${plural(bundle.size, 'state')} …`;
    bundle = null;
  };
  course.states.forEach((state, at) => {
    if (kept.has(at)) {
      close();
      const { neighbourhood } = state;
      const node: GraphNode = {
        id: `c${String(at)}`, kind: 'state', title: `state ${String(state.state)}`, step: at, lines: valueLines(course, at), initial: at === 0,
        marks: [...(neighbourhood === null ? [] : [markOf(neighbourhood.type)]), ...(at === course.states.length - 1 && course.ending === 'reached' ? ['× broken'] : [])],
      };
      nodes.push(node);
      home.set(at, node.id);
      return;
    }
    if (bundle === null) {
      bundle = { node: { id: `d${String(at)}`, kind: 'bundle', title: '', lines: [], marks: [], step: at }, size: 0 };
      nodes.push(bundle.node);
    }
    bundle.size += 1;
    home.set(at, bundle.node.id);
  });
  close();
  course.steps.forEach((step, at) => {
    const from = home.get(at);
    const to = home.get(at + 1 < course.states.length ? at + 1 : course.loop ?? -1);
    if (from === undefined || to === undefined || from === to) return;
    edges.push({ id: `t${String(at)}`, from, to, label: cut(step.action), tag: step.tag, loop: at + 1 >= course.states.length });
  });
  for (const at of kept) stubs(course, at, home.get(at), nodes, edges);
  const much = left === 0 ? '' : `${plural(left, 'state')} in the middle ${left === 1 ? 'is' : 'are'} bundled, too: Evidence lists every step.`;
  return { nodes, edges, note: [every ? '' : 'Steps that decide nothing are bundled.', much].filter(part => part !== '').join(' ') };
}

/**
 * The places of a run that are drawn: those that matter, or all. Where these are too many, those near the end, since there
 * the property breaks, and those near the start; `left` counts the others.
 */
function keepOfCourse(course: CourseDoc, every: boolean, most: number): { kept: Set<number>; left: number } {
  const last = course.states.length - 1;
  const matters = (at: number): boolean => every || at === 0 || at === last || at === course.loop
    || course.steps[at]?.kept === true || course.steps[at - 1]?.kept === true || course.states[at]?.neighbourhood != null;
  const wanted: number[] = [];
  for (let at = 0; at <= last; at += 1) if (matters(at)) wanted.push(at);
  // A state with its ends and the bundle beside it.
  const size = (at: number): number => {
    const neighbourhood = course.states[at]?.neighbourhood ?? null;
    return 2 + (neighbourhood === null ? 0 : [neighbourhood.correct, neighbourhood.incorrect, neighbourhood.neutral].filter(labels => labels.length > 0).length);
  };
  const kept = new Set<number>();
  let room = most;
  const add = (at: number | undefined): boolean => {
    if (at === undefined || kept.has(at)) return true;
    room -= size(at);
    if (room < 0) return false;
    kept.add(at);
    return true;
  };
  add(course.loop ?? undefined);
  for (let near = 0; near < wanted.length; near += 1) {
    if (!add(wanted[wanted.length - 1 - near]) || !add(wanted[near])) break;
  }
  return { kept, left: wanted.length - wanted.filter(at => kept.has(at)).length };
}

/** What changed at a state of a model with variables. */
function valueLines(course: CourseDoc, at: number): string[] {
  const now = course.states[at]?.values;
  const before = course.states[at - 1]?.values;
  if (now === undefined || before === undefined) return [];
  const lines = diff(before, now).map(change => cut(`${change.variable} = ${show(change.new)}`));
  return lines.length > 4 ? [...lines.slice(0, 4), `and ${String(lines.length - 4)} more`] : lines;
}

/** Steps that leave a neighbourhood and are not on the run. */
function stubs(course: CourseDoc, at: number, from: string | undefined, nodes: GraphNode[], edges: GraphEdge[]): void {
  const neighbourhood = course.states[at]?.neighbourhood ?? null;
  if (neighbourhood === null || from === undefined) return;
  const taken = course.steps[at]?.action;
  for (const tag of ['correct', 'incorrect', 'neutral'] as const) {
    const labels = neighbourhood[tag].filter(label => label !== taken || course.steps[at]?.tag !== tag);
    if (labels.length === 0) continue;
    const to = `${tag === 'correct' ? 'k' : 'e'}${String(at)}${tag}`;
    if (tag === 'correct') nodes.push(sink(to));
    else nodes.push({ id: to, kind: 'ghost', title: tag === 'incorrect' ? 'wrong' : 'open', lines: [], marks: [], step: at, hint: 'Not on this run.' });
    edges.push({ id: `u${String(at)}${tag}`, from, to, label: cut(labels.length > 2 ? `${labels.slice(0, 2).join(', ')} and ${String(labels.length - 2)} more` : labels.join(', ')), tag, aside: true });
  }
}

/** Pieces of a graph put together; of equal ones the first counts. */
export function union(pieces: readonly NearbyAnswer[]): NearbyAnswer {
  const nodes = new Map<number, GraphNodeDoc>();
  const edges = new Map<string, GraphEdgeDoc>();
  for (const piece of pieces) {
    for (const node of piece.nodes) if (!nodes.has(node.node)) nodes.set(node.node, node);
    for (const edge of piece.edges) edges.set(linkKey(edge), edge);
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], left_out: 0 };
}

const linkKey = (link: GraphEdgeDoc): string => `${String(link.from)} ${String(link.to)} ${link.tag} ${link.action} ${String(link.state)}`;

/** How much of a picture is for states; the rest is for where their steps lead. */
const PLACES = 2 / 3;

/** No picture has more lines: beyond that nobody can follow one. Those that decide something come first. */
const MOST_LINES = 600;

/** The picture of a piece of the tagged graph. Nodes that are known only as targets are ghosts to be opened. */
export function graphOfPlaces(piece: NearbyAnswer, onRun: ReadonlySet<number>, most = MOST_NODES): Graph {
  const places = [...piece.nodes].sort((a, b) => Number(onRun.has(b.node)) - Number(onRun.has(a.node)) || Number(b.kind !== null) - Number(a.kind !== null) || a.distance - b.distance || a.node - b.node).slice(0, Math.floor(most * PLACES));
  const kept = new Set(places.map(place => place.node));
  const inOrder = places.sort((a, b) => a.distance - b.distance || a.node - b.node);
  const nodes: GraphNode[] = inOrder.map(place => ({
    id: `n${String(place.node)}`, kind: 'state', title: `state ${String(place.state)}`, lines: [], step: place.node, initial: place.node === 0,
    marks: [...(place.kind === null ? [] : [markOf(place.kind)]), ...(place.accepting ? ['× broken'] : []), ...(onRun.has(place.node) ? ['on the run'] : [])],
    hint: `${plural(place.steps, 'step')} leave; ${plural(place.distance, 'step')} from the start`,
  }));
  const edges = new Map<string, GraphEdge & { labels: string[] }>();
  const drawn = new Set(nodes.map(node => node.id));
  /** Adds the end of a step if there is room. */
  const end = (node: GraphNode): boolean => {
    if (drawn.has(node.id)) return true;
    if (nodes.length >= most) return false;
    drawn.add(node.id);
    nodes.push(node);
    return true;
  };
  let ends = 0;
  for (const link of piece.edges) {
    if (!kept.has(link.from)) continue;
    const from = `n${String(link.from)}`;
    let to = link.to === null ? `k${String(link.from)}` : `n${String(link.to)}`;
    if (link.to !== null && !kept.has(link.to)) {
      to = `g${String(link.to)}`;
      if (link.tag === 'neutral' || !end({ id: to, kind: 'ghost', title: `state ${String(link.state)}`, lines: [], marks: ['open it'], step: link.to })) { ends += 1; continue; }
    }
    if (link.to === null && !end(sink(to))) { ends += 1; continue; }
    const id = `${from} ${to} ${link.tag}`;
    const edge = edges.get(id);
    if (edge === undefined) edges.set(id, { id, from, to, label: '', labels: [link.action], tag: link.tag });
    else edge.labels.push(link.action);
  }
  for (const edge of edges.values()) edge.label = cut(bundled(edge.labels));
  const all = [...edges.values()];
  const lines = all.length <= MOST_LINES ? all : all.sort((a, b) => Number(a.tag === 'neutral') - Number(b.tag === 'neutral')).slice(0, MOST_LINES);
  const hidden = piece.nodes.length - places.length + piece.left_out;
  const note = [hidden > 0 ? `${plural(hidden, 'state')} are not drawn` : '', edges.size > lines.length ? `${plural(edges.size - lines.length, 'line')} between states are not drawn` : '', ends > 0 ? `${plural(ends, 'step')} lead further` : ''].filter(part => part !== '').join('; ');
  return { nodes, edges: lines, note: note === '' ? '' : `${note}. Open a node to see more.` };
}

function bundled(labels: readonly string[]): string {
  const distinct = [...new Set(labels)];
  return distinct.length > 2 ? `${distinct.slice(0, 2).join(', ')} and ${String(distinct.length - 2)} more` : distinct.join(', ');
}

/** What an analysis comes to. */
export const OUTLOOKS: Record<string, string> = {
  holds: 'No run breaks the property.',
  'always-violated': 'Every run breaks the property: look at what all runs share, not for a wrong turn.',
  'no-good-step': 'No step settles it for good: bad stays possible for ever.',
  mixed: 'Some runs break the property, and others do not. Neighbourhoods are the states where they part.',
};

export const TAG_WORDS: Record<TagName, string> = { correct: 'correct', incorrect: 'incorrect', neutral: 'open' };
