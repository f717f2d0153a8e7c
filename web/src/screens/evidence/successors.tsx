// What can follow a state, and what can come before it. Only a server knows.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AnsweredProperty, Values, Window } from '../../api/values';
import type { SpotDoc } from '../../api/wire';
import { diff } from '../../lib/diff';
import { plural } from '../../lib/values';
import { format } from '../../lib/route';
import { usePlace } from '../../ui/context';
import { useAnswer } from '../../ui/use-answer';
import { Awaited } from '../../ui/waiting';
import { ChangeText } from '../../ui/words';

export function Successors({ values, answer }: { values: Values; answer: AnsweredProperty }): JSX.Element | null {
  const { source, models, route } = usePlace();
  const [open, setOpen] = useState<'successors' | 'predecessors' | null>(null);
  if (!source.live || !(models[route.model]?.abilities.includes('states') ?? false)) return null;
  const walk = format({ screen: 'explore', property: '', model: route.model, query: { at: [JSON.stringify(values)], for: [answer.property.name] } });
  return (
    <div class="state-part">
      <h3>Around</h3>
      <p class="buttons">
        <button type="button" aria-expanded={open === 'successors'} onClick={() => { setOpen(open === 'successors' ? null : 'successors'); }}>What can follow?</button>
        <button type="button" aria-expanded={open === 'predecessors'} onClick={() => { setOpen(open === 'predecessors' ? null : 'predecessors'); }}>What leads here?</button>
        <a href={walk}>Explore from here</a>
      </p>
      {open === null ? null : <Near which={open} values={values} />}
    </div>
  );
}

function Near({ which, values }: { which: 'successors' | 'predecessors'; values: Values }): JSX.Element {
  const { source, route } = usePlace();
  const answer = useAnswer<Window<SpotDoc>>(`${which} ${JSON.stringify(values)}`, (signal, progress) =>
    source.ask(`models/${String(route.model)}/states/${which}`, { state: values, count: 20 }, signal, progress));
  return (
    <Awaited answer={answer}>
      {found => (
        <>
          <p class="notice">{found.total === 0 ? (which === 'successors' ? 'Nothing can follow: a deadlock.' : 'No state leads here.') : plural(found.total ?? found.items.length, which === 'successors' ? 'successor' : 'predecessor')}{found.total !== null && Number(found.total) > found.items.length ? `, showing ${String(found.items.length)}` : ''}</p>
          <ul class="spots">
            {found.items.map((spot, at) => {
              const changes = spot.changes ?? diff(values, spot.values);
              return (
                <li key={at}>
                  {spot.action == null ? null : <span class="action">{spot.action}</span>}
                  {changes.length === 0 ? <span class="quiet">nothing changes</span> : changes.map(change => <ChangeText key={change.variable} change={change} />)}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </Awaited>
  );
}
