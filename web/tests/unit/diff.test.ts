import { describe, expect, test } from 'vitest';
import { changing, diff, rowsDiff } from '../../src/lib/diff';
import { asNumber, count, plural, same, show } from '../../src/lib/values';

describe('differences', () => {
  test('only what differs is named, in the order of the state', () => {
    expect(diff({ a: 1, b: true, c: 'x' }, { a: 1, b: false, c: 'y' }).map(each => each.variable)).toEqual(['b', 'c']);
  });

  test('a set tells which rows came and went', () => {
    const [change] = diff({ sits: [['A', 'c1'], ['B', 'c2']] }, { sits: [['B', 'c2'], ['C', 'c1']] });
    expect(change).toMatchObject({ variable: 'sits', added: [['C', 'c1']], removed: [['A', 'c1']] });
  });

  test('rows are told apart by their columns, not by their letters', () => {
    expect(rowsDiff([['a b']], [['a', 'b']])).toEqual({ added: [['a', 'b']], removed: [['a b']] });
  });

  test('values that are no sets have no rows', () => {
    expect(rowsDiff(1, 2)).toBeNull();
  });

  test('equal sets and large integers are no difference', () => {
    expect(diff({ s: [['a']], n: { '#bigint': '9007199254740993' } }, { s: [['a']], n: { '#bigint': '9007199254740993' } })).toEqual([]);
    expect(same({ '#bigint': '9007199254740993' }, { '#bigint': '9007199254740992' })).toBe(false);
  });

  test('a variable changes if two states disagree', () => {
    expect([...changing([{ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 3, b: 1 }])].sort()).toEqual(['a', 'b']);
    expect(changing([])).toEqual(new Set());
  });
});

describe('values', () => {
  test('are written in the words of the model', () => {
    expect([true, false, -3, 'open', { '#bigint': '12345678901234567890' }, [], [['a', 'b'], ['c', 'd']], undefined].map(show))
      .toEqual(['TRUE', 'FALSE', '-3', 'open', '12345678901234567890', '{}', '{a → b, c → d}', '–']);
  });

  test('numbers are numbers, and nothing else is', () => {
    expect([3, { '#bigint': '20' }, 'x', true, [['1']]].map(asNumber)).toEqual([3, 20, null, null, null]);
  });

  test('counts have gaps and agree with their word', () => {
    expect(count(1234567)).toBe('1\u202f234\u202f567');
    expect(plural(1, 'step')).toBe('1 step');
    expect(plural('12345678901234567890', 'state')).toContain('states');
  });
});
