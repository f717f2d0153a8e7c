// Expressions to watch: their values at the selected state. Only a server can evaluate them.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Values } from '../../api/document';
import type { Evaluation } from '../../api/explorer';
import { many } from '../../lib/route';
import { useChoose, usePlace } from '../../ui/context';
import { useAnswer } from '../../ui/use-answer';
import { Prose } from '../../ui/words';

export function Watches({ values }: { values: Values }): JSX.Element | null {
  const { route, source, models } = usePlace();
  const choose = useChoose();
  const [text, setText] = useState('');
  const watched = many(route, 'watch');
  if (!source.live || !(models[route.model]?.abilities.includes('states') ?? false)) return null;
  return (
    <div class="state-part">
      <h3>Watch</h3>
      <ul class="watches">
        {watched.map(expression => (
          <li key={expression}>
            <Watched expression={expression} values={values} />
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

function Watched({ expression, values }: { expression: string; values: Values }): JSX.Element {
  const { source, route } = usePlace();
  const answer = useAnswer<Evaluation>(`${expression} ${JSON.stringify(values)}`, signal =>
    source.ask(`models/${String(route.model)}/states/evaluate`, { states: [values], expression }, signal));
  if (answer.state === 'failed') return <span class="refused"><Prose text={answer.message} /></span>;
  return <span><code>{expression}</code> = <span class="value">{answer.state === 'ready' ? answer.value.values[0] ?? 'no value' : '…'}</span></span>;
}
