// A place that somebody chose: the counterexample as it is, and what becomes of it once the text is changed. The file of the
// model stays as it is.

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { MendAnswer, MendDoc, MendVerdictDoc, PropertyAnswer } from '../../api/wire';
import { changedLines, changedText, standingOf, type Suspect } from '../../lib/blame';
import { againRows, type AgainRow } from '../../lib/mended';
import { format } from '../../lib/route';
import { runsOf, type Run } from '../../lib/run';
import { lengthOf } from '../../lib/tell';
import { plural } from '../../lib/values';
import { usePlace } from '../../ui/context';
import { useAnswer } from '../../ui/use-answer';
import { Awaited } from '../../ui/waiting';
import { Badge, ChangeText, Chip, Prose, verdictWord } from '../../ui/words';
import { Steps } from '../evidence/steps';
import { Reason } from '../evidence/why-holds';

/** So many steps are shown around the one that the changed model does not do. */
const MOST_ROWS = 200;

interface Props {
  rank: number;
  suspect: Suspect;
  run: Run | undefined;
  /** The route of the property. */
  base: string;
  name: string;
  /** Of the property. */
  kind: string;
}

export function Chosen({ rank, suspect, run, base, name, kind }: Props): JSX.Element {
  const { mend } = suspect;
  if (mend === undefined) return <WithoutMend rank={rank} suspect={suspect} run={run} />;
  return (
    <>
      <h2>With and without change {rank} <Tools mend={mend} /></h2>
      <WithChange mend={mend} run={run} base={base} name={name} kind={kind} />
    </>
  );
}

/** What is known of a place where no change was found. */
function WithoutMend({ rank, suspect, run }: { rank: number; suspect: Suspect; run: Run | undefined }): JSX.Element {
  const { route } = usePlace();
  const at = suspect.hinge?.state;
  return (
    <>
      <h2>Place {rank}, line {suspect.line}: {standingOf(suspect).words}</h2>
      <p><Prose text={suspect.why} /></p>
      {at === undefined || run?.states[at] === undefined ? null : <p><a href={format({ ...route, screen: 'evidence', query: { step: [String(at)] } })}>Step {at} of the counterexample</a></p>}
    </>
  );
}

/** What can be taken along: the line, or the whole text. */
function Tools({ mend }: { mend: MendDoc }): JSX.Element | null {
  const { models, route } = usePlace();
  const [said, setSaid] = useState('');
  const entry = models[route.model];
  const source = entry?.source ?? null;
  const text = useMemo(() => (source === null ? null : changedText(source, mend)), [source, mend]);
  if (source === null || text === null) return null;
  const line = (changedLines(source, mend)?.after ?? []).join('\n');
  const file = entry?.model.path.split(/[\\/]/).at(-1) ?? 'model';
  const copy = (): void => {
    navigator.clipboard.writeText(line).then(() => { setSaid('The line is copied.'); }, () => { setSaid('The browser does not allow to copy it.'); });
  };
  const download = (): void => {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `mended-${file}`;
    link.click();
    setTimeout(() => { URL.revokeObjectURL(address); }, 10_000);
  };
  return (
    <span class="chosen-tools no-print">
      <button type="button" onClick={copy}>Copy the changed line</button>
      <button type="button" onClick={download}>Download the mended model</button>
      <span role="status" class="quiet">{said}</span>
    </span>
  );
}

function WithChange({ mend, run, base, name, kind }: { mend: MendDoc; run: Run | undefined; base: string; name: string; kind: string }): JSX.Element {
  const { source, route, models } = usePlace();
  const { from, to, text } = mend;
  const checking = models[route.model]?.checking ?? '';
  const canAsk = source.live && (models[route.model]?.abilities.includes('blame') ?? false);
  const answer = useAnswer<MendAnswer>(canAsk ? `${base} mend ${JSON.stringify([from, to, text])} ${checking}` : null, (signal, progress) =>
    source.ask(`${base}/mend`, { from, to, text }, signal, progress));
  const commands = ['check', 'run'].includes(kind);
  if (!canAsk) {
    return (
      <>
        <p>With the change <code>{name}</code> {commands ? 'is as expected' : 'holds'}; {mend.holds} of {mend.of} {commands ? 'commands are' : 'properties do'}.{(mend.breaks ?? []).length === 0 ? '' : ` ${commands ? 'These are as expected now and not then' : 'These hold now and fail then'}: ${(mend.breaks ?? []).join(', ')}.`}{mend.ends === true ? ' Some runs end then.' : ''}</p>
        <p class="notice"><Prose text={source.live ? 'What becomes of a counterexample with a change is shown for SMV models.' : 'A report runs nothing again. Open an SMV model with `wherefore open` to see what becomes of the counterexample.'} /></p>
      </>
    );
  }
  return <Awaited answer={answer}>{told => <Told told={told} run={run} name={name} />}</Awaited>;
}

