// Values as text, and whether they are equal.

import type { Rows, Value, Values } from '../api/values';

/** Whether the value is a set of rows. */
export function isRows(value: Value): value is Rows {
  return Array.isArray(value);
}

/** The value on one line, in the words of the model. */
export function show(value: Value | null | undefined): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number' || typeof value === 'string') return String(value);
  if (isRows(value)) return value.length === 0 ? '{}' : `{${value.map(row => row.join(' → ')).join(', ')}}`;
  return value['#bigint'];
}

export function same(left: Value | undefined, right: Value | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  return typeof left === 'object' && typeof right === 'object' && show(left) === show(right);
}

/** The number that a value is, for small charts; null if it is none. */
export function asNumber(value: Value | undefined): number | null {
  if (typeof value === 'number') return value;
  if (value !== undefined && typeof value === 'object' && !isRows(value)) return Number(value['#bigint']);
  return null;
}

/** A state on one line, for instance as a title. */
export function showAll(values: Values, except: ReadonlySet<string> = new Set()): string {
  return Object.entries(values)
    .filter(([name]) => !except.has(name))
    .map(([name, value]) => `${name} = ${show(value)}`)
    .join(', ');
}

/** A count with thin gaps between thousands. */
export function count(number: number | string): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** "1 step", "3 steps". */
export function plural(number: number | string, one: string, many = `${one}s`): string {
  return `${count(number)} ${String(number) === '1' ? one : many}`;
}
