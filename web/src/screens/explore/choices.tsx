// The steps that can be taken from where one is.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Spot, Values, Window } from '../../api/values';
import { diff } from '../../lib/diff';
import { plural, showAll } from '../../lib/values';
import { usePlace } from '../../ui/context';
import { useAnswer } from '../../ui/use-answer';
import { Awaited } from '../../ui/waiting';
import { ChangeText } from '../../ui/words';

const PAGE = 30;

export function Choices({ values, add, undo, canUndo }: { values: Values; add: (choice: string) => void; undo: () => void; canUndo: boolean }): JSX.Element {
  const [before, setBefore] = useState(false);
  return (
    <>
      <h2>What can follow</h2>
      <p class="buttons"><button type="button" onClick={undo} disabled={!canUndo}>Back <kbd aria-hidden="true">u</kbd></button></p>
      <Listed key={JSON.stringify(values)} what="successors" values={values} add={add} />
      <details class="claims" onToggle={event => { setBefore(event.currentTarget.open); }}>
        <summary>What leads here</summary>
        {before ? <Listed key={JSON.stringify(values)} what="predecessors" values={values} add={choice => { add(`before:${choice}`); }} /> : null}
      </details>
    </>
  );
}

function Listed({ what, values, add }: { what: 'successors' | 'predecessors'; values: Values; add: (choice: string) => void }): JSX.Element {
  const { source, route } = usePlace();
  const [first, setFirst] = useState(0);
  const answer = useAnswer<Window<Spot>>(`${what} ${String(first)} ${JSON.stringify(values)}`, (signal, progress) =>
    source.ask(`models/${String(route.model)}/states/${what}`, { state: values, first, count: PAGE }, signal, progress));
  return (
    <Awaited answer={answer}>
      {({ items, total }) => (
        <>
          {items.length === 0 ? <p class="notice">{what === 'successors' ? 'Nothing can follow: a deadlock.' : 'No reachable state leads here.'}</p> : null}
          <ol class="choices">
            {items.map((spot, at) => {
              const changes = what === 'successors' ? spot.changes ?? diff(values, spot.values) : diff(values, spot.values);
              return (
                <li key={first + at}>
                  <button type="button" class="choice" title={showAll(spot.values)} onClick={() => { add(String(first + at)); }}>
                    <span class="claim-name">{first + at < 9 && what === 'successors' ? <kbd>{first + at + 1}</kbd> : first + at + 1}</span>
                    {spot.action == null ? null : <span class="action">{spot.action}</span>}
                    {changes.length === 0 ? <span class="quiet">nothing changes</span> : changes.slice(0, 8).map(change => <ChangeText key={change.variable} change={change} />)}
                  </button>
                </li>
              );
            })}
          </ol>
          {total !== null && Number(total) > PAGE ? (
            <p class="buttons">
              <button type="button" disabled={first === 0} onClick={() => { setFirst(first - PAGE); }}>Before</button>
              <span class="quiet">{first + 1} to {first + items.length} of {plural(total, 'state')}</span>
              <button type="button" disabled={first + items.length >= Number(total)} onClick={() => { setFirst(first + PAGE); }}>More</button>
            </p>
          ) : null}
        </>
      )}
    </Awaited>
  );
}
