// A counterexample that is run again on a changed model.

import type { MendAnswer } from '../api/wire';
import type { Run, RunStep } from './run';

export interface AgainRow {
  /** The state that the step leads to. */
  state: number;
  /** Nothing for the first state. */
  step: RunStep | null;
  /** Whether it leads back to a state that is listed before. */
  back: boolean;
  /** `possible` in the changed model, `broken` where it dies, `later` where nobody looked any more. */
  kind: 'possible' | 'broken' | 'later';
}

/** The steps of a run, with whether the changed model does them. They are tried in their order, up to the first that it does not do. */
export function againRows(run: Run, { broken, fate }: Pick<MendAnswer, 'broken' | 'fate'>): AgainRow[] {
  const order = new Map(run.steps.map((step, at) => [step, at] as const));
  const end = broken === null
    ? (fate?.kind === 'dies' ? run.steps.findIndex(step => step.to === fate.step) : null)
    : broken.from === null ? -1 : run.steps.findIndex(step => step.from === broken.from && step.to === broken.to);
  // A run that does not fit the changed model is not run at all.
  const misfit = fate?.kind === 'misfit' || fate?.kind === 'unchecked';
  const kindOf = (at: number): AgainRow['kind'] => misfit ? 'later' : end === null || at < end ? 'possible' : at === end ? 'broken' : 'later';
  return run.rows.flatMap((row): AgainRow[] => {
    if (row.kind !== 'state' && row.kind !== 'back') return [];
    const { step } = row;
    const at = step === null ? -1 : order.get(step) ?? run.steps.length;
    return [{ state: row.kind === 'state' ? row.state : row.to, step, back: row.kind === 'back', kind: kindOf(at) }];
  });
}
