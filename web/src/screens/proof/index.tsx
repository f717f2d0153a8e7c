// Proof: the claims beside the run. With a server, what is not shown yet can be shown, in one way or another; every
// choice is in the address, so the back button takes it back and a link repeats it.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { AnsweredProperty } from '../../api/values';
import type { ProofAnswer } from '../../api/wire';
import { many, number, one } from '../../lib/route';
import { runOfEvidence, type Run } from '../../lib/run';
import { sentence } from '../../lib/tell';
import { useChoose, usePlace } from '../../ui/context';
import { useKeys } from '../../ui/keys';
import { PropertyHead } from '../../ui/property-head';
import { useAnswer } from '../../ui/use-answer';
import { useListed, useProperty, useRunNumber, type Loaded } from '../../ui/use-property';
import { Awaited } from '../../ui/waiting';
import { Empty } from '../../ui/words';
import { Claims } from './claims';
import { ProofRun } from './proof-run';
import { ProofTools } from './tools';

/** A proof as the screen shows it, whoever made it. */
export interface Shown {
  run: Run;
  /** What a claim says. */
  sentence: (at: number) => string;
  /** The lasting number of each claim. */
  names: number[];
  scene: ProofAnswer | null;
}

export function ProofScreen(): JSX.Element {
  const property = useProperty();
  return <Awaited answer={property}>{loaded => <Proof loaded={loaded} />}</Awaited>;
}

function Proof({ loaded }: { loaded: Loaded }): JSX.Element {
  const { source } = usePlace();
  const { entry } = useListed();
  const { kind, evidence } = loaded.answer.property;
  const interactive = source.live && (entry?.abilities.includes('proofs') ?? false) && (['ctl', 'invar', 'psl'].includes(kind) || (['ltl', 'run', 'check'].includes(kind) && evidence !== null));
  return interactive ? <Interactive answer={loaded.answer} /> : <Finished loaded={loaded} />;
}

/** A proof that is complete: nothing can be asked. */
function Finished({ loaded }: { loaded: Loaded }): JSX.Element {
  const which = useRunNumber(loaded.runs);
  const run = loaded.runs[which];
  if (run === undefined || run.proof.length === 0) {
    return (
      <div class="evidence">
        <PropertyHead answer={loaded.answer} />
        <Empty title="There is no proof to show.">
          <p>Proofs are about properties with evidence: those that fail, and those that hold because something can happen.</p>
        </Empty>
      </div>
    );
  }
  return <FinishedRun answer={loaded.answer} run={run} />;
}

function FinishedRun({ answer, run }: { answer: AnsweredProperty; run: Run }): JSX.Element {
  const shown = useMemo<Shown>(() => ({ run, sentence: at => sentenceAt(run, at), names: run.proof.map((_, at) => at), scene: null }), [run]);
  return <ProofPage answer={answer} shown={shown} choices={[]} onChoose={() => undefined} />;
}

function Interactive({ answer }: { answer: AnsweredProperty }): JSX.Element {
  const { source, route } = usePlace();
  const choose = useChoose();
  const choices = many(route, 'choice');
  const ways = one(route, 'ways') === undefined ? null : number(route, 'ways', 0);
  const body = { choices, ...(ways === null ? {} : { ways }) };
  const scene = useAnswer<ProofAnswer>(`proof ${String(answer.model)} ${String(answer.id)} ${JSON.stringify(body)}`, (signal, progress) =>
    source.ask(`models/${String(answer.model)}/properties/${String(answer.id)}/proof`, body, signal, progress));
  return (
    <Awaited answer={scene}>
      {value => <Explored answer={answer} scene={value} onChoose={choice => { choose({ choice: [...value.choices, choice], ways: null }); }} />}
    </Awaited>
  );
}

function Explored({ answer, scene, onChoose }: { answer: AnsweredProperty; scene: ProofAnswer; onChoose: (choice: string) => void }): JSX.Element {
  const { entry } = useListed();
  const language = entry?.model.language;
  const shown = useMemo<Shown>(() => {
    const run = runOfEvidence(scene.evidence, 'Proof so far', [], scene.told, scene.formula, language);
    return { run, sentence: at => scene.sentences[at] ?? sentenceAt(run, at), names: scene.nodes, scene };
  }, [scene, language]);
  return <ProofPage answer={answer} shown={shown} choices={scene.choices} onChoose={onChoose} />;
}

function ProofPage({ answer, shown, choices, onChoose }: { answer: AnsweredProperty; shown: Shown; choices: string[]; onChoose: (choice: string) => void }): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const chosen = one(route, 'claim') === undefined ? null : number(route, 'claim', 0);
  const open = shown.scene?.open ?? [];
  const obligation = open.find(each => each.node === chosen) ?? open[0];
  useKeys(shown.scene === null ? [] : [
    { keys: ['Enter', 'ArrowRight'], help: 'show the obligation as the strategy likes', run: () => { if (obligation !== undefined) onChoose(`expand #${String(obligation.node)}`); } },
    { keys: ['w'], help: 'list the ways to show it', run: () => { if (obligation !== undefined) choose({ ways: obligation.node, claim: obligation.node }); } },
    { keys: ['n'], help: 'show the selected claim another way', run: () => { if (chosen !== null) onChoose(`next #${String(chosen)}`); } },
    { keys: ['ArrowLeft'], help: 'make an obligation of the selected claim', run: () => { if (chosen !== null) onChoose(`close #${String(chosen)}`); } },
    { keys: ['u'], help: 'undo', run: () => { if (choices.length > 0) choose({ choice: choices.slice(0, -1), ways: null }); } },
    { keys: ['A'], help: 'show everything', run: () => { onChoose('all'); } },
    ...Array.from({ length: 9 }, (_, at) => ({ keys: [String(at + 1)], help: 'show it that way', run: () => { if (obligation !== undefined) onChoose(`take ${String(at + 1)} #${String(obligation.node)}`); } })),
  ]);
  return (
    <div class="evidence">
      <PropertyHead answer={answer} brief={shown.scene !== null} />
      {shown.scene === null ? null : <ProofTools scene={shown.scene} choices={choices} onChoose={onChoose} />}
      <div class="panes panes-two">
        <section class="pane" aria-label="claims"><Claims shown={shown} chosen={chosen} onChoose={onChoose} /></section>
        <section class="pane pane-run" aria-label="run so far"><ProofRun shown={shown} chosen={chosen} name={`${answer.property.name} proof`} /></section>
      </div>
    </div>
  );
}

function sentenceAt(run: Run, at: number): string {
  const node = run.proof[at];
  return node === undefined ? '' : sentence(run, node, at);
}
