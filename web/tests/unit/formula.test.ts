import { describe, expect, test } from 'vitest';
import { boxes, since, type Box } from '../../src/lib/formula';

const flat = (box: Box): string => box.pieces.map(piece => (typeof piece === 'string' ? piece : `⟨${String(piece.sub)}:${flat(piece)}⟩`)).join('');
const subs = (...texts: string[]): { id: number; text: string; operands?: number[] }[] => texts.map((text, id) => ({ id, text }));

describe('nested boxes', () => {
  test('each sub-formula is a box inside the one it belongs to', () => {
    expect(flat(boxes(subs('r', 'f', 'AF f', 'r -> AF f', 'AG (r -> AF f)'), 4))).toBe('AG (⟨3:⟨0:r⟩ -> ⟨2:AF ⟨1:f⟩⟩⟩)');
  });

  test('a name inside a longer name is no box', () => {
    expect(flat(boxes(subs('r', 'btn.r', 'error', 'btn.r & error', 'AG (btn.r & error)'), 4))).toBe('AG (⟨3:⟨1:btn.r⟩ & ⟨2:error⟩⟩)');
  });

  test('known operands decide which box is meant', () => {
    const formula = subs('p', 'p', 'p & p');
    const whole = formula[2];
    if (whole !== undefined) whole.operands = [1];
    expect(flat(boxes(formula, 2))).toBe('⟨1:p⟩ & ⟨1:p⟩');
  });

  test('a text that no sub-formula occurs in stays one box', () => {
    expect(flat(boxes(subs('["A" . true*] false', '[true* . "A"] false'), 1))).toBe('[true* . "A"] false');
  });

  test('very deep formulas and very many parts end', () => {
    const texts = Array.from({ length: 300 }, (_, at) => `${'!('.repeat(at)}p${')'.repeat(at)}`);
    expect(flat(boxes(subs(...texts), 299))).toContain('⟨');
    expect(boxes(subs(...Array.from({ length: 5000 }, (_, at) => `x${String(at)}`)), 4999).pieces).toEqual(['x4999']);
  });

  test('since when a part has its truth is told along the run', () => {
    const truth = { 0: [true], 1: [false], 2: [false], 3: [true] };
    expect(since(truth, [0, 1, 2, 3], 2, 0)).toEqual({ first: 1, before: false });
    expect(since(truth, [0, 1, 2, 3], 3, 0)).toEqual({ first: 3, before: false });
    expect(since(truth, [0, 1, 2, 3], 9, 0)).toBeNull();
    const long = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [at, [at > 10]]));
    const { first, before } = since(long, Array.from({ length: 9000 }, (_, at) => at), 8000, 0) ?? { first: 0, before: false };
    expect([first > 10, before]).toEqual([true, true]);
  });
});
