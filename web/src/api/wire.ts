// What the page asks and is answered. Generated from the types in crates/wire: `UPDATE_WIRE=1 cargo test -p wherefore-wire` writes it anew.

/** What the explorer can do with a model. */
export type AbilityName = 'states' | 'proofs' | 'debug' | 'instances' | 'blame';

/** What is served, and where to start. */
export interface AboutAnswer {
  /** The name of the schema. */
  schema: ExplorerSchemaName;
  /** The program that answers. */
  tool: ToolDoc;
  /** What the command line asks for. */
  start: StartDoc;
  /** Whether new questions can be asked. */
  live: boolean;
  /** The command line. */
  command: string;
  /** The formats that evidence can be written in. */
  formats: ExportFormatDoc[];
}

/** A run of sets of states that stands for all shortest runs, or the reason why there is none. */
export interface AbstractDoc {
  /** Its shape. */
  shape: AbstractShapeName;
  /** Why there is none; then nothing else is there. */
  reason?: string;
  /** How many steps each run has that it stands for. */
  steps?: number;
  /** How many runs it stands for; null: not counted. */
  runs?: CountDoc | null;
  /** Whether these are all shortest runs. */
  all?: boolean;
  /** Which parts of a disjunction are shown. */
  split?: SplitName;
  /** How many states each position has. */
  width?: WidthName;
  /** Whether an independent interpreter of the model re-checked it. */
  replayed?: boolean;
  /** What was not re-checked, or what is wrong. */
  replay_note?: string;
  /** The sets of states in order. */
  positions?: PositionDoc[];
  /** Whether the proof was re-checked, claim by claim. */
  proof_replayed?: boolean;
  /** Premises come first; the last is the claim about the property. */
  proof?: SetClaimDoc[];
}

/** The shape of abstract evidence. */
export type AbstractShapeName = 'abstract';

/** The values that a variable may have in a cube. */
export type AllowedDoc = ValueDoc[] | string;

/** An analysis of all counterexamples. */
export interface AnalyseRequest {
  /** What good and bad mean. */
  reading?: string;
  /** What names a step of a model. */
  actions?: string;
}

/** An analysis of all counterexamples that was made. */
export interface AnalysisAnswer {
  /** Its number. */
  analysis: number;
  /** The number of the model. */
  model: number;
  /** The number of the property. */
  property: number;
  /** What was found out. */
  document: PropertyDoc;
}

/** All counterexamples of a property at once. */
export interface AnalysisDoc {
  /** What good and bad mean. */
  reading: ReadingName;
  /** How it stands with the property. */
  outlook: OutlookName;
  /** What a reader should know of the model that the system was made from. */
  notes?: string[];
  /** How large the system is. */
  system: GraphSizeDoc;
  /** How large the counterexample LTS is. */
  counterexamples: GraphSizeDoc;
  /** Transitions with each tag. */
  tags: TagCountsDoc;
  /** Neighbourhoods of each type. */
  neighbourhoods: NeighbourhoodCountsDoc;
  /** The shortest counterexamples that match; null when there is none. */
  shortest: ShortestDoc | null;
  /** The counterexample, or the way to a neighbourhood, that was asked for. */
  run?: CourseDoc;
  /** Why there is none. */
  missing?: string;
  /** Labels of correct and incorrect transitions that leave neighbourhoods. */
  deciding: DecidingDoc[];
  /** The other labels, which decide nothing. */
  idle: string[];
  /** The largest groups of similar neighbourhoods; all, if they were asked for. */
  groups: NeighbourhoodGroupDoc[];
}

/** Further evidence. */
export interface AnotherRequest {
  /** How much. */
  count?: number;
  /** Expressions along which runs must differ. */
  distinct_by?: string[];
  /** Conditions that are avoided. */
  avoid?: string[];
  /** Strategies as `check` takes them. */
  strategy?: string[];
  /** What evidence has as few of as possible. */
  minimal?: string;
  /** The states that the property is asked from, as a condition; absent: the initial ones. */
  from?: string;
  /** Which paths the property is about, as `--paths` takes it; absent: those of the model. */
  paths?: string;
  /** Each part of a conjunction. */
  each?: boolean;
  /** A run on which a property that holds matters. */
  witness?: boolean;
  /** Why it holds, as a certificate. */
  certificate?: boolean;
  /** Why it holds, in sentences. */
  why?: boolean;
}

/** The states around one. */
export interface AroundRequest {
  /** The state. */
  state: StateRequest;
  /** From this number on. */
  first?: number;
  /** So many at most. */
  count?: number;
}

/** An atom of an instance. */
export interface AtomDoc {
  /** Its name. */
  name: string;
  /** The smallest signature it is in, of those that extend others, in the first state that has it. */
  signature: string;
}

/** Who could have avoided a decisive step. */
export interface AvoidableDoc {
  /** What the environment could have chosen instead; null: nothing. */
  environment: OtherChoiceDoc | null;
  /** Whether the system could have, with the same choice of the environment. */
  system: boolean;
}

/** An integer beyond 2^53, which many readers of JSON cannot hold. */
export interface BigIntDoc {
  /** Its digits. */
  '#bigint': string;
}

/** What is to blame for the failure of a property, as the explorer answers it. */
export interface BlameAnswer {
  /** The number of the model. */
  model: number;
  /** The number of the property. */
  property: number;
  /** The places of the text that may be to blame, the likeliest first. */
  blame: SuspectDoc[];
  /** How many changes of the text were tried; null when nobody tried. */
  blame_search: BlameSearchDoc | null;
}

/** What is to blame for the failure of a property. */
export interface BlameRequest {
  /** How many times the usual effort is spent; 1 unless said. */
  budget?: number;
}

/** How many changes of the text were tried, to find those with which a property holds. */
export interface BlameSearchDoc {
  /** How many were tried: the text was read with the change, and if it is still a model, the model was checked or is refuted by a counterexample that was seen before. */
  tried: number;
  /** How many were left out, since no step of the counterexample depends on their places. */
  excluded: number;
  /** How many were not tried, since the effort was spent. */
  untried: number;
  /** Whether it is known of every other place that no expression there makes the property hold without ending runs. */
  no_others?: boolean;
  /** Pairs of places that can make the property hold together, and neither alone. */
  pairs?: SuspectPairDoc[];
}

/** Why no step leads to a state that somebody wishes for, or a step that does. */
export interface BlockedAnswer {
  /** A step that does what is wished for. */
  possible: SpotDoc | null;
  /** Lines each of which forbids it. */
  blockers: BlockerDoc[];
  /** Whether nobody knows: there are too many values to try. */
  open: boolean;
}

/** Why no step leads to a state that somebody wishes for. */
export interface BlockedRequest {
  /** From here. */
  state: StateRequest;
  /** An expression that shall be true after the step. */
  wish: string;
}

/** A line of the model that forbids a step. */
export interface BlockerDoc {
  /** What it constrains. */
  kind: BlockerName;
  /** The line, from 1. */
  line: number | null;
  /** Its text. */
  text: string;
  /** For an assignment that depends on the present state alone: what it assigns. */
  variable?: string;
  /** And which values it allows. */
  allows?: string[];
}

/** What a line of a model that forbids a step constrains. */
export type BlockerName = 'assignment' | 'step' | 'state';

/** A step of a counterexample that a changed model does not do. */
export interface BrokenStepDoc {
  /** The state where it begins, by its id; null: the first state is no initial one. */
  from: number | null;
  /** The state that it leads to, by its id. */
  to: number;
}

/** Whether work was cancelled. */
export interface CancelledAnswer {
  /** Whether there was something to cancel. */
  cancelled: boolean;
}

/** A value that a failure depends on: another value there could keep the run from refuting the property. */
export interface CauseDoc {
  /** The state, by its id. */
  state: number;
  /** The variable. */
  variable: string;
  /** Whether it is a cause by definition, or by an approximation. */
  exact: boolean;
}

/** A value in an answer. */
export type CellDoc = null | boolean | number | string | CellDoc[] | NodeCellDoc | RelationshipCellDoc | PathCellDoc | { [name: string]: CellDoc };

/** A claim about a sub-formula at a set of states. */
export interface CertificateClaimDoc {
  /** The number of the sub-formula, operands first. */
  sub: number;
  /** Whether the sub-formula holds or fails. */
  holds: boolean;
  /** The text of the sub-formula. */
  text: string;
  /** The states. */
  states: StateSetDoc;
  /** How it is shown. */
  rule: CertificateRuleName;
  /** For `leaves`: the order in which the states are left. */
  layers?: LayerDoc[];
  /** For `reaches`: the rings around the goal. */
  rings?: StateSetDoc[];
  /** For `reaches`: where a path may stay for ever. */
  endless?: EndlessDoc;
  /** For `bounded`: the states after each number of steps. */
  steps?: StateSetDoc[];
}

