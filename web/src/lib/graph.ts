// Graphs as they are drawn, and how one is made of a run: what is too much is bundled, and the picture says so.

import type { Values } from '../api/values';
import type { TagName } from '../api/wire';
import { CAUSE, causesAt } from './blame';
import { diff } from './diff';
import { ranksOf, rowOf, type Run } from './run';
import { claim } from './tell';
import { plural, show } from './values';

export type NodeKind = 'state' | 'ghost' | 'bundle' | 'region' | 'sink';

export interface GraphNode {
  id: string;
  kind: NodeKind;
  title: string;
  lines: string[];
  /** Marks beside the title: short words, never colour alone. */
  marks: string[];
  initial?: boolean;
  looping?: boolean;
  /** The step that a click selects. */
  step?: number;
  hint?: string;
}

export interface GraphEdge {
  id: string;
  from: string;
  to: string;
  label: string;
  tag?: TagName;
  ghost?: boolean;
  /** Whether it closes a loop. */
  loop?: boolean;
  /** Whether it stands aside, and the run should stay straight. */
  aside?: boolean;
}

export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** What is not drawn, as a sentence. */
  note: string;
}

/** No picture has more nodes than about this. */
export const MOST_NODES = 300;
/** Lines of changes in a node. */
const MOST_LINES = 4;

const cut = (text: string, length = 34): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** The graph of a run, with the choices that were not taken. */
export function graphOfRun(run: Run, selected: number, ghosts: boolean, most = MOST_NODES, claims = false): Graph {
  const kept = keep(run, selected, most);
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  const home = new Map<number, string>();
  addStates(run, kept, nodes, home);
  addSteps(run, nodes, edges, home);
  addRegions(run, nodes, edges, home);
  if (claims) addClaims(run, nodes, home);
  if (ghosts) addGhosts(run, nodes, edges, home);
  const hidden = run.states.length - kept.size;
  const note = hidden === 0 ? '' : `${plural(run.states.length, 'state')}, showing ${String(kept.size)}; the others are bundled.`;
  return { nodes: [...nodes.values()], edges: [...edges.values()], note };
}

/** The states that are drawn: all of them, or those where something happens, and those near the selected one. */
function keep(run: Run, selected: number, most: number): Set<number> {
  if (run.states.length <= most) return new Set(run.states.map(state => state.id));
  const kept = new Set<number>();
  const add = (state: number | null | undefined): void => {
    if (state !== null && state !== undefined && kept.size < most && run.states[state] !== undefined) kept.add(state);
  };
  add(run.states[0]?.id);
  add(selected);
  add(run.loop);
  for (const segment of run.segments) {
    add(segment.from);
    add(segment.to);
    add(segment.states[0]);
    add(segment.states.at(-1));
  }
  for (const decision of run.decisions) {
    add(decision.from);
    add(decision.to);
  }
  const room = Math.min(40, most - kept.size);
  for (let near = 1; near <= room / 2; near += 1) {
    add(selected - near);
    add(selected + near);
  }
  return kept;
}

/** Draws the states that are kept; runs of others become bundles. */
function addStates(run: Run, kept: ReadonlySet<number>, nodes: Map<string, GraphNode>, home: Map<number, string>): void {
  const decided = new Map(run.decisions.flatMap(decision => (decision.choice === 'lost' && decision.from !== null ? [[decision.from, decision] as const] : [])));
  for (const segment of run.segments) {
    let bundle: { node: GraphNode; size: number; first: number; last: number } | null = null;
    const close = (): void => {
      if (bundle === null) return;
      bundle.node.title = `… ${plural(bundle.size, 'step')} …`;
      bundle.node.hint = `steps ${String(bundle.first)} to ${String(bundle.last)}`;
      bundle = null;
    };
    for (const state of segment.states) {
      if (!kept.has(state)) {
        if (bundle === null) {
          bundle = { node: { id: `b${String(state)}`, kind: 'bundle', title: '', lines: [], marks: [], step: state }, size: 0, first: state, last: state };
          nodes.set(bundle.node.id, bundle.node);
        }
        bundle.size += 1;
        bundle.last = state;
        home.set(state, bundle.node.id);
        continue;
      }
      close();
      const first = run.states[state];
      if (first === undefined) continue;
      const id = `s${String(state)}`;
      const isStart = segment.from === null && state === segment.states[0];
      const changes = changeLines(run, state, isStart);
      nodes.set(id, {
        id, kind: 'state', title: String(state), lines: changes,
        marks: [...(isStart ? ['start'] : []), ...(decided.has(state) ? ['★ decided here'] : []), ...(first.mark === undefined ? [] : [first.mark])],
        initial: isStart, looping: rowOf(run, state)?.looping === true, step: state,
      });
      home.set(state, id);
    }
    close();
  }
}

