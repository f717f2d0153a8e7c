// What the page adds to the generated types: values of instances beside those of variables, and short names.

import type {
  AnalysisAnswer, AnalysisDoc, ChangeDoc, DecisionDoc, FormulaNodeDoc, InstanceDoc, NearbyAnswer, PropertyAnswer, SpotDoc, SubFormulaDoc, ToldDoc, ValueDoc, WindowOfSpotDoc,
} from './wire';

/** Rows of atoms: the value of a relation or of a set. */
export type Rows = string[][];

export type Value = ValueDoc | Rows;
export type Values = Record<string, Value>;

/** A variable that changes; the page also compares sets. */
export type Change = Omit<ChangeDoc, 'old' | 'new'> & { old: Value; new: Value };

/** What a run had to choose. */
export type Decision = Omit<DecisionDoc, 'instead'> & { instead: Values[] };

/** A state, and the step that leads there. */
export type Spot = Omit<SpotDoc, 'values'> & { values: Values };

/** An analysis that was made. */
export type Analysed = AnalysisAnswer & { document: { analysis: AnalysisDoc } };

/** A sub-formula, with its operator where that is known. */
export type SubFormula = SubFormulaDoc & Partial<FormulaNodeDoc>;

/** A property in full, from a server, a report or a plain document. */
export type AnsweredProperty = Omit<PropertyAnswer, 'formula' | 'told'> & {
  formula: SubFormula[];
  told: Told | null;
  /** A piece of the tagged graph, where there is no server to ask for it. */
  graph?: NearbyAnswer;
};

/** Evidence in words; older reports have no sentences about the proof. */
export type Told = Omit<ToldDoc, 'proof' | 'runs'> & Partial<Pick<ToldDoc, 'proof' | 'runs'>>;

/** Some of many things. */
export type Window<T> = Omit<WindowOfSpotDoc, 'items'> & { items: T[] };

export type Instances = Window<InstanceDoc>;
