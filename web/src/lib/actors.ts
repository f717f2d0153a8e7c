// Who takes part in a run: variables are grouped by the part of their names before a dot or a bracket, or by the
// first group of an expression that somebody gives; labels of steps by their arguments.

import type { Run } from './run';

export interface Lane {
  actor: string;
  variables: string[];
}

/** Who a variable belongs to. */
export function actorOf(variable: string, pattern: RegExp | null): string | null {
  if (pattern !== null) {
    const match = pattern.exec(variable);
    return match === null ? null : match[1] ?? match[0];
  }
  const match = /^([^.[]+(?:\[\d+\])?)[.[]/.exec(variable);
  return match?.[1] ?? null;
}

/** An expression, or null if the text is none. */
export function patternOf(text: string): RegExp | null {
  if (text === '') return null;
  try {
    return new RegExp(text);
  } catch {
    return null;
  }
}

/** The lanes of a run: actors in the order of their first variable; everything else is in the lane `others`. */
export function lanesOf(run: Run, pattern: RegExp | null): Lane[] {
  const lanes = new Map<string, string[]>();
  const others: string[] = [];
  for (const name of Object.keys(run.states[0]?.values ?? {})) {
    const actor = actorOf(name, pattern);
    if (actor === null) others.push(name);
    else lanes.set(actor, [...(lanes.get(actor) ?? []), name]);
  }
  const result = [...lanes].map(([actor, variables]) => ({ actor, variables }));
  if (result.length > 0 && others.length > 0) result.unshift({ actor: 'others', variables: others });
  return result;
}

/** The actors that a label names, such as `A` and `B` in `SEND !A !B`: those that some other label names as well. */
export function labelActors(label: string): string[] {
  return label.split('!').slice(1).map(part => part.trim()).filter(part => part !== '');
}
