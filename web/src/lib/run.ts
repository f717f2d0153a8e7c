// Whatever a property has to show, as a run: states, steps between them, and rows to list them in.
//
// Evidence, instances of Alloy commands and counterexamples of `debug` all become a `Run`, so that every view is written
// once. A state is known by its number in the evidence; the same state of the model may occur several times.

import type { Change, Decision, SubFormula, Told, Values } from '../api/values';
import type { CourseDoc, EvidenceDoc, InstanceDoc, ProofNodeDoc, PropertyDoc, RegionDoc, RunDoc, SegmentDoc, SliceValueDoc, TagName } from '../api/wire';
import { causesOf, type Causes } from './blame';
import { deepen, diff, type Difference } from './diff';
import { foldSets } from './sets';
import { atOnce, OFTEN, type Work } from './slices';

export interface RunState {
  id: number;
  /** What is shown. */
  values: Values;
  /** What the model knows: this is sent when something is asked about the state. */
  raw: Values;
  /** Words that stand beside the number, for instance the names of the state, or its neighbourhood. */
  mark?: string;
  /** What a script of the user says of the state. */
  caption?: string;
}

export interface RunStep {
  from: number;
  to: number;
  action: string | null;
  inputs: Values;
  changes: Difference[];
  tag?: TagName;
}

/** A row of the list of steps. */
export type Row =
  | { kind: 'branch'; segment: number; from: number }
  | { kind: 'state'; segment: number; state: number; step: RunStep | null; looping: boolean }
  | { kind: 'back'; segment: number; to: number; step: RunStep | null; ending: 'loop' | 'joins' }
  | { kind: 'end'; segment: number; text: string };

/** For each state, the truth of each part of the property, where it is known. */
export type Truth = Record<string, (boolean | undefined)[]>;

export interface Run {
  title: string;
  shape: string;
  states: RunState[];
  steps: RunStep[];
  rows: Row[];
  loop: number | null;
  segments: SegmentDoc[];
  regions: RegionDoc[];
  formula: SubFormula[];
  proof: ProofNodeDoc[];
  truth: Truth;
  decisions: Decision[];
  /** The sentences of the checker, where it has said some. */
  told: Told | null;
  minimal: EvidenceDoc['minimal'] | null;
  replayed: boolean | null;
  replayNote: string | null;
  /** The values that the failure depends on, where they are known. */
  causes?: Causes;
  /** Where these values come from, where that is known. */
  slice?: SliceValueDoc[];
  /** The number of the instance of a command that it is. */
  instance?: number;
}

/** Everything that a property has to show, the main run first; `told` is about the main run. */
export function runsOf(property: PropertyDoc, told: Told | null = null, formula: SubFormula[] = [], language = ''): Run[] {
  return atOnce(makeRuns(property, told, formula, language));
}

/** The same, as work that can be interrupted: a run can have very many steps. */
export function* makeRuns(property: PropertyDoc, told: Told | null, formula: SubFormula[], language: string): Work<Run[]> {
  const runs: Run[] = [];
  const { evidence } = property;
  if (evidence !== null) {
    const main = yield* makeRun(evidence, property.verdict === 'fails' ? 'Counterexample' : 'Witness', property.decisions, told, formula, language);
    runs.push(property.slice === undefined ? main : { ...main, slice: property.slice });
  }
  for (const [index, more] of (property.more ?? []).entries()) {
    const part = more.part === undefined ? undefined : property.parts?.[more.part]?.text;
    runs.push(yield* makeRun(more.evidence, part === undefined ? `Another one (${String(index + 2)})` : `Part ${part}`, more.decisions, null, formula, language));
  }
  if (property.witness !== undefined) {
    const { replaced, by } = property.witness;
    runs.push(yield* makeRun(property.witness.evidence, `Where it matters: if ${replaced} were ${by ? 'true' : 'false'}`, [], null, [], language));
  }
  for (const [index, instance] of (property.command?.instances ?? []).entries()) {
    const what = property.kind === 'check' ? 'Counterexample' : 'Instance';
    runs.push({ ...runOfInstance(instance, (property.command?.instances.length ?? 0) > 1 ? `${what} ${String(index + 1)}` : what), instance: index });
  }
  if (evidence === null) {
    for (const [index, run] of (property.runs ?? []).entries()) {
      const main = property.verdict === 'fails' ? 'Counterexample' : 'Witness';
      runs.push(runOfSolver(run, index === 0 ? main : `Branch at step ${String(run.from?.[1] ?? 0)} of run ${String((run.from?.[0] ?? 0) + 1)}`));
    }
  }
  if (runs.length === 0 && property.analysis?.run !== undefined) runs.push(runOfCourse(property.analysis.run));
  return runs;
}

export function runOfEvidence(evidence: EvidenceDoc, title: string, decisions: Decision[] = [], told: Told | null = null, formula: SubFormula[] = [], language = ''): Run {
  return atOnce(makeRun(evidence, title, decisions, told, formula, language));
}

