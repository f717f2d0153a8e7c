// From a change to the line of the model that made it.

import type { JSX } from 'preact';
import { number, one } from '../../lib/route';
import { useChoose, usePlace } from '../../ui/context';

const AROUND = 4;

/** A function that shows a line of the model, or undefined where the text is not known. */
export function useSource(): ((line: number) => void) | undefined {
  const { models, route } = usePlace();
  const choose = useChoose();
  return models[route.model]?.source == null ? undefined : line => { choose({ line }); };
}

/** The lines around the one that the address names. */
export function SourceLines(): JSX.Element | null {
  const { models, route } = usePlace();
  const choose = useChoose();
  const entry = models[route.model];
  const source = entry?.source ?? null;
  if (source === null || one(route, 'line') === undefined) return null;
  const line = number(route, 'line', 1);
  const lines = source.split('\n');
  const first = Math.max(1, line - AROUND);
  return (
    <div class="source">
      <h3>{entry?.model.path}, line {line} <button type="button" class="plain" onClick={() => { choose({ line: null }); }}>Close</button></h3>
      <pre tabIndex={0} aria-label="source">
        {lines.slice(first - 1, line + AROUND).map((text, at) => (
          <div key={at} class={first + at === line ? 'source-line source-here' : 'source-line'}><span class="source-number">{first + at}</span>{text}</div>
        ))}
      </pre>
    </div>
  );
}
