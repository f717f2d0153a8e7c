// Why a part of a property is true or false at a step: from the proof where it speaks about it, else from the truth of
// its own parts.

import type { Run } from './run';
import { sentence } from './tell';

export interface Explanation {
  /** Sentences, the first about the part itself. */
  lines: string[];
  /** The claim of the proof that says so. */
  claim: number | null;
  /** Whether the run alone does not show it. */
  open: boolean;
}

const MOST = 8;

export function explain(run: Run, step: number, sub: number): Explanation {
  const claim = run.proof.findIndex(node => node.state === step && node.sub === sub);
  if (claim >= 0) return { lines: along(run, claim), claim, open: run.proof[claim]?.rule === null };
  const lines = byParts(run, step, sub, new Set());
  return { lines, claim: null, open: lines.length === 0 };
}

/** The sentences of a claim and of those it rests on. */
function along(run: Run, first: number): string[] {
  const here = run.proof[first]?.state;
  const seen = new Set<number>();
  const queue = [first];
  const lines: string[] = [];
  while (queue.length > 0 && lines.length < MOST) {
    const at = queue.shift() ?? 0;
    const node = run.proof[at];
    if (node === undefined || seen.has(at)) continue;
    seen.add(at);
    if (node.sub !== null) lines.push(`${node.state === here ? '' : `at step ${String(node.state)}, `}${sentence(run, node, at)}`);
    queue.push(...node.premises);
  }
  return lines;
}

const word = (value: boolean): string => (value ? 'holds' : 'is false');

/** What connectives say: which operands make the part true or false here. */
function byParts(run: Run, step: number, sub: number, seen: Set<number>): string[] {
  const truth = run.truth[String(step)];
  const part = run.formula[sub];
  const value = truth?.[sub];
  if (part === undefined || truth === undefined || value === undefined || seen.has(sub)) return [];
  seen.add(sub);
  const operands = (part.operands ?? []).filter(each => truth[each] !== undefined);
  const why = deciding(part.op ?? '', operands, truth, value);
  if (part.op === 'atom') return [`\`${part.text}\` ${word(value)}: the values of this state make it so`];
  if (why.length === 0) return [];
  const line = `\`${part.text}\` ${word(value)}: ${why.map(each => `\`${run.formula[each]?.text ?? ''}\` ${word(truth[each] === true)}`).join(', and ')}`;
  return [line, ...why.flatMap(each => byParts(run, step, each, seen))].slice(0, MOST);
}

/** The operands that decide a connective. */
function deciding(op: string, operands: readonly number[], truth: readonly (boolean | undefined)[], value: boolean): number[] {
  const [left, right] = operands;
  switch (op) {
    case '!': return left === undefined ? [] : [left];
    case '&': return value ? [...operands] : operands.filter(each => truth[each] === false).slice(0, 1);
    case '|': return value ? operands.filter(each => truth[each] === true).slice(0, 1) : [...operands];
    case '->':
      if (left === undefined || right === undefined) return [];
      if (!value) return [left, right];
      return truth[left] === false ? [left] : [right];
    case '<->':
    case 'xor': return [...operands];
    default: return [];
  }
}
