// Two runs side by side: how far they agree, and where they part.

import type { Values } from '../api/values';
import { diff, type Difference } from './diff';
import { mainStates, stepTo, type Run, type RunStep } from './run';
import { same } from './values';

export interface PairRow {
  left: Side | null;
  right: Side | null;
  /** `same` before they part, `parts` where they part, `after` from then on. */
  kind: 'same' | 'parts' | 'after';
  /** Values that differ between the two sides. */
  differs: Difference[];
}

export interface Side {
  state: number;
  values: Values;
  step: RunStep | null;
}

export interface Comparison {
  /** Rows from step `first` on, so that those where the runs part are among them. */
  rows: PairRow[];
  first: number;
  /** How many rows there are. */
  total: number;
  common: number;
  /** Whether both are the same from beginning to end. */
  equal: boolean;
}

/** So many rows are shown before the runs part, where not all are. */
const BEFORE = 20;

export function compare(left: Run, right: Run, most = Infinity): Comparison {
  const ours = mainStates(left);
  const theirs = mainStates(right);
  const [longer, shorter] = [Math.max(ours.length, theirs.length), Math.min(ours.length, theirs.length)];
  let common = 0;
  while (common < shorter && sameSides(side(left, ours[common] ?? 0), side(right, theirs[common] ?? 0))) common += 1;
  const first = longer <= most ? 0 : Math.max(0, Math.min(common - BEFORE, longer - most));
  const rows: PairRow[] = [];
  for (let at = first; at < Math.min(longer, first + most); at += 1) {
    const [here, there] = [ours[at], theirs[at]];
    const l = here === undefined ? null : side(left, here);
    const r = there === undefined ? null : side(right, there);
    rows.push({
      left: l, right: r, kind: at < common ? 'same' : at === common ? 'parts' : 'after',
      differs: l === null || r === null ? [] : diff(l.values, r.values),
    });
  }
  return { rows, first, total: longer, common, equal: common === ours.length && common === theirs.length && left.loop === right.loop };
}

function side(run: Run, state: number): Side {
  return { state, values: run.states[state]?.values ?? {}, step: stepTo(run, state) };
}

const sameSides = (a: Side, b: Side): boolean => sameValues(a.values, b.values) && (a.step?.action ?? null) === (b.step?.action ?? null);

function sameValues(left: Values, right: Values): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every(name => same(left[name], right[name]));
}