/** Adds the claims of the proof that each state serves, below its values. */
function addClaims(run: Run, nodes: ReadonlyMap<string, GraphNode>, home: ReadonlyMap<number, string>): void {
  const served = new Map<string, Set<string>>();
  for (const node of run.proof) {
    const id = home.get(node.state);
    if (id === undefined || nodes.get(id)?.kind !== 'state') continue;
    const texts = served.get(id) ?? new Set();
    served.set(id, texts.add(cut(claim(run, node), 44)));
  }
  for (const [id, texts] of served) nodes.get(id)?.lines.push('--', ...texts);
}

/** What is told of a state: all values at the start, then what changes; what the failure depends on comes first. */
function changeLines(run: Run, state: number, isStart: boolean): string[] {
  const changes = rowOf(run, state)?.step?.changes ?? [];
  const values = run.states[state]?.values ?? {};
  const marked = causesAt(run, state);
  const told = isStart || run.shape === 'instance' ? Object.keys(values) : changes.map(change => change.variable);
  const names = [...marked, ...told.filter(name => !marked.has(name))];
  const news = new Map(changes.map(change => [change.variable, change.new]));
  const lines = names.map(name => `${marked.has(name) ? `${CAUSE} ` : ''}${name} = ${show(values[name] ?? news.get(name))}`);
  const shown = lines.slice(0, MOST_LINES).map(line => cut(line));
  return lines.length > MOST_LINES ? [...shown, `and ${String(lines.length - MOST_LINES)} more`] : shown;
}

function addSteps(run: Run, nodes: ReadonlyMap<string, GraphNode>, edges: Map<string, GraphEdge>, home: ReadonlyMap<number, string>): void {
  const serves = new Map<string, string>();
  for (const segment of run.segments) {
    const first = segment.states[0] ?? segment.to;
    if (!segment.main && segment.from !== null && first !== null) serves.set(`${String(segment.from)} ${String(first)}`, claim(run, segment));
  }
  const rank = ranksOf(run);
  for (const step of run.steps) {
    const from = home.get(step.from);
    const to = home.get(step.to);
    if (from === undefined || to === undefined || (from === to && nodes.get(from)?.kind === 'bundle')) continue;
    const id = `${from} ${to}`;
    if (edges.has(id)) continue;
    const loop = step.from === step.to || (rank.get(step.to) ?? Infinity) < (rank.get(step.from) ?? -1);
    const label = [step.action ?? '', serves.get(`${String(step.from)} ${String(step.to)}`) ?? ''].filter(part => part !== '').join(' · ');
    edges.set(id, {
      id, from, to, label: cut(loop && label === '' ? 'for ever' : label, 46), loop,
      ...(step.tag === undefined ? {} : { tag: step.tag }),
    });
  }
}

function addRegions(run: Run, nodes: Map<string, GraphNode>, edges: Map<string, GraphEdge>, home: ReadonlyMap<number, string>): void {
  run.regions.forEach((region, at) => {
    const from = home.get(region.at);
    if (from === undefined) return;
    const id = `r${String(at)}`;
    nodes.set(id, {
      id, kind: 'region', title: `all ${plural(region.size, 'state')} that can follow`, lines: [cut(claim(run, region), 44)], marks: ['closed set'], step: region.at,
    });
    edges.set(`${from} ${id}`, { id: `${from} ${id}`, from, to: id, label: 'stays inside' });
  });
}

/** Choices that were not taken, where they could still have kept the property. */
function addGhosts(run: Run, nodes: Map<string, GraphNode>, edges: Map<string, GraphEdge>, home: ReadonlyMap<number, string>): void {
  run.decisions.forEach((decision, at) => {
    const from = decision.from === null ? undefined : home.get(decision.from);
    if (from === undefined || decision.from === null) return;
    const start: Values = run.states[decision.from]?.values ?? {};
    decision.instead.forEach((values, which) => {
      const id = `g${String(at)}.${String(which)}`;
      const lines = diff(start, values).map(change => cut(`${change.variable} = ${show(change.new)}`));
      nodes.set(id, {
        id, kind: 'ghost', title: 'not taken', lines: lines.length === 0 ? ['nothing changes'] : lines.slice(0, MOST_LINES), marks: [], step: decision.from ?? 0,
        hint: 'A step that was possible and could still keep the property.',
      });
      edges.set(`${from} ${id}`, { id: `${from} ${id}`, from, to: id, label: '', ghost: true });
    });
  });
}
