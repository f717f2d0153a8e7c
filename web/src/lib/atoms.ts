// A state of an Alloy model as a graph: atoms are nodes, rows of fields are arrows.

import type { Rows, Values } from '../api/values';
import type { Graph, GraphEdge, GraphNode } from './graph';
import { isRows } from './values';

const MOST = 120;

/** Whether a state has sets and relations in it. */
export function hasRows(values: Values): boolean {
  return Object.values(values).some(isRows);
}

/** The graph of a state; rows that are not in the state before are marked. */
export function graphOfAtoms(values: Values, before: Values | null): Graph {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  const node = (atom: string): GraphNode => {
    let found = nodes.get(atom);
    if (found === undefined) {
      found = { id: atom, kind: 'state', title: atom, lines: [], marks: [] };
      nodes.set(atom, found);
    }
    return found;
  };
  const relations = Object.entries(values).filter((entry): entry is [string, Rows] => isRows(entry[1]));
  for (const [name, rows] of relations) {
    const old = before?.[name];
    const known = new Set(old !== undefined && isRows(old) ? old.map(row => JSON.stringify(row)) : rows.map(row => JSON.stringify(row)));
    for (const row of rows) {
      const [first = '', ...rest] = row;
      const fresh = known.has(JSON.stringify(row)) ? '' : ' (new)';
      if (rest.length === 0) {
        // The set of an atom's own signature is in its name.
        if (!first.startsWith(`${name}$`) && first !== name) node(first).marks.push(`${name}${fresh}`);
        else node(first);
        continue;
      }
      const last = rest.at(-1) ?? '';
      node(first);
      node(last);
      const between = rest.slice(0, -1);
      const label = `${name.split('.').at(-1) ?? name}${between.length === 0 ? '' : `[${between.join(', ')}]`}${fresh}`;
      const id = `${first} ${last}`;
      const edge = edges.get(id);
      if (edge === undefined) edges.set(id, { id, from: first, to: last, label });
      else edge.label = `${edge.label}, ${label}`;
    }
  }
  const shown = [...nodes.values()].slice(0, MOST);
  const kept = new Set(shown.map(each => each.id));
  const note = nodes.size > MOST ? `${String(nodes.size)} atoms, showing ${String(MOST)}.` : '';
  return { nodes: shown, edges: [...edges.values()].filter(edge => kept.has(edge.from) && kept.has(edge.to)), note };
}
