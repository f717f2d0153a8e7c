// The picture with a server: a run through the tagged graph, the steps that leave it, and whatever somebody opens.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { AnsweredProperty } from '../../api/values';
import type { AnalysisDoc, CourseAnswer, NearbyAnswer } from '../../api/wire';
import { many, number as numberOf, one } from '../../lib/route';
import { graphOfCourse, graphOfPlaces, union } from '../../lib/tagged';
import { useChoose, usePlace } from '../../ui/context';
import { GraphView } from '../../ui/graph-view';
import { useAnswer, valueOf } from '../../ui/use-answer';
import { Awaited } from '../../ui/waiting';
import { Empty } from '../../ui/words';
import { NodeCard } from './node-card';

const LIMIT = 80;

interface Props {
  answer: AnsweredProperty;
  number: number;
  analysis: AnalysisDoc;
}

export function LivePicture({ answer, number, analysis }: Props): JSX.Element {
  const { source, route } = usePlace();
  const choose = useChoose();
  const which = one(route, 'which') ?? 'shortest';
  const seed = numberOf(route, 'seed', 1);
  const kinds = many(route, 'type');
  const pattern = one(route, 'pattern') ?? '';
  const every = one(route, 'every') !== undefined;
  const node = one(route, 'node') === undefined ? null : numberOf(route, 'node', 0);
  const opened = many(route, 'open').map(Number);
  const body = { which, ...(which === 'random' ? { seed } : {}), ...(kinds.length > 0 ? { kinds } : {}), ...(pattern === '' ? {} : { pattern }) };
  const run = useAnswer<CourseAnswer>(`run ${String(number)} ${JSON.stringify(body)}`, (signal, progress) => source.ask(`analyses/${String(number)}/run`, body, signal, progress));
  const found = valueOf(run);
  const wanted = [...new Set([...opened, ...(node === null ? [] : [node])])];
  const pieces = useAnswer<NearbyAnswer[]>(wanted.length === 0 ? null : `around ${String(number)} ${wanted.join(' ')} ${String(found?.nodes[0] ?? '')}`, signal =>
    Promise.all(wanted.map(each => source.ask<NearbyAnswer>(`analyses/${String(number)}/around`, { node: each, hops: 1, limit: LIMIT }, signal))));
  const around = valueOf(pieces);
  const onRun = useMemo(() => new Set(found?.nodes ?? []), [found]);
  const graph = useMemo(() => {
    if (around !== null && around.length > 0) return graphOfPlaces({ ...union(around), left_out: around.reduce((sum, piece) => sum + piece.left_out, 0) }, onRun);
    return found?.run == null ? null : graphOfCourse(found.run, every);
  }, [found, around, every, onRun]);
  const open = (target: number): void => { choose({ node: target, open: [...new Set([...wanted, target])].map(String) }); };
  const nodeAt = (id: string, step: number | undefined): number | null => {
    if (step === undefined || id.startsWith('k')) return null;
    return id.startsWith('c') || id.startsWith('d') || id.startsWith('e') ? found?.nodes[step] ?? null : step;
  };
  return (
    <>
      <div class="steps-head all-tools">
        <label>run{' '}
          <select value={which} onChange={event => { choose({ which: event.currentTarget.value === 'shortest' ? null : event.currentTarget.value, node: null, open: null }); }}>
            <option value="shortest">the shortest</option>
            <option value="nearest">to the nearest neighbourhood</option>
            <option value="random">at random</option>
          </select>
        </label>
        {which === 'random' ? <button type="button" onClick={() => { choose({ seed: seed + 1 }); }}>Another one</button> : null}
        <label>through <input type="text" aria-label="pattern of actions" placeholder="A ... B" value={pattern} onChange={event => { choose({ pattern: event.currentTarget.value === '' ? null : event.currentTarget.value, node: null, open: null }); }} /></label>
        {wanted.length > 0
          ? <button type="button" onClick={() => { choose({ node: null, open: null }); }}>Back to the run</button>
          : <label><input type="checkbox" checked={every} onChange={() => { choose({ every: every ? null : 1 }); }} /> every step</label>}
      </div>
      {run.state === 'failed' || run.state === 'waiting' ? <Awaited answer={run}>{() => null}</Awaited> : null}
      {pieces.state === 'failed' ? <Awaited answer={pieces}>{() => null}</Awaited> : null}
      {found !== null && found.run === null ? <Empty title={found.missing ?? analysis.missing ?? 'There is no such run.'} /> : null}
      {node === null ? null : <NodeCard number={number} node={node} onOpen={open} />}
      {graph === null ? null : (
        <GraphView
          graph={graph} label="counterexamples" name={`${answer.property.name} ${around !== null && around.length > 0 ? `around ${String(opened[0] ?? node)}` : `${JSON.stringify(body)} ${String(every)}`}`}
          selected={node === null ? null : `n${String(node)}`}
          onSelect={each => { const target = nodeAt(each.id, each.step); if (target !== null) choose({ node: target, open: wanted.map(String) }); }}
          onOpen={each => { const target = nodeAt(each.id, each.step); if (target !== null) open(target); }}
        />
      )}
    </>
  );
}