/** Why a property holds. If there is no certificate, only `reason` is there. */
export interface CertificateDoc {
  /** Why there is none. */
  reason?: string;
  /** Whether it speaks of the product with the tableau of the property. */
  product?: boolean;
  /** What the invariant shows, where it is not the property itself. */
  shows?: ShowsName;
  /** How many turns of fairness a run has at most. */
  turns?: number;
  /** Up to how many turns are counted. */
  counted?: number;
  /** Whether a solver re-checked its conditions. */
  rechecked?: boolean;
  /** What is wrong, or why nobody knows. */
  note?: string;
  /** How many conditions were re-checked. */
  conditions?: number;
  /** A set that has every initial state and that no step leaves. */
  invariant?: StateSetDoc;
  /** States without a fair path. */
  unfair?: UnfairDoc;
  /** States that a path starts from. */
  live?: LiveDoc;
  /** Claims about sub-formulas. */
  claims?: CertificateClaimDoc[];
}

/** The rule by which a claim of a certificate is shown. */
export type CertificateRuleName = 'step' | 'closed' | 'leaves' | 'reaches' | 'bounded';

/** A variable that has another value after a step. */
export interface ChangeDoc {
  /** Its name. */
  variable: string;
  /** Its value before. */
  old: ValueDoc;
  /** Its value after. */
  new: ValueDoc;
  /** Where the model says so: the line of the assignment, branch or constraint. */
  line?: number;
}

/** What `wherefore check --format json` and `wherefore debug --format json` print. */
export interface CheckDocument {
  /** The name of the schema. */
  schema: CheckSchemaName;
  /** The program that wrote the document. */
  tool: ToolDoc;
  /** One for each file, in the order of the command line. */
  models: ModelDoc[];
}

/** The schema of what `check` and `debug` print. */
export type CheckSchemaName = 'wherefore/1';

/** How far the check of a model is. */
export type CheckingName = 'waiting' | 'running' | 'done' | 'cancelled' | 'failed';

/** The class of a property, after Farheen et al. (2020). */
export type ClassName = 'safety' | 'finite-liveness' | 'infinite-liveness' | 'existential' | 'mixed';

/** Whether an analysis was closed. */
export interface ClosedAnswer {
  /** Whether there was one. */
  closed: boolean;
}

/** What only a command of an Alloy model has. */
export interface CommandDoc {
  /** Its place in the model, from 1. */
  number: number;
  /** The number after `expect`. */
  expect: number | null;
  /** Whether the answer is the one that the model expects; null when it expects none. */
  as_expected: boolean | null;
  /** How many atoms there are at most. */
  scope: ScopeDoc | null;
  /** Whether the facts can hold together in the scope. */
  facts: FactsName;
  /** The instances that were found. */
  instances: InstanceDoc[];
  /** Whether there are more instances; null when there is none. */
  others: OthersName | null;
  /** Parts of the model that cannot hold together. */
  core: CoreDoc | null;
  /** Why there is no answer. */
  error?: DiagnosticDoc;
  /** The part of a transition system that the evidence is about; only where there is one. */
  excerpt?: ExcerptDoc;
  /** No trace has so few states or fewer, where the search was stopped. */
  reached?: number;
}

/** The opposite of a claim that a counterexample rests on, decided in the changed model. */
export interface ContraryDoc {
  /** The state of the counterexample that the claim is about, by its id. */
  state: number;
  /** The formula of the claim, asked from that state, with everything that is known about it. */
  answer: PropertyAnswer;
}

/** Parts of the model that cannot hold together. */
export interface CoreDoc {
  /** Whether each part is needed. */
  minimal: boolean;
  /** The parts. */
  parts: CorePartDoc[];
}

/** A part of a model that cannot hold together with others. */
export interface CorePartDoc {
  /** What it is in the model. */
  role: string;
  /** The file. */
  path: string;
  /** The line, from 1. */
  line: number;
  /** The column, from 1. */
  column: number;
  /** The text, on one line. */
  text: string;
}

/** A number; a string of digits when it is above 2^53. */
export type CountDoc = number | string;

/** A run through a tagged graph that was looked for. */
export interface CourseAnswer {
  /** The run; null: there is none. */
  run: CourseDoc | null;
  /** The numbers of its nodes. */
  nodes: number[];
  /** Why there is none. */
  missing: string | null;
}

/** One run through the counterexample LTS. */
export interface CourseDoc {
  /** Which run. */
  which: CourseName;
  /** How many steps it has. */
  length: number;
  /** How many of its steps are kept. */
  abstracted: number;
  /** What comes after the last step. */
  ending: CourseEndingName;
  /** The index in `states` where the loop starts. */
  loop: number | null;
  /** Its states in order. */
  states: CourseStateDoc[];
  /** Its steps in order. */
  steps: CourseStepDoc[];
}

/** How a run through a tagged graph ends. */
export type CourseEndingName = 'reached' | 'deadlock' | 'loop';

/** Which run through a tagged graph. */
export type CourseName = 'shortest' | 'pattern' | 'random' | 'given' | 'nearest';

/** A run of an analysis. */
export interface CourseRequest {
  /** `shortest`, `nearest`, `random` or `given`. */
  which?: string;
  /** The seed of a random run. */
  seed?: number;
  /** The types of neighbourhood. */
  kinds?: string[];
  /** Actions that must happen. */
  pattern?: string;
  /** The labels of a run that is given. */
  trace?: string[];
}

/** A state of the counterexample LTS. */
export interface CourseStateDoc {
  /** The state of the system. */
  state: number;
  /** The state of the automaton of the property. */
  at: number;
  /** The values of the variables, where the system was made from a model. */
  values?: { [name: string]: ValueDoc };
  /** The neighbourhood there, or null. */
  neighbourhood: NeighbourhoodDoc | null;
}

/** A step of a run through the counterexample LTS. */
export interface CourseStepDoc {
  /** Its label. */
  action: string;
  /** Its tag. */
  tag: TagName;
  /** Whether it enters or leaves a neighbourhood. */
  kept: boolean;
}

/** How often a label decides. */
export interface DecidingDoc {
  /** The label. */
  label: string;
  /** How many correct transitions have it. */
  correct: number;
  /** How many incorrect transitions have it. */
  incorrect: number;
}

/** What a run that refutes a claim about every path had to choose. */
export interface DecisionDoc {
  /** The claim: the number of a sub-formula. */
  sub: number;
  /** Whether there was a chance to keep it. */
  choice: DecisionName;
  /** The state before the decisive step, or the one where there was no chance. */
  from: number | null;
  /** The state after the decisive step. */
  to: number | null;
  /** States that the step could have led to instead. */
  instead: { [name: string]: ValueDoc }[];
  /** Whether there are more of them. */
  more: boolean;
  /** Of a lost chance: the condition that is true in the next states that could still keep the claim, and in no other next state. Of a loop: each of its states has a next state where this is true, and the claim holds in every such next state. Absent when there is no short one. */
  condition?: string;
  /** Who could have avoided the step, where there is an environment. */
  avoidable?: AvoidableDoc;
}

/** Whether a run could still have kept the property. */
export type DecisionName = 'lost' | 'fated' | 'free';

/** A message about the source of a model. */
export interface DiagnosticDoc {
  /** How bad it is. */
  severity: SeverityName;
  /** What is wrong. */
  message: string;
  /** The file. */
  path: string | null;
  /** The line, from 1. */
  line: number | null;
  /** The column, from 1. */
  column: number | null;
  /** Pieces of advice. */
  help: string[];
}

/** A step. */
export interface EdgeDoc {
  /** The state before it. */
  from: number;
  /** The state after it. */
  to: number;
  /** What the step is called. */
  action: string | null;
  /** The values of the inputs. */
  inputs?: { [name: string]: ValueDoc };
  /** The variables that have another value after it. */
  changes: ChangeDoc[];
}

/** Nothing. */
export type EmptyRequest = object;

/** How a run ends. */
export type EndingName = 'goal' | 'loop' | 'dead-end' | 'joins';

/** States each of which starts a path among them. */
export interface EndlessDoc {
  /** The states. */
  states: StateSetDoc;
  /** For each justice condition, then for each compassion pair, the rings around it. */
  rings: StateSetDoc[][];
}

/** What holds the states of a model. */
export type EngineName = 'explicit' | 'bdd';

/** Entries of a list or of an object. */
export type EntriesDoc = unknown[] | { [name: string]: unknown };

/** The value of an expression. */
export interface EvaluateRequest {
  /** In these states. */
  states: StateRequest[];
  /** The expression. */
  expression: string;
}

