// The text of the model; the lines that may be to blame are the hotter, the likelier they are.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { heatOf, linesOf, partsOf, standingOf, standingsOf, type HeatLine, type Suspect } from '../../lib/blame';
import { Prose } from '../../ui/words';
import { VirtualList } from '../../ui/virtual';

const HEIGHT = 21;

interface Props {
  source: string | null;
  path: string;
  suspects: readonly Suspect[];
  /** The number of the chosen place; 0: none. */
  chosen: number;
  select: (place: number) => void;
}

export function Heat({ source, path, suspects, chosen, select }: Props): JSX.Element {
  const lines = useMemo(() => linesOf(source ?? ''), [source]);
  const heat = useMemo(() => heatOf(suspects, lines), [suspects, lines]);
  const focus = suspects[Math.max(0, chosen - 1)]?.line ?? 1;
  return (
    <>
      <h2>{path}</h2>
      {suspects.length === 0 ? null : (
        <p class="legend heat-legend">{standingsOf(suspects).map(({ sign, words, heat: hot }) => <span key={words} class={`heat-key heat-${hot}`}><span aria-hidden="true">{sign}</span> {words}</span>)}</p>
      )}
      {source === null
        ? <p class="notice">The text of the model is not in these data. The places are listed beside.</p>
        // The lines around the place are in sight, too.
        : <div class="heat"><VirtualList length={lines.length} height={HEIGHT} focus={Math.min(lines.length - 1, focus + (chosen === 0 ? 8 : 2))} label="text with the places that may be to blame" row={index => <Line number={index + 1} text={lines[index] ?? ''} hot={heat.get(index + 1)} chosen={chosen} select={select} />} /></div>}
    </>
  );
}

function Line({ number, text, hot, chosen, select }: { number: number; text: string; hot: HeatLine | undefined; chosen: number; select: (place: number) => void }): JSX.Element {
  if (hot === undefined) return <div class="heat-line"><span class="heat-rank" /><span class="source-number">{number}</span>{text}</div>;
  const { sign, words, heat } = standingOf(hot.suspect);
  const [before, place, after] = partsOf(text, hot.from, hot.to);
  const selected = hot.rank === chosen;
  return (
    <div class={`heat-line heat-${heat}${selected ? ' heat-chosen' : ''}`} data-place={hot.rank} onClick={() => { select(hot.rank); }}>
      {hot.first
        ? <button type="button" class="heat-rank" aria-pressed={selected} aria-label={`place ${String(hot.rank)}, line ${String(number)}: ${words}`}><span aria-hidden="true">{sign}</span>{hot.rank}</button>
        : <span class="heat-rank" />}
      <span class="source-number">{number}</span>{before}<u>{place}</u>{after}
      <span class="heat-note"><Prose text={`${words}${hot.suspect.mend === undefined ? '' : `: \`${hot.suspect.mend.before}\` → \`${hot.suspect.mend.after}\``}`} /></span>
    </div>
  );
}
