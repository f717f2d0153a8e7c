// The selected state: what changed first, then what is pinned, then everything else; expressions to watch; what can follow.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AnsweredProperty } from '../../api/values';
import type { SliceValueDoc } from '../../api/wire';
import { causesAt, type Causes } from '../../lib/blame';
import { matcher } from '../../lib/columns';
import { many } from '../../lib/route';
import { stepTo } from '../../lib/run';
import { decision } from '../../lib/tell';
import { useChoose, usePlace } from '../../ui/context';
import { CauseDot, ChangeText, Prose, ValueText } from '../../ui/words';
import type { RunView } from './panes';
import { SourceLines, useSource } from './source-line';
import { Successors } from './successors';
import { Watches } from './watches';

const MOST = 120;

export function StatePane({ run, step, answer }: RunView & { answer: AnsweredProperty }): JSX.Element {
  const { route, models } = usePlace();
  const choose = useChoose();
  const open = useSource();
  const [filter, setFilter] = useState('');
  const hidden = new Set(models[route.model]?.model.hidden);
  const values = run.states[step]?.values ?? {};
  const raw = run.states[step]?.raw ?? {};
  const arrived = stepTo(run, step);
  const changes = arrived?.changes ?? [];
  const pinned = many(route, 'pin');
  const matches = matcher(filter);
  const rest = Object.entries(values).filter(([name]) => !hidden.has(name) && !pinned.includes(name) && matches(name));
  const pin = (name: string): void => { choose({ pin: pinned.includes(name) ? pinned.filter(each => each !== name) : [...pinned, name] }); };
  const here = run.decisions.filter(each => each.from === step);
  const marked = causesAt(run, step);
  const given = (run.slice ?? []).filter(each => each.state === step);
  return (
    <>
      <h2>State <span class="at">at step {step}</span></h2>
      {run.states[step]?.caption === undefined ? null : <p class="caption">{run.states[step].caption}</p>}
      <SourceLines />
      {changes.length === 0 && arrived?.action == null ? null : (
        <div class="state-part">
          <h3>{arrived?.action == null ? 'Changed on the way here' : <>Reached by <span class="action">{arrived.action}</span></>}</h3>
          <ul class="changes">{changes.slice(0, MOST).map(change => <li key={change.variable}>{open === undefined ? <ChangeText change={change} /> : <ChangeText change={change} line={open} />}</li>)}</ul>
        </div>
      )}
      {here.map((each, at) => <p key={at} class="decision"><span aria-hidden="true">★</span> <Prose text={decision(run, each)} /></p>)}
      {pinned.length === 0 ? null : (
        <div class="state-part">
          <h3>Pinned</h3>
          <ValueList entries={pinned.map(name => [name, values[name]] as const)} changed={changes.map(each => each.variable)} pinned={pinned} onPin={pin} marked={marked} causes={run.causes} />
        </div>
      )}
      <Watches values={raw} of={run.instance === undefined ? undefined : { property: answer.id, instance: run.instance, step }} />
      <div class="state-part">
        <h3>Values <input type="search" class="small" aria-label="filter values" placeholder="filter" value={filter} onInput={event => { setFilter(event.currentTarget.value); }} /></h3>
        <ValueList entries={rest.slice(0, MOST)} changed={changes.map(each => each.variable)} pinned={pinned} onPin={pin} marked={marked} causes={run.causes} />
        {rest.length > MOST ? <p class="notice">{rest.length} values, showing {MOST}.</p> : null}
        {rest.length === 0 ? <p class="notice">No value matches.</p> : null}
      </div>
      {given.length === 0 ? null : (
        <div class="state-part">
          <h3>Where values come from</h3>
          <ul class="slice">{given.map(each => <Given key={each.variable} given={each} causes={marked.has(each.variable) ? run.causes : undefined} />)}</ul>
        </div>
      )}
      <Successors values={raw} answer={answer} />
    </>
  );
}

/** What in the text gave a value, and what kept it from being another one. */
function Given({ given, causes }: { given: SliceValueDoc; causes: Causes | undefined }): JSX.Element {
  return (
    <li>
      {causes === undefined ? null : <CauseDot causes={causes} />}<Prose text={given.says} />
      {given.kept === undefined ? null : <ul>{given.kept.map(each => <li key={each}><Prose text={each} /></li>)}</ul>}
    </li>
  );
}

interface ListProps {
  entries: readonly (readonly [string, Parameters<typeof ValueText>[0]['value']])[];
  changed: readonly string[];
  pinned: readonly string[];
  onPin: (name: string) => void;
  /** The variables that the failure depends on here. */
  marked: ReadonlySet<string>;
  causes: Causes | undefined;
}

function ValueList({ entries, changed, pinned, onPin, marked, causes }: ListProps): JSX.Element {
  const sorted = [...entries].sort((a, b) => Number(changed.includes(b[0])) - Number(changed.includes(a[0])));
  return (
    <table class="state-values">
      <tbody>
        {sorted.map(([name, value]) => (
          <tr key={name} class={changed.includes(name) ? 'changed' : ''}>
            <th scope="row">
              <button type="button" class="pin" aria-pressed={pinned.includes(name)} aria-label={pinned.includes(name) ? `unpin ${name}` : `pin ${name}`} onClick={() => { onPin(name); }}>{pinned.includes(name) ? '●' : '○'}</button>
              {name}
            </th>
            <td>{changed.includes(name) ? <span class="hidden">changed: </span> : null}{causes !== undefined && marked.has(name) ? <CauseDot causes={causes} /> : null}<ValueText value={value} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