function Told({ told, run, name }: { told: MendAnswer; run: Run | undefined; name: string }): JSX.Element {
  const { fate, verdicts, after, contrary } = told;
  return (
    <div class="with-without">
      <div class="with-run">
        {fate === null ? null : <p class="fate"><Prose text={`In the changed model the counterexample ${fate.text}.`} />{(fate.instead ?? []).length === 0 ? null : <> Possible instead: {(fate.instead ?? []).map((each, at) => <span key={at}>{at === 0 ? '' : '; '}<code>{each}</code></span>)}.</>}</p>}
        {run === undefined ? null : <Again run={run} told={told} />}
        {contrary === null ? null : (
          <>
            <p class="fate contrary"><Prose text={`In the changed model, \`${contrary.answer.property.text}\` is ${contrary.answer.property.verdict === 'holds' ? 'true' : 'false'} at step ${String(contrary.state)}.`} /></p>
            <ChangedRun answer={contrary.answer} title={`A run that shows it; its step 0 is step ${String(contrary.state)} of the counterexample`} />
          </>
        )}
      </div>
      <div class="with-verdicts">
        <table class="verdicts">
          <thead><tr><th scope="col">property</th><th scope="col">as it is</th><th scope="col">with the change</th></tr></thead>
          <tbody>{verdicts.map(each => <Verdict key={each.property} verdict={each} here={each.name === name} />)}</tbody>
        </table>
        {after.property.why === undefined ? null : <Reason why={after.property.why} verdict={after.property.verdict} />}
        <ChangedRun answer={after} title="A run of the changed model" />
      </div>
    </div>
  );
}

/** The first run that the changed model has to show for a property. */
function ChangedRun({ answer, title }: { answer: PropertyAnswer; title: string }): JSX.Element | null {
  const { models, route } = usePlace();
  const [run] = useMemo(() => runsOf(answer.property, answer.told, answer.formula, models[route.model]?.model.language), [answer]);
  if (run === undefined) return null;
  return (
    <div class="with-other">
      <h3>{title} <Badge>{run.title}</Badge> <Badge>{lengthOf(run)}</Badge></h3>
      {run.rows.length > MOST_ROWS ? <p class="notice">{plural(run.states.length, 'state')}: too many to show here.</p> : <Steps run={run} step={-1} select={() => undefined} plain />}
    </div>
  );
}

function Verdict({ verdict: { then, now, name }, here }: { verdict: MendVerdictDoc; here: boolean }): JSX.Element {
  const word = then?.verdict === now.verdict ? '' : now.verdict === 'holds' ? 'now holds' : then?.verdict === 'holds' ? 'no longer holds' : '';
  return (
    <tr class={`${here ? 'verdict-here' : ''}${word === '' ? '' : ' verdict-changed'}`}>
      <th scope="row">{name}</th>
      <td>{then === null ? <Chip word="unchecked" /> : <Chip word={verdictWord(then)} />}</td>
      <td><Chip word={verdictWord(now)} /> {word} {now.vacuous === null ? null : <span class="quiet">but <code>{now.vacuous}</code> has no effect</span>}{now.of_nothing === undefined ? null : <span class="quiet">but <Prose text={now.of_nothing} /></span>}</td>
    </tr>
  );
}

const SIGNS: Record<AgainRow['kind'], [string, string]> = {
  possible: ['✓', 'possible as before'],
  broken: ['✗', 'no longer possible'],
  later: ['–', 'not looked at'],
};

/** The counterexample as it is, and step by step whether the changed model does it. */
function Again({ run, told }: { run: Run; told: MendAnswer }): JSX.Element {
  const rows = useMemo(() => againRows(run, told), [run, told]);
  const end = rows.findIndex(row => row.kind === 'broken');
  const first = rows.length <= MOST_ROWS ? 0 : Math.max(0, Math.min(end - MOST_ROWS / 2, rows.length - MOST_ROWS));
  return (
    <>
      <table class="pairs again">
        <thead><tr><th scope="col">step</th><th scope="col">the counterexample as it is</th><th scope="col">with the change</th></tr></thead>
        <tbody>{rows.slice(first, first + MOST_ROWS).map((row, at) => <AgainLine key={first + at} row={row} told={told} />)}</tbody>
      </table>
      {rows.length > MOST_ROWS ? <p class="notice">{plural(rows.length, 'row')}, showing {MOST_ROWS} from row {first + 1} on.</p> : null}
    </>
  );
}

function AgainLine({ row, told }: { row: AgainRow; told: MendAnswer }): JSX.Element {
  const [sign, words] = SIGNS[row.kind];
  const changes = row.step?.changes ?? [];
  const claims = row.kind === 'possible' && told.broken === null && told.fate?.step === row.state && !row.back;
  return (
    <tr class={`pair again-${row.kind}${claims ? ' again-claim' : ''}`}>
      <th scope="row">{row.back ? '↺ ' : ''}{row.state}</th>
      <td>
        {row.step?.action == null ? null : <span class="action">{row.step.action}</span>}
        {row.step === null ? <span class="quiet">the start</span> : changes.length === 0 ? <span class="quiet">nothing changes</span> : changes.slice(0, 12).map(change => <ChangeText key={change.variable} change={change} />)}
        {changes.length > 12 ? <span class="quiet">and {changes.length - 12} more</span> : null}
        {row.back ? <span class="quiet">; back to step {row.state}</span> : null}
      </td>
      <td><span class="again-sign" aria-hidden="true">{sign}</span> {words}{claims ? '; here it no longer shows what it showed' : ''}</td>
    </tr>
  );
}
