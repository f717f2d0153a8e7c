// What the server answers, as docs/explorer-api.md describes it. A report has the same answers inside.

import type {
  Analysis, Change, Count, Course, Diagnostic, Document, Evidence, Instance, Model, NeighbourhoodType, Property, SubFormula, Tag, Values,
} from './document';

export interface About {
  schema: string;
  tool: { name: string; version: string };
  start: { model: number; property: number | null };
  live: boolean;
  command?: string;
  formats: ExportFormat[];
}

export interface ExportFormat {
  name: string;
  title: string;
  media: string;
  ending: string;
  languages: string[];
}

export type Ability = 'states' | 'proofs' | 'debug' | 'instances';

export interface Variable {
  name: string;
  kind: string;
  hidden: boolean;
  values: string[] | null;
}

/** A property in the list of a model: without its evidence. */
export type ListedProperty = Property & { id: number; size: EvidenceSize | null };

export interface EvidenceSize {
  shape: string;
  steps: number;
  because: string;
}

export interface ModelEntry {
  id: number;
  model: Omit<Model, 'properties'> & { properties: ListedProperty[] };
  checking: 'waiting' | 'running' | 'done' | 'cancelled' | 'failed';
  abilities: Ability[];
  variables: Variable[];
  source: string | null;
}

export interface Models {
  models: ModelEntry[];
}

/** The evidence in words. */
export interface Told {
  because: string;
  /** What the property says, and how the evidence answers it. */
  reading: string | null;
  answer: string | null;
  shape: string;
  badges: string[];
  decisions: string[];
  steps: { state: number; sentence: string | null; remarks: string[] }[];
  /** For each node of the proof, what it says; empty where there are very many. */
  proof?: string[];
}

export interface PropertyAnswer {
  model: number;
  id: number;
  property: Property;
  told: Told | null;
  formula: SubFormula[];
  /** Only in a report: a piece of the tagged graph. */
  graph?: Neighbourly;
}

/** A state, and the step that leads there. */
export interface Spot {
  values: Values;
  shown?: Record<string, string>;
  action?: string | null;
  inputs?: Values;
  changes?: Change[];
}

export interface Window<T> {
  first: number;
  total: Count | null;
  items: T[];
}

export interface Truth {
  truth: (boolean | null)[] | null;
  has_path: boolean;
}

export interface Evaluation {
  expression: string;
  values: (string | null)[];
}

export interface Way {
  way: number;
  text: string;
  kind: string;
  to: Values | null;
}

export interface Obligation {
  node: number;
  claim: string;
  state: number;
  sub: number | null;
  holds: boolean | null;
  rank: number | null;
}

/** A proof as far as it is shown. */
export interface Scene {
  model: number;
  property: number;
  holds: boolean;
  choices: string[];
  said: string | null;
  evidence: Evidence;
  told: Told;
  formula: SubFormula[];
  nodes: number[];
  sentences: string[];
  open: Obligation[];
  ways: { node: number; ways: Way[] } | null;
  strategy: string;
  strategies: string[];
}

export interface AnalysisAnswer {
  analysis: number;
  model: number;
  property: number;
  document: Property & { analysis: Analysis };
}

/** A node of the tagged graph. */
export interface Place {
  node: number;
  state: number;
  at: number;
  values: Values | null;
  zone: 'good' | 'open' | 'bad';
  kind: NeighbourhoodType | null;
  distance: number;
  accepting: boolean;
  steps: number;
}

/** A step of the tagged graph; without a target it leaves the graph. */
export interface Link {
  from: number;
  to: number | null;
  state: number;
  action: string;
  tag: Tag;
}

export interface Neighbourly {
  nodes: Place[];
  edges: Link[];
  left_out: number;
}

export interface RunAnswer {
  run: Course | null;
  nodes: number[];
  missing: string | null;
}

export type Instances = Window<Instance>;

export interface ApiErrorBody {
  error: { kind: string; message: string; diagnostics: Diagnostic[] };
}

/** What a report has inside: answers by route. */
export interface Report {
  schema: string;
  responses: Record<string, unknown>;
  left_out?: string[];
}

/** The answers that a plain document of `check --format json` amounts to. */
export function reportOf(document: Document): Report {
  const responses: Record<string, unknown> = {};
  const models: ModelEntry[] = document.models.map((model, id) => ({
    id,
    model: {
      ...model,
      properties: model.properties.map((property, number) => {
        const { evidence } = property;
        return { ...property, evidence: null, id: number, size: evidence === null ? null : { shape: evidence.shape, steps: evidence.minimal.length, because: '' } };
      }),
    },
    checking: 'done',
    abilities: [],
    variables: [],
    source: null,
  }));
  const about: About = {
    schema: 'wherefore-explorer/1', tool: document.tool, start: { model: 0, property: null }, live: false, formats: [],
  };
  responses['about'] = about;
  responses['models'] = { models } satisfies Models;
  document.models.forEach((model, id) => {
    model.properties.forEach((property, number) => {
      const answer: PropertyAnswer = { model: id, id: number, property, told: null, formula: property.evidence?.formula ?? [] };
      responses[`models/${String(id)}/properties/${String(number)}`] = answer;
    });
  });
  return { schema: 'wherefore-explorer/1', responses };
}

/** A line of the model that forbids a step. */
export interface Blocker {
  kind: string;
  line: number | null;
  text: string;
  variable?: string;
  allows?: string[];
}

/** Why no step leads to a state that somebody wishes for, or a step that does. */
export interface BlockedAnswer {
  possible: Spot | null;
  blockers: Blocker[];
  open: boolean;
}
