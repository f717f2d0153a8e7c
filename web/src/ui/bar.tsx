// The bar at the top: where we are, and where one can go.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { format, type GlobalScreen, type PropertyScreen, type Route } from '../lib/route';
import { usePlace } from './context';
import { Help } from './help';
import { useKeys } from './keys';
import { useTheme } from './theme';
import { verdictWord } from './words';

const PROPERTY_SCREENS: [PropertyScreen, string, string][] = [
  ['evidence', 'Evidence', 'e'],
  ['blame', 'To blame', 'b'],
  ['proof', 'Proof', 'p'],
  ['all', 'All counterexamples', 'a'],
  ['compare', 'Compare', 'm'],
];
const GLOBAL_SCREENS: [GlobalScreen, string, string][] = [
  ['overview', 'Overview', 'o'],
  ['explore', 'Explore', 'x'],
  ['report', 'Report', 'r'],
];

export function Bar(): JSX.Element {
  const { route, go, models, source } = usePlace();
  const [theme, toggle] = useTheme();
  const [help, setHelp] = useState(false);
  const entry = models[route.model];
  const properties = entry?.model.properties ?? [];
  const at = properties.findIndex(property => property.name === route.property);
  const to = (screen: Route['screen'], property = route.property): Route => ({ screen, property, model: route.model, query: {} });
  const near = (by: number): void => {
    const next = properties[at + by];
    if (at >= 0 && next !== undefined) go(to(route.screen, next.name));
  };
  const hasProperty = route.property !== '';
  useKeys([
    { keys: ['?'], help: 'show or hide the keys', run: () => { setHelp(!help); } },
    { keys: ['t'], help: 'light or dark', run: toggle },
    ...GLOBAL_SCREENS.map(([screen, title, key]) => ({ keys: [key], help: `go to ${title}`, run: () => { go(to(screen, '')); } })),
    ...(hasProperty ? PROPERTY_SCREENS.map(([screen, title, key]) => ({ keys: [key], help: `go to ${title}`, run: () => { go(to(screen)); } })) : []),
    ...(hasProperty ? [
      { keys: ['['], help: 'the property before', run: () => { near(-1); } },
      { keys: [']'], help: 'the next property', run: () => { near(1); } },
    ] : []),
  ]);
  return (
    <header class="bar">
      <a class="skip" href="#main" onClick={event => { event.preventDefault(); document.getElementById('main')?.focus(); }}>to the content</a>
      <a class="brand" href="#/">Wherefore</a>
      <nav aria-label="screens" class="bar-nav">
        {GLOBAL_SCREENS.map(([screen, title]) => screen === 'explore' && !source.live ? null
          : <BarLink key={screen} title={title} route={to(screen, '')} current={route.screen === screen} />)}
        {hasProperty ? <span class="bar-gap" aria-hidden="true" /> : null}
        {hasProperty ? (
          <select aria-label="property" value={route.property} onChange={event => { go(to(route.screen, event.currentTarget.value)); }}>
            {at < 0 ? <option value={route.property}>{route.property}</option> : null}
            {properties.map(property => <option key={property.id} value={property.name}>{property.name} — {verdictWord(property)}</option>)}
          </select>
        ) : null}
        {hasProperty ? PROPERTY_SCREENS.map(([screen, title]) => <BarLink key={screen} title={title} route={to(screen)} current={route.screen === screen} />) : null}
      </nav>
      <span class="bar-model" title={entry?.model.path}>{entry?.model.path}{source.live ? '' : ' · report'}</span>
      <button type="button" class="plain" onClick={toggle}>{theme === 'dark' ? 'Light' : 'Dark'}</button>
      <button type="button" class="plain" onClick={() => { setHelp(true); }}>Keys <kbd aria-hidden="true">?</kbd></button>
      {help ? <Help onClose={() => { setHelp(false); }} /> : null}
    </header>
  );
}

function BarLink({ title, route, current }: { title: string; route: Route; current: boolean }): JSX.Element {
  return <a class="bar-link" href={format(route)} aria-current={current ? 'page' : undefined}>{title}</a>;
}
