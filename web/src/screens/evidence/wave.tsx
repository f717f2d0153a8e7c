// The run as waves: truth values go up and down, other values are written between changes. The parts of the property
// are waves as well.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Value } from '../../api/values';
import { CAUSE, causesAt, legend } from '../../lib/blame';
import { columnsOf, inSight, isTruth, type Column } from '../../lib/columns';
import { same, show } from '../../lib/values';
import { useInSight, useScroll } from '../../ui/use-scroll';
import { Empty } from '../../ui/words';
import type { RunView } from './panes';
import { RowFilter, useVariables } from './row-filter';

const WIDTH = 46;
const HEIGHT = 26;
const ASIDE = 220;
const MOST_ROWS = 200;

interface WaveRow {
  name: string;
  part: boolean;
  value: (state: number) => Value | undefined;
  /** What a mark at a state means; null where there is none. */
  mark: (state: number) => string | null;
}

export function Wave({ run, step, select }: RunView): JSX.Element {
  const columns = useMemo(() => columnsOf(run), [run]);
  const variables = useVariables(run);
  const scroll = useScroll();
  const focus = columns.findIndex(column => column.state === step && !column.again);
  useInSight(scroll, focus, WIDTH, ASIDE);
  const [first, last] = inSight(scroll.left, scroll.width, WIDTH, columns.length);
  const parts: WaveRow[] = [...run.formula].reverse().slice(0, 40).map(sub => ({ name: sub.text, part: true, value: state => run.truth[String(state)]?.[sub.id], mark: () => null }));
  const rows: WaveRow[] = [
    ...(Object.keys(run.truth).length === 0 ? [] : parts),
    ...variables.slice(0, MOST_ROWS).map(name => ({
      name, part: false, value: (state: number) => run.states[state]?.values[name],
      mark: (state: number) => run.causes !== undefined && causesAt(run, state).has(name) ? legend(run.causes) : null,
    })),
  ];
  if (rows.length === 0) return <><RowFilter marked={run.causes !== undefined} /><Empty title="Nothing to draw: no variable changes, and no part of the property is known." /></>;
  const total = columns.length * WIDTH;
  return (
    <>
      <RowFilter marked={run.causes !== undefined} />
      <div class="wave-box" ref={scroll.box} tabIndex={0} role="region" aria-label="waves of the run">
        <div class="wave-body" style={{ width: `${String(ASIDE + total)}px` }}>
          <div class="wave-row wave-head">
            <span class="wave-name" style={{ width: `${String(ASIDE)}px` }}>step</span>
            <span class="wave-line" style={{ width: `${String(total)}px`, height: `${String(HEIGHT)}px` }}>
              {columns.slice(first, last).map((column, at) => (
                <button
                  key={first + at} type="button" class={`wave-step${column.looping ? ' looping' : ''}${column.state === step ? ' selected' : ''}`}
                  style={{ left: `${String((first + at) * WIDTH)}px`, width: `${String(WIDTH)}px` }}
                  aria-current={column.state === step && !column.again ? 'step' : undefined} onClick={() => { select(column.state); }}
                >{column.title}</button>
              ))}
            </span>
          </div>
          {rows.map((row, at) => (
            <div key={at} class={`wave-row${row.part ? ' wave-part' : ''}`}>
              <span class="wave-name" title={row.name} style={{ width: `${String(ASIDE)}px` }}>{row.name}</span>
              <WaveLine row={row} columns={columns} first={first} last={last} step={step} />
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

function WaveLine({ row, columns, first, last, step }: { row: WaveRow; columns: readonly Column[]; first: number; last: number; step: number }): JSX.Element {
  const shown = columns.slice(first, last);
  const values = shown.map(column => row.value(column.state));
  const width = columns.length * WIDTH;
  const marks = shown.map(column => column.again ? null : row.mark(column.state));
  const said = `${row.name}: ${values.slice(0, 40).map((value, at) => `${marks[at] == null ? '' : CAUSE}${show(value)}`).join(', ')}`;
  return (
    <svg class="wave-line" width={width} height={HEIGHT} role="img" aria-label={said}>
      {shown.map((column, at) => {
        const classes = `${column.looping ? 'wave-loop' : ''}${column.state === step ? ' wave-selected' : ''}`.trim();
        return classes === '' ? null : <rect key={at} class={classes} x={(first + at) * WIDTH} y="0" width={WIDTH} height={HEIGHT} />;
      })}
      {isTruth(values) ? <path class="wave-truth" d={truthPath(values, first)} /> : <Bus values={values} first={first} />}
      {marks.map((mark, at) => mark === null ? null : <circle key={`mark ${String(at)}`} class="wave-cause" cx={(first + at) * WIDTH + 8} cy="5" r="3.4"><title>{mark}</title></circle>)}
    </svg>
  );
}

function truthPath(values: readonly (Value | undefined)[], first: number): string {
  const high = 5;
  const low = HEIGHT - 5;
  return values.map((value, at) => {
    const x = (first + at) * WIDTH;
    const y = value === true ? high : low;
    return `${at === 0 ? `M${String(x)} ${String(y)}` : `V${String(y)}`} H${String(x + WIDTH)}`;
  }).join(' ');
}

/** Values that are not truth values: a band for each stretch without change. */
function Bus({ values, first }: { values: readonly (Value | undefined)[]; first: number }): JSX.Element {
  const bands: { from: number; to: number; text: string }[] = [];
  values.forEach((value, at) => {
    const last = bands.at(-1);
    if (last !== undefined && same(values[at - 1], value)) last.to = at + 1;
    else bands.push({ from: at, to: at + 1, text: show(value) });
  });
  return (
    <>
      {bands.map(band => {
        const x = (first + band.from) * WIDTH;
        const width = (band.to - band.from) * WIDTH;
        const letters = Math.max(1, Math.floor((width - 10) / 7));
        return (
          <g key={band.from} class="wave-band">
            <title>{band.text}</title>
            <path d={`M${String(x)} ${String(HEIGHT / 2)} l4 -9 h${String(width - 8)} l4 9 l-4 9 h${String(8 - width)} Z`} />
            <text x={x + width / 2} y={HEIGHT / 2 + 4} text-anchor="middle">{band.text.length > letters ? `${band.text.slice(0, Math.max(1, letters - 1))}…` : band.text}</text>
          </g>
        );
      })}
    </>
  );
}
