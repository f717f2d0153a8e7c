// Sentences about a run. Where the checker says them itself (`story`), those are taken.

import type { Decision } from '../api/values';
import type { ProofNodeDoc, PropertyDoc } from '../api/wire';
import { changing } from './diff';
import { mainStates, toldAt, type Run } from './run';
import { plural, show, showAll } from './values';

const quoted = (text: string | undefined): string => (text === undefined ? 'a run' : `\`${text}\``);

/** A claim: "`AF f` is false". */
export function claim(run: Run, node: Pick<ProofNodeDoc, 'sub' | 'holds'>): string {
  if (node.sub === null) return 'a run goes on from here';
  return `${quoted(run.formula[node.sub]?.text)} ${node.holds === false ? 'is false' : 'holds'}`;
}

/** Why a claim is so, after its rule. */
export function reason(run: Run, node: ProofNodeDoc): string {
  const premises = node.premises.flatMap(index => run.proof[index] ?? []);
  const elsewhere = premises.find(premise => premise.state !== node.state);
  const here = premises.filter(premise => premise.state === node.state).map(premise => claim(run, premise));
  switch (node.rule) {
    case null: return 'not shown yet';
    case 'state': return 'the values of the state decide';
    case 'branch': return here.length === 0 ? 'by its form' : `because ${list(here)}`;
    case 'goal': return here.length === 0 ? 'reached here' : `reached here, because ${list(here)}`;
    case 'step': return elsewhere === undefined ? 'one step shows it' : `one step leads to step ${String(elsewhere.state)}`;
    case 'continue': return elsewhere === undefined ? 'the step back to itself goes on for ever' : `goes on to step ${String(elsewhere.state)}`;
    case 'every-step': return `every one of ${plural(premises.length, 'successor')} shows it`;
    case 'dead-end': return 'nothing can follow';
    case 'stop': return 'the run ends here';
    case 'region': return `everything that can follow shows it: ${plural(run.regions[node.which ?? 0]?.size ?? 0, 'state')}`;
    case 'total': return 'every state has a successor';
    case 'start': return 'the run begins here';
    case 'run': return 'the run shows it';
    default: return node.rule;
  }
}

/** The claim with its reason. */
export function sentence(run: Run, node: ProofNodeDoc, at: number): string {
  return run.told?.proof?.[at] ?? `${claim(run, node)}: ${reason(run, node)}`;
}

/** Claims that are first made at a state: not those that only go on from the step before. */
export function whyHere(run: Run, state: number): string {
  if (run.told !== null) return toldAt(run, state)?.remarks.join('; ') ?? '';
  const parents = new Map<number, ProofNodeDoc>();
  for (const node of run.proof) for (const premise of node.premises) if (!parents.has(premise)) parents.set(premise, node);
  const claims = run.proof.flatMap((node, index) => {
    const parent = parents.get(index);
    const goesOn = parent !== undefined && parent.sub === node.sub && parent.state !== node.state;
    const whole = node.sub !== null && run.formula[node.sub]?.text === run.formula[run.proof[0]?.sub ?? -1]?.text;
    if (node.state !== state || node.sub === null || goesOn || whole || parent === undefined || parent.rule === 'goal') return [];
    return [claim(run, node)];
  });
  return [...new Set(claims)].slice(0, 3).join('; ');
}

/** How long a run is. */
export function lengthOf(run: Run): string {
  const main = mainStates(run);
  const branches = run.segments.filter(segment => !segment.main).length;
  const more = branches === 0 ? '' : `, ${plural(branches, 'branch', 'branches')}`;
  if (run.loop !== null) {
    const before = main.indexOf(run.loop);
    const around = main.length - before;
    return before <= 0 ? `a loop of ${plural(around, 'step')}${more}` : `${plural(before, 'step')}, then a loop of ${plural(around, 'step')}${more}`;
  }
  if (run.shape === 'region') return `${plural(run.regions[0]?.size ?? 0, 'state')} in a closed set`;
  if (run.shape === 'instance') return 'one state';
  return `${plural(Math.max(0, main.length - 1), 'step')}${more}`;
}

/** The sentence of a decision. */
export function decision(run: Run, { choice, sub, from, instead, more, condition }: Decision): string {
  const what = quoted(run.formula[sub]?.text);
  if (choice === 'free') {
    return condition === undefined
      ? `Not inevitable: from every step another run could still keep ${what}.`
      : `Not inevitable: at every step of the loop, a step to ${quoted(condition)} would end it.`;
  }
  if (choice === 'fated') return `Inevitable: no run from step ${String(from)} keeps ${what}.`;
  const chance = `Last chance at step ${String(from)}:`;
  if (condition !== undefined) return `${chance} a step to ${quoted(condition)} could still keep ${what}, no other step could.`;
  const start = from === null ? undefined : run.states[from]?.values;
  const names = instead.map(values => {
    const unchanged = new Set(Object.keys(values).filter(name => start !== undefined && !changing([start, values]).has(name)));
    const text = showAll(values, unchanged);
    return text === '' ? 'a step where nothing changes' : `a step to (${text})`;
  });
  return `${chance} ${more ? `${names[0] ?? 'another step'}, among others,` : list(names)} could still keep ${what}.`;
}

/** Why there is nothing to show for a property: an empty screen says so. */
export function nothing(property: PropertyDoc): string {
  if (property.verdict === 'unknown') return property.reason ?? 'It is not known whether the property holds.';
  if (property.by_form !== undefined) return `The property holds in every model: ${property.by_form}`;
  if (property.of_nothing !== undefined) return `No counterexample: the property holds, but ${property.of_nothing}.`;
  if (property.vacuous !== null) return `No counterexample: the property holds, but ${quoted(property.vacuous)} has no effect. Perhaps it asks for less than was meant.`;
  if (property.value !== undefined) return `The value is ${show(property.value)}.`;
  if (property.command !== undefined) return `${capital(commandWords(property))}.`;
  if (property.why !== undefined && property.verdict === 'fails') return 'No run alone shows this; its reason does.';
  if ((property.notes ?? []).length > 0 && property.verdict === 'fails') return 'No run alone shows this. What is known is said above.';
  return property.verdict === 'holds' ? 'No counterexample: the property holds.' : 'There is no evidence for this verdict.';
}

/** What the answer to a command of an Alloy model amounts to. */
export function commandWords({ kind, result, command }: PropertyDoc): string {
  const what = kind === 'check' ? 'counterexample' : 'instance';
  const found = result === 'sat' ? `there is ${kind === 'check' ? 'a' : 'an'} ${what} in this scope` : `there is no ${what} in this scope`;
  return command?.facts === 'inconsistent' ? `${found}: the facts of the model cannot hold together` : found;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "a", "a and b", "a, b and c". */
export function list(parts: readonly string[]): string {
  if (parts.length <= 1) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
