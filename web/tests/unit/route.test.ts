import { describe, expect, test } from 'vitest';
import { choose, format, many, number, one, parse, type Route } from '../../src/lib/route';

const at = (route: Partial<Route>): Route => ({ screen: 'overview', property: '', model: 0, query: {}, ...route });

describe('addresses', () => {
  test('the empty address is the overview', () => {
    expect(parse('')).toEqual(at({}));
    expect(parse('#/')).toEqual(at({}));
    expect(format(at({}))).toBe('#/');
  });

  test.each([
    at({ screen: 'evidence', property: 'served', query: { step: ['3'], watch: ['floor', 'door = open'] } }),
    at({ screen: 'proof', property: 'AG (p -> AF q)', query: { choice: ['take 2 #3', 'expand'] } }),
    at({ screen: 'all', property: 'a/b?c#d&e=f%', model: 2 }),
    at({ screen: 'explore', query: { at: ['{"floor":2,"x":"<script>"}'] } }),
    at({ screen: 'compare', property: '名前 "quoted" \u2028', query: { left: ['0'] } }),
  ])('an address says the same when it is read again: $property $screen', route => {
    expect(parse(format(route))).toEqual(route);
  });

  test('whatever is not known leads to a screen that exists', () => {
    expect(parse('#/nonsense').screen).toBe('overview');
    expect(parse('#/p/x/nonsense').screen).toBe('evidence');
    expect(parse('#/p/%E0%A4%A').property).toBe('%E0%A4%A');
    expect(parse('#/p/x?m=-3').model).toBe(0);
    expect(number(parse('#/p/x?step=abc'), 'step', 7)).toBe(7);
    expect(number(parse('#/p/x?step=-1'), 'step', 7)).toBe(7);
  });

  test('a choice replaces one, and null takes it back', () => {
    const route = choose(parse('#/p/x?step=3&pin=a&pin=b'), { step: 4, pin: null, view: 'graph' });
    expect(one(route, 'step')).toBe('4');
    expect(many(route, 'pin')).toEqual([]);
    expect(format(route)).toBe('#/p/x/evidence?step=4&view=graph');
    expect(format(choose(route, { view: [] }))).toBe('#/p/x/evidence?step=4');
  });
});
