// What every view of a run is given.

import type { Run } from '../../lib/run';

export interface RunView {
  run: Run;
  /** The selected step: the number of a state of the run. */
  step: number;
  /** Selects another; quietly leaves no trace in the history. */
  select: (step: number, quietly?: boolean) => void;
}
