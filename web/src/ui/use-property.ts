// The property that the address names, with its evidence and all runs it has to show.

import type { AnsweredProperty } from '../api/values';
import type { ListedPropertyDoc, ModelEntryDoc } from '../api/wire';
import type { Progress, Source } from '../api/source';
import { many, number, one } from '../lib/route';
import { makeRuns, type Run } from '../lib/run';
import { inSlices } from '../lib/slices';
import { usePlace } from './context';
import { useAnswer, type Answer } from './use-answer';

export interface Loaded {
  answer: AnsweredProperty;
  runs: Run[];
}

/** The model and the listed property of the address. */
export function useListed(): { entry: ModelEntryDoc | undefined; listed: ListedPropertyDoc | undefined } {
  const { route, models } = usePlace();
  const entry = models[route.model];
  return { entry, listed: entry?.model.properties.find(property => property.name === route.property) };
}

/** Answers about a property as it is listed: whoever comes back from another screen finds them as they were. */
const answers = new WeakMap<ListedPropertyDoc, Map<string, Loaded>>();

/** Asks for a property, and makes runs of what it has to show; wishes ask for other runs than the usual one. */
export async function load(source: Source, base: string, language: string, wishes: object | null, signal: AbortSignal, progress: (event: Progress) => void): Promise<Loaded> {
  const answer = await (wishes === null ? source.get<AnsweredProperty>(base, signal, progress) : source.ask<AnsweredProperty>(`${base}/another`, wishes, signal, progress));
  return { answer, runs: await inSlices(makeRuns(answer.property, answer.told, answer.formula, language), signal) };
}

/** Asks for the property; `count`, `avoid`, `distinct`, `strategy`, `witness`, `from` and `paths` in the address ask for other runs than the usual one. */
export function useProperty(): Answer<Loaded> {
  const { source, route } = usePlace();
  const { entry, listed } = useListed();
  const language = entry?.model.language ?? '';
  const base = listed === undefined ? null : `models/${String(route.model)}/properties/${String(listed.id)}`;
  const count = number(route, 'count', 1);
  const avoid = many(route, 'avoid');
  const distinct = many(route, 'distinct');
  const strategy = many(route, 'strategy');
  const witness = one(route, 'witness') !== undefined;
  const from = one(route, 'from');
  const paths = one(route, 'paths');
  const usual = !witness && from === undefined && paths === undefined && count <= 1 && avoid.length === 0 && distinct.length === 0 && strategy.length === 0;
  const body = {
    ...(count > 1 ? { count } : {}), ...(avoid.length > 0 ? { avoid } : {}),
    ...(distinct.length > 0 ? { distinct_by: distinct } : {}), ...(strategy.length > 0 ? { strategy } : {}),
    ...(witness ? { witness } : {}), ...(from === undefined ? {} : { from }), ...(paths === undefined ? {} : { paths }),
  };
  const unchecked = listed?.verdict === 'unchecked';
  const key = base === null ? null : `${base} ${usual ? '' : JSON.stringify(body)} ${String(unchecked)}`;
  const answer = useAnswer<Loaded>(key, async (signal, progress) => {
    const known = listed === undefined ? undefined : answers.get(listed)?.get(key ?? '');
    if (known !== undefined) return known;
    const fresh = await load(source, base ?? '', language, usual ? null : body, signal, progress);
    // One answer is kept for each property: they can be large.
    if (listed !== undefined && !unchecked) answers.set(listed, new Map([[key ?? '', fresh]]));
    return fresh;
  });
  if (answer.state === 'idle') return { state: 'failed', message: 'There is no such property.', kind: 'not-found' };
  return answer.state === 'waiting' ? { ...answer, last: null } : answer;
}

/** The run that the address names. */
export function useRunNumber(runs: readonly Run[]): number {
  const { route } = usePlace();
  return Math.min(number(route, 'run', 0), Math.max(0, runs.length - 1));
}

/** The selected step of a run. */
export function useStep(run: Run | undefined): number {
  const { route } = usePlace();
  const step = one(route, 'step') === undefined ? 0 : number(route, 'step', 0);
  return run?.states[step] === undefined ? 0 : step;
}
