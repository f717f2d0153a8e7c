// The tour: what is told at a stop, above the screen that shows it.

import type { JSX } from 'preact';
import type { ModelEntryDoc } from '../api/wire';
import { choose, format, one, type Route } from '../lib/route';
import { TOUR, TOURED } from '../lib/tour';
import { usePlace } from './context';
import { Prose } from './words';

/** Whether the tour can be taken on a model. */
export function canTour(entry: ModelEntryDoc): boolean {
  const names = new Set(entry.model.properties.map(property => property.name));
  return [...TOURED].every(name => names.has(name));
}

/** Where a stop of the tour is; one that the page cannot show stays where the tour is. */
export function stopRoute(at: number, model: number): Route {
  const places = TOUR.slice(0, at + 1).flatMap(stop => stop.place ?? []);
  const place = places.at(-1);
  return { screen: place?.screen ?? 'overview', property: place?.property ?? '', model, query: { ...place?.query, tour: [String(at + 1)] } };
}

export function Tour(): JSX.Element | null {
  const { route } = usePlace();
  const at = Number.parseInt(one(route, 'tour') ?? '', 10) - 1;
  const stop = TOUR[at];
  if (stop === undefined) return null;
  return (
    <aside class="tour" aria-label="tour">
      <h2>{stop.heading} <span class="tour-at">stop {at + 1} of {TOUR.length}</span></h2>
      {stop.told.map(paragraph => <p key={paragraph}><Prose text={paragraph} /></p>)}
      <p class="tour-command">{stop.place === null ? 'In a terminal: ' : 'Below, and in a terminal: '}<code>{stop.command}</code></p>
      {stop.after.map(paragraph => <p key={paragraph}><Prose text={paragraph} /></p>)}
      <p class="buttons">
        {at > 0 ? <a href={format(stopRoute(at - 1, route.model))}>Back</a> : null}
        {at + 1 < TOUR.length ? <a href={format(stopRoute(at + 1, route.model))}>Next</a> : null}
        <a href={format(choose(route, { tour: null }))}>End the tour</a>
      </p>
    </aside>
  );
}
