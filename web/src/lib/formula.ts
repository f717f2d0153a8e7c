// A formula as nested boxes: each sub-formula is a box inside that of the formula it belongs to.

import type { SubFormula } from '../api/values';
import type { EvidenceDoc } from '../api/wire';
import type { Truth } from './run';

/** A piece of the text of a box: letters, or a box inside it. */
export type Piece = string | Box;

export interface Box {
  sub: number;
  pieces: Piece[];
}

/** Deeper than this a formula is shown as text. */
const DEEPEST = 48;
/** With more sub-formulas than this there are no boxes. */
const MOST = 600;

/** The number of the sub-formula that is the property. */
export function root(evidence: EvidenceDoc): number {
  return evidence.proof[0]?.sub ?? evidence.formula.length - 1;
}

/** The boxes of a formula. */
export function boxes(formula: readonly SubFormula[], top: number): Box {
  const whole = formula[top];
  if (whole === undefined) return { sub: top, pieces: [] };
  const usable = formula.length <= MOST;
  return box(whole, usable ? formula : [], 0);
}

function box(whole: SubFormula, formula: readonly SubFormula[], depth: number): Box {
  if (depth >= DEEPEST) return { sub: whole.id, pieces: [whole.text] };
  const candidates = inside(whole, formula);
  const pieces: Piece[] = [];
  let text = '';
  for (let at = 0; at < whole.text.length; ) {
    const part = candidates.find(sub => whole.text.startsWith(sub.text, at) && stands(whole.text, at, sub.text));
    if (part === undefined) {
      text += whole.text.charAt(at);
      at += 1;
      continue;
    }
    if (text !== '') pieces.push(text);
    text = '';
    pieces.push(box(part, formula, depth + 1));
    at += part.text.length;
  }
  if (text !== '') pieces.push(text);
  return { sub: whole.id, pieces };
}

/** What may stand inside, the longest first: the operands if they are known, or whatever is written in the text. */
function inside(whole: SubFormula, formula: readonly SubFormula[]): SubFormula[] {
  const named = whole.operands?.flatMap(id => formula[id] ?? []);
  const candidates = (named ?? formula).filter(sub => sub.text.length < whole.text.length && sub.text !== '');
  return [...candidates].sort((a, b) => b.text.length - a.text.length || a.id - b.id);
}

/** Whether the part is a word of its own there, and no piece of a longer name. */
function stands(text: string, at: number, part: string): boolean {
  const word = /[\w.$#\-[\]]/;
  const before = text.charAt(at - 1);
  const after = text.charAt(at + part.length);
  const first = part.charAt(0);
  const last = part.charAt(part.length - 1);
  return !(word.test(before) && /\w/.test(first) && before !== '[') && !(/\w/.test(after) && word.test(last)) && after !== '.';
}

/** Longer ways back along a run are not looked at. */
const FARTHEST = 2000;

/** Since which place, going back along the run, the sub-formula has the truth that it has at a place, and whether it had it before. */
export function since(truth: Truth, run: readonly number[], at: number, sub: number): { first: number; before: boolean } | null {
  const value = (place: number): boolean | undefined => truth[String(run[place])]?.[sub];
  const now = value(at);
  if (now === undefined) return null;
  let first = at;
  while (first > 0 && at - first < FARTHEST && value(first - 1) === now) first -= 1;
  return { first, before: first > 0 && value(first - 1) === now };
}
