// A walk as a run, so that the views of runs can show it.

import type { Values } from '../../api/values';
import { deepen, diff } from '../../lib/diff';
import type { Run, RunStep } from '../../lib/run';
import { foldSets } from '../../lib/sets';
import type { Walk } from './walk';

export function runOfWalk(walk: Walk, language: string): Run {
  const sets = language === 'alloy';
  const states = walk.spots.map((spot, id) => ({ id, values: { ...(sets ? foldSets(spot.values) : spot.values), ...spot.shown } as Values, raw: spot.values }));
  const steps: RunStep[] = walk.spots.slice(1).map((spot, at) => ({
    from: at, to: at + 1, action: spot.action ?? null, inputs: spot.inputs ?? {},
    changes: sets || spot.changes === undefined ? diff(states[at]?.values ?? {}, states[at + 1]?.values ?? {}) : spot.changes.map(deepen),
  }));
  return {
    title: 'Walk', shape: 'path', states, steps,
    rows: states.map((state, at) => ({ kind: 'state', segment: 0, state: state.id, step: at === 0 ? null : steps[at - 1] ?? null, looping: false })),
    loop: null, segments: [{ from: null, main: true, sub: null, holds: null, states: states.map(state => state.id), ending: 'goal', to: null }],
    regions: [], formula: [], proof: [], truth: {}, decisions: [], told: null, minimal: null, replayed: null, replayNote: null,
  };
}
