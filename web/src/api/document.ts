// The documents of `wherefore check --format json`, as docs/schema.json describes them, and what the explorer adds.
// Readers ignore fields they do not know, and fields marked with `?` may be missing.

/** An integer beyond 2^53, as digits. */
export interface BigInteger {
  '#bigint': string;
}

/** Rows of atoms: the value of a relation or of a set. */
export type Rows = string[][];

export type Value = boolean | number | string | BigInteger | Rows;
export type Values = Record<string, Value>;

/** A count; a string of digits above 2^53. */
export type Count = number | string;

/** `unchecked`: nobody has asked yet. */
export type Verdict = 'holds' | 'fails' | 'unknown' | 'unchecked';

export interface Document {
  schema: string;
  tool: { name: string; version: string };
  models: Model[];
}

export interface Model {
  path: string;
  language: string;
  space: { engine: string; states: Count; transitions: Count | null } | null;
  hidden?: string[];
  diagnostics?: Diagnostic[];
  properties: Property[];
  notes: Note[];
  stats?: { seconds: number };
}

export interface Diagnostic {
  severity: 'error' | 'warning';
  message: string;
  path: string | null;
  line: number | null;
  column: number | null;
  help: string[];
}

export interface Note {
  kind: string;
  text: string;
  count?: Count;
  values?: Values;
}

export interface Property {
  name: string;
  text: string;
  path?: string;
  line: number | null;
  column: number | null;
  kind: string;
  class: string | null;
  verdict: Verdict;
  reason?: string;
  by_form?: string;
  vacuous: string | null;
  value?: number | string;
  reach: { kind: string; meaning: string } | null;
  evidence: Evidence | null;
  more?: More[];
  no_more?: string;
  parts?: { text: string; verdict: Verdict }[];
  witness?: { replaced: string; sub: number; by: boolean; evidence: Evidence };
  decisions?: Decision[];
  notes?: Note[];
  analysis?: Analysis;
  result?: 'sat' | 'unsat';
  command?: Command;
}

export interface More {
  part?: number;
  evidence: Evidence;
  decisions?: Decision[];
}

export interface Decision {
  sub: number;
  choice: 'lost' | 'fated' | 'free';
  from: number | null;
  to: number | null;
  instead: Values[];
  more: boolean;
  avoidable?: { environment: { values: Values; sure: boolean } | null; system: boolean };
}

export interface Evidence {
  shape: 'path' | 'lasso' | 'tree' | 'region';
  minimal: { measure: string; length: number; proved: boolean; at_least: number };
  strategy?: string[];
  replayed: boolean;
  replay_note?: string;
  states: { id: number; values: Values; shown?: Record<string, string> }[];
  edges: Edge[];
  loop: number | null;
  segments: Segment[];
  regions: Region[];
  formula: SubFormula[];
  proof: ProofNode[];
  truth: Record<string, (boolean | null)[]>;
}

export interface Edge {
  from: number;
  to: number;
  action: string | null;
  inputs?: Values;
  changes: Change[];
}

export interface Change {
  variable: string;
  old: Value;
  new: Value;
  line?: number;
}

export interface Segment {
  from: number | null;
  main: boolean;
  sub: number | null;
  holds: boolean | null;
  states: number[];
  ending: 'goal' | 'loop' | 'dead-end' | 'joins';
  to: number | null;
  fair?: { constraint: string; state: number | null }[];
}

export interface Region {
  at: number;
  sub: number | null;
  holds: boolean | null;
  size: Count;
  cover: Record<string, Value[]>[];
  complete: boolean;
  states: Values[] | null;
}

export interface SubFormula {
  id: number;
  text: string;
  op?: string;
  operands?: number[];
}

export interface ProofNode {
  state: number;
  sub: number | null;
  holds: boolean | null;
  rule: string | null;
  which?: number;
  bounds?: [number, number];
  rank?: number;
  premises: number[];
}

export type Tag = 'correct' | 'incorrect' | 'neutral';
export type NeighbourhoodType = 'cn' | 'in' | 'ci' | 'cin';

export interface Size {
  states: number;
  transitions: number;
  labels: number;
}

export interface Analysis {
  reading: string;
  outlook: 'holds' | 'always-violated' | 'no-good-step' | 'mixed';
  notes?: string[];
  system: Size;
  counterexamples: Size;
  tags: Record<Tag, number>;
  neighbourhoods: Record<NeighbourhoodType, number> & { total: number; percent: number; groups: number };
  shortest: { length: number; abstracted: number; abstracted_range: number[]; count: Count | null; proved?: boolean } | null;
  run?: Course;
  missing?: string;
  deciding: { label: string; correct: number; incorrect: number }[];
  idle: string[];
  groups: (Neighbourhood & { count: number; state: number })[];
}

export interface Neighbourhood {
  type: NeighbourhoodType;
  correct: string[];
  incorrect: string[];
  neutral: string[];
}

export interface Course {
  which: string;
  length: number;
  abstracted: number;
  ending: 'reached' | 'deadlock' | 'loop';
  loop: number | null;
  states: { state: number; at: number; values?: Values; neighbourhood: Neighbourhood | null }[];
  steps: { action: string; tag: Tag; kept: boolean }[];
}

export interface Command {
  number: number;
  expect: number | null;
  as_expected: boolean | null;
  scope: { bits: number; sequence: number; steps?: (number | null)[]; signatures: { name: string; most: number; exactly: boolean }[] } | null;
  facts: 'consistent' | 'inconsistent' | 'unknown';
  instances: Instance[];
  others: 'none' | 'unknown' | 'stopped' | null;
  core: { minimal: boolean; parts: { role: string; path: string; line: number; column: number; text: string }[] } | null;
  error?: Diagnostic;
  reached?: number;
}

export interface Instance {
  atoms: { name: string; signature: string }[];
  states: { signatures: Record<string, string[]>; fields: Record<string, Rows> }[];
  loop: number | null;
  witnesses: { name: string; variable: string; line: number; outer: number; rows: Rows }[];
  values?: { text: string; states: (Rows | boolean | number | null)[] }[];
}
