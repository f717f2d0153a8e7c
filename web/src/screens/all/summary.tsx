// What an analysis comes to, and the filters.

import type { JSX } from 'preact';
import type { AnalysisDoc, NeighbourhoodName } from '../../api/wire';
import { many } from '../../lib/route';
import { markOf, OUTLOOKS, TYPES } from '../../lib/tagged';
import { count, plural } from '../../lib/values';
import { useChoose, usePlace } from '../../ui/context';
import { TagMark } from '../../ui/words';
import { Groups } from './groups';
import { Queries } from './queries';

const ALL: NeighbourhoodName[] = ['cn', 'in', 'ci', 'cin'];

export function Summary({ analysis, number }: { analysis: AnalysisDoc; number?: number }): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const kinds = many(route, 'type');
  const { tags, neighbourhoods, shortest } = analysis;
  const undecided = analysis.outlook === 'mixed' && tags.correct === 0 && tags.incorrect === 0;
  const toggle = (type: NeighbourhoodName): void => {
    choose({ type: kinds.includes(type) ? kinds.filter(each => each !== type) : [...kinds, type], node: null });
  };
  return (
    <>
      <h2>All counterexamples</h2>
      <p>{undecided ? 'Some runs break the property, and others do not, but no single step decides it: at every state both are still possible.' : OUTLOOKS[analysis.outlook]}</p>
      {(analysis.notes ?? []).map(note => <p key={note} class="notice">{note}</p>)}
      <dl class="facts">
        <div><dt>system</dt><dd>{plural(analysis.system.states, 'state')}, {plural(analysis.system.transitions, 'transition')}, {plural(analysis.system.labels, 'label')}</dd></div>
        <div><dt>counterexamples</dt><dd>{plural(analysis.counterexamples.states, 'state')}, {plural(analysis.counterexamples.transitions, 'transition')}</dd></div>
        <div><dt>steps</dt><dd><TagMark tag="correct" />{count(tags.correct)} correct <TagMark tag="incorrect" />{count(tags.incorrect)} incorrect <TagMark tag="neutral" />{count(tags.neutral)} open</dd></div>
        {shortest === null ? null : <div><dt>shortest</dt><dd>{plural(shortest.length, 'step')}, {count(shortest.abstracted)} of which {shortest.abstracted === 1 ? 'matters' : 'matter'}{shortest.count === null || String(shortest.count) === '1' ? '' : `; one of ${count(shortest.count)}`}</dd></div>}
      </dl>
      <h3>{plural(neighbourhoods.total, 'neighbourhood')} <span class="at">{neighbourhoods.percent.toFixed(2)} % of the states</span></h3>
      <div class="types" role="group" aria-label="types of neighbourhoods">
        {ALL.map(type => (
          <button key={type} type="button" class="type" aria-pressed={kinds.includes(type)} disabled={neighbourhoods[type] === 0} onClick={() => { toggle(type); }}>
            <span class="type-mark">{markOf(type)}</span> {count(neighbourhoods[type])} <span class="quiet">{TYPES[type]}</span>
          </button>
        ))}
      </div>
      <Groups analysis={analysis} kinds={kinds} {...(number === undefined ? {} : { number })} />
      {analysis.deciding.length === 0 ? null : (
        <>
          <h3>What decides</h3>
          <table class="deciding">
            <thead><tr><th scope="col">label</th><th scope="col">correct</th><th scope="col">incorrect</th></tr></thead>
            <tbody>{analysis.deciding.slice(0, 40).map(each => <tr key={each.label}><th scope="row"><code>{each.label}</code></th><td>{each.correct === 0 ? '' : <><TagMark tag="correct" />{each.correct}</>}</td><td>{each.incorrect === 0 ? '' : <><TagMark tag="incorrect" />{each.incorrect}</>}</td></tr>)}</tbody>
          </table>
        </>
      )}
      {analysis.idle.length === 0 ? null : <details class="claims"><summary>{plural(analysis.idle.length, 'label decides', 'labels decide')} nothing</summary><p>{analysis.idle.slice(0, 100).join(', ')}</p></details>}
      {number === undefined ? null : <Queries number={number} />}
    </>
  );
}
