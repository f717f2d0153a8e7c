// The address of the page as state.

import { useLayoutEffect, useState } from 'preact/hooks';
import { format, parse, type Route } from '../lib/route';
import type { Go } from './context';

export function useRoute(): [Route, (route: Route, how?: Go) => void] {
  const [route, setRoute] = useState(() => parse(location.hash));
  useLayoutEffect(() => {
    const changed = (): void => {
      setRoute(parse(location.hash));
    };
    addEventListener('hashchange', changed);
    addEventListener('popstate', changed);
    return () => {
      removeEventListener('hashchange', changed);
      removeEventListener('popstate', changed);
    };
  }, []);
  const go = (next: Route, how: Go = {}): void => {
    const hash = format(next);
    if (hash === format(parse(location.hash))) return;
    if (how.quietly === true) history.replaceState(null, '', hash);
    else history.pushState(null, '', hash);
    setRoute(parse(hash));
  };
  return [route, go];
}