/** Why a property is as it is. */
export interface EvidenceDoc {
  /** Its shape. */
  shape: ShapeName;
  /** How short it is. */
  minimal: MinimalDoc;
  /** Who chose the evidence, as given on the command line. Absent: nobody, so it is the shortest known. */
  strategy?: string[];
  /** Whether an independent interpreter of the model re-checked it. */
  replayed: boolean;
  /** What was not re-checked, or what is wrong. */
  replay_note?: string;
  /** Occurrences of states, in the order in which they are told. */
  states: StateDoc[];
  /** Steps between them. */
  edges: EdgeDoc[];
  /** For a lasso, the index in `states` where the loop starts. */
  loop: number | null;
  /** Runs of states, each of which serves one claim. */
  segments: SegmentDoc[];
  /** Closed sets of states. */
  regions: RegionDoc[];
  /** The sub-formulas. Operands come before operators; the last is the property. */
  formula: SubFormulaDoc[];
  /** The nodes of the proof; the first is the property. */
  proof: ProofNodeDoc[];
  /** For each state, the truth of each sub-formula in the order of `formula`; null where it is not known. */
  truth: { [name: string]: (boolean | null)[] };
  /** For a property that fails: the values that the failure depends on. Absent where the evidence rests on more than its runs, and where nobody looked. */
  causes?: CauseDoc[];
}

/** What evidence amounts to. */
export interface EvidenceSizeDoc {
  /** Its shape. */
  shape: ShapeName;
  /** How long it is. */
  steps: number;
  /** Why the property is as it is, in a sentence. */
  because: string;
}

/** The part of a transition system that shows an answer. */
export interface ExcerptDoc {
  /** Its form. */
  form: ExcerptFormName;
  /** Whether its states and steps alone say what happens; null for a whole system. */
  determined: boolean | null;
  /** How many states it has. */
  states: number;
  /** How many steps it has. */
  steps: number;
  /** What it is, in sentences. */
  text: string[];
  /** Two trees that use exactly these steps, where the states and steps do not say what happens. */
  trees?: TreeDoc[];
}

/** The form of a part of a transition system. */
export type ExcerptFormName = 'lasso' | 'path' | 'part' | 'whole';

/** The schema of the explorer's answers. */
export type ExplorerSchemaName = 'wherefore-explorer/1';

/** A format that evidence can be written in. */
export interface ExportFormatDoc {
  /** Its name in requests. */
  name: string;
  /** Its name for people. */
  title: string;
  /** Its media type. */
  media: string;
  /** The ending of the names of files. */
  ending: string;
  /** The languages whose evidence can be written so. */
  languages: string[];
}

/** The values of an expression. */
export interface ExpressionDoc {
  /** The expression. */
  text: string;
  /** Its value in each state; null where it has none. */
  states: (RelationalValueDoc | null)[];
}

/** Whether the facts of a model can hold together in the scope. */
export type FactsName = 'consistent' | 'inconsistent' | 'unknown';

/** What went wrong, as the body of a response. */
export interface FailureAnswer {
  /** What went wrong. */
  error: FailureDoc;
}

/** What went wrong. */
export interface FailureDoc {
  /** Why there is no good answer. */
  kind: FailureName;
  /** The same in whole sentences. */
  message: string;
  /** Messages about a text in the request. */
  diagnostics: DiagnosticDoc[];
}

/** Why a request has no good answer. */
export type FailureName = 'bad-request' | 'forbidden' | 'not-found' | 'method' | 'slow' | 'cancelled' | 'too-large' | 'too-many' | 'unsupported' | 'rejected' | 'internal' | 'limit';

/** Where a loop meets a fairness constraint. */
export interface FairDoc {
  /** The constraint. */
  constraint: string;
  /** The state; null: the constraint asks nothing of this loop. */
  state: number | null;
}

/** What became of saved evidence. */
export interface FateDoc {
  /** What became of it. */
  kind: FateName;
  /** The step where it dies or where a claim fails. */
  step: number | null;
  /** The line of the model that forbids it. */
  line: number | null;
  /** The whole thing as a sentence without its end. */
  text: string;
  /** What was possible instead, nearest first. */
  instead?: string[];
}

/** What became of saved evidence. */
export type FateName = 'runs' | 'shows' | 'runs-only' | 'dies' | 'misfit' | 'parts' | 'refused' | 'unchecked';

/** A sub-formula; its number is the one that evidence uses. */
export interface FormulaNodeDoc {
  /** Its number. */
  id: number;
  /** The formula. */
  text: string;
  /** Its operator as it is written. */
  op: string;
  /** The numbers of its operands. */
  operands: number[];
  /** The bounds of a bounded operator. */
  bounds?: [number, number];
}

/** A formula. */
export interface FormulaRequest {
  /** The formula. */
  formula: string;
}

/** The states that properties are asked from. */
export interface FromDoc {
  /** The condition that they satisfy, as `--from` takes it. */
  condition: string;
  /** How many reachable states satisfy it. */
  reachable: CountDoc;
  /** How many other states satisfy it. Absent when they are not counted. */
  unreachable?: CountDoc;
  /** Whether only the reachable ones are asked from. */
  only_reachable: boolean;
  /** The same as a sentence. */
  text: string;
}

/** A step of the tagged graph; without a target it leaves the graph. */
export interface GraphEdgeDoc {
  /** The node where it starts. */
  from: number;
  /** The node where it ends. */
  to: number | null;
  /** The state of the system where it ends. */
  state: number;
  /** Its label. */
  action: string;
  /** Its tag. */
  tag: TagName;
}

/** A node of the tagged graph. */
export interface GraphNodeDoc {
  /** Its number. */
  node: number;
  /** The state of the system. */
  state: number;
  /** The state of the automaton of the property. */
  at: number;
  /** The values of the variables, where the system was made from a model. */
  values: { [name: string]: ValueDoc } | null;
  /** How it stands with the property. */
  zone: ZoneName;
  /** The type of the neighbourhood there, or null. */
  kind: NeighbourhoodName | null;
  /** How many steps it is from the start. */
  distance: number;
  /** Whether a counterexample may end there. */
  accepting: boolean;
  /** How many steps leave it. */
  steps: number;
}

/** How large a graph is. */
export interface GraphSizeDoc {
  states: number;
  transitions: number;
  labels: number;
}

/** A group of similar neighbourhoods. */
export interface GroupDoc {
  /** A node of it. */
  node: number;
  /** How many there are. */
  count: number;
  /** The state of the system at the one that is nearest to the start. */
  state: number;
  /** Its type. */
  type: NeighbourhoodName;
  /** The labels of correct steps. */
  correct: string[];
  /** The labels of incorrect steps. */
  incorrect: string[];
  /** The labels of neutral steps. */
  neutral: string[];
  /** The same in terms of values, where the system was made from a model. */
  ways?: WayOnDoc[];
}

/** What is known for sure of a place that may be to blame. */
export type GuaranteeName = 'mended' | 'can_mend_and_keep' | 'can_mend' | 'open';

/** A point of the counterexample at which an expression has a value without which the run would be another one. */
export interface HingeDoc {
  /** The state, or the one that the step leaves: its place among the states of the evidence. */
  state: number;
  /** What the expression denotes there: one value, or several to choose from. */
  now: ValueDoc[];
  /** Another value. */
  other: ValueDoc;
  /** What would be otherwise with the other value. */
  effect: HingeName;
}

/** What would be otherwise at a point of a counterexample if an expression had another value there. */
export type HingeName = 'start' | 'state' | 'step' | 'condition';

/** An instance, or a trace, of an Alloy model. */
export interface InstanceDoc {
  /** Its atoms. */
  atoms: AtomDoc[];
  /** Its states; one, where nothing changes. */
  states: InstanceStateDoc[];
  /** The index of the state after the last one; null where nothing changes. */
  loop: number | null;
  /** The values of quantified variables. */
  witnesses: QuantifiedDoc[];
  /** The values of expressions. */
  values?: ExpressionDoc[];
}

/** A state of an instance: the values of signatures and fields. */
export interface InstanceStateDoc {
  /** The atoms of each signature. */
  signatures: { [name: string]: string[] };
  /** By signature and field, as `Book.addr`; rows begin with the atom of the signature. */
  fields: { [name: string]: string[][] };
}

/** The languages of models in documents. Further front ends may add others, so fields are texts. */
export type LanguageName = 'smv' | 'alloy' | 'aut' | 'smt';

/** States that are taken away, and why no run stays among them for ever. */
export interface LayerDoc {
  /** Why. */
  reason: LayerReasonName;
  /** The number of the fairness constraint, from 0. */
  which?: number;
  /** The states. */
  states: StateSetDoc;
}

/** Why no run stays for ever among states that are taken away. */
export type LayerReasonName = 'justice' | 'compassion' | 'steps-out';

/** Who says that no evidence is smaller. */
export type LengthAuthority = 'checker' | 'search';

