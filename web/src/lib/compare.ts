// Two runs side by side: how far they agree, and where they part.

import type { Values } from '../api/document';
import { commonPrefix, diff, type Difference } from './diff';
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
  rows: PairRow[];
  common: number;
  /** Whether both are the same from beginning to end. */
  equal: boolean;
}

export function compare(left: Run, right: Run): Comparison {
  const leftSides = sides(left);
  const rightSides = sides(right);
  const common = commonPrefix(leftSides, rightSides, (a, b) => sameValues(a.values, b.values) && (a.step?.action ?? null) === (b.step?.action ?? null));
  const rows: PairRow[] = [];
  for (let at = 0; at < Math.max(leftSides.length, rightSides.length); at += 1) {
    const l = leftSides[at] ?? null;
    const r = rightSides[at] ?? null;
    rows.push({
      left: l, right: r, kind: at < common ? 'same' : at === common ? 'parts' : 'after',
      differs: l === null || r === null ? [] : diff(l.values, r.values),
    });
  }
  return { rows, common, equal: common === leftSides.length && common === rightSides.length && left.loop === right.loop };
}

function sides(run: Run): Side[] {
  const steps = new Map<number, RunStep | null>();
  for (const row of run.rows) if (row.kind === 'state' && !steps.has(row.state)) steps.set(row.state, row.step);
  return mainStates(run).map(state => ({ state, values: run.states[state]?.values ?? {}, step: steps.get(state) ?? stepTo(run, state) }));
}

function sameValues(left: Values, right: Values): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every(name => same(left[name], right[name]));
}
