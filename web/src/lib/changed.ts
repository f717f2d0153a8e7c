// What a check anew has changed: the verdicts before, compared with those now.

import type { ListedPropertyDoc } from '../api/wire';
import { plural } from './values';

/** The verdicts of a model before its last check, by the names of properties. */
export type Verdicts = ReadonlyMap<string, string>;

type Word = (property: ListedPropertyDoc) => string;

export const verdictsOf = (properties: readonly ListedPropertyDoc[], word: Word): Verdicts => new Map(properties.map(property => [property.name, word(property)]));

/** What has changed about one property, in a few words; nothing when it is as it was, or not known yet. */
export function changeOf(before: Verdicts, property: ListedPropertyDoc, word: Word): string {
  const now = word(property);
  const then = before.get(property.name);
  if (then === undefined) return 'new';
  return then === now || now === 'unchecked' ? '' : `was: ${then}`;
}

/** What has changed about all of them, as a sentence. */
export function summary(before: Verdicts, properties: readonly ListedPropertyDoc[], word: Word): string {
  const changes = properties.map(property => changeOf(before, property, word));
  const there = new Set(properties.map(property => property.name));
  const gone = [...before.keys()].filter(name => !there.has(name));
  const changed = changes.filter(change => change.startsWith('was')).length;
  const added = changes.filter(change => change === 'new').length;
  const parts = [
    changed === 0 ? '' : `${plural(changed, 'verdict')} changed`,
    added === 0 ? '' : `${plural(added, 'property', 'properties')} ${added === 1 ? 'is' : 'are'} new`,
    gone.length === 0 ? '' : `${gone.slice(0, 5).join(', ')}${gone.length > 5 ? ' and others' : ''} ${gone.length === 1 ? 'is' : 'are'} gone`,
  ].filter(part => part !== '');
  return parts.length === 0 ? 'Nothing changed since the last check.' : `Since the last check: ${parts.join('; ')}.`;
}
