// The property as nested boxes: the truth of each part at the selected step.

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { AnsweredProperty } from '../../api/values';
import type { ProofNodeDoc } from '../../api/wire';
import { explain } from '../../lib/explain';
import { boxes, since, type Box } from '../../lib/formula';
import { format, number, one } from '../../lib/route';
import { mainStates, ranksOf, toldAt, type Run, type Truth } from '../../lib/run';
import { claim, sentence } from '../../lib/tell';
import { useChoose, usePlace } from '../../ui/context';
import { Empty, Prose, truthSign } from '../../ui/words';
import type { RunView } from './panes';
import { WhyHolds } from './why-holds';

export function PropertyPane({ run, step, select, answer }: RunView & { answer: AnsweredProperty }): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const top = run.proof[0]?.sub ?? run.formula.length - 1;
  const formula = useMemo(() => boxes(run.formula, top), [run]);
  const chosen = one(route, 'sub') === undefined ? null : number(route, 'sub', 0);
  const main = mainStates(run);
  const truth = run.truth[String(step)];
  const told = toldAt(run, step)?.sentence ?? '';
  const claims = useMemo(() => claimsAt(run, step), [run, step]);
  if (run.formula.length === 0) {
    return (
      <>
        <h2>Property</h2>
        <code class="plain-formula">{answer.property.text}</code>
        {answer.property.why === undefined ? <Empty title="The truth of its parts is not known here." /> : <WhyHolds answer={answer} />}
      </>
    );
  }
  return (
    <>
      <h2>Property <span class="at">at step {step}</span></h2>
      <div class="formula">
        <FormulaBox
          box={formula} truth={truth} chosen={chosen}
          hint={sub => hintOf(run, step, sub)}
          onChoose={sub => { choose({ sub: sub === chosen ? null : sub }); }}
        />
      </div>
      <p class="legend"><span class="sign sign-true">+</span> true here <span class="sign sign-false">−</span> false here</p>
      {chosen === null || run.formula[chosen] === undefined ? null : (
        <div class="chosen">
          <h3><code>{run.formula[chosen]?.text}</code></h3>
          <TruthStrip truth={run.truth} main={main} sub={chosen} step={step} select={select} />
          <p>{hintOf(run, step, chosen)}</p>
          <Why run={run} step={step} sub={chosen} answer={answer} />
        </div>
      )}
      {told === '' ? null : <p class="told"><Prose text={told} /></p>}
      {claims.length === 0 ? null : (
        <details class="claims" open={claims.length <= 6}>
          <summary>{claims.length === 1 ? '1 claim of the proof is' : `${String(claims.length)} claims of the proof are`} about this step</summary>
          <ul>{claims.slice(0, 40).map(({ node, at }) => <li key={at} title={claim(run, node)}><Prose text={sentence(run, node, at)} /></li>)}</ul>
        </details>
      )}
    </>
  );
}

/** Why a part is true or false at a step; what the run does not show can be asked for. */
function Why({ run, step, sub, answer }: { run: Run; step: number; sub: number; answer: AnsweredProperty }): JSX.Element {
  const { source, route, models, go, refresh } = usePlace();
  const [failed, setFailed] = useState('');
  const { lines, claim: at, open } = explain(run, step, sub);
  const text = run.formula[sub]?.text ?? '';
  const proofs = models[route.model]?.abilities.includes('proofs') ?? false;
  const alone = (): void => {
    const known = models[route.model]?.model.properties.find(each => each.text === text);
    if (known !== undefined) { go({ ...route, property: known.name, query: {} }); return; }
    source.ask<AnsweredProperty>(`models/${String(route.model)}/properties`, { formula: text }).then(
      added => { refresh(); go({ ...route, property: added.property.name, query: {} }); },
      (error: unknown) => { setFailed(error instanceof Error ? error.message : String(error)); },
    );
  };
  return (
    <div class="explained">
      <h4>Why?</h4>
      {lines.length === 0 ? <p class="quiet">This run does not show it: the property does not need it here.</p> : <ul>{lines.map(line => <li key={line}><Prose text={line} /></li>)}</ul>}
      {!source.live && at !== null ? <a href={format({ ...route, screen: 'proof', query: { claim: [String(at)] } })}>Show it in the proof</a> : null}
      {source.live && proofs && text !== answer.property.text && (open || lines.length > 0) ? <button type="button" onClick={alone}>Check this part on its own</button> : null}
      {failed === '' ? null : <p class="refused" role="alert"><Prose text={failed} /></p>}
    </div>
  );
}

/** The claims of the proof about a step. */
function claimsAt(run: Run, step: number): { node: ProofNodeDoc; at: number }[] {
  const claims: { node: ProofNodeDoc; at: number }[] = [];
  run.proof.forEach((node, at) => { if (node.state === step && node.sub !== null) claims.push({ node, at }); });
  return claims;
}

function hintOf(run: Run, step: number, sub: number): string {
  const now = run.truth[String(step)]?.[sub];
  if (now === undefined) return 'not known here';
  const word = now ? 'true' : 'false';
  const place = ranksOf(run).get(step);
  const found = place === undefined ? null : since(run.truth, mainStates(run), place, sub);
  const first = found === null ? undefined : mainStates(run)[found.first];
  if (found === null || first === undefined || first === step) return `${word} at step ${String(step)}`;
  return `${word} since ${found.before ? 'before ' : ''}step ${String(first)}`;
}

interface BoxProps {
  box: Box;
  truth: Truth[string] | undefined;
  chosen: number | null;
  hint: (sub: number) => string;
  onChoose: (sub: number) => void;
}

function FormulaBox({ box, truth, chosen, hint, onChoose }: BoxProps): JSX.Element {
  const value = truth?.[box.sub];
  const word = value === undefined ? 'unknown' : String(value);
  return (
    <span class={`box box-${word}${chosen === box.sub ? ' box-chosen' : ''}`} data-sub={box.sub} data-truth={word}>
      <button type="button" class={`sign sign-${word}`} title={hint(box.sub)} aria-label={`part ${String(box.sub)} is ${word}`} aria-pressed={chosen === box.sub} onClick={() => { onChoose(box.sub); }}>
        {truthSign(value)}
      </button>
      {box.pieces.map((piece, at) => typeof piece === 'string'
        ? <span key={at} class="box-text">{piece}</span>
        : <FormulaBox key={at} box={piece} truth={truth} chosen={chosen} hint={hint} onChoose={onChoose} />)}
    </span>
  );
}

/** The truth of one part along the main run. */
function TruthStrip({ truth, main, sub, step, select }: { truth: Truth; main: readonly number[]; sub: number; step: number; select: (step: number) => void }): JSX.Element {
  const most = 60;
  const first = Math.max(0, Math.min(main.length - most, main.indexOf(step) - most / 2));
  return (
    <div class="strip" role="group" aria-label="truth along the run">
      {first > 0 ? <span>{first} before …</span> : null}
      {main.slice(first, first + most).map(state => {
        const value = truth[String(state)]?.[sub];
        return (
          <button
            key={state} type="button" class={`strip-cell sign-${String(value ?? 'unknown')}`} aria-pressed={state === step}
            aria-label={`step ${String(state)}: ${String(value ?? 'unknown')}`} onClick={() => { select(state); }}
          >{truthSign(value)}</button>
        );
      })}
      {main.length > first + most ? <span>… {main.length - first - most} more</span> : null}
    </div>
  );
}
