// The run as a list: what changed at each step and why it matters, with the loop as a bracket.

import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { causesAt } from '../../lib/blame';
import { one } from '../../lib/route';
import type { Row, Run, RunStep } from '../../lib/run';
import { claim, decision, whyHere } from '../../lib/tell';
import { plural, show } from '../../lib/values';
import { useChoose, usePlace } from '../../ui/context';
import { useKeys } from '../../ui/keys';
import { VirtualList } from '../../ui/virtual';
import { CauseDot, ChangeText, Empty, Prose, TagMark } from '../../ui/words';
import type { RunView } from './panes';
import { useSource } from './source-line';

/** Longer runs are listed with one line for each step. */
const LONG = 400;

/** `plain` leaves out what can be changed: for paper. */
export function Steps({ run, step, select, plain = false }: RunView & { plain?: boolean }): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const full = one(route, 'values') === 'all';
  useKeys([{ keys: ['d'], help: 'all values, or changes only', run: () => { choose({ values: full ? null : 'all' }); } }]);
  const long = run.rows.length > LONG;
  const focus = run.rows.findIndex(row => row.kind === 'state' && row.state === step);
  const why = (state: number): string => (run.told === null && long ? '' : whyHere(run, state));
  const decided = new Map(run.decisions.flatMap(each => (each.from !== null && each.choice === 'lost' ? [[each.from, decision(run, each)] as const] : [])));
  const row = (index: number): JSX.Element | null => {
    const each = run.rows[index];
    if (each === undefined) return null;
    return <StepRow key={index} run={run} row={each} selected={each.kind === 'state' && each.state === step} full={full && !long} long={long} why={why} decided={decided} select={select} />;
  };
  if (run.rows.length === 0) return <Empty title="There is no step to show." />;
  return (
    <>
      {plain ? null : <p class="steps-head">
        {long ? <>{plural(run.rows.length, 'row')}, one line each; the state beside shows everything</> : (
          <label><input type="checkbox" checked={full} onChange={() => { choose({ values: full ? null : 'all' }); }} /> all values <kbd aria-hidden="true">d</kbd></label>
        )}
      </p>}
      {long
        ? <VirtualList length={run.rows.length} height={26} row={row} focus={Math.max(0, focus)} label="steps of the run" />
        : <StepsList count={run.rows.length} row={row} step={step} />}
    </>
  );
}

function StepsList({ count, row, step }: { count: number; row: (index: number) => JSX.Element | null; step: number }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('.step-selected')?.scrollIntoView({ block: 'nearest' });
  }, [step]);
  return <div class="steps" ref={list}>{Array.from({ length: count }, (_, index) => row(index))}</div>;
}

interface RowProps {
  run: Run;
  row: Row;
  selected: boolean;
  full: boolean;
  long: boolean;
  why: (state: number) => string;
  decided: ReadonlyMap<number, string>;
  select: (step: number) => void;
}

function StepRow({ run, row, selected, full, long, why, decided, select }: RowProps): JSX.Element {
  const segment = run.segments[row.segment];
  const side = segment?.main === false ? ' step-side' : '';
  switch (row.kind) {
    case 'branch': return (
      <div class="step step-branch"><Prose text={`From step ${String(row.from)}, ${segment === undefined ? 'a branch' : `to show that ${claim(run, segment)}`}:`} /></div>
    );
    case 'back': return (
      <div class={`step step-back${side}`}>
        <span class={row.ending === 'loop' ? 'bracket bracket-end' : 'bracket'} aria-hidden="true" />
        <button type="button" class="step-number" onClick={() => { select(row.to); }}>{row.to}</button>
        <Happened step={row.step} long={long} />
        <span class="why">{row.ending === 'loop' ? `back to step ${String(row.to)}, for ever` : `goes on as at step ${String(row.to)}`}</span>
        <Fair run={run} segment={row.segment} />
      </div>
    );
    case 'end': return <div class={`step step-end${side}`}><span class="bracket" /><span /><span>{row.text}</span></div>;
    case 'state': {
      const first = row.looping && run.loop === row.state;
      const star = decided.get(row.state);
      const { mark, caption, values = {} } = run.states[row.state] ?? {};
      return (
        <div class={`step${selected ? ' step-selected' : ''}${side}`} data-step={row.state} onClick={() => { select(row.state); }}>
          <span class={`bracket${row.looping ? (first ? ' bracket-start' : ' bracket-in') : ''}`} aria-hidden="true" />
          <button type="button" class="step-number" aria-current={selected ? 'step' : undefined} aria-label={`step ${String(row.state)}${row.looping ? ', in the loop' : ''}`}>{row.state}</button>
          {row.step === null || full
            ? <span class="happened">{row.step === null ? null : <Action step={row.step} />}<AllValues run={run} state={row.state} values={values} changed={new Set(row.step?.changes.map(change => change.variable))} long={long} /></span>
            : <Happened step={row.step} long={long} run={run} state={row.state} />}
          <span class="why">
            {mark === undefined ? null : <span class="badge badge-plain">{mark}</span>} {caption === undefined ? null : <span class="caption">{caption}</span>} <Prose text={why(row.state)} />
            {star === undefined ? null : <span class="star" title={star}>★ decided here</span>}
          </span>
        </div>
      );
    }
  }
}

