import { describe, expect, test } from 'vitest';
import type { ListedPropertyDoc } from '../../src/api/wire';
import { changeOf, summary, verdictsOf } from '../../src/lib/changed';
import { explain } from '../../src/lib/explain';
import type { Run } from '../../src/lib/run';

const part = (id: number, text: string, op: string, ...operands: number[]): { id: number; text: string; op: string; operands: number[] } => ({ id, text, op, operands });

/** A run of one state with given truths and no proof, unless one is given. */
const run = (truth: boolean[], formula: ReturnType<typeof part>[], proof: Run['proof'] = []): Run => ({
  title: '', shape: 'path', states: [{ id: 0, values: {}, raw: {} }], steps: [], rows: [], loop: null, segments: [], regions: [], formula, proof,
  truth: { 0: truth }, decisions: [], told: null, minimal: null, replayed: null, replayNote: null,
});

const parts = [part(0, 'p', 'atom'), part(1, 'q', 'atom'), part(2, 'p & q', '&', 0, 1), part(3, 'p | q', '|', 0, 1), part(4, 'p -> q', '->', 0, 1), part(5, '!q', '!', 1), part(6, 'AF q', 'AF', 1)];

describe('explaining a part of a property', () => {
  test.each([
    [[true, false, false, true, false, true, false], 2, ['`p & q` is false: `q` is false', '`q` is false: the values of this state make it so']],
    [[true, false, false, true, false, true, false], 3, ['`p | q` holds: `p` holds', '`p` holds: the values of this state make it so']],
    [[true, false, false, true, false, true, false], 4, ['`p -> q` is false: `p` holds, and `q` is false', '`p` holds: the values of this state make it so', '`q` is false: the values of this state make it so']],
    [[false, false, false, false, true, true, false], 4, ['`p -> q` holds: `p` is false', '`p` is false: the values of this state make it so']],
    [[true, false, false, true, false, true, false], 5, ['`!q` holds: `q` is false', '`q` is false: the values of this state make it so']],
  ])('a connective is explained by the operands that decide it: %# %i', (truth, sub, lines) => {
    expect(explain(run(truth, parts), 0, sub)).toEqual({ lines, claim: null, open: false });
  });

  test('what the run does not show stays open', () => {
    expect(explain(run([true, false, false, true, false, true, false], parts), 0, 6)).toEqual({ lines: [], claim: null, open: true });
  });

  test('where the proof speaks about it, the proof is told', () => {
    const proof: Run['proof'] = [{ state: 0, sub: 2, holds: false, rule: 'branch', premises: [1] }, { state: 0, sub: 1, holds: false, rule: 'state', premises: [] }];
    const { lines, claim } = explain(run([true, false, false, true, false, true, false], parts, proof), 0, 2);
    expect(claim).toBe(0);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('`q` is false');
  });
});

describe('what a check anew has changed', () => {
  const listed = (name: string, verdict: string): ListedPropertyDoc => ({ name, verdict }) as ListedPropertyDoc;
  const word = (property: ListedPropertyDoc): string => property.verdict;
  const before = verdictsOf([listed('a', 'holds'), listed('b', 'fails'), listed('c', 'holds')], word);

  test('each property says what it was, and whether it is new', () => {
    expect([listed('a', 'fails'), listed('b', 'fails'), listed('d', 'holds'), listed('c', 'unchecked')].map(each => changeOf(before, each, word))).toEqual(['was: holds', '', 'new', '']);
  });

  test('a sentence counts them and names those that are gone', () => {
    expect(summary(before, [listed('a', 'fails'), listed('b', 'fails'), listed('d', 'holds')], word)).toBe('Since the last check: 1 verdict changed; 1 property is new; c is gone.');
    expect(summary(before, [listed('a', 'holds'), listed('b', 'fails'), listed('c', 'holds')], word)).toBe('Nothing changed since the last check.');
  });
});
