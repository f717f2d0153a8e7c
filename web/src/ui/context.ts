// What every screen needs: where data come from, where the page is, and how to go elsewhere.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AboutAnswer, ModelEntryDoc } from '../api/wire';
import type { Source } from '../api/source';
import type { Verdicts } from '../lib/changed';
import { choose, type Route } from '../lib/route';

export interface Go {
  /** Leaves no trace in the history: for stepping with keys. */
  quietly?: boolean;
}

export interface Place {
  source: Source;
  about: AboutAnswer;
  models: ModelEntryDoc[];
  route: Route;
  go: (route: Route, how?: Go) => void;
  /** Asks for the list of models again. */
  refresh: () => void;
  /** The verdicts before the last check that was started here, by the numbers of models. */
  before: ReadonlyMap<number, Verdicts>;
  /** Checks a model anew; its file is read again if it has changed. */
  recheck: (entry: ModelEntryDoc) => Promise<void>;
}

export const PlaceContext = createContext<Place | null>(null);

export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (place === null) throw new Error('screens are drawn inside the page');
  return place;
}

/** A function that makes choices in the address. */
export function useChoose(): (choices: Record<string, string | number | string[] | null>, how?: Go) => void {
  const { route, go } = usePlace();
  return (choices, how) => {
    go(choose(route, choices), how);
  };
}
