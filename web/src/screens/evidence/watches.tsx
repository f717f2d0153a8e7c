// Expressions to watch: their values at the selected state. Only a server can evaluate them.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Values } from '../../api/values';
import type { ValuesAnswer } from '../../api/wire';
import { many } from '../../lib/route';
import { useChoose, usePlace } from '../../ui/context';
import { useAnswer } from '../../ui/use-answer';
import { Prose } from '../../ui/words';

interface Props {
  values: Values;
  /** A state of an instance of a command, where the values are that. */
  of?: { property: number; instance: number; step: number } | undefined;
}

export function Watches({ values, of }: Props): JSX.Element | null {
  const { route, source, models } = usePlace();
  const choose = useChoose();
  const [text, setText] = useState('');
  const watched = many(route, 'watch');
  const needed = of === undefined ? 'states' : 'instances';
  if (!source.live || !(models[route.model]?.abilities.includes(needed) ?? false)) return null;
  return (
    <div class="state-part">
      <h3>Watch</h3>
      <ul class="watches">
        {watched.map(expression => (
          <li key={expression}>
            <Watched expression={expression} values={values} of={of} />
            <button type="button" class="plain" aria-label={`stop watching ${expression}`} onClick={() => { choose({ watch: watched.filter(each => each !== expression) }); }}>×</button>
          </li>
        ))}
      </ul>
      <form onSubmit={event => {
        event.preventDefault();
        if (text.trim() !== '' && !watched.includes(text.trim())) choose({ watch: [...watched, text.trim()] });
        setText('');
      }}>
        <input type="text" aria-label="expression to watch" placeholder="an expression" value={text} onInput={event => { setText(event.currentTarget.value); }} />
      </form>
    </div>
  );
}

function Watched({ expression, values, of }: Props & { expression: string }): JSX.Element {
  const { source, route } = usePlace();
  const model = `models/${String(route.model)}`;
  // An instance has the values of all its states at once; other states are asked one by one.
  const key = of === undefined ? JSON.stringify(values) : `${String(of.property)} ${String(of.instance)}`;
  const answer = useAnswer<ValuesAnswer>(`${expression} ${key}`, signal => (of === undefined
    ? source.ask(`${model}/states/evaluate`, { states: [values], expression }, signal)
    : source.ask(`${model}/properties/${String(of.property)}/value`, { instance: of.instance, expression }, signal)));
  if (answer.state === 'failed') return <span class="refused"><Prose text={answer.message} /></span>;
  return <span><code>{expression}</code> = <span class="value">{answer.state === 'ready' ? answer.value.values[of?.step ?? 0] ?? 'no value' : '…'}</span></span>;
}