/** A model whose properties have no evidence. */
export interface ListedModelDoc {
  /** The file as it was given. */
  path: string;
  /** The language of the model. */
  language: LanguageName;
  /** How large the reachable system is; null when it was not explored. */
  space: SpaceDoc | null;
  /** Variables that the user did not declare. */
  hidden?: string[];
  /** What is wrong with the model. Absent when nothing is. */
  diagnostics?: DiagnosticDoc[];
  /** In source order. */
  properties: ListedPropertyDoc[];
  /** What every property of the model is subject to. */
  notes: NoteDoc[];
  /** How long the check took. Only in a report that is made of a document. */
  stats?: StatsDoc;
}

/** A property in the list of a model: without its evidence. */
export interface ListedPropertyDoc {
  /** Its number. */
  id: number;
  /** What its evidence amounts to. */
  size: EvidenceSizeDoc | null;
  /** Its name. */
  name: string;
  /** The formula as it is written, on one line. */
  text: string;
  /** The file it stands in, where that is not the file of the model. */
  path?: string;
  /** The line, from 1; null for a formula from the command line. */
  line: number | null;
  /** The column, from 1; null for a formula from the command line. */
  column: number | null;
  /** Its logic, or what a command asks for. */
  kind: PropertyKindName;
  /** Null when the property is not supported or was not looked at. */
  class: ClassName | null;
  /** Whether it holds. */
  verdict: VerdictName;
  /** Why the verdict is unknown. */
  reason?: string;
  /** Why it holds in every model, where it does by its form. */
  by_form?: string;
  /** The sub-formula that never mattered. */
  vacuous: string | null;
  /** Why there is nothing that it could be false of: no initial state, or no run that counts. */
  of_nothing?: string;
  /** Which paths count, where that was chosen with `--paths`. */
  paths?: PathsName;
  /** For `compute`: a number of steps, `infinite`, or `undefined` if there is no state to start from. */
  value?: QuantityDoc;
  /** What the verdict is about; null when it is unknown. */
  reach: ReachDoc | null;
  /** Why it fails, or why an existential one holds; null when there is none. */
  evidence: EvidenceDoc | null;
  /** The runs that a solver found, where there is no evidence of which they are the whole. */
  runs?: RunDoc[];
  /** All shortest evidence at once, if asked for. */
  abstract?: AbstractDoc;
  /** Further evidence: of the same with `--count`, of each part that fails with `--each`. */
  more?: MoreDoc[];
  /** Why there is not as much further evidence as was asked for. */
  no_more?: NoMoreName;
  /** The parts of a property that fails, if it has several. */
  parts?: PartDoc[];
  /** Only with `--witness`: a run on which a property that holds matters. */
  witness?: WitnessDoc;
  /** Only with `--certificate`: why a property holds. */
  certificate?: CertificateDoc;
  /** For a property that holds, if asked for: why, in sentences. */
  why?: WhyDoc;
  /** Where the runs of the evidence could still have kept the property. */
  decisions?: DecisionDoc[];
  /** For a property that fails: the places of the text that may be to blame, the likeliest first. */
  blame?: SuspectDoc[];
  /** Only from `blame`: where the values come from that the failure depends on. */
  slice?: SliceValueDoc[];
  /** How many changes of the text were tried to find out what is to blame. Absent when nobody tried. */
  blame_search?: BlameSearchDoc;
  /** What became of each wish about whole runs that the evidence was chosen by, the most important one first. */
  wishes?: WishDoc[];
  /** Circumstances of this property. Absent when there are none. */
  notes?: NoteDoc[];
  /** Only from `debug`: all counterexamples at once. */
  analysis?: AnalysisDoc;
  /** Only for a command of an Alloy model. Absent when it is not known. */
  result?: ResultName;
  /** What only a command of an Alloy model has. */
  command?: CommandDoc;
}

/** States that a path starts from. */
export interface LiveDoc {
  /** The states. */
  states: StateSetDoc;
  /** For each justice condition, then for each compassion pair, the rings around it. */
  rings: StateSetDoc[][];
  /** Rings around these states. */
  around: StateSetDoc[];
}

/** Whether a verdict is about the system or only about the scope that was searched. */
export type MeaningName = 'real' | 'ambiguous';

/** What evidence has as few of as possible. */
export type MeasureName = 'steps' | 'nodes' | 'states' | 'transitions' | 'steps within the trace' | 'steps in the product';

/** What becomes of the failure of a property once the text is changed. The file of the model stays as it is. */
export interface MendAnswer {
  /** What becomes of the counterexample; null if there was none. */
  fate: FateDoc | null;
  /** The first step of the counterexample that the changed model does not do; null if it does them all. */
  broken: BrokenStepDoc | null;
  /** Where it does them all: what shows that a claim of the counterexample is wrong then; null where nobody could decide it. */
  contrary: ContraryDoc | null;
  /** The verdicts on all properties. */
  verdicts: MendVerdictDoc[];
  /** The property in the changed model, with everything that is known about it. Places are those of the changed text. */
  after: PropertyAnswer;
}

/** A change of the text with which a property holds that fails. */
export interface MendDoc {
  /** The first byte that is replaced. */
  from: number;
  /** One past the last byte that is replaced. */
  to: number;
  /** What stands there instead. */
  text: string;
  /** The expression as it is. */
  before: string;
  /** The expression with the change. */
  after: string;
  /** How many of the properties hold with the change. */
  holds: number;
  /** How many properties were decided with the change. */
  of: number;
  /** The properties that hold now and fail with the change. */
  breaks?: string[];
  /** The properties that hold now and were not decided with the change: that took too long. */
  open?: string[];
  /** The properties that hold vacuously with the change and do not now; only the first changes are looked at. */
  vacuous?: string[];
  /** Whether runs end with the change that go on for ever now. */
  ends?: boolean;
  /** Whether internal steps can go on for ever with the change, and cannot now. */
  diverges?: boolean;
  /** The labels of steps that can be taken now, and not with the change. */
  loses?: string[];
  /** What must be replaced, too: where a line is left out, the number of transitions in the header. */
  also?: TextEditDoc[];
}

/** What becomes of the failure of a property once the text is changed. */
export interface MendRequest {
  /** The first byte that is replaced. */
  from: number;
  /** One past the last byte that is replaced. */
  to: number;
  /** What stands there instead. */
  text: string;
}

/** The verdicts on a property, without and with a change of the text. */
export interface MendVerdictDoc {
  /** The number of the property. */
  property: number;
  /** Its name. */
  name: string;
  /** The verdict on the model as it is; null when nobody asked. */
  then: VerdictDoc | null;
  /** The verdict with the change. */
  now: VerdictDoc;
}

/** How short evidence is. */
export interface MinimalDoc {
  /** What it has few of. */
  measure: MeasureName;
  /** How many it has. */
  length: number;
  /** Whether nothing shorter exists, and the independent checker says so. */
  proved: boolean;
  /** How many any evidence has. */
  at_least: number;
  /** Who says so. */
  at_least_by: LengthAuthority;
}

/** A model and what was found out about it. */
export interface ModelDoc {
  /** The file as it was given. */
  path: string;
  /** The language of the model. */
  language: LanguageName;
  /** How large the reachable system is; null when it was not explored. */
  space: SpaceDoc | null;
  /** The states that properties are asked from, where they are not the initial ones. */
  from?: FromDoc;
  /** Variables that the user did not declare: which process runs, and what fairness remembers of the last step. Screens do not show them; replay needs their values. Absent when there is none. */
  hidden?: string[];
  /** What is wrong with the model. Absent when nothing is. */
  diagnostics?: DiagnosticDoc[];
  /** In source order. */
  properties: PropertyDoc[];
  /** What every property of the model is subject to. */
  notes: NoteDoc[];
  /** Only with `--stats`. */
  stats?: StatsDoc;
}

/** A model in the list. */
export interface ModelEntryDoc {
  /** Its number. */
  id: number;
  /** What is known about it. */
  model: ListedModelDoc;
  /** How far its check is. */
  checking: CheckingName;
  /** What can be done with it. */
  abilities: AbilityName[];
  /** Its variables. */
  variables: VariableDoc[];
  /** Its text; null when it is very long. */
  source: string | null;
}

/** The list of models. */
export interface ModelsAnswer {
  /** The models, by their numbers. */
  models: ModelEntryDoc[];
}

/** Further evidence. */
export interface MoreDoc {
  /** The part of the property that it is about: an index in `parts`. Absent: the whole property. */
  part?: number;
  /** Why the property, or the part, fails. */
  evidence: EvidenceDoc;
  /** Where its runs could still have kept the property. */
  decisions?: DecisionDoc[];
}

/** The queries that have names. */
export interface NamedQueriesAnswer {
  /** The queries. */
  queries: NamedQueryDoc[];
}

