// What differs between two states, down to the rows of a set.

import type { Change, Rows, Value, Values } from '../api/values';
import { isRows, same } from './values';

/** A changed variable; for sets, which rows came and went. */
export interface Difference extends Change {
  added?: Rows;
  removed?: Rows;
}

/** The rows that came and went, if both values are sets. */
export function rowsDiff(before: Value, after: Value): { added: Rows; removed: Rows } | null {
  if (!isRows(before) || !isRows(after)) return null;
  const key = (row: string[]): string => JSON.stringify(row);
  const old = new Set(before.map(key));
  const now = new Set(after.map(key));
  return { added: after.filter(row => !old.has(key(row))), removed: before.filter(row => !now.has(key(row))) };
}

/** Refines a change of a set to its rows. */
export function deepen(change: Change): Difference {
  return { ...change, ...rowsDiff(change.old, change.new) };
}

/** The variables whose values differ, in the order of the later state. */
export function diff(before: Values, after: Values): Difference[] {
  const differences: Difference[] = [];
  for (const [variable, value] of Object.entries(after)) {
    const old = before[variable];
    if (old !== undefined && !same(old, value)) differences.push(deepen({ variable, old, new: value }));
  }
  return differences;
}

/** Names of variables that differ between at least two of the states. */
export function changing(states: readonly Values[]): Set<string> {
  const names = new Set<string>();
  const first = states[0];
  if (first === undefined) return names;
  for (const state of states) {
    for (const [name, value] of Object.entries(state)) {
      if (!names.has(name) && !same(first[name], value)) names.add(name);
    }
  }
  return names;
}
