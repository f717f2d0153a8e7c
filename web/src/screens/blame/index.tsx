// To blame: the text of the model with the places that may be to blame, and what becomes of the run once one is changed.

import type { JSX } from 'preact';
import type { BlameAnswer } from '../../api/wire';
import { ofOthers, searched, type BlameSearch, type Suspect } from '../../lib/blame';
import { number } from '../../lib/route';
import { useChoose, usePlace } from '../../ui/context';
import { useKeys } from '../../ui/keys';
import { PropertyHead } from '../../ui/property-head';
import { useAnswer, valueOf, type Answer } from '../../ui/use-answer';
import { load, useListed, type Loaded } from '../../ui/use-property';
import { Awaited } from '../../ui/waiting';
import { Empty, Prose } from '../../ui/words';
import { Heat } from './heat';
import { Chosen } from './mended';
import { Places } from './places';

export function BlameScreen(): JSX.Element {
  const { source, route } = usePlace();
  const { entry, listed } = useListed();
  const base = listed === undefined ? null : `models/${String(route.model)}/properties/${String(listed.id)}`;
  // What is to blame becomes known after all verdicts, and is asked for again then.
  const key = base === null ? null : `${base} ${String(listed?.verdict)} ${String(entry?.checking)}`;
  const loaded = useAnswer<Loaded>(key, (signal, progress) => load(source, base ?? '', entry?.model.language ?? '', null, signal, progress));
  const times = number(route, 'try', 0);
  const wanted = base !== null && source.live && times > 0 && listed?.verdict === 'fails';
  const asked = useAnswer<BlameAnswer>(wanted ? `${base} blame ${String(times)} ${String(entry?.checking)}` : null, (signal, progress) =>
    source.ask(`${base ?? ''}/blame`, { budget: times }, signal, progress));
  if (loaded.state === 'idle') return <p class="refused" role="alert">There is no such property.</p>;
  return <Awaited answer={loaded}>{value => <ToBlame loaded={value} asked={asked} base={base ?? ''} />}</Awaited>;
}

function ToBlame({ loaded, asked, base }: { loaded: Loaded; asked: Answer<BlameAnswer>; base: string }): JSX.Element {
  const { source, route, models } = usePlace();
  const choose = useChoose();
  const { answer, runs } = loaded;
  const { property } = answer;
  const entry = models[route.model];
  const more = valueOf(asked);
  const suspects: Suspect[] = more?.blame ?? property.blame ?? [];
  const search: BlameSearch | undefined = more?.blame_search ?? property.blame_search;
  const at = Math.min(number(route, 'place', 0), suspects.length);
  const chosen = at === 0 ? undefined : suspects[at - 1];
  const select = (place: number, quietly = false): void => { choose({ place: place === 0 ? null : place }, { quietly }); };
  const move = (by: number): void => { if (suspects.length > 0) select(Math.max(1, Math.min(suspects.length, at + by)), true); };
  useKeys([
    { keys: ['j', 'ArrowDown'], help: 'the next place', run: () => { move(1); } },
    { keys: ['k', 'ArrowUp'], help: 'the place before', run: () => { move(-1); } },
    { keys: ['Home'], help: 'the likeliest place', run: () => { move(-suspects.length); } },
    { keys: ['End'], help: 'the last place', run: () => { move(suspects.length); } },
    { keys: ['Escape'], help: 'choose no place', run: () => { select(0); } },
  ]);
  const times = number(route, 'try', 0);
  const canAsk = source.live && (entry?.abilities.includes('blame') ?? false) && ['ctl', 'invar', 'ltl', 'psl'].includes(property.kind);
  const tryMore = canAsk && asked.state !== 'waiting' && (times === 0 || (search?.untried ?? 0) > 0) && times < 1000;
  if (property.verdict !== 'fails' && suspects.length === 0) {
    return <div class="evidence"><PropertyHead answer={answer} brief /><Empty title={property.verdict === 'holds' ? 'The property holds: nothing is to blame.' : 'It is not known whether the property holds.'} /></div>;
  }
  return (
    <div class="evidence">
      <PropertyHead answer={answer} />
      <div class={`panes panes-blame${chosen === undefined ? '' : chosen.mend === undefined || !canAsk ? ' panes-chosen' : ' panes-chosen panes-mend'}`}>
        <section class="pane pane-heat" aria-label="text of the model"><Heat source={entry?.source ?? null} path={entry?.model.path ?? ''} suspects={suspects} chosen={at} select={select} /></section>
        <section class="pane pane-places" aria-label="places">
          <h2>What may be to blame</h2>
          <p class="notice blame-search" role="status">
            {asked.state === 'waiting' ? `${asked.progress?.phase ?? 'trying more changes'}… ` : search !== undefined ? searched(search) : entry?.checking === 'running' && canAsk ? 'Changes of the text are being tried…' : suspects.length > 0 ? '' : 'Nobody has looked for what is to blame.'}{' '}
            {asked.state === 'waiting' ? <button type="button" onClick={() => { choose({ try: null }); }}>Cancel</button> : null}
            {tryMore ? <button type="button" title={times === 0 ? 'as `wherefore blame` does' : `ten times as much as before`} onClick={() => { choose({ try: Math.max(1, times * 10) }); }}>Try more</button> : null}
          </p>
          {asked.state === 'failed' ? <p class="refused" role="alert"><Prose text={asked.message} /></p> : null}
          <Places suspects={suspects} chosen={at} select={select} source={entry?.source ?? null} />
          {search === undefined ? null : ofOthers(search, suspects).map(each => <p key={each} class="notice"><Prose text={each} /></p>)}
        </section>
        {chosen === undefined ? null : (
          <section class="pane pane-chosen" aria-label="with and without">
            <Chosen key={at} rank={at} suspect={chosen} run={runs[0]} base={base} name={property.name} kind={property.kind} />
          </section>
        )}
      </div>
    </div>
  );
}