/** A query that has a name. */
export interface NamedQueryDoc {
  /** The name. */
  name: string;
  /** What it is asked with. */
  arguments: string[];
  /** What it answers. */
  title: string;
}

/** What is near a node. */
export interface NearRequest {
  /** The node. */
  node: number;
  /** So many steps away at most. */
  hops?: number;
  /** So many nodes at most. */
  limit?: number;
}

/** What is near a node. */
export interface NearbyAnswer {
  /** Nodes. */
  nodes: GraphNodeDoc[];
  /** Steps between them. */
  edges: GraphEdgeDoc[];
  /** How many nodes were left out. */
  left_out: number;
}

/** How many neighbourhoods there are of each type. */
export interface NeighbourhoodCountsDoc {
  total: number;
  cn: number;
  in: number;
  ci: number;
  cin: number;
  /** Of the states of the counterexample LTS, in per cent. */
  percent: number;
  /** How many groups of similar ones there are. */
  groups: number;
}

/** A neighbourhood, with the labels of its steps; a label stands there once for each step. */
export interface NeighbourhoodDoc {
  /** Its type. */
  type: NeighbourhoodName;
  /** The labels of correct steps. */
  correct: string[];
  /** The labels of incorrect steps. */
  incorrect: string[];
  /** The labels of neutral steps. */
  neutral: string[];
  /** The same in terms of values, where the system was made from a model. */
  ways?: WayOnDoc[];
}

/** Neighbourhoods that are alike. */
export interface NeighbourhoodGroupDoc {
  /** How many there are. */
  count: number;
  /** The state of the system at the one that is nearest to the start. */
  state: number;
  /** Its type. */
  type: NeighbourhoodName;
  /** The labels of correct steps. */
  correct: string[];
  /** The labels of incorrect steps. */
  incorrect: string[];
  /** The labels of neutral steps. */
  neutral: string[];
  /** The same in terms of values, where the system was made from a model. */
  ways?: WayOnDoc[];
}

/** The type of a neighbourhood: the initials of the tags of its steps. */
export type NeighbourhoodName = 'cn' | 'in' | 'ci' | 'cin';

/** Why there is not as much further evidence as was asked for. */
export type NoMoreName = 'all-found' | 'all-distinct' | 'search-limit' | 'stopped' | 'no-main-run';

/** A node of the graph. */
export interface NodeCellDoc {
  /** Its number. */
  node: number;
  /** Its labels. */
  labels: string[];
  /** Its properties. */
  properties: { [name: string]: CellDoc };
}

/** Nodes of an analysis. */
export interface NodesRequest {
  /** The types of neighbourhood; none: all nodes. */
  kinds?: string[];
  /** From this number on. */
  first?: number;
  /** So many at most. */
  count?: number;
}

/** A circumstance that changes what a verdict means. */
export interface NoteDoc {
  /** Which circumstance. */
  kind: NoteName;
  /** The circumstance as a sentence. */
  text: string;
  /** How many states it is about. */
  count?: CountDoc;
  /** One of the states. */
  values?: { [name: string]: ValueDoc };
}

/** A circumstance that changes what a verdict means. */
export type NoteName = 'no-initial-state' | 'no-fair-state' | 'deadlocks-matter' | 'unfair-initial-states' | 'deadlocks' | 'unavailable-options' | 'said' | 'advice-initial' | 'advice-equality' | 'advice-operation' | 'advice-overlap' | 'advice-cover' | 'advice-constraint' | 'advice-multiplicity' | 'advice-total';

/** A proof obligation. */
export interface ObligationDoc {
  /** The number that it keeps. */
  node: number;
  /** What is to be shown. */
  claim: string;
  /** The state. */
  state: number;
  /** The sub-formula; null: a path starts here. */
  sub: number | null;
  /** Whether the sub-formula holds or fails. */
  holds: boolean | null;
  /** How many steps are left at most, where something must be reached. */
  rank: number | null;
}

/** Another choice of the environment. */
export interface OtherChoiceDoc {
  /** The variables that it would have chosen differently. */
  values: { [name: string]: ValueDoc };
  /** Whether that keeps the chance whatever the system does. */
  sure: boolean;
}

/** Whether there are more instances. */
export type OthersName = 'none' | 'unknown' | 'stopped';

/** How it stands with a property of which all counterexamples are known. */
export type OutlookName = 'holds' | 'always-violated' | 'mixed' | 'no-good-step';

/** A part of a property: a claim that can fail by itself. */
export interface PartDoc {
  /** The part as a formula. */
  text: string;
  /** Whether it holds. */
  verdict: VerdictName;
  /** Why there is not as much further evidence of it as was asked for. */
  no_more?: NoMoreName;
}

/** A path through the graph. */
export interface PathCellDoc {
  /** Its nodes in order. */
  nodes: number[];
  /** The actions of its steps. */
  actions: string[];
  /** The relationships of its steps. */
  relationships: number[];
}

/** A way to a state. */
export interface PathRequest {
  /** From here. */
  from: StateRequest;
  /** To a state where this formula holds. */
  to?: string;
  /** To a state without successor. */
  deadlock?: boolean;
}

/** Which paths count. */
export type PathsName = 'fair-infinite' | 'reach' | 'plain' | 'plain-fair' | 'maximal';

/** A piece of a long answer: entries of a list or of an object in it. */
export interface PieceDoc {
  /** Where the list or object is: keys and numbers, from the outermost on. */
  at: PlaceDoc[];
  /** Those of a list are appended, those of an object are added. */
  entries: EntriesDoc;
}

/** A step into a document. */
export type PlaceDoc = number | string;

/** The states at one position of an abstract run. */
export interface PositionDoc {
  /** What tells the states from the other reachable ones. */
  text: string;
  /** How many states there are. */
  states: CountDoc;
  /** Variables with the same value in all states. */
  common: { [name: string]: ValueDoc };
  /** Each entry maps variables to the values they may have; the set is the union of the entries among the reachable states. */
  cover: { [name: string]: ValueDoc[] }[];
  /** Whether the entries describe it exactly. */
  complete: boolean;
  /** Variables with several values that do not matter. */
  free: string[];
}

/** A proof as far as it is shown. */
export interface ProofAnswer {
  /** The number of the model. */
  model: number;
  /** The number of the property. */
  property: number;
  /** Whether the property holds. */
  holds: boolean;
  /** What was chosen, as commands. */
  choices: string[];
  /** What is to be said about the last choice. */
  said: string | null;
  /** The evidence so far. */
  evidence: EvidenceDoc;
  /** The evidence in words. */
  told: ToldDoc;
  /** The sub-formulas, operands first. */
  formula: FormulaNodeDoc[];
  /** For each node of the proof, the number that it keeps. */
  nodes: number[];
  /** For each node of the proof, what it says. */
  sentences: string[];
  /** What is not shown yet. */
  open: ObligationDoc[];
  /** The ways to show an obligation, if they were asked for. */
  ways: WaysDoc | null;
  /** Who chooses. */
  strategy: string;
  /** Who else could. */
  strategies: string[];
}

/** A node of the proof; its number is its index. */
export interface ProofNodeDoc {
  /** The state that it is about. */
  state: number;
  /** The sub-formula claimed to hold or to fail; null: a path starts here. */
  sub: number | null;
  /** Whether the sub-formula holds or fails. */
  holds: boolean | null;
  /** How it follows from its premises; null: nobody has shown it yet. */
  rule: RuleName | null;
  /** The number of the branch or region that the rule names. */
  which?: number;
  /** The bounds that are left, of a bounded operator. */
  bounds?: [number, number];
  /** How many steps are left at most, where something must be reached. */
  rank?: number;
  /** The nodes that it follows from. */
  premises: number[];
}

/** A proof after some choices. */
export interface ProofRequest {
  /** The choices. */
  choices: string[];
  /** The obligation whose ways are asked for. */
  ways?: number;
}

/** A property with everything that is known about it. */
export interface PropertyAnswer {
  /** The number of the model. */
  model: number;
  /** The number of the property. */
  id: number;
  /** The states that it is asked from. Absent when they are the initial ones. */
  from?: FromDoc;
  /** What was found out about it. */
  property: PropertyDoc;
  /** Its evidence in words. */
  told: ToldDoc | null;
  /** Its sub-formulas, operands first. */
  formula: FormulaNodeDoc[];
}