/** The run of some evidence, as work that can be interrupted. */
export function* makeRun(evidence: EvidenceDoc, title: string, decisions: Decision[] = [], told: Told | null = null, formula: SubFormula[] = [], language = ''): Work<Run> {
  const sets = language === 'alloy';
  const states: RunState[] = [];
  for (const { id, values, shown, names, caption } of evidence.states) {
    const plain = sets ? foldSets(values) : values;
    const mark = names === undefined || names.length === 0 ? {} : { mark: names.join(', ') };
    states.push({ id, values: shown === undefined ? plain : { ...plain, ...shown }, raw: values, ...mark, ...(caption === undefined ? {} : { caption }) });
    if (states.length % OFTEN === 0) yield;
  }
  const steps: RunStep[] = [];
  for (const { from, to, action, inputs, changes } of evidence.edges) {
    steps.push({
      from, to, action, inputs: inputs ?? {},
      changes: sets ? diff(states[from]?.values ?? {}, states[to]?.values ?? {}) : changes.map(deepen),
    });
    if (steps.length % OFTEN === 0) yield;
  }
  const causes = causesOf(evidence.causes);
  const run: Run = {
    title,
    shape: evidence.shape,
    states,
    steps,
    rows: yield* makeRows(evidence.segments, steps, states.length),
    loop: evidence.loop,
    segments: evidence.segments,
    regions: evidence.regions,
    formula: formula.length === evidence.formula.length ? formula : evidence.formula,
    proof: evidence.proof,
    truth: Object.fromEntries(Object.entries(evidence.truth).map(([state, parts]) => [state, parts.map(each => each ?? undefined)])),
    decisions: sets ? decisions.map(each => ({ ...each, instead: each.instead.map(foldSets) })) : decisions,
    told,
    minimal: evidence.minimal,
    replayed: evidence.replayed,
    replayNote: evidence.replay_note ?? null,
    ...(causes === null ? {} : { causes }),
  };
  indexes.set(run, yield* makeIndex(run));
  return run;
}

export function runOfInstance(instance: InstanceDoc, title: string): Run {
  const states = instance.states.map((state, id) => {
    const values: Values = {};
    for (const [name, atoms] of Object.entries(state.signatures)) values[name] = atoms.map(atom => [atom]);
    for (const [name, rows] of Object.entries(state.fields)) values[name] = rows;
    for (const value of instance.values ?? []) {
      const here = value.states[id];
      if (here !== null && here !== undefined) values[value.text] = here;
    }
    return { id, values, raw: values };
  });
  const static_ = Object.fromEntries(instance.witnesses.map(witness => [witness.name, witness.rows]));
  for (const state of states) Object.assign(state.values, static_);
  return straight(states, instance.loop, title, () => ({}));
}

/** A run that a solver found and that shows a verdict together with a proof. */
export function runOfSolver(run: RunDoc, title: string): Run {
  const states = run.states.map(({ values }, id) => ({ id, values, raw: values }));
  // The step that leads to a state is told with the state; the one that goes back has no name of its own.
  return straight(states, run.loop, title, index => {
    const { operation, inputs } = run.states[index + 1] ?? {};
    return { ...(operation === undefined ? {} : { action: operation }), ...(inputs === undefined ? {} : { inputs }) };
  });
}

export function runOfCourse(course: CourseDoc): Run {
  const states = course.states.map((state, id) => ({
    id,
    values: state.values ?? { state: state.state, 'state of the property': state.at },
    raw: state.values ?? { state: state.state },
    ...(state.neighbourhood === null ? {} : { mark: state.neighbourhood.type }),
  }));
  const run = straight(states, course.loop, `Counterexample (${course.which})`, index => {
    const step = course.steps[index];
    return step === undefined ? {} : { action: step.action, tag: step.tag };
  });
  if (course.ending === 'reached') run.rows.push({ kind: 'end', segment: 0, text: 'the property is broken' });
  if (course.ending === 'deadlock') run.rows.push({ kind: 'end', segment: 0, text: 'nothing can follow' });
  return run;
}

/** A run without branches, whose changes are found by comparing states. */
function straight(states: RunState[], loop: number | null, title: string, more: (index: number) => { action?: string; tag?: TagName; inputs?: Values }): Run {
  const steps: RunStep[] = [];
  const between = (from: number, to: number, index: number): void => {
    const changes = diff(states[from]?.values ?? {}, states[to]?.values ?? {});
    const { action = null, tag, inputs = {} } = more(index);
    steps.push({ from, to, action, inputs, changes, ...(tag === undefined ? {} : { tag }) });
  };
  for (let index = 1; index < states.length; index += 1) between(index - 1, index, index - 1);
  const last = states.length - 1;
  if (loop !== null) between(last, loop, last);
  const segment: SegmentDoc = {
    from: null, main: true, sub: null, holds: null, states: states.map(state => state.id),
    ending: loop === null ? 'goal' : 'loop', to: loop,
  };
  return {
    title, shape: loop === null ? (states.length > 1 ? 'path' : 'instance') : 'lasso', states, steps, rows: atOnce(makeRows([segment], steps, states.length)), loop,
    segments: [segment], regions: [], formula: [], proof: [], truth: {}, decisions: [], told: null, minimal: null, replayed: null, replayNote: null,
  };
}

