// Files for other tools, as the server writes them.

import type { JSX } from 'preact';
import type { AnsweredProperty } from '../../api/values';
import type { Run } from '../../lib/run';
import { usePlace } from '../../ui/context';

export function Exports({ answer, run }: { answer: AnsweredProperty; run: Run }): JSX.Element | null {
  const { about, source, models } = usePlace();
  const language = run.instance === undefined ? models[answer.model]?.model.language ?? '' : 'instance';
  const formats = about.formats.filter(each => each.languages.includes(language));
  if (!source.live || formats.length === 0) return null;
  return (
    <details class="menu">
      <summary>Export</summary>
      <ul>
        {formats.map(each => (
          <li key={each.name}><a href={source.address(`models/${String(answer.model)}/properties/${String(answer.id)}/export/${each.name}${run.instance === undefined ? '' : `?instance=${String(run.instance)}`}`)} download={`${answer.property.name}${each.ending}`}>{each.title} <span class="quiet">{each.ending}</span></a></li>
        ))}
      </ul>
    </details>
  );
}
