// Overview: the models, their properties and verdicts. Failures come first.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedPropertyDoc, ModelEntryDoc } from '../api/wire';
import { changeOf, summary } from '../lib/changed';
import { format, many } from '../lib/route';
import { commandWords } from '../lib/tell';
import { count, plural, showAll } from '../lib/values';
import { useChoose, usePlace } from '../ui/context';
import { useKeys } from '../ui/keys';
import { canTour, stopRoute } from '../ui/tour';
import { Chip, Empty, Prose, verdictWord, type VerdictWord } from '../ui/words';

const ORDER: VerdictWord[] = ['fails', 'unknown', 'vacuous', 'unchecked', 'holds'];

export function OverviewScreen(): JSX.Element {
  const { models, source, about } = usePlace();
  const choose = useChoose();
  useKeys([
    { keys: ['/'], help: 'search properties', run: () => { document.getElementById('search')?.focus(); } },
    { keys: ['j', 'ArrowDown'], help: 'the next property', run: () => { walk(1); } },
    { keys: ['k', 'ArrowUp'], help: 'the property before', run: () => { walk(-1); } },
  ]);
  if (models.length === 0) return <Empty title="No model was opened." />;
  return (
    <div class="overview">
      <h1 class="hidden">Overview</h1>
      {about.command === undefined ? null : <p class="command"><code>{about.command}</code></p>}
      {source.leftOut.map(sentence => <p key={sentence} class="notice">{sentence}</p>)}
      {models.map(entry => <ModelCard key={entry.id} entry={entry} onFilter={word => { choose({ only: word }); }} />)}
    </div>
  );
}

/** Moves the focus among the links to properties. */
function walk(by: number): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a.property-link')];
  const at = links.findIndex(link => link === document.activeElement);
  links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
}

function ModelCard({ entry, onFilter }: { entry: ModelEntryDoc; onFilter: (word: string | null) => void }): JSX.Element {
  const { route, source, before } = usePlace();
  const choose = useChoose();
  const { model } = entry;
  const earlier = before.get(entry.id);
  const only = many(route, 'only')[0];
  const search = (many(route, 'q')[0] ?? '').toLowerCase();
  const words = model.properties.map(verdictWord);
  const shown = model.properties
    .filter(property => only === undefined || verdictWord(property) === only)
    .filter(property => `${property.name} ${property.text}`.toLowerCase().includes(search))
    .sort((a, b) => ORDER.indexOf(verdictWord(a)) - ORDER.indexOf(verdictWord(b)) || a.id - b.id);
  return (
    <section class="model" aria-label={model.path}>
      <header class="model-head">
        <h2>{model.path}</h2>
        <p class="model-size">{size(entry)}</p>
        {source.live ? <Recheck entry={entry} /> : null}
      </header>
      {earlier === undefined || busy(entry) ? null : <p class="notice" role="status">{summary(earlier, model.properties, verdictWord)}</p>}
      <Diagnostics entry={entry} />
      {source.live && canTour(entry) ? <p class="notice"><a href={format(stopRoute(0, entry.id))}>Take the tour</a>: from a first counterexample to the reason, stop by stop.</p> : null}
      {model.notes.map(note => (
        <p key={note.kind} class="notice"><Prose text={note.text} />{note.values === undefined ? null : <> For instance: <code>{showAll(note.values)}</code></>}</p>
      ))}
      {model.properties.length === 0 ? <Empty title={model.diagnostics === undefined ? 'The model has no properties.' : 'The model was rejected, so nothing was checked.'} /> : (
        <>
          <div class="filters">
            {ORDER.filter(word => words.includes(word)).map(word => (
              <button key={word} type="button" class="filter" aria-pressed={only === word} onClick={() => { onFilter(only === word ? null : word); }}>
                <Chip word={word} /> {words.filter(each => each === word).length}
              </button>
            ))}
            <input id="search" type="search" aria-label="search properties" placeholder="search properties" value={search} onInput={event => { choose({ q: event.currentTarget.value === '' ? null : event.currentTarget.value }, { quietly: true }); }} />
          </div>
          <table class="properties">
            <thead><tr><th scope="col">verdict</th><th scope="col">property</th>{earlier === undefined ? null : <th scope="col">since the last check</th>}<th scope="col">evidence</th><th scope="col">place</th></tr></thead>
            <tbody>{shown.map(property => <PropertyRow key={property.id} entry={entry} property={property} change={earlier === undefined ? null : changeOf(earlier, property, verdictWord)} />)}</tbody>
          </table>
          {shown.length === 0 ? <p class="notice">No property matches.</p> : null}
        </>
      )}
    </section>
  );
}

