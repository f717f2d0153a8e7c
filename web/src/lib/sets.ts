// Sets that a document tells element by element: `sits[Player$0->Chair$1]` is true if the row is in `sits`.

import type { Rows, Values } from '../api/values';

const ELEMENT = /^(.+?)\[(.*)\]$/;

/** The same state with sets as sets. Only for models of Alloy: elsewhere brackets are indices. */
export function foldSets(values: Values): Values {
  const folded: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const match = typeof value === 'boolean' ? ELEMENT.exec(name) : null;
    const [, set, element] = match ?? [];
    if (set === undefined || element === undefined) {
      folded[name] = value;
      continue;
    }
    const rows = (folded[set] ??= [] as Rows);
    if (value === true && Array.isArray(rows)) rows.push(element.split('->'));
  }
  return folded;
}
