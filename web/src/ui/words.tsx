// Small pieces of text: sentences with code in them, verdicts, badges, values and what changed.

import type { ComponentChildren, JSX } from 'preact';
import type { Rows, Value } from '../api/values';
import type { TagName, VerdictName } from '../api/wire';
import { CAUSE, legend, type Causes } from '../lib/blame';
import type { Difference } from '../lib/diff';
import { isRows, show } from '../lib/values';

/** A sentence in which `code` stands between backquotes. */
export function Prose({ text }: { text: string }): JSX.Element {
  const parts = text.split('`');
  const even = parts.length % 2 === 0;
  return <>{parts.map((part, at) => (at % 2 === 1 && !(even && at === parts.length - 1) ? <code key={at}>{part}</code> : at % 2 === 1 ? `\`${part}` : part))}</>;
}

const VERDICTS = {
  fails: ['✗', 'fails'],
  holds: ['✓', 'holds'],
  vacuous: ['!', 'vacuous'],
  unknown: ['?', 'undecided'],
  unchecked: ['…', 'not checked'],
} as const;

export type VerdictWord = keyof typeof VERDICTS;

/** What is said of a property: a verdict, or that it holds vacuously. */
export function verdictWord(property: { verdict: VerdictName; vacuous: string | null; of_nothing?: string }): VerdictWord {
  const vacuous = property.vacuous !== null || property.of_nothing !== undefined;
  return property.verdict === 'holds' && vacuous ? 'vacuous' : property.verdict;
}

export function Chip({ word }: { word: VerdictWord }): JSX.Element {
  const [sign, text] = VERDICTS[word];
  return (
    <span class={`chip chip-${word}`}>
      <span aria-hidden="true" class="chip-sign">{sign}</span> {text}
    </span>
  );
}

export function Badge({ children, kind = 'plain', title }: { children: ComponentChildren; kind?: 'plain' | 'good' | 'warn'; title?: string }): JSX.Element {
  return <span class={`badge badge-${kind}`} title={title}>{children}</span>;
}

/** The truth of a sub-formula, in a sign. */
export function truthSign(truth: boolean | null | undefined): string {
  return truth === undefined || truth === null ? '·' : truth ? '+' : '−';
}

const TAGS: Record<TagName, [string, string]> = { correct: ['+', 'correct'], incorrect: ['×', 'incorrect'], neutral: ['·', 'open'] };

export function TagMark({ tag }: { tag: TagName }): JSX.Element {
  const [sign, text] = TAGS[tag];
  return <span class={`tag tag-${tag}`} title={text}><span aria-hidden="true">{sign}</span><span class="hidden">{text}</span></span>;
}

/** A value; sets of pairs are small tables when there is room. */
export function ValueText({ value }: { value: Value | undefined }): JSX.Element {
  if (value !== undefined && isRows(value) && value.length > 0 && (value[0]?.length ?? 0) > 1) return <RelationTable rows={value} />;
  const text = show(value);
  const kind = typeof value === 'boolean' ? (value ? 'true' : 'false') : typeof value;
  return <span class={`value value-${kind}`} title={text.length > 60 ? text : undefined}>{text.length > 240 ? `${text.slice(0, 239)}…` : text}</span>;
}

const MOST_ROWS = 40;

function RelationTable({ rows }: { rows: Rows }): JSX.Element {
  return (
    <table class="relation">
      <tbody>
        {rows.slice(0, MOST_ROWS).map(row => <tr key={row.join(' ')}>{row.map((atom, at) => <td key={at}>{atom}</td>)}</tr>)}
        {rows.length > MOST_ROWS ? <tr><td>and {rows.length - MOST_ROWS} more</td></tr> : null}
      </tbody>
    </table>
  );
}

/** One change: the old value, an arrow, the new one; of sets, what came and went. */
export function ChangeText({ change, line }: { change: Difference; line?: (line: number) => void }): JSX.Element {
  const deep = change.added !== undefined && change.removed !== undefined;
  return (
    <span class="change">
      <span class="change-name">{change.variable}</span>
      {deep
        ? <> <RowsText sign="+" rows={change.added ?? []} /><RowsText sign="−" rows={change.removed ?? []} /></>
        : <>: <del>{short(change.old)}</del> <span class="arrow">→</span> <ins>{short(change.new)}</ins></>}
      {change.line === undefined ? null : line === undefined
        ? <span class="line"> line {change.line}</span>
        : <button type="button" class="link line" onClick={event => { event.stopPropagation(); line(change.line ?? 0); }}>line {change.line}</button>}
    </span>
  );
}

function short(value: Value): string {
  const text = show(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function RowsText({ sign, rows }: { sign: string; rows: Rows }): JSX.Element {
  const shown = rows.slice(0, 6).map(row => row.join(' → '));
  return (
    <>
      {shown.map(row => sign === '+' ? <ins key={row}>{sign}{row} </ins> : <del key={row}>{sign}{row} </del>)}
      {rows.length > shown.length ? <span> and {rows.length - shown.length} more </span> : null}
    </>
  );
}

/** The red dot before a value that the failure depends on. */
export function CauseDot({ causes }: { causes: Causes }): JSX.Element {
  return <span class="cause" title={legend(causes)}><span aria-hidden="true">{CAUSE}</span><span class="hidden">marked: </span></span>;
}

/** What the red dots mean; nothing where there are none. */
export function CauseLegend({ causes }: { causes: Causes | undefined }): JSX.Element | null {
  return causes === undefined ? null : <p class="cause-legend"><span class="cause" aria-hidden="true">{CAUSE}</span><span class="hidden">marked:</span> {legend(causes)}</p>;
}

/** An empty place says why it is empty. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