function* makeRows(segments: readonly SegmentDoc[], steps: readonly RunStep[], size: number): Work<Row[]> {
  const byEnds = new Map<number, RunStep>();
  const key = (from: number, to: number): number => from * size + to;
  for (const [at, step] of steps.entries()) {
    const ends = key(step.from, step.to);
    if (!byEnds.has(ends)) byEnds.set(ends, step);
    if (at % OFTEN === 0) yield;
  }
  const stepBetween = (from: number | null, to: number): RunStep | null => (from === null ? null : byEnds.get(key(from, to)) ?? null);
  const rows: Row[] = [];
  for (const [segment, { from, main, states, ending, to }] of segments.entries()) {
    if (!main && from !== null) rows.push({ kind: 'branch', segment, from });
    let last = from;
    for (const state of states) {
      rows.push({ kind: 'state', segment, state, step: stepBetween(last, state), looping: false });
      last = state;
      if (rows.length % OFTEN === 0) yield;
    }
    if ((ending === 'loop' || ending === 'joins') && to !== null) {
      if (ending === 'loop') markLoop(rows, to);
      rows.push({ kind: 'back', segment, to, step: stepBetween(last, to), ending });
    }
    if (ending === 'dead-end') rows.push({ kind: 'end', segment, text: 'nothing can follow' });
  }
  return rows;
}

/** Marks the rows of a loop: from the last row of the state it goes back to. */
function markLoop(rows: Row[], to: number): void {
  let first = rows.length - 1;
  while (first >= 0) {
    const row = rows[first];
    if (row?.kind === 'state' && row.state === to) break;
    first -= 1;
  }
  if (first < 0) return;
  for (let index = first; index < rows.length; index += 1) {
    const row = rows[index];
    if (row?.kind === 'state') row.looping = true;
  }
}

type StateRow = Extract<Row, { kind: 'state' }>;

/** What is looked up again and again, found once for each run: runs can have very many steps. */
interface Index {
  /** The row where a state is first told. */
  rows: Map<number, StateRow>;
  /** The states in the order of the rows, each once. */
  order: number[];
  /** The states of the main run, in order, and their places in it. */
  main: number[];
  ranks: Map<number, number>;
  /** What is told about a state. */
  told: Map<number, Told['steps'][number]>;
}

const indexes = new WeakMap<Run, Index>();

function indexOf(run: Run): Index {
  const known = indexes.get(run);
  if (known !== undefined) return known;
  const index = atOnce(makeIndex(run));
  indexes.set(run, index);
  return index;
}

function* makeIndex(run: Run): Work<Index> {
  const index: Index = { rows: new Map(), order: [], main: [], ranks: new Map(), told: new Map() };
  for (const row of run.rows) {
    if (row.kind !== 'state' || index.rows.has(row.state)) continue;
    index.rows.set(row.state, row);
    index.order.push(row.state);
    if (index.order.length % OFTEN === 0) yield;
  }
  for (const segment of run.segments) {
    if (!segment.main) continue;
    for (const state of segment.states) {
      index.ranks.set(state, index.main.length);
      index.main.push(state);
      if (index.main.length % OFTEN === 0) yield;
    }
  }
  for (const step of run.told?.steps ?? []) {
    if (!index.told.has(step.state)) index.told.set(step.state, step);
    if (index.told.size % OFTEN === 0) yield;
  }
  return index;
}

/** The states in the order of the rows, each once. */
export const order = (run: Run): readonly number[] => indexOf(run).order;

/** The states of the main run, in order. */
export const mainStates = (run: Run): readonly number[] => indexOf(run).main;

/** The row where a state is first told. */
export const rowOf = (run: Run, state: number): StateRow | undefined => indexOf(run).rows.get(state);

/** The places of states in the main run. */
export const ranksOf = (run: Run): ReadonlyMap<number, number> => indexOf(run).ranks;

/** What the checker tells about a state. */
export const toldAt = (run: Run, state: number): Told['steps'][number] | undefined => indexOf(run).told.get(state);

/** The step that leads to a state where it is first told. */
export function stepTo(run: Run, state: number): RunStep | null {
  return rowOf(run, state)?.step ?? null;
}

/** What changed on the way to a state. */
export function changesTo(run: Run, state: number): Change[] {
  return stepTo(run, state)?.changes ?? [];
}
