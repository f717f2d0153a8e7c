// Who chooses, what was chosen, and how to take it back.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ProofAnswer } from '../../api/wire';
import { useChoose, usePlace } from '../../ui/context';
import { Prose } from '../../ui/words';

export function ProofTools({ scene, choices, onChoose }: { scene: ProofAnswer; choices: string[]; onChoose: (choice: string) => void }): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const [asked, setAsked] = useState<string | null>(null);
  const [argument, setArgument] = useState('');
  const pick = (name: string): void => {
    const [, wants] = name.split(' ');
    if (wants === undefined) onChoose(`strategy ${name}`);
    else setAsked(name);
  };
  return (
    <div class="proof-tools">
      <div class="foot-line">
        <button type="button" onClick={() => { onChoose('all'); }} disabled={scene.open.length === 0}>Show everything <kbd aria-hidden="true">A</kbd></button>
        <button type="button" onClick={() => { choose({ choice: choices.slice(0, -1), ways: null }); }} disabled={choices.length === 0}>Undo <kbd aria-hidden="true">u</kbd></button>
        <button type="button" onClick={() => { choose({ choice: null, ways: null, claim: null, step: null }); }} disabled={choices.length === 0}>Start anew</button>
        <label>strategy{' '}
          <select value={scene.strategy} onChange={event => { pick(event.currentTarget.value); }}>
            {scene.strategies.includes(scene.strategy) ? null : <option value={scene.strategy}>{scene.strategy}</option>}
            {scene.strategies.map(name => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
        {asked === null ? null : (
          <form onSubmit={event => {
            event.preventDefault();
            onChoose(`strategy ${asked.split(' ')[0] ?? ''} ${argument}`);
            setAsked(null);
          }}>
            <input type="text" aria-label={asked} placeholder={asked.split(' ')[1] ?? ''} value={argument} onInput={event => { setArgument(event.currentTarget.value); }} />
            <button type="submit">Choose</button>
          </form>
        )}
        <details class="history">
          <summary>{choices.length === 1 ? '1 choice' : `${String(choices.length)} choices`}</summary>
          <p>These commands do the same in <code>wherefore explain</code>:</p>
          <pre tabIndex={0} aria-label="choices">{choices.join('\n')}</pre>
          <p class="buttons"><a href={format(choices)} download={`${route.property}.choices`}>Save as a file</a></p>
        </details>
      </div>
      {scene.said === null ? null : <p role="status"><Prose text={scene.said} /></p>}
      {scene.told.wishes.length === 0 ? null : <ul class="foot-decisions">{scene.told.wishes.map(each => <li key={each}><Prose text={each} /></li>)}</ul>}
    </div>
  );
}

function format(choices: readonly string[]): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(`${choices.join('\n')}\n`)}`;
}
