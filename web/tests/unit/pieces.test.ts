import { describe, expect, test } from 'vitest';
import { Pieces } from '../../src/api/pieces';
import { atOnce, inSlices, type Work } from '../../src/lib/slices';

describe('pieces', () => {
  test('make up a document', () => {
    const pieces = new Pieces();
    pieces.add({ at: [], entries: { model: 0, states: [], runs: [] } });
    pieces.add({ at: [], entries: { truth: {} } });
    pieces.add({ at: ['states'], entries: [{ id: 0 }, { id: 1 }] });
    pieces.add({ at: ['states'], entries: [{ id: 2 }] });
    pieces.add({ at: ['truth'], entries: { 0: [true] } });
    pieces.add({ at: ['truth'], entries: { 1: [false] } });
    pieces.add({ at: ['runs'], entries: [1, []] });
    pieces.add({ at: ['runs', 1], entries: ['last'] });
    expect(pieces.whole).toEqual({ model: 0, states: [{ id: 0 }, { id: 1 }, { id: 2 }], runs: [1, ['last']], truth: { 0: [true], 1: [false] } });
    expect(pieces.count).toBe(8);
  });

  test('for places that do not exist are left alone', () => {
    const pieces = new Pieces();
    pieces.add({ at: [], entries: { a: 1 } });
    pieces.add({ at: ['a', 'b', 3], entries: [1] });
    pieces.add({ at: ['missing'], entries: [1] });
    expect(pieces.whole).toEqual({ a: 1 });
  });
});

describe('work in slices', () => {
  function* count(to: number): Work<number> {
    let sum = 0;
    for (let at = 1; at <= to; at += 1) {
      sum += at;
      yield;
    }
    return sum;
  }

  test('comes to the same as work at once', async () => {
    expect(atOnce(count(1000))).toBe(500_500);
    expect(await inSlices(count(1000))).toBe(500_500);
  });

  test('ends when nobody wants it any more', async () => {
    const control = new AbortController();
    const work = inSlices(count(1e9), control.signal);
    setTimeout(() => { control.abort(); }, 0);
    await expect(work).rejects.toThrow();
  });
});
