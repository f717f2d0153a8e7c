// The graph of a walk: a node for each state, or for each value of an expression; what can follow are ghosts.

import type { Spot } from '../api/values';
import { diff } from './diff';
import { MOST_NODES, type Graph, type GraphEdge, type GraphNode } from './graph';
import type { Run } from './run';
import { plural, show } from './values';

export interface WalkNode extends GraphNode {
  /** The steps of the walk at which it was visited. */
  steps: number[];
}

export interface WalkPicture extends Graph {
  nodes: WalkNode[];
}

const cut = (text: string): string => (text.length > 32 ? `${text.slice(0, 31)}…` : text);

/** `values` are those of the expression, for the states of the walk and then for what can follow. */
export function graphOfWalk(run: Run, spots: readonly Spot[], values: readonly (string | null)[] | null, most = MOST_NODES): WalkPicture {
  const nodes = new Map<string, WalkNode>();
  const edges = new Map<string, GraphEdge>();
  const key = (at: number, state: object): string => (values === null ? JSON.stringify(state) : `=${String(values[at] ?? '–')}`);
  let hidden = 0;
  let before: string | null = null;
  const first = Math.max(0, run.states.length - most);
  hidden += first;
  run.states.slice(first).forEach((state, offset) => {
    const at = first + offset;
    const id = key(at, state.raw);
    const node = nodes.get(id);
    const step = run.steps[at - 1];
    if (node === undefined) {
      nodes.set(id, {
        id, kind: 'state', title: values === null ? String(at) : String(values[at] ?? '–'), marks: at === 0 ? ['start'] : [], initial: at === 0, step: at, steps: [at],
        lines: values === null ? linesOf(at === 0 ? Object.entries(state.values).map(([name, value]) => `${name} = ${show(value)}`) : step?.changes.map(change => `${change.variable} = ${show(change.new)}`) ?? []) : [],
      });
    } else {
      node.steps.push(at);
      node.step = at;
      if (values === null) node.title = node.steps.join(', ');
      else node.marks = [plural(node.steps.length, 'step')];
    }
    if (before !== null) edges.set(`${before} ${id}`, { id: `${before} ${id}`, from: before, to: id, label: step?.action ?? '' });
    before = id;
  });
  spots.forEach((spot, at) => {
    const id = key(run.states.length + at, spot.values);
    if (before === null) return;
    if (!nodes.has(id)) {
      if (nodes.size >= most) { hidden += 1; return; }
      const changes = diff(run.states.at(-1)?.raw ?? {}, spot.values).map(change => `${change.variable} = ${show(change.new)}`);
      nodes.set(id, { id, kind: 'ghost', title: values === null ? `${String(at + 1)}` : String(values[run.states.length + at] ?? '–'), marks: ['can follow'], lines: linesOf(changes), step: at, steps: [], hint: 'Click to take this step.' });
    }
    if (!edges.has(`${before} ${id}`)) edges.set(`${before} ${id}`, { id: `${before} ${id}`, from: before, to: id, label: spot.action ?? '', ghost: true });
  });
  return { nodes: [...nodes.values()], edges: [...edges.values()], note: hidden === 0 ? '' : `${plural(hidden, 'state')} are not drawn.` };
}

function linesOf(lines: readonly string[]): string[] {
  const shown = lines.slice(0, 4).map(cut);
  return lines.length > 4 ? [...shown, `and ${String(lines.length - 4)} more`] : shown;
}