/** A property and what was found out about it. */
export interface PropertyDoc {
  /** Its name. */
  name: string;
  /** The formula as it is written, on one line. */
  text: string;
  /** The file it stands in, where that is not the file of the model. */
  path?: string;
  /** The line, from 1; null for a formula from the command line. */
  line: number | null;
  /** The column, from 1; null for a formula from the command line. */
  column: number | null;
  /** Its logic, or what a command asks for. */
  kind: PropertyKindName;
  /** Null when the property is not supported or was not looked at. */
  class: ClassName | null;
  /** Whether it holds. */
  verdict: VerdictName;
  /** Why the verdict is unknown. */
  reason?: string;
  /** Why it holds in every model, where it does by its form. */
  by_form?: string;
  /** The sub-formula that never mattered. */
  vacuous: string | null;
  /** Why there is nothing that it could be false of: no initial state, or no run that counts. */
  of_nothing?: string;
  /** Which paths count, where that was chosen with `--paths`. */
  paths?: PathsName;
  /** For `compute`: a number of steps, `infinite`, or `undefined` if there is no state to start from. */
  value?: QuantityDoc;
  /** What the verdict is about; null when it is unknown. */
  reach: ReachDoc | null;
  /** Why it fails, or why an existential one holds; null when there is none. */
  evidence: EvidenceDoc | null;
  /** The runs that a solver found, where there is no evidence of which they are the whole. */
  runs?: RunDoc[];
  /** All shortest evidence at once, if asked for. */
  abstract?: AbstractDoc;
  /** Further evidence: of the same with `--count`, of each part that fails with `--each`. */
  more?: MoreDoc[];
  /** Why there is not as much further evidence as was asked for. */
  no_more?: NoMoreName;
  /** The parts of a property that fails, if it has several. */
  parts?: PartDoc[];
  /** Only with `--witness`: a run on which a property that holds matters. */
  witness?: WitnessDoc;
  /** Only with `--certificate`: why a property holds. */
  certificate?: CertificateDoc;
  /** For a property that holds, if asked for: why, in sentences. */
  why?: WhyDoc;
  /** Where the runs of the evidence could still have kept the property. */
  decisions?: DecisionDoc[];
  /** For a property that fails: the places of the text that may be to blame, the likeliest first. */
  blame?: SuspectDoc[];
  /** Only from `blame`: where the values come from that the failure depends on. */
  slice?: SliceValueDoc[];
  /** How many changes of the text were tried to find out what is to blame. Absent when nobody tried. */
  blame_search?: BlameSearchDoc;
  /** What became of each wish about whole runs that the evidence was chosen by, the most important one first. */
  wishes?: WishDoc[];
  /** Circumstances of this property. Absent when there are none. */
  notes?: NoteDoc[];
  /** Only from `debug`: all counterexamples at once. */
  analysis?: AnalysisDoc;
  /** Only for a command of an Alloy model. Absent when it is not known. */
  result?: ResultName;
  /** What only a command of an Alloy model has. */
  command?: CommandDoc;
}

/** The logic of a property, or what a command of an Alloy model asks for. */
export type PropertyKindName = 'ctl' | 'ltl' | 'invar' | 'compute' | 'psl' | 'mcl' | 'run' | 'check';

/** The value of a quantified variable. */
export interface QuantifiedDoc {
  /** As Alloy calls it: `$show_b`. */
  name: string;
  /** As it is written. */
  variable: string;
  /** The line where it is written. */
  line: number;
  /** How many columns are those of variables it depends on. */
  outer: number;
  /** Its rows. */
  rows: string[][];
}

/** What `compute` computes. */
export type QuantityDoc = number | QuantityName;

/** Why `compute` has no number. */
export type QuantityName = 'infinite' | 'undefined';

/** The property whose counterexamples are asked about. */
export interface QueriedPropertyDoc {
  /** Its name. */
  name: string;
  /** The formula. */
  text: string;
}

/** A query and its answer. */
export interface QueryDoc {
  /** The query as it was written, or its name and what it was asked with. */
  text: string;
  /** The comment before it. */
  title?: string;
  /** The names of the columns. */
  columns: string[];
  /** One value for each column. */
  rows: CellDoc[][];
  /** Why there may be more rows than these, or other ones. */
  incomplete?: string;
  /** What is to be known of the answer. */
  note?: string;
  /** What is odd about the query. */
  warnings?: string[];
}

/** What `wherefore query --format json` prints. */
export interface QueryDocument {
  /** The name of the schema. */
  schema: QuerySchemaName;
  /** The program that wrote the document. */
  tool: ToolDoc;
  /** The file of the model as it was given. */
  path: string;
  /** The property whose counterexamples are asked about. */
  property: QueriedPropertyDoc;
  /** The queries in order. */
  queries: QueryDoc[];
}

/** A query about a tagged graph. */
export interface QueryRequest {
  /** Its text. */
  text?: string;
  /** Or the name of one that is known. */
  name?: string;
  /** What that is asked with. */
  arguments?: string[];
  /** How many rows at most. */
  max_rows?: number;
}

/** The schema of what `query` prints. */
export type QuerySchemaName = 'wherefore-query/1';

/** Which of many things. */
export interface RangeRequest {
  /** From this number on. */
  first?: number;
  /** So many at most. */
  count?: number;
}

/** What the verdict is about. */
export interface ReachDoc {
  /** The whole system, or a scope. */
  kind: ReachName;
  /** Whether there may be something beyond it. */
  meaning: MeaningName;
  /** What is known of the complete system. The verdict is that of the scope. */
  system?: SystemVerdictName;
  /** The class of the formula; null where the model does not fit. */
  class?: ClassName | null;
  /** How many states can be reached, where all were looked at. */
  states?: string | null;
  /** The scopes of states that were tried, in order. */
  scopes?: TriedScopeDoc[];
  /** The fewest states with which every operation happens and every state can be reached. */
  significant?: number | null;
}

/** What a verdict is about. */
export type ReachName = 'complete' | 'scope';

/** What good and bad mean in a tagged graph. */
export type ReadingName = 'branching' | 'fate' | 'inevitable' | 'linear';

/** A closed set of states. */
export interface RegionDoc {
  /** The state that it is reached from. */
  at: number;
  /** The sub-formula that it shows; null: a path goes on. */
  sub: number | null;
  /** Whether the sub-formula holds or fails. */
  holds: boolean | null;
  /** How many states it has. */
  size: CountDoc;
  /** Each entry maps variables to the values they may have; the set is the union of the entries. */
  cover: { [name: string]: ValueDoc[] }[];
  /** Whether the entries describe it exactly. */
  complete: boolean;
  /** The states; null when there are too many. */
  states: { [name: string]: ValueDoc }[] | null;
}

/** The value of an expression of an Alloy model. */
export type RelationalValueDoc = boolean | number | string[][];

/** A relationship of the graph. */
export interface RelationshipCellDoc {
  /** Its number. */
  relationship: number;
  /** The node where it starts. */
  from: number;
  /** The node where it ends. */
  to: number;
  /** Its properties. */
  properties: { [name: string]: CellDoc };
}

/** What a report in one file has inside: answers by route. */
export interface ReportDocument {
  /** The name of the schema. */
  schema: ExplorerSchemaName;
  /** The answers by route. */
  responses: { [name: string]: unknown };
  /** What is not there, in sentences. */
  left_out: string[];
}

/** Whether a command has an instance. */
export type ResultName = 'sat' | 'unsat';

/** The rule by which a claim of a proof follows from its premises. */
export type RuleName = 'step' | 'every-step' | 'dead-end' | 'stop' | 'state' | 'branch' | 'goal' | 'continue' | 'region' | 'total' | 'start' | 'run';

/** A run that belongs to a verdict without being its proof: what a solver found, where more than runs is needed to refute. */
export interface RunDoc {
  /** The run that it branches off, and the state of that run where it does, both from 0; absent for the first. */
  from?: [number, number];
  /** The states in order. */
  states: RunStateDoc[];
  /** The state that comes after the last one, from 0; null if the run is shown up to a state only. */
  loop: number | null;
}

/** A state of a run. */
export interface RunStateDoc {
  /** The kind of step that led here, if steps have names; absent at the first state. */
  operation?: string;
  /** The inputs of the step that led here. */
  inputs?: { [name: string]: ValueDoc };
  /** The values of the variables. */
  values: { [name: string]: ValueDoc };
}

/** The scope of a command. */
export interface ScopeDoc {
  /** The bits of an integer. */
  bits: number;
  /** How long a sequence is at most. */
  sequence: number;
  /** The least and the most states of a trace; null: no limit. */
  steps?: [number, number | null];
  /** The scopes of signatures. */
  signatures: SignatureScopeDoc[];
}

/** What was asked in a scope. */
export type ScopeQuestionName = 'command' | 'dead-loops' | 'run' | 'axioms';

/** A run of states that serves one claim. */
export interface SegmentDoc {
  /** The state that it branches off. */
  from: number | null;
  /** Whether it is a part of the main run. */
  main: boolean;
  /** The sub-formula it serves, by its index in `formula`; null: it shows that a path goes on. */
  sub: number | null;
  /** Whether the sub-formula holds or fails. */
  holds: boolean | null;
  /** Its states in order. */
  states: number[];
  /** How it ends. */
  ending: EndingName;
  /** Where the last step of a loop or of a joining segment leads. */
  to: number | null;
  /** Where a loop meets the fairness constraints. */
  fair?: FairDoc[];
}

