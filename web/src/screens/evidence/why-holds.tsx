// Why a property holds, or why one fails that no run alone refutes: sentences that a solver re-checked. A server is asked
// for them when somebody looks.

import type { JSX } from 'preact';
import type { AnsweredProperty } from '../../api/values';
import type { WhyDoc, WhyLineDoc } from '../../api/wire';
import { usePlace } from '../../ui/context';
import { useAnswer } from '../../ui/use-answer';
import { Awaited } from '../../ui/waiting';
import { Badge, Prose } from '../../ui/words';

/** Whether a reason may be asked for: the property holds, and not by its form alone. */
export function hasReason({ property }: AnsweredProperty, live: boolean): boolean {
  if (property.why !== undefined) return true;
  return live && property.verdict === 'holds' && property.by_form === undefined && ['ctl', 'invar', 'ltl', 'psl'].includes(property.kind);
}

export function WhyHolds({ answer }: { answer: AnsweredProperty }): JSX.Element {
  const { source } = usePlace();
  const known = answer.property.why;
  const base = `models/${String(answer.model)}/properties/${String(answer.id)}`;
  const asked = useAnswer<WhyDoc | null>(known === undefined ? `${base} why` : null, async (signal, progress) => {
    const fresh = await source.ask<AnsweredProperty>(`${base}/another`, { why: true }, signal, progress);
    return fresh.property.why ?? null;
  });
  if (known !== undefined) return <Reason why={known} verdict={answer.property.verdict} />;
  return <Awaited answer={asked}>{why => <Reason why={why} verdict={answer.property.verdict} />}</Awaited>;
}

/** A reason that is known. */
export function Reason({ why, verdict }: { why: WhyDoc | null; verdict: string }): JSX.Element | null {
  const heading = verdict === 'fails' ? 'Why it fails' : 'Why it holds';
  if (why === null) return null;
  if (why.reason !== undefined) return <p class="notice">{why.reason}.</p>;
  return (
    <section class="reason" aria-label={heading.toLowerCase()}>
      <h2>{heading} {why.rechecked ? <Badge kind="good" title="a solver checked every sentence again">re-checked: ok</Badge> : null}</h2>
      {why.formula === undefined ? null : <p class="notice">Shown for <code>{why.formula}</code>, which implies it.</p>}
      <Sentences lines={why.lines ?? []} />
    </section>
  );
}

function Sentences({ lines }: { lines: readonly WhyLineDoc[] }): JSX.Element {
  return (
    <ul class="reason-lines">
      {lines.map((line, at) => (
        <li key={at}><Prose text={line.text} />{(line.items ?? []).length === 0 ? null : <Sentences lines={line.items ?? []} />}</li>
      ))}
    </ul>
  );
}
