// Explore: a walk through the states of a model, without a property in mind.

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Values } from '../../api/values';
import { many, number, one } from '../../lib/route';
import { useChoose, usePlace } from '../../ui/context';
import { useKeys } from '../../ui/keys';
import { Tabs } from '../../ui/tabs';
import { useAnswer, valueOf } from '../../ui/use-answer';
import { Awaited } from '../../ui/waiting';
import { Empty, ValueText } from '../../ui/words';
import { Watches } from '../evidence/watches';
import { Steps } from '../evidence/steps';
import { Choices } from './choices';
import { runOfWalk } from './walk-run';
import { follow, type Walk } from './walk';
import { WalkGraph } from './walk-graph';
import { HereTruth } from './here-truth';
import { WhyNot } from './why-not';

const VIEWS = [{ id: 'steps', title: 'Steps' }, { id: 'graph', title: 'Graph' }];

export function ExploreScreen(): JSX.Element {
  const { source, models, route } = usePlace();
  const entry = models[route.model];
  if (!source.live || !(entry?.abilities.includes('states') ?? false)) {
    return (
      <Empty title="The states of this model cannot be explored here.">
        <p>{source.live ? 'That is possible for SMV models, labelled transition systems and complete transition systems in Alloy.' : 'A report answers no new questions. Open the model with `wherefore open`.'}</p>
      </Empty>
    );
  }
  return <Explore />;
}

function startOf(text: string | undefined): Values | null {
  if (text === undefined) return null;
  try {
    return JSON.parse(text) as Values;
  } catch {
    return null;
  }
}

function Explore(): JSX.Element {
  const { source, route, models } = usePlace();
  const choose = useChoose();
  const choices = many(route, 'go');
  const at = one(route, 'at');
  const initial = number(route, 'from', 0);
  const walk = useAnswer<Walk>(`walk ${String(route.model)} ${at ?? ''} ${String(initial)} ${JSON.stringify(choices)}`, (signal, progress) =>
    follow(source, route.model, startOf(at), initial, choices, signal, progress));
  const found = valueOf(walk);
  const add = (choice: string): void => { choose({ go: [...choices, choice], step: null }); };
  useKeys([
    { keys: ['u', 'Backspace'], help: 'take the last choice back', run: () => { choose({ go: choices.slice(0, -1), step: null }); } },
    ...Array.from({ length: 9 }, (_, digit) => ({ keys: [String(digit + 1)], help: 'take that step', run: () => { add(String(digit)); } })),
  ]);
  return (
    <div class="evidence">
      <div class="head"><h1>Explore <span class="head-name">{models[route.model]?.model.path}</span></h1><WantTo onWant={add} /></div>
      {walk.state === 'failed' ? (
        <div class="walk-failed">
          <Awaited answer={walk}>{() => null}</Awaited>
          <button type="button" onClick={() => { choose({ go: choices.slice(0, -1) }); }}>Take the last choice back</button>
        </div>
      ) : null}
      {walk.state === 'waiting' ? <Awaited answer={{ ...walk, last: null }}>{() => null}</Awaited> : null}
      {found === null ? null : <Panes walk={found} add={add} undo={() => { choose({ go: choices.slice(0, -1), step: null }); }} canUndo={choices.length > 0} />}
    </div>
  );
}

/** "Show me a run that …" */
function WantTo({ onWant }: { onWant: (choice: string) => void }): JSX.Element {
  const { models, route } = usePlace();
  const [text, setText] = useState('');
  const labels = models[route.model]?.model.language === 'aut';
  return (
    <form class="foot-line" onSubmit={event => { event.preventDefault(); if (text.trim() !== '') onWant(`to:${text.trim()}`); setText(''); }}>
      <label>{labels ? 'go on to the next step' : 'go on to a state where'} <input type="text" class="want" placeholder={labels ? 'a label' : 'an expression, as floor = 3'} value={text} onInput={event => { setText(event.currentTarget.value); }} /></label>
      <button type="submit">Go</button>
      <button type="button" onClick={() => { onWant('deadlock'); }}>Go to a deadlock</button>
    </form>
  );
}

function Panes({ walk, add, undo, canUndo }: { walk: Walk; add: (choice: string) => void; undo: () => void; canUndo: boolean }): JSX.Element {
  const { route, models } = usePlace();
  const choose = useChoose();
  const language = models[route.model]?.model.language ?? '';
  const run = useMemo(() => runOfWalk(walk, language), [walk, language]);
  const last = run.states.length - 1;
  const step = one(route, 'step') === undefined ? last : Math.min(last, number(route, 'step', last));
  const here = run.states[step]?.values ?? {};
  const view = one(route, 'view') === 'graph' ? 'graph' : 'steps';
  return (
    <div class="panes">
      <section class="pane" aria-label="what can follow"><Choices values={run.states[last]?.raw ?? {}} add={add} undo={undo} canUndo={canUndo} /></section>
      <section class="pane pane-run" aria-label="walk">
        <Tabs label="views of the walk" tabs={VIEWS} selected={view} panel="walk-panel" onSelect={id => { choose({ view: id === 'steps' ? null : id }); }} />
        <div id="walk-panel" role="tabpanel" aria-labelledby={`tab-${view}`} class="run-panel">
          {view === 'steps' ? <Steps run={run} step={step} select={state => { choose({ step: state }); }} /> : <WalkGraph run={run} step={step} add={add} />}
        </div>
      </section>
      <section class="pane" aria-label="state">
        <h2>State <span class="at">at step {step}{step === last ? ', where you are' : ''}</span></h2>
        <table class="state-values"><tbody>{Object.entries(here).slice(0, 200).map(([name, value]) => <tr key={name}><th scope="row">{name}</th><td><ValueText value={value} /></td></tr>)}</tbody></table>
        <Watches values={run.states[step]?.raw ?? {}} />
        <HereTruth values={run.states[step]?.raw ?? {}} />
        {language === 'aut' ? null : <WhyNot key={one(route, 'why') ?? ''} values={run.states[step]?.raw ?? {}} />}
      </section>
    </div>
  );
}
