// The first lines of every screen of a property: the verdict, the formula, the reason.

import type { JSX } from 'preact';
import type { AnsweredProperty } from '../api/values';
import { Badge, Chip, Prose, verdictWord } from './words';

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
      {property.vacuous === null ? null : <p class="head-because">holds, but <code>{property.vacuous}</code> never matters</p>}
      {brief ? null : (property.notes ?? []).map(note => <p key={note.kind} class="head-because"><Badge kind="warn">note</Badge> <Prose text={note.text} /></p>)}
    </div>
  );
}