interface HappenedProps {
  step: RunStep | null;
  long: boolean;
  /** The state that the step leads to, where values are marked that the failure depends on. */
  run?: Run;
  state?: number;
}

function Happened({ step, long, run, state }: HappenedProps): JSX.Element {
  const open = useSource();
  const most = long ? 4 : 24;
  const changes = step?.changes ?? [];
  const marked = run === undefined || state === undefined ? new Set<string>() : causesAt(run, state);
  const dot = (name: string): JSX.Element | null => run?.causes !== undefined && marked.has(name) ? <CauseDot causes={run.causes} /> : null;
  // A value that is as before is told again where the failure depends on it.
  const again = [...marked].filter(name => !changes.some(change => change.variable === name));
  return (
    <span class="happened">
      <Action step={step} />
      {changes.length === 0 && again.length === 0 && (step?.action ?? '') === '' ? <span class="quiet">nothing changes</span> : null}
      {changes.slice(0, most).map(change => <span key={change.variable}>{dot(change.variable)}{long ? <ChangeText change={change} /> : <ChangeText change={change} line={open} />}</span>)}
      {changes.length > most ? <span class="quiet">and {changes.length - most} more</span> : null}
      {again.slice(0, most).map(name => <span key={name}>{dot(name)}<span class="change valued"><span class="change-name">{name}</span>={show(run?.states[state ?? 0]?.values[name]).slice(0, 80)}</span></span>)}
    </span>
  );
}

function Action({ step }: { step: RunStep | null }): JSX.Element | null {
  if (step === null || (step.action === null && step.tag === undefined)) return null;
  return <span class="action">{step.tag === undefined ? null : <TagMark tag={step.tag} />}{step.action}</span>;
}

function AllValues({ run, state, values, changed, long }: { run: Run; state: number; values: Run['states'][number]['values']; changed: ReadonlySet<string>; long: boolean }): JSX.Element {
  const marked = causesAt(run, state);
  const entries = Object.entries(values);
  const most = long ? 6 : 60;
  return (
    <>
      {entries.slice(0, most).map(([name, value]) => (
        <span key={name}>{run.causes !== undefined && marked.has(name) ? <CauseDot causes={run.causes} /> : null}<span class={changed.has(name) ? 'change valued changed' : 'change valued'}><span class="change-name">{name}</span>={show(value).slice(0, 80)}</span></span>
      ))}
      {entries.length > most ? <span class="quiet">and {entries.length - most} more</span> : null}
    </>
  );
}

function Fair({ run, segment }: { run: Run; segment: number }): JSX.Element | null {
  const fair = run.segments[segment]?.fair ?? [];
  if (fair.length === 0) return null;
  return (
    <span class="fair">
      {fair.map(each => <Prose key={each.constraint} text={each.state === null ? `fair: \`${each.constraint}\` asks for nothing here. ` : `fair: \`${each.constraint}\` is met at step ${String(each.state)}. `} />)}
    </span>
  );
}
