// Why the next state cannot be one that somebody wishes for: the lines of the model that forbid it.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Values } from '../../api/values';
import type { BlockedAnswer, BlockerDoc } from '../../api/wire';
import { one } from '../../lib/route';
import { useChoose, usePlace } from '../../ui/context';
import { useAnswer } from '../../ui/use-answer';
import { Awaited } from '../../ui/waiting';
import { ChangeText, Prose } from '../../ui/words';

export function WhyNot({ values }: { values: Values }): JSX.Element {
  const { source, route } = usePlace();
  const choose = useChoose();
  const wish = one(route, 'why') ?? '';
  const [text, setText] = useState(wish);
  const answer = useAnswer<BlockedAnswer>(wish === '' ? null : `blocked ${wish} ${JSON.stringify(values)}`, (signal, progress) =>
    source.ask(`models/${String(route.model)}/states/blocked`, { state: values, wish }, signal, progress));
  return (
    <div class="why-not">
      <form class="foot-line" onSubmit={event => { event.preventDefault(); choose({ why: text.trim() === '' ? null : text.trim() }); }}>
        <label>Why can it not be next that <input type="text" class="want" aria-label="what shall be next" placeholder="floor = 3" value={text} onInput={event => { setText(event.currentTarget.value); }} /></label>
        <button type="submit">Ask</button>
      </form>
      <Awaited answer={answer}>{told => <Told told={told} wish={wish} />}</Awaited>
    </div>
  );
}

function Told({ told, wish }: { told: BlockedAnswer; wish: string }): JSX.Element {
  if (told.possible !== null) {
    const changes = told.possible.changes ?? [];
    return <p class="notice" role="status"><Prose text={`It can be: a step leads to a state where \`${wish}\` is true.`} /> {changes.map(change => <ChangeText key={change.variable} change={change} />)}</p>;
  }
  if (told.blockers.length === 0) {
    return <p class="notice" role="status">{told.open ? 'Nobody knows: there are too many values to try.' : 'No line forbids it alone: several lines together do.'}</p>;
  }
  return (
    <div role="status">
      <p class="notice">{told.blockers.length === 1 ? 'This line forbids it:' : 'Each of these lines forbids it:'}</p>
      <ul class="blockers">{told.blockers.map((blocker, at) => <li key={at}><Line blocker={blocker} /></li>)}</ul>
    </div>
  );
}

const WORDS: Record<string, string> = { assignment: 'assigns', step: 'every step keeps', state: 'every state keeps' };

function Line({ blocker }: { blocker: BlockerDoc }): JSX.Element {
  const allows = blocker.allows ?? [];
  return (
    <>
      {blocker.line === null ? null : <span class="at">line {blocker.line}: </span>}
      {WORDS[blocker.kind] ?? ''} <code>{blocker.text}</code>
      {allows.length === 0 ? null : <>, so here <strong>{blocker.variable}</strong> can only become {allows.slice(0, 8).join(' or ')}{allows.length > 8 ? ' or others' : ''}</>}
    </>
  );
}
