// A walk through the states of a model, from the choices in the address.
//
//     3          the fourth successor
//     to:EXPR    the shortest way to a state where it is true
//     deadlock   the shortest way to a state without successors
//     before:2   a new walk, from the third predecessor

import type { Spot, Values, Window } from '../../api/values';
import { Refused, type Progress, type Source } from '../../api/source';

export interface Walk {
  spots: Spot[];
}

/** Follows the choices, one after the other. */
export async function follow(
  source: Source, model: number, start: Values | null, initial: number, choices: readonly string[], signal: AbortSignal, progress: (event: Progress) => void,
): Promise<Walk> {
  const ask = <T>(route: string, body: object): Promise<T> => source.ask<T>(`models/${String(model)}/states/${route}`, body, signal, progress);
  const only = (window: Window<Spot>, what: string): Spot => {
    const spot = window.items[0];
    if (spot === undefined) throw new Refused(404, 'not-found', what);
    return spot;
  };
  let spots: Spot[] = [start === null ? only(await ask('initial', { first: initial, count: 1 }), 'There is no such initial state.') : { values: start }];
  for (const choice of choices) {
    const from = spots.at(-1)?.values ?? {};
    if (choice === 'deadlock' || choice.startsWith('to:')) {
      const wanted = choice === 'deadlock' ? { from, deadlock: true } : { from, to: choice.slice(3) };
      const { steps } = await ask<{ steps: Spot[] | null }>('path', wanted);
      if (steps === null) throw new Refused(404, 'not-found', choice === 'deadlock' ? 'No deadlock can be reached from here.' : `No state where \`${choice.slice(3)}\` is true can be reached from here.`);
      spots.push(...steps);
    } else if (choice.startsWith('before:')) {
      const found = await ask<Window<Spot>>('predecessors', { state: from, first: Number(choice.slice(7)), count: 1 });
      spots = [{ values: only(found, 'There is no such predecessor.').values }];
    } else {
      const found = await ask<Window<Spot>>('successors', { state: from, first: Number(choice), count: 1 });
      spots.push(only(found, `There is no successor number ${choice}.`));
    }
  }
  return { spots };
}
