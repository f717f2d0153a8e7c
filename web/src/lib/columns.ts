// Runs as columns: the order in which tables and waves show the steps, and which of them are in sight.

import type { Value } from '../api/values';
import type { Run } from './run';
import { same } from './values';

export interface Column {
  /** The state shown; for the step back into a loop, the state it leads to. */
  state: number;
  title: string;
  looping: boolean;
  /** A column that repeats an earlier one, because the loop closes. */
  again: boolean;
}

/** The columns of the main run, and of its branches after it. */
export function columnsOf(run: Run): Column[] {
  return run.rows.flatMap((row): Column[] => {
    if (row.kind === 'state') return [{ state: row.state, title: String(row.state), looping: row.looping, again: false }];
    if (row.kind === 'back') return [{ state: row.to, title: `↺ ${String(row.to)}`, looping: row.ending === 'loop', again: true }];
    return [];
  });
}

/** The variables of a run, in order; with `changedOnly`, those that change or that the failure depends on. */
export function variablesOf(run: Run, hidden: ReadonlySet<string>, changedOnly: boolean, filter: string): string[] {
  const first = run.states[0]?.values ?? {};
  const matches = matcher(filter);
  const marked = new Set([...run.causes?.at.values() ?? []].flatMap(names => [...names]));
  return Object.keys(first).filter(name => !hidden.has(name) && matches(name)).filter(name => {
    if (!changedOnly || marked.has(name)) return true;
    return run.states.some(state => !same(state.values[name], first[name]));
  });
}

/** A test for names: a regular expression, or plain text where it is none. */
export function matcher(filter: string): (name: string) => boolean {
  if (filter === '') return () => true;
  try {
    const expression = new RegExp(filter, 'i');
    return name => expression.test(name);
  } catch {
    const text = filter.toLowerCase();
    return name => name.toLowerCase().includes(text);
  }
}

/** The first and the last column in sight. */
export function inSight(scroll: number, size: number, width: number, total: number): [number, number] {
  const around = 6;
  const first = Math.max(0, Math.floor(scroll / width) - around);
  return [first, Math.min(total, Math.ceil((scroll + size) / width) + around)];
}

/** Points of a small chart of so many values, at most so many; null where a value is no number. */
export function chart(length: number, value: (at: number) => number | null, most = 240): (number | null)[] {
  const points = Math.min(length, most);
  return Array.from({ length: points }, (_, at) => value(length <= most ? at : Math.floor((at * (length - 1)) / (points - 1))));
}

/** Whether a row of values is made of truth values. */
export function isTruth(values: readonly (Value | undefined)[]): boolean {
  return values.every(value => typeof value === 'boolean');
}