function PropertyRow({ entry, property, change }: { entry: ModelEntryDoc; property: ListedPropertyDoc; change: string | null }): JSX.Element {
  const { go } = usePlace();
  const target = { screen: 'evidence', property: property.name, model: entry.id, query: {} } as const;
  const { size: evidence } = property;
  return (
    <tr onClick={() => { go(target); }}>
      <td><Chip word={verdictWord(property)} /></td>
      <td>
        <a class="property-link" href={format(target)}>{property.name}</a>{' '}
        <code class="property-text">{property.text}</code>
        <span class="property-why"><Prose text={why(property)} /></span>
      </td>
      {change === null ? null : <td class="property-change">{change === '' ? <span class="quiet">the same</span> : <strong>{change}</strong>}</td>}
      <td class="property-size">{evidence === null ? (property.result === 'sat' ? 'instance' : '') : `${evidence.shape}, ${plural(evidence.steps, 'step')}`}</td>
      <td class="property-place">{property.line === null ? '' : `line ${String(property.line)}`}</td>
    </tr>
  );
}

const busy = (entry: ModelEntryDoc): boolean => entry.checking === 'running' || entry.checking === 'waiting';

/** Checks the model anew, and says if that does not work. */
function Recheck({ entry }: { entry: ModelEntryDoc }): JSX.Element {
  const { recheck } = usePlace();
  const [failed, setFailed] = useState('');
  const again = (): void => {
    setFailed('');
    recheck(entry).catch((error: unknown) => { setFailed(error instanceof Error ? error.message : String(error)); });
  };
  return (
    <>
      <button type="button" disabled={busy(entry)} title="Reads the file again if it has changed." onClick={again}>Check again</button>
      {failed === '' || entry.checking === 'failed' ? null : <span class="refused" role="alert">{failed}</span>}
    </>
  );
}

function why(property: ListedPropertyDoc): string {
  if (property.verdict === 'unknown') return property.reason ?? '';
  if (property.verdict === 'unchecked') return '';
  const because = property.size?.because ?? '';
  if (property.command !== undefined) return `${commandWords(property)}${because === '' ? '' : `, because ${because}`}`;
  if (property.of_nothing !== undefined) return property.of_nothing;
  if (property.vacuous !== null) return `\`${property.vacuous}\` has no effect`;
  return because === '' ? property.by_form ?? '' : `because ${because}`;
}

function size({ model, checking }: ModelEntryDoc): string {
  const parts: string[] = [];
  if (model.space !== null) {
    parts.push(plural(model.space.states, 'state'));
    if (model.space.transitions !== null) parts.push(plural(model.space.transitions, 'transition'));
    parts.push(`engine ${model.space.engine}`);
  }
  if (model.stats !== undefined) parts.push(`${String(model.stats.seconds)} s`);
  if (checking !== 'done') parts.push({ waiting: 'waiting to be checked', running: 'being checked', cancelled: 'the check was cancelled', failed: 'rejected' }[checking]);
  const scope = model.properties[0]?.command?.scope;
  if (scope !== undefined && scope !== null) parts.push(`scope: ${scope.signatures.map(each => `${each.exactly ? 'exactly ' : 'at most '}${count(each.most)} ${each.name}`).join(', ')}`);
  return parts.join(' · ');
}

function Diagnostics({ entry }: { entry: ModelEntryDoc }): JSX.Element {
  return (
    <>
      {(entry.model.diagnostics ?? []).map((each, at) => (
        <p key={at} class={each.severity === 'error' ? 'refused' : 'notice'}>
          <strong>{each.severity}</strong>{each.line === null ? '' : ` at ${String(each.line)}:${String(each.column ?? 1)}`}: <Prose text={each.message} />
          {each.help.map(help => <span key={help} class="advice"> <Prose text={help} /></span>)}
        </p>
      ))}
    </>
  );
}
