// Compare: two runs side by side. They may be of one property, of two, or from a document that somebody saved earlier.

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { isDocument } from '../api/source';
import { compare, type PairRow, type Side } from '../lib/compare';
import { number, one } from '../lib/route';
import { runsOf, type Run } from '../lib/run';
import { lengthOf } from '../lib/tell';
import { plural } from '../lib/values';
import { useChoose, usePlace } from '../ui/context';
import { PropertyHead } from '../ui/property-head';
import { useAnswer, valueOf } from '../ui/use-answer';
import { load, useProperty, type Loaded } from '../ui/use-property';
import { Awaited } from '../ui/waiting';
import { ChangeText, Empty } from '../ui/words';

const MOST_ROWS = 500;

export function CompareScreen(): JSX.Element {
  const property = useProperty();
  return <Awaited answer={property}>{loaded => <Compare loaded={loaded} />}</Awaited>;
}

function Compare({ loaded }: { loaded: Loaded }): JSX.Element {
  const { route, source, models } = usePlace();
  const choose = useChoose();
  const [saved, setSaved] = useState<{ name: string; runs: Run[] } | null>(null);
  const [said, setSaid] = useState('');
  const other = one(route, 'with') ?? '';
  const listed = models[route.model]?.model.properties.find(property => property.name === other);
  const asked = useAnswer<Loaded>(listed === undefined ? null : `compare ${String(route.model)} ${String(listed.id)}`, (signal, progress) =>
    load(source, `models/${String(route.model)}/properties/${String(listed?.id ?? 0)}`, models[route.model]?.model.language ?? '', null, signal, progress));
  const others = valueOf(asked);
  const rights = saved?.runs ?? others?.runs ?? loaded.runs;
  const left = loaded.runs[number(route, 'left', 0)];
  const right = rights[number(route, 'right', saved === null && others === null ? 1 : 0)];
  const read = (file: File): void => {
    file.text().then(text => {
      const data: unknown = JSON.parse(text);
      const found = isDocument(data) ? data.models.flatMap(model => model.properties).find(property => property.name === route.property) : undefined;
      if (found === undefined) setSaid(`${file.name} has no property of this name.`);
      else {
        setSaved({ name: file.name, runs: runsOf(found, null, [], models[route.model]?.model.language) });
        setSaid(`${file.name}: ${found.verdict}.${found.evidence === null ? ' It has no run.' : ''}`);
      }
    }).catch(() => { setSaid(`${file.name} is not a document of wherefore check --format json.`); });
  };
  return (
    <div class="evidence">
      <PropertyHead answer={loaded.answer} brief />
      <div class="proof-tools foot-line">
        <Pick label="left" runs={loaded.runs} selected={number(route, 'left', 0)} onPick={at => { choose({ left: at }); }} />
        <span class="quiet">beside</span>
        <label>property{' '}
          <select aria-label="other property" value={other} onChange={event => { setSaved(null); choose({ with: event.currentTarget.value === '' ? null : event.currentTarget.value, right: null }); }}>
            <option value="">the same</option>
            {(models[route.model]?.model.properties ?? []).filter(property => property.name !== route.property).map(property => <option key={property.id} value={property.name}>{property.name}</option>)}
          </select>
        </label>
        <Pick label="right" runs={rights} selected={number(route, 'right', rights === loaded.runs ? 1 : 0)} onPick={at => { choose({ right: at }); }} />
        <label class="file">a saved check <input type="file" accept=".json,application/json" onChange={event => { const file = event.currentTarget.files?.[0]; if (file !== undefined) read(file); }} /></label>
        {source.live && rights === loaded.runs ? <button type="button" onClick={() => { choose({ count: Math.max(2, loaded.runs.length + 1), right: loaded.runs.length }); }}>Find another run</button> : null}
        <span role="status" class="quiet">{said}</span>
      </div>
      {left === undefined || right === undefined
        ? <Empty title="There is nothing to compare yet."><p>{left === undefined ? 'This property has no run to show.' : source.live ? 'Ask for another run, choose another property, or open a saved check.' : 'Choose another property, or open a saved check.'}</p></Empty>
        : <Pairs left={left} right={right} />}
    </div>
  );
}

function Pick({ label, runs, selected, onPick }: { label: string; runs: readonly Run[]; selected: number; onPick: (at: number) => void }): JSX.Element | null {
  if (runs.length === 0) return null;
  return (
    <label>{label}{' '}
      <select value={selected} onChange={event => { onPick(Number(event.currentTarget.value)); }}>
        {runs.map((run, at) => <option key={at} value={at}>{run.title}: {lengthOf(run)}</option>)}
      </select>
    </label>
  );
}

function Pairs({ left, right }: { left: Run; right: Run }): JSX.Element {
  const { rows, first, total, common, equal } = useMemo(() => compare(left, right, MOST_ROWS), [left, right]);
  return (
    <div class="compare">
      <p class="compare-said">
        {equal ? 'Both runs are the same.' : common === 0 ? 'The runs differ from the start.' : `The runs agree for ${plural(common, 'state')} and part at step ${String(common)}.`}
      </p>
      <table class="pairs">
        <thead><tr><th scope="col">step</th><th scope="col">{left.title}: {lengthOf(left)}</th><th scope="col">{right.title}: {lengthOf(right)}</th><th scope="col">different: left → right</th></tr></thead>
        <tbody>{rows.map((row, at) => <PairLine key={first + at} at={first + at} row={row} left={left} right={right} />)}</tbody>
      </table>
      {total > rows.length ? <p class="notice">{plural(total, 'step')}, showing {rows.length} from step {first} on.</p> : null}
    </div>
  );
}

function PairLine({ at, row, left, right }: { at: number; row: PairRow; left: Run; right: Run }): JSX.Element {
  return (
    <tr class={`pair pair-${row.kind}`}>
      <th scope="row">{at}{row.kind === 'parts' ? <span class="badge badge-warn">parts</span> : null}</th>
      <td><SideText side={row.left} run={left} /></td>
      <td><SideText side={row.right} run={right} /></td>
      <td>{row.differs.slice(0, 8).map(each => <ChangeText key={each.variable} change={each} />)}{row.differs.length > 8 ? <span class="quiet">and {row.differs.length - 8} more</span> : null}</td>
    </tr>
  );
}

function SideText({ side, run }: { side: Side | null; run: Run }): JSX.Element {
  if (side === null) return <span class="quiet">–</span>;
  return (
    <>
      {run.loop === side.state ? <span class="badge badge-plain">the loop starts</span> : null}
      {side.step?.action == null ? null : <span class="action">{side.step.action}</span>}
      {side.step === null ? <span class="quiet">the start</span> : side.step.changes.length === 0 ? <span class="quiet">nothing changes</span> : side.step.changes.slice(0, 12).map(change => <ChangeText key={change.variable} change={change} />)}
    </>
  );
}
