// The run as lanes: who changed what, from top to bottom.

import type { JSX } from 'preact';
import { lanesOf, patternOf, type Lane } from '../../lib/actors';
import { one } from '../../lib/route';
import type { Row } from '../../lib/run';
import { plural, show } from '../../lib/values';
import { useChoose, usePlace } from '../../ui/context';
import { Empty } from '../../ui/words';
import type { RunView } from './panes';

const MOST_ROWS = 400;
const MOST_LANES = 12;

export function Sequence({ run, step, select }: RunView): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const text = one(route, 'actors') ?? '';
  const lanes = lanesOf(run, patternOf(text));
  const rows = run.rows.filter(row => row.kind !== 'branch' && row.kind !== 'end');
  return (
    <>
      <p class="steps-head">
        <label>actors <input type="text" aria-label="pattern of actors" placeholder="for instance ^(\w+)\." value={text} onChange={event => { choose({ actors: event.currentTarget.value === '' ? null : event.currentTarget.value }); }} /></label>
      </p>
      {lanes.length === 0 ? (
        <Empty title="Nobody to draw.">
          <p>Names of variables tell who takes part, as <code>sender.state</code> does. Here they do not; write an expression above whose first group is the actor.</p>
        </Empty>
      ) : (
        <div class="lanes-box" tabIndex={0} role="region" aria-label="who changed what">
          <table class="lanes">
            <thead><tr><th scope="col">step</th>{lanes.slice(0, MOST_LANES).map(lane => <th key={lane.actor} scope="col"><span class="lane-head">{lane.actor}</span></th>)}</tr></thead>
            <tbody>{rows.slice(0, MOST_ROWS).map((row, at) => <LaneRow key={at} row={row} lanes={lanes.slice(0, MOST_LANES)} step={step} select={select} />)}</tbody>
          </table>
          {rows.length > MOST_ROWS ? <p class="notice">{plural(rows.length, 'step')}, showing {MOST_ROWS}.</p> : null}
          {lanes.length > MOST_LANES ? <p class="notice">{plural(lanes.length, 'actor')}, showing {MOST_LANES}.</p> : null}
        </div>
      )}
    </>
  );
}

function LaneRow({ row, lanes, step, select }: { row: Row; lanes: readonly Lane[]; step: number; select: (step: number) => void }): JSX.Element | null {
  if (row.kind !== 'state' && row.kind !== 'back') return null;
  const target = row.kind === 'state' ? row.state : row.to;
  const changes = row.step?.changes ?? [];
  const selected = row.kind === 'state' && target === step;
  return (
    <tr class={`${selected ? 'selected' : ''}${row.kind === 'back' || row.looping ? ' looping' : ''}`}>
      <th scope="row">
        <button type="button" class="plain" aria-current={selected ? 'step' : undefined} onClick={() => { select(target); }}>{row.kind === 'back' ? `↺ ${String(target)}` : target}</button>
        {row.step?.action === null || row.step?.action === undefined ? null : <span class="action">{row.step.action}</span>}
      </th>
      {lanes.map(lane => {
        const mine = changes.filter(change => lane.variables.includes(change.variable));
        return (
          <td key={lane.actor} class="lane">
            {mine.length === 0 ? <span class="lane-line" aria-hidden="true" /> : (
              <span class="lane-note">{mine.map(change => <span key={change.variable}>{nameIn(lane, change.variable)} = {show(change.new)}</span>)}</span>
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** The name of a variable without that of its actor. */
function nameIn(lane: Lane, variable: string): string {
  return variable.startsWith(`${lane.actor}.`) ? variable.slice(lane.actor.length + 1) : variable;
}
