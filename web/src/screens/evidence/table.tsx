// The run as a table: a row for each variable, a column for each step. Only the columns in sight are drawn.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { causesAt } from '../../lib/blame';
import { chart, columnsOf, inSight, type Column } from '../../lib/columns';
import type { Run } from '../../lib/run';
import { asNumber, same, show } from '../../lib/values';
import { useInSight, useScroll } from '../../ui/use-scroll';
import { CauseDot, Empty } from '../../ui/words';
import type { RunView } from './panes';
import { RowFilter, useVariables } from './row-filter';

const WIDTH = 84;
const ASIDE = 190;
const MOST_ROWS = 300;

export function Table({ run, step, select }: RunView): JSX.Element {
  const columns = useMemo(() => columnsOf(run), [run]);
  const variables = useVariables(run);
  const scroll = useScroll();
  const focus = columns.findIndex(column => column.state === step && !column.again);
  useInSight(scroll, focus, WIDTH, ASIDE);
  const [first, last] = inSight(scroll.left, scroll.width, WIDTH, columns.length);
  const shown = columns.slice(first, last);
  const value = (state: number, name: string) => run.states[state]?.values[name];
  return (
    <>
      <RowFilter marked={run.causes !== undefined} />
      {variables.length === 0 ? <Empty title="No variable to show.">{<p>None of those that match changes in this run.</p>}</Empty> : null}
      <div class="table-box" ref={scroll.box} tabIndex={0} role="region" aria-label="values at each step">
        <table class="values" style={{ width: `${String(ASIDE + columns.length * WIDTH)}px` }}>
          <thead>
            <tr>
              <th scope="col" style={{ width: `${String(ASIDE)}px` }}>variable</th>
              <Gap columns={first} />
              {shown.map((column, at) => (
                <th key={first + at} scope="col" style={{ width: `${String(WIDTH)}px` }} class={`${column.looping ? 'looping' : ''}${column.state === step ? ' selected' : ''}`}>
                  <button type="button" class="plain" aria-current={column.state === step && !column.again ? 'step' : undefined} onClick={() => { select(column.state); }}>{column.title}</button>
                </th>
              ))}
              <Gap columns={columns.length - last} />
            </tr>
          </thead>
          <tbody>
            {variables.slice(0, MOST_ROWS).map(name => (
              <tr key={name}>
                <th scope="row"><span class="table-name" title={name}>{name}</span><Spark run={run} columns={columns} name={name} /></th>
                <Gap columns={first} />
                {shown.map((column, at) => {
                  const now = value(column.state, name);
                  const index = first + at;
                  const before = index === 0 ? undefined : columns[index - 1];
                  const changed = before !== undefined && !same(value(before.state, name), now);
                  const text = show(now);
                  return <td key={index} title={text} class={`${changed ? 'changed' : ''}${column.looping ? ' looping' : ''}${column.state === step ? ' selected' : ''}${typeof now === 'boolean' ? ` value-${String(now)}` : ''}`}>{changed ? <span class="hidden">changed: </span> : null}{run.causes !== undefined && !column.again && causesAt(run, column.state).has(name) ? <CauseDot causes={run.causes} /> : null}{text}</td>;
                })}
                <Gap columns={columns.length - last} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {variables.length > MOST_ROWS ? <p class="notice">{variables.length} variables, showing {MOST_ROWS}. Choose some by name.</p> : null}
    </>
  );
}

function Gap({ columns }: { columns: number }): JSX.Element | null {
  return columns <= 0 ? null : <td aria-hidden="true" style={{ width: `${String(columns * WIDTH)}px` }} />;
}

/** How a number goes up and down along the run. */
function Spark({ run, columns, name }: { run: Run; columns: readonly Column[]; name: string }): JSX.Element | null {
  const points = chart(columns.length, at => asNumber(run.states[columns[at]?.state ?? 0]?.values[name]));
  const numbers = points.filter(value => value !== null);
  if (numbers.length < 2 || numbers.length !== points.length) return null;
  let [low, high] = [Infinity, -Infinity];
  for (const each of numbers) [low, high] = [Math.min(low, each), Math.max(high, each)];
  if (low === high) return null;
  const path = points.map((each, at) => `${at === 0 ? 'M' : 'L'}${String(Math.round((at * 480) / (points.length - 1)) / 10)} ${String(Math.round(130 - (120 * ((each ?? low) - low)) / (high - low)) / 10)}`).join(' ');
  return <svg class="spark" width="48" height="14" role="img" aria-label={`between ${String(low)} and ${String(high)}`}><path d={path} /></svg>;
}
