// Where the page is, as the part of the address after `#`.
//
//     #/                                  the overview
//     #/explore?m=0&...                   a screen of a model
//     #/p/served/graph?step=3&watch=floor a screen of a property
//
// Everything that a person can choose is in the address, so that a link reproduces it and the back button undoes it.

export const SCREENS = ['evidence', 'blame', 'proof', 'all', 'compare'] as const;
export type PropertyScreen = (typeof SCREENS)[number];
export const GLOBAL = ['overview', 'explore', 'report'] as const;
export type GlobalScreen = (typeof GLOBAL)[number];

export interface Route {
  screen: PropertyScreen | GlobalScreen;
  /** The name of the property; empty on screens of a model. */
  property: string;
  /** The number of the model in the document. */
  model: number;
  /** All other choices. A list is written with the name repeated. */
  query: Record<string, string[]>;
}

const isOneOf = <T extends string>(list: readonly T[], text: string): text is T => (list as readonly string[]).includes(text);

export function parse(hash: string): Route {
  const [path = '', search = ''] = split(hash.replace(/^#/, ''));
  const parts = path.split('/').filter(part => part !== '').map(decode);
  const query: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) (query[name] ??= []).push(value);
  const model = Math.max(0, Number.parseInt(query['m']?.[0] ?? '0', 10) || 0);
  delete query['m'];
  const [first = '', name = '', third = 'evidence'] = parts;
  if (first === 'p' && name !== '') {
    return { screen: isOneOf(SCREENS, third) ? third : 'evidence', property: name, model, query };
  }
  return { screen: isOneOf(GLOBAL, first) ? first : 'overview', property: '', model, query };
}

export function format(route: Route): string {
  const path = route.property === ''
    ? (route.screen === 'overview' ? '/' : `/${route.screen}`)
    : `/p/${encodeURIComponent(route.property)}/${route.screen}`;
  const search = new URLSearchParams();
  if (route.model !== 0) search.append('m', String(route.model));
  for (const name of Object.keys(route.query).sort()) {
    for (const value of route.query[name] ?? []) search.append(name, value);
  }
  const text = search.toString();
  return `#${path}${text === '' ? '' : `?${text}`}`;
}

/** One choice, the first if it was made several times. */
export function one(route: Route, name: string): string | undefined {
  return route.query[name]?.[0];
}

/** A choice that is a number, or the default. */
export function number(route: Route, name: string, otherwise: number): number {
  const text = one(route, name);
  const value = text === undefined ? Number.NaN : Number(text);
  return Number.isInteger(value) && value >= 0 ? value : otherwise;
}

export function many(route: Route, name: string): string[] {
  return route.query[name] ?? [];
}

/** The route with some choices made anew; `null` takes a choice back. */
export function choose(route: Route, choices: Record<string, string | number | string[] | null>): Route {
  const query = Object.fromEntries(Object.entries(route.query).filter(([name]) => !(name in choices)));
  for (const [name, value] of Object.entries(choices)) {
    const list = value === null ? [] : Array.isArray(value) ? value : [String(value)];
    if (list.length > 0) query[name] = list;
  }
  return { ...route, query };
}

function split(text: string): [string, string] {
  const at = text.indexOf('?');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
