// The first lines of every screen of a property: the verdict, the formula, the reason.

import type { JSX } from 'preact';
import type { AnsweredProperty } from '../api/values';
import type { NoteDoc, PropertyDoc } from '../api/wire';
import { one } from '../lib/route';
import { useChoose, usePlace } from './context';
import { Badge, Chip, Prose, verdictWord } from './words';

/** The notes that are not told with the verdict. */
function notes(property: PropertyDoc): NoteDoc[] {
  return (property.notes ?? []).filter(note => property.of_nothing === undefined || note.kind !== 'no-fair-state');
}

/** Takes back what the address asks for. */
function Undo({ name, title }: { name: string; title: string }): JSX.Element | null {
  const { route } = usePlace();
  const choose = useChoose();
  if (one(route, name) === undefined) return null;
  return <button type="button" class="avoided" title={title} onClick={() => { choose({ [name]: null, run: null, step: null }); }}>×</button>;
}

export function PropertyHead({ answer, brief = false, level = 1 }: { answer: AnsweredProperty; brief?: boolean; level?: 1 | 2 }): JSX.Element {
  const Heading = `h${String(level)}` as 'h1' | 'h2';
  const { property, told } = answer;
  const because = told?.because ?? '';
  return (
    <div class="head">
      <Heading class="head-title"><Chip word={verdictWord(property)} /> <span class="head-name">{property.name}</span></Heading>
      <code class="head-text" title={property.text}>{property.text}</code>
      {property.line === null ? null : <span class="head-line">{property.path === undefined ? '' : `${property.path}, `}line {property.line}</span>}
      {brief || because === '' ? null : <p class="head-because">because <Prose text={because} /></p>}
      {property.of_nothing === undefined ? null : <p class="head-because">holds, but <Prose text={property.of_nothing} /></p>}
      {property.of_nothing !== undefined || property.vacuous === null ? null : <p class="head-because">holds, but <code>{property.vacuous}</code> has no effect</p>}
      {answer.from === undefined ? null : <p class="head-because"><Prose text={answer.from.text} /> <Undo name="from" title="ask from the initial states again" /></p>}
      {property.paths === undefined ? null : <p class="head-because">paths: {property.paths} <Undo name="paths" title="ask about the paths of the model again" /></p>}
      {brief ? null : notes(property).map(note => <p key={note.kind} class="head-because"><Badge kind="warn">note</Badge> <Prose text={note.text} /></p>)}
    </div>
  );
}
