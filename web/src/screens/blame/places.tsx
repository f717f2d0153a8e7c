// The places that may be to blame, the likeliest first, with the changes that mend the property.

import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { MendDoc } from '../../api/wire';
import { changedLines, standingOf, type Suspect } from '../../lib/blame';
import { Prose } from '../../ui/words';

/** More are listed once somebody chooses one of them. */
const MOST = 100;

interface Props {
  suspects: readonly Suspect[];
  chosen: number;
  select: (place: number) => void;
  source: string | null;
}

export function Places({ suspects, chosen, select, source }: Props): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('.place-chosen')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const shown = suspects.slice(0, Math.max(MOST, chosen));
  return (
    <>
      <ol class="places" ref={list}>
        {shown.map((suspect, at) => <Place key={at} rank={at + 1} suspect={suspect} selected={at + 1 === chosen} select={select} source={source} />)}
      </ol>
      {suspects.length > shown.length ? <p class="notice">{suspects.length} places, showing {shown.length}.</p> : null}
    </>
  );
}

function Place({ rank, suspect, selected, select, source }: { rank: number; suspect: Suspect; selected: boolean; select: (place: number) => void; source: string | null }): JSX.Element {
  const { sign, words, heat } = standingOf(suspect);
  const { mend, why, line } = suspect;
  return (
    <li class={`place place-${heat}${selected ? ' place-chosen' : ''}`} data-place={rank}>
      <button type="button" class="place-head" aria-pressed={selected} onClick={() => { select(selected ? 0 : rank); }}>
        <span class={`heat-rank heat-${heat}`}><span aria-hidden="true">{sign}</span>{rank}</span> line {line}: {words}
      </button>
      {/* The sentence of a change begins with its line. */}
      <p class="place-why"><Prose text={why.startsWith(`line ${String(line)}: `) ? why.slice(`line ${String(line)}: `.length) : why} /></p>
      {mend === undefined ? null : <Diff mend={mend} source={source} />}
    </li>
  );
}

/** The lines of a change, as they are and with it. */
export function Diff({ mend, source }: { mend: MendDoc; source: string | null }): JSX.Element | null {
  const lines = useMemo(() => (source === null ? null : changedLines(source, mend)), [source, mend]);
  if (lines === null) return null;
  return (
    <pre class="diff" tabIndex={0} aria-label={`change of line ${String(lines.from)}`}>
      {lines.before.map((text, at) => <div key={`- ${String(at)}`} class="diff-old"><span aria-hidden="true">− </span><span class="hidden">as it is: </span>{text.trim()}</div>)}
      {lines.after.map((text, at) => <div key={`+ ${String(at)}`} class="diff-new"><span aria-hidden="true">+ </span><span class="hidden">with the change: </span>{text.trim()}</div>)}
    </pre>
  );
}