/** A claim at all states of a set. */
export interface SetClaimDoc {
  /** The position of the states. */
  position: number;
  /** How many states there are. */
  states: CountDoc;
  /** What tells these states from the other reachable ones, where they are not all of the position. */
  part?: PositionDoc;
  /** The claim as a sentence. Absent where the proof was not re-checked. */
  text?: string;
  /** The sub-formula, by its index in the `formula` of the evidence. */
  sub: number;
  /** Whether the sub-formula holds or fails. */
  holds: boolean;
  /** How it follows from its premises. */
  rule: SetRuleName;
  /** The number of the branch the rule names. */
  which?: number;
  /** The claims that it follows from. */
  premises: number[];
}

/** The rule by which a claim about a set of states follows from its premises. */
export type SetRuleName = 'atomic' | 'split' | 'branch' | 'step' | 'goal' | 'continue';

/** How bad a message about a source is. */
export type SeverityName = 'error' | 'warning';

/** The shape of evidence. */
export type ShapeName = 'path' | 'lasso' | 'tree' | 'region';

/** The shortest counterexamples. */
export interface ShortestDoc {
  /** How many steps they have. */
  length: number;
  /** The length of the first one once it is abstracted. */
  abstracted: number;
  /** The least and the greatest of these lengths over all of them. */
  abstracted_range: [number, number];
  /** How many there are; null when they are not counted. */
  count: CountDoc | null;
  /** Whether nothing shorter exists; loops are searched with bounded effort. */
  proved: boolean;
}

/** What the invariant of a certificate shows where it is not the property itself. */
export type ShowsName = 'states' | 'turns' | 'loops';

/** The scope of a signature. */
export interface SignatureScopeDoc {
  /** Its name. */
  name: string;
  /** How many atoms it has at most. */
  most: number;
  /** Whether it has exactly so many. */
  exactly: boolean;
}

/** What an expression of the text did for a value on a run. */
export type SliceName = 'not_taken' | 'taken' | 'gave' | 'required' | 'allowed';

/** An expression that gave a value or kept it. */
export interface SlicePartDoc {
  /** The line, from 1. */
  line: number;
  /** The column in characters, from 1. */
  column: number;
  /** Where it ends. */
  end: SuspectEndDoc;
  /** The text there, on one line; a long one is cut short. */
  text: string;
  /** What it did. */
  role: SliceName;
  /** The conditions that decided it. */
  since: SliceReasonDoc[];
}

/** A condition that decided what an expression did. */
export interface SliceReasonDoc {
  /** The line, from 1. */
  line: number;
  /** The text there, on one line; a long one is cut short. */
  text: string;
  /** Whether it was true. */
  truth: boolean;
}

/** A value that another one rests on. */
export interface SliceSourceDoc {
  /** The state. */
  state: number;
  /** The variable of the state, or the input of the step that leaves it. */
  variable: string;
}

/** A value on the run, and where it comes from. */
export interface SliceValueDoc {
  /** The state: its place among the states of the evidence. */
  state: number;
  /** The variable. */
  variable: string;
  /** Its value there. */
  value: ValueDoc;
  /** The other values that the text would have allowed there, everything else being as it is. */
  allowed?: ValueDoc[];
  /** Whether the text says nothing of it there. */
  free?: boolean;
  /** What in the text gave it, in the order in which it is read. */
  parts: SlicePartDoc[];
  /** The values that this rests on; those of inputs stand with the state that the step leaves. */
  rests_on: SliceSourceDoc[];
  /** What gave the value, in a sentence. */
  says: string;
  /** What kept it from being another one, a sentence for each expression. */
  kept?: string[];
}

/** How large the reachable system is. */
export interface SpaceDoc {
  /** What holds its states. */
  engine: EngineName;
  /** How many states can be reached. */
  states: CountDoc;
  /** How many transitions there are; null when the engine does not count them. */
  transitions: CountDoc | null;
  /** Only where symmetric states were left out: how many symmetries of the model were used. */
  symmetries?: number;
}

/** Which part of a disjunction an abstract run shows. */
export type SplitName = 'both' | 'left' | 'right' | 'simpler';

/** A state, and the step that leads there. */
export interface SpotDoc {
  /** The values of the variables. */
  values: { [name: string]: ValueDoc };
  /** Expressions the user asked to see. */
  shown?: { [name: string]: string };
  /** What the step is called. */
  action?: string;
  /** The values of the inputs. */
  inputs?: { [name: string]: ValueDoc };
  /** The variables that the step changes. */
  changes?: ChangeDoc[];
}

/** What the command line asks for. */
export interface StartDoc {
  /** The number of a model. */
  model: number;
  /** The number of a property. */
  property: number | null;
}

/** An occurrence of a state. */
export interface StateDoc {
  /** Its index. */
  id: number;
  /** The values of the variables. */
  values: { [name: string]: ValueDoc };
  /** The names that the user gave to it. Absent when there is none. */
  names?: string[];
  /** What a script of the user says of it. Absent when it says nothing. */
  caption?: string;
  /** Expressions the user asked to see. */
  shown?: { [name: string]: string };
}

/** A state: values by the names of variables. */
export type StateRequest = { [name: string]: ValueDoc };

/** The states in one of the cubes, or in none of them. One of the fields is there. */
export interface StateSetDoc {
  /** The states in one of these cubes. */
  any_of?: { [name: string]: AllowedDoc }[];
  /** The states in none of these cubes. */
  none_of?: { [name: string]: AllowedDoc }[];
}

/** How long it took. */
export interface StatsDoc {
  /** In seconds. */
  seconds: number;
}

/** The steps of a way. */
export interface StepsAnswer {
  /** The steps; null: there is no way. */
  steps: SpotDoc[] | null;
}

/** The steps of a node. */
export interface StepsRequest {
  /** The node. */
  node: number;
  /** From this number on. */
  first?: number;
  /** So many at most. */
  count?: number;
}

/** A line of a stream. */
export type StreamLine = {
  event: 'begun';
  /** The number. */
  request: number;
} | {
  event: 'progress';
  /** What, as "exploring states". */
  phase: string;
  /** How much of it is done. */
  done: number;
} | {
  event: 'space';
  /** The space, as in the list of models. */
  space: SpaceDoc;
} | {
  event: 'property';
  /** As in the list of models. */
  property: ListedPropertyDoc;
} | PieceDoc | {
  event: 'result';
  /** The answer, unless it came in pieces. */
  result?: unknown;
  /** How many pieces it came in. */
  pieces?: number | null;
} | {
  event: 'error';
  /** The status that a response would have. */
  status: number;
  /** What went wrong. */
  error: FailureDoc;
};

/** A sub-formula. */
export interface SubFormulaDoc {
  /** Its index. */
  id: number;
  /** The formula. */
  text: string;
}

/** A place of the text that may be to blame for the failure of a property. The likeliest comes first; there is one for each line. */
export interface SuspectDoc {
  /** The file, where it is not that of the model: a component of a composition. */
  file?: string;
  /** The line, from 1. */
  line: number;
  /** The column in characters, from 1. */
  column: number;
  /** Where the place ends. */
  end: SuspectEndDoc;
  /** What the place is to the failure. */
  role: SuspectName;
  /** Why it is listed, in a sentence. */
  why: string;
  /** What is known for sure. */
  guarantee: GuaranteeName;
  /** For a transition of a labelled transition system: the steps of the counterexample that take it, by the places of the states that they enter among the states of the evidence. */
  steps?: number[];
  /** Where the counterexample hinges on the expression first. */
  hinge?: HingeDoc;
  /** A change at this place with which the property holds. */
  mend?: MendDoc;
}

/** One past the last character of a place. */
export interface SuspectEndDoc {
  /** The line, from 1. */
  line: number;
  /** The column in characters, from 1. */
  column: number;
}

/** What a place of the text is to the failure of a property. */
export type SuspectName = 'mend' | 'costly' | 'suspect';

/** Two places that can mend a property together, and neither alone. */
export interface SuspectPairDoc {
  /** The line of the first place, from 1. */
  first: number;
  /** The expression there. */
  first_text: string;
  /** The line of the second place, from 1. */
  second: number;
  /** The expression there. */
  second_text: string;
}

/** What is known of a complete transition system. */
export type SystemVerdictName = 'holds' | 'holds-somewhere' | 'fails' | 'unknown';

/** How many transitions have each tag. */
export interface TagCountsDoc {
  correct: number;
  incorrect: number;
  neutral: number;
}

/** The tag of a transition. */
export type TagName = 'correct' | 'incorrect' | 'neutral';

/** A file, in a stream. */
export interface TextAnswer {
  /** Its text. */
  text: string;
}

