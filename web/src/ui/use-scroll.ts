// How far an element is scrolled sideways, and how wide it is.

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Scroll {
  box: RefObject<HTMLDivElement | null>;
  left: number;
  width: number;
}

export function useScroll(): Scroll {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ left: 0, width: 900 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = (): void => { setView({ left: element.scrollLeft, width: element.clientWidth }); };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return { box, ...view };
}

/** Keeps a column in sight. */
export function useInSight({ box }: Scroll, at: number, width: number, aside: number): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || at < 0) return;
    const left = at * width;
    const room = element.clientWidth - aside;
    if (left < element.scrollLeft) element.scrollLeft = left;
    else if (left + width > element.scrollLeft + room) element.scrollLeft = left + width - room;
  }, [at, width, aside]);
}
