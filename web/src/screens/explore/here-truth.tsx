// Which properties are true in a state, if it were the start.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Values } from '../../api/values';
import type { ListedPropertyDoc, TruthAnswer } from '../../api/wire';
import { usePlace } from '../../ui/context';
import { useAnswer } from '../../ui/use-answer';
import { truthSign } from '../../ui/words';

const MOST = 20;

export function HereTruth({ values }: { values: Values }): JSX.Element | null {
  const { models, route } = usePlace();
  const [open, setOpen] = useState(false);
  const properties = (models[route.model]?.model.properties ?? []).filter(property => property.kind === 'ctl' || property.kind === 'invar');
  if (properties.length === 0) return null;
  return (
    <details class="claims" onToggle={event => { setOpen(event.currentTarget.open); }}>
      <summary>What is true here</summary>
      {open ? <ul class="truths">{properties.slice(0, MOST).map(property => <One key={property.id} property={property} values={values} />)}</ul> : null}
    </details>
  );
}

function One({ property, values }: { property: ListedPropertyDoc; values: Values }): JSX.Element {
  const { source, route } = usePlace();
  const answer = useAnswer<TruthAnswer>(`truth ${String(property.id)} ${JSON.stringify(values)}`, signal =>
    source.ask(`models/${String(route.model)}/states/truth`, { state: values, property: property.id }, signal));
  const truth = answer.state === 'ready' ? answer.value.truth?.at(-1) ?? null : null;
  const word = truth === null ? 'unknown' : String(truth);
  return (
    <li>
      <span class={`sign sign-${word}`} aria-hidden="true">{truthSign(truth)}</span><span class="hidden">{word}: </span>
      <strong>{property.name}</strong> <code>{property.text}</code>{answer.state === 'failed' ? <span class="quiet"> {answer.message}</span> : null}
    </li>
  );
}
