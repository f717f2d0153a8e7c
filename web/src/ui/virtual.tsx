// A list of any length of which only what is seen is drawn. All rows have the same height.

import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Props {
  length: number;
  height: number;
  row: (index: number) => JSX.Element | null;
  /** The row that is kept in sight. */
  focus: number;
  label: string;
}

const AROUND = 12;
/** Browsers cut off elements that are higher than some millions of pixels. */
const TALLEST = 8_000_000;

export function VirtualList({ length, height, row, focus, label }: Props): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, size: 600 });
  const total = Math.min(length * height, TALLEST);
  const perRow = length === 0 ? height : total / length;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = (): void => {
      setView({ top: element.scrollTop, size: element.clientHeight });
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const top = focus * perRow;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight) element.scrollTop = top + height - element.clientHeight;
  }, [focus, perRow, height]);
  const first = Math.max(0, Math.floor(view.top / perRow) - AROUND);
  const last = Math.min(length, first + Math.ceil(view.size / height) + 2 * AROUND);
  const rows: JSX.Element[] = [];
  for (let index = first; index < last; index += 1) {
    rows.push(<div key={index} class="virtual-row" style={{ top: `${String(Math.round(first * perRow + (index - first) * height))}px`, height: `${String(height)}px` }}>{row(index)}</div>);
  }
  return (
    <div class="virtual" ref={box} tabIndex={0} role="region" aria-label={label}>
      <div class="virtual-body" style={{ height: `${String(total)}px` }}>{rows}</div>
    </div>
  );
}
