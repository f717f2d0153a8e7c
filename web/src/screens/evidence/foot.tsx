// Below the panes: what the run amounts to, and what can be asked next.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { format, many, number } from '../../lib/route';
import { decision, lengthOf } from '../../lib/tell';
import { show } from '../../lib/values';
import { useChoose, usePlace } from '../../ui/context';
import type { Loaded } from '../../ui/use-property';
import { Badge, Prose } from '../../ui/words';
import { Exports } from './exports';

export function Foot({ loaded, which, step }: { loaded: Loaded; which: number; step: number }): JSX.Element | null {
  const { source, route, models } = usePlace();
  const choose = useChoose();
  const [said, setSaid] = useState('');
  const { answer, runs } = loaded;
  const run = runs[which];
  if (run === undefined) return null;
  const sentences = which === 0 && answer.told !== null ? answer.told.decisions : run.decisions.map(each => decision(run, each));
  const wishes = which === 0 ? answer.told?.wishes ?? [] : [];
  const avoided = many(route, 'avoid');
  const stateAt = (at: number): string => Object.entries(run.states[at]?.raw ?? {}).map(([name, value]) => `${name} = ${show(value)}`).join(' & ');
  // The chosen step; without one, what makes the run what it is: its loop or its end, then the states before.
  const steps = run.states.map((_, at) => at);
  const order = step > 0 ? [step] : [...steps.slice(run.loop ?? steps.length - 1), ...steps.slice(0, run.loop ?? steps.length - 1).reverse()];
  const here = order.map(stateAt).find(state => !avoided.includes(state)) ?? null;
  const notThis = (): void => {
    if (here === null) setSaid('Every state of this run is avoided already. Below is what is known of other runs.');
    else choose({ avoid: [...avoided, here], run: null, step: null, count: null });
  };
  const canAsk = source.live && (models[route.model]?.abilities.includes('states') ?? false) && ['ctl', 'invar', 'ltl', 'psl'].includes(answer.property.kind);
  const all = answer.property.analysis !== undefined || (source.live && (models[route.model]?.abilities.includes('debug') ?? false));
  const others = source.live && run.instance !== undefined && answer.property.command?.others !== 'none';
  const share = (): void => {
    navigator.clipboard.writeText(location.href).then(() => { setSaid('The link is copied.'); }, () => { setSaid('Copy the link from the address bar.'); });
  };
  return (
    <footer class="foot">
      <div class="foot-line">
        {runs.length > 1 ? (
          <select aria-label="run" value={which} onChange={event => { choose({ run: event.currentTarget.value === '0' ? null : event.currentTarget.value, step: null }); }}>
            {runs.map((each, at) => <option key={at} value={at}>{each.title}</option>)}
          </select>
        ) : <span class="foot-title">{run.title}</span>}
        <Badge>{run.shape}</Badge>
        <Badge>{lengthOf(run)}</Badge>
        {run.minimal === null ? null : <Badge kind={run.minimal.proved ? 'good' : 'warn'} title={`measured in ${run.minimal.measure}; ${run.minimal.at_least_by === 'checker' ? 'nothing' : 'the search found nothing'} below ${String(run.minimal.at_least)}`}>{run.minimal.proved ? 'shortest: proved' : run.minimal.at_least === run.minimal.length ? 'the search found none shorter' : 'shortest: not proved'}</Badge>}
        {run.replayed === null ? null : <Badge kind={run.replayed ? 'good' : 'warn'} title="an independent interpreter ran it again">{run.replayed ? 'replayed: ok' : 'not replayed'}</Badge>}
        {run.replayNote === null ? null : <span class="quiet">{run.replayNote}</span>}
        <span class="foot-gap" />
        {canAsk || others ? <button type="button" onClick={() => { choose({ count: Math.max(2, number(route, 'count', 1) + 1), run: runs.length, step: null }); }}>Another one</button> : null}
        {canAsk ? <button type="button" title={here === null ? 'every state of this run is avoided already' : `avoid ${here}`} onClick={notThis}>Not like this</button> : null}
        {canAsk && step > 0 ? <button type="button" title={`ask the property from ${stateAt(step)}`} onClick={() => { choose({ from: stateAt(step), run: null, step: null, count: null }); }}>Ask from here</button> : null}
        {all ? <a href={format({ ...route, screen: 'all', query: {} })}>All of them</a> : null}
        <Exports answer={answer} run={run} />
        <button type="button" onClick={share}>Share</button>
        <span role="status" class="quiet">{said}</span>
      </div>
      {avoided.length === 0 ? null : (
        <p class="foot-line">Avoiding {avoided.map(each => (
          <button key={each} type="button" class="avoided" title="no longer avoid this" onClick={() => { choose({ avoid: avoided.filter(other => other !== each), step: null }); }}><code>{each}</code> ×</button>
        ))}</p>
      )}
      {wishes.length === 0 ? null : <ul class="foot-decisions">{wishes.map(each => <li key={each}><Prose text={each} /></li>)}</ul>}
      {sentences.length === 0 ? null : <ul class="foot-decisions">{sentences.map(each => <li key={each}><Prose text={each} /></li>)}</ul>}
    </footer>
  );
}