/** A replacement in a text. */
export interface TextEditDoc {
  /** The first byte that is replaced. */
  from: number;
  /** One past the last byte that is replaced. */
  to: number;
  /** What stands there instead. */
  text: string;
}

/** Evidence in words. */
export interface ToldDoc {
  /** Why the property is as it is, in a sentence. */
  because: string;
  /** What the property says; null for a system. */
  reading: string | null;
  /** How the evidence answers it. */
  answer: string | null;
  /** The shape of the evidence. */
  shape: string;
  /** What else is to be known of it, in a few words each. */
  badges: string[];
  /** What the runs had to choose. */
  decisions: string[];
  /** What became of each wish that the evidence was chosen by. */
  wishes: string[];
  /** What is said about each state. */
  steps: ToldStepDoc[];
  /** The runs as they are read. */
  runs: ToldRunDoc[];
  /** For each node of the proof, what it says; empty where there are very many. */
  proof: string[];
}

/** A run as it is read. */
export interface ToldRunDoc {
  /** The state that it branches off. */
  from: number | null;
  /** Its states in order. */
  states: number[];
  /** The state where its loop starts. */
  loop: number | null;
  /** How it ends. */
  ending: EndingName;
  /** Where the last step leads, of a run that joins another. */
  to: number | null;
  /** The sub-formula that it serves. */
  sub: number | null;
  /** Whether the sub-formula holds or fails. */
  holds: boolean | null;
  /** What it is. */
  title: string;
}

/** What is said about a state. */
export interface ToldStepDoc {
  /** The state. */
  state: number;
  /** What happens there. */
  sentence: string | null;
  /** What else is to be said. */
  remarks: string[];
}

/** The program that wrote a document. */
export interface ToolDoc {
  /** Its name. */
  name: ToolName;
  /** Its version. */
  version: string;
}

/** The name of the program. */
export type ToolName = 'wherefore';

/** A finite tree of states, by the numbers of states of the evidence. */
export interface TreeDoc {
  /** On one line, as `0 → 1 → (0 | 2)`. */
  text: string;
  /** Whether it shows the answer. */
  shows: boolean;
}

/** A scope of states that was tried. */
export interface TriedScopeDoc {
  /** How many states. */
  states: number;
  /** Exactly so many, or up to so many. */
  exactly: boolean;
  /** What was asked. */
  asked: ScopeQuestionName;
  /** Whether there is an instance; null when that took too long. */
  found: boolean | null;
}

/** What is true at a state. */
export interface TruthAnswer {
  /** The truth of each sub-formula; null when the state cannot be reached. */
  truth: boolean[] | null;
  /** Whether a path starts there. */
  has_path: boolean | null;
}

/** What is true at a state. */
export interface TruthRequest {
  /** The state. */
  state: StateRequest;
  /** The property. */
  property: number;
}

/** States without a fair path. */
export interface UnfairDoc {
  /** The states. */
  states: StateSetDoc;
  /** The order in which they are taken away. */
  layers: LayerDoc[];
}

/** A change of a variable. */
export interface ValueChangeDoc {
  /** Its name. */
  variable: string;
  /** Its value before. */
  old: ValueDoc;
  /** Its value after. */
  new: ValueDoc;
}

/** A value of a variable: a truth value, an integer, or the name of a constant. */
export type ValueDoc = boolean | number | string | BigIntDoc;

/** The value of an expression in an instance. */
export interface ValueRequest {
  /** The instance, from 0. */
  instance: number;
  /** The expression. */
  expression: string;
}

/** The values of an expression, state by state. */
export interface ValuesAnswer {
  /** The expression. */
  expression: string;
  /** Its values. */
  values: string[];
}

/** A variable of a model. */
export interface VariableDoc {
  /** Its name. */
  name: string;
  /** What it is. */
  kind: VariableName;
  /** Whether the user did not declare it. */
  hidden: boolean;
  /** The values that it may have; null when there are many. */
  values: ValueDoc[] | null;
}

/** What a variable is. */
export type VariableName = 'state' | 'frozen' | 'input';

/** A verdict, with what must be known to read it rightly. */
export interface VerdictDoc {
  /** The verdict. */
  verdict: VerdictName;
  /** The sub-formula that never mattered. */
  vacuous: string | null;
  /** Why there is nothing that it could be false of. */
  of_nothing?: string;
}

/** Whether a property holds. */
export type VerdictName = 'holds' | 'fails' | 'unknown' | 'unchecked';

/** A way to show an obligation. */
export interface WayDoc {
  /** Its number, from 1. */
  way: number;
  /** What it does. */
  text: string;
  /** Its kind. */
  kind: WayName;
  /** The state where it leads. */
  to: { [name: string]: ValueDoc } | null;
}

/** The kind of a way to show an obligation. */
export type WayName = 'state' | 'branch' | 'step' | 'every-step' | 'goal' | 'continue' | 'dead-end' | 'stop' | 'region' | 'total' | 'loop' | 'close' | 'start' | 'run';

/** Steps of a neighbourhood that have the same tag, and what they have in common. */
export interface WayOnDoc {
  /** The tag. */
  tag: TagName;
  /** How many steps there are. */
  steps: number;
  /** The inputs, and the values after the step, that no step with another tag has. */
  decides: { [name: string]: ValueDoc };
  /** What changes in all of them, apart from what decides. */
  changes: ValueChangeDoc[];
  /** The variables that differ among them. */
  free: string[];
}

/** The ways to show an obligation. */
export interface WaysDoc {
  /** The obligation. */
  node: number;
  /** The ways. */
  ways: WayDoc[];
}

/** Why a property holds, in sentences. If there is nothing to say, only `reason` is there. */
export interface WhyDoc {
  /** Why there is nothing to say. */
  reason?: string;
  /** Whether a solver re-checked all that is said; what cannot be re-checked is not said. */
  rechecked: boolean;
  /** How many conditions were re-checked. */
  conditions?: number;
  /** The formula that was looked at, where the property itself is one of linear time. */
  formula?: string;
  /** The sentences. */
  lines: WhyLineDoc[];
}

/** A sentence of a reason. */
export interface WhyLineDoc {
  /** What it says. */
  kind: WhyLineName;
  /** The sentence, with texts of the model in backquotes. */
  text: string;
  /** How many states it is about, if they were counted. */
  states?: number;
  /** Sentences that belong to it. */
  items?: WhyLineDoc[];
}

/** What a sentence says about why a property holds. */
export type WhyLineName = 'invariant' | 'clause' | 'must-happen' | 'layer' | 'can-happen' | 'ring' | 'next-states' | 'claim' | 'example' | 'more';

/** How many states an abstract run has at each position. */
export type WidthName = 'all' | 'one';

/** Some of many things. */
export interface WindowOfGraphEdgeDoc {
  /** The number of the first. */
  first: number;
  /** How many there are; null when nobody knows. */
  total: number | null;
  /** Some of them. */
  items: GraphEdgeDoc[];
}

/** Some of many things. */
export interface WindowOfGraphNodeDoc {
  /** The number of the first. */
  first: number;
  /** How many there are; null when nobody knows. */
  total: number | null;
  /** Some of them. */
  items: GraphNodeDoc[];
}

/** Some of many things. */
export interface WindowOfGroupDoc {
  /** The number of the first. */
  first: number;
  /** How many there are; null when nobody knows. */
  total: number | null;
  /** Some of them. */
  items: GroupDoc[];
}

/** Some of many things. */
export interface WindowOfSpotDoc {
  /** The number of the first. */
  first: number;
  /** How many there are; null when nobody knows. */
  total: number | null;
  /** Some of them. */
  items: SpotDoc[];
}

/** What is known of how well other evidence serves a wish. */
export type WishBestName = 'proved' | 'limit' | 'open';

/** What became of a wish about whole runs. */
export interface WishDoc {
  /** The wish as it was written. */
  wish: string;
  /** Whether the evidence is as wished. */
  met: boolean;
  /** Whether the loop does nothing for a wish that is about loops. */
  idle: boolean;
  /** Exceptions in each turn of the loop. */
  turn: number;
  /** Exceptions on the way to the loop, the first arrival there included, or in all where there is no loop. */
  way: number;
  /** What is known of other evidence. */
  best: WishBestName;
}

/** A run on which a property that holds matters: it would fail there if a part of it had another truth. */
export interface WitnessDoc {
  /** The text of the part. */
  replaced: string;
  /** The number of the part among the sub-formulas. */
  sub: number;
  /** The truth that it is taken to have. */
  by: boolean;
  /** Why the property would fail; its sub-formulas are those with the part replaced. */
  evidence: EvidenceDoc;
}

/** How it stands with the property at a node of a tagged graph. */
export type ZoneName = 'open' | 'good' | 'bad';
