// What is to blame for a failure: values on the run, places of the text, and changes that mend it.

import type { BlameSearchDoc, CauseDoc, MendDoc, SuspectDoc } from '../api/wire';
import type { Run } from './run';
import { count, plural } from './values';

/** The values that a failure depends on. */
export interface Causes {
  /** The variables, by the numbers of states. */
  at: ReadonlyMap<number, ReadonlySet<string>>;
  /** Whether these are causes by definition, or those of an approximation. */
  exact: boolean;
}

/** A place of the text. */
export type Suspect = SuspectDoc & {
  /** Where the counterexample depends on the place first. */
  hinge?: { state: number };
};

/** What was tried, and what is known of other places. */
export type BlameSearch = BlameSearchDoc & {
  /** Whether it is known of every other place that no expression there mends the property without ending runs. */
  no_others?: boolean;
  /** Places that mend the property together, and neither alone. */
  pairs?: { first: number; first_text: string; second: number; second_text: string }[];
};

/** What stands before a value that the failure depends on. */
export const CAUSE = '•';

/** The values that a failure depends on, if they are known. */
export function causesOf(causes: readonly CauseDoc[] | undefined): Causes | null {
  if (causes === undefined || causes.length === 0) return null;
  const at = new Map<number, Set<string>>();
  for (const { state, variable } of causes) at.set(state, (at.get(state) ?? new Set()).add(variable));
  return { at, exact: causes.every(cause => cause.exact) };
}

/** The variables of a state that the failure depends on. */
export function causesAt(run: Run, state: number): ReadonlySet<string> {
  return run.causes?.at.get(state) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

/** What the marks before values mean, in the words of the terminal. */
export function legend({ exact }: Causes): string {
  return exact
    ? 'the failure depends on this value: with another one here, perhaps together with others elsewhere, the run would not refute the property'
    : 'the failure may depend on this value, by an approximation: a proof that the run refutes the property rests on it';
}

/** What was tried, what was not, and why. */
export function searched({ tried, excluded, untried }: Pick<BlameSearchDoc, 'tried' | 'excluded' | 'untried'>): string {
  if (tried + excluded + untried === 0) return 'No change of the text was tried.';
  const out = excluded === 0 ? '' : `; ${count(excluded)} left out, since no step of the counterexample depends on their places`;
  const rest = untried === 0 ? '' : `; ${count(untried)} not tried, since the effort was spent`;
  return `${plural(tried, 'change')} tried${out}${rest}.`;
}

/** What is known of other places than those that are listed, in the words of the terminal. */
export function ofOthers({ no_others, pairs = [] }: BlameSearch, suspects: readonly Suspect[]): string[] {
  const together = pairs.map(pair => `Line ${String(pair.first)}: \`${pair.first_text}\` and line ${String(pair.second)}: \`${pair.second_text}\` can mend it together, neither can alone.`);
  const none = suspects.length === 0
    ? 'No single place can mend it: whatever one expression is replaced with, the property fails or runs end.'
    : 'No other single place can mend it: whatever stands there, the property fails or runs end.';
  return no_others === true ? [...together, none] : together;
}

export interface Standing {
  sign: string;
  words: string;
  heat: 'mend' | 'costly' | 'able' | 'other';
}

/** What a place is to the failure: a sign, words, and how hot it is. Names that are not known here stand for themselves. */
export function standingOf({ role, guarantee }: { role: string; guarantee: string }): Standing {
  if (role === 'mend') return { sign: '●', words: 'a change here mends it', heat: 'mend' };
  if (role === 'costly') return { sign: '◐', words: 'a change here mends it at a cost', heat: 'costly' };
  switch (guarantee) {
    case 'can_mend_and_keep': return { sign: '◉', words: 'another expression here can mend it and keep what holds', heat: 'able' };
    case 'can_mend': return { sign: '◎', words: 'another expression here can mend it', heat: 'able' };
    case 'open': return { sign: '○', words: role === 'suspect' ? 'not excluded' : role, heat: 'other' };
    default: return { sign: '◇', words: guarantee, heat: 'other' };
  }
}

/** The standings of some places, each once, in the order in which they first occur. */
export function standingsOf(suspects: readonly Suspect[]): Standing[] {
  const known = new Map(suspects.map(suspect => { const standing = standingOf(suspect); return [standing.words, standing] as const; }));
  return [...known.values()];
}

/** A line of the text that a place is on. */
export interface HeatLine {
  /** The number of the place, from 1. */
  rank: number;
  suspect: Suspect;
  /** Where it begins and ends on the line, in characters from 0. */
  from: number;
  to: number;
  /** Whether the place begins on this line. */
  first: boolean;
}

/** The places by their lines, from 1; of several on one line the likeliest. */
export function heatOf(suspects: readonly Suspect[], lines: readonly string[]): Map<number, HeatLine> {
  const heat = new Map<number, HeatLine>();
  suspects.forEach((suspect, at) => {
    const last = suspect.end.column <= 1 && suspect.end.line > suspect.line ? suspect.end.line - 1 : suspect.end.line;
    for (let line = suspect.line; line <= Math.min(last, lines.length); line += 1) {
      const text = lines[line - 1] ?? '';
      const whole = [...text].length;
      const indent = [...text].length - [...text.trimStart()].length;
      const known = heat.get(line);
      if (known !== undefined) continue;
      heat.set(line, {
        rank: at + 1, suspect, first: line === suspect.line,
        from: line === suspect.line ? suspect.column - 1 : indent,
        to: line === suspect.end.line ? suspect.end.column - 1 : whole,
      });
    }
  });
  return heat;
}

/** A line in three parts: before the place, the place, after it. Columns count characters, not code units. */
export function partsOf(text: string, from: number, to: number): [string, string, string] {
  const letters = [...text];
  return [letters.slice(0, from).join(''), letters.slice(from, to).join(''), letters.slice(to).join('')];
}

export const linesOf = (source: string): string[] => source.split('\n').map(line => line.replace(/\r$/, ''));

/** The text with a change; null if it does not fit. Places are counted in bytes. */
export function changedText(source: string, { from, to, text }: Pick<MendDoc, 'from' | 'to' | 'text'>): string | null {
  const bytes = new TextEncoder().encode(source);
  if (from > to || to > bytes.length) return null;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return decoder.decode(bytes.subarray(0, from)) + text + decoder.decode(bytes.subarray(to));
}

/** The lines that a change is about. */
export interface ChangedLines {
  /** The number of the first one. */
  from: number;
  before: string[];
  after: string[];
}

/** The lines that a change is about, as they are and with it; null if it does not fit. */
export function changedLines(source: string, mend: Pick<MendDoc, 'from' | 'to' | 'text'>): ChangedLines | null {
  const changed = changedText(source, mend);
  if (changed === null) return null;
  const [old, now] = [linesOf(source), linesOf(changed)];
  let first = 0;
  while (first < Math.min(old.length, now.length) && old[first] === now[first]) first += 1;
  let last = 0;
  while (last < Math.min(old.length, now.length) - first && old[old.length - 1 - last] === now[now.length - 1 - last]) last += 1;
  return { from: first + 1, before: old.slice(first, old.length - last), after: now.slice(first, now.length - last) };
}
