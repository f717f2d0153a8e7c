// A property without a run to show says why.

import type { JSX } from 'preact';
import type { AnsweredProperty } from '../../api/values';
import { nothing } from '../../lib/tell';
import { useChoose, usePlace } from '../../ui/context';
import { PropertyHead } from '../../ui/property-head';
import { Empty, Prose } from '../../ui/words';
import { hasReason, WhyHolds } from './why-holds';

export function NoEvidence({ answer }: { answer: AnsweredProperty }): JSX.Element {
  const { source } = usePlace();
  const choose = useChoose();
  const { property, told } = answer;
  const core = property.command?.core ?? null;
  return (
    <div class="evidence">
      <PropertyHead answer={answer} />
      <Empty title={nothing(property)}>
        {told?.reading == null ? null : <p><Prose text={told.reading} /></p>}
        {hasReason(answer, source.live) ? <WhyHolds answer={answer} /> : null}
        {source.live && property.verdict === 'holds' && property.kind === 'ctl' ? (
          <p class="buttons"><button type="button" onClick={() => { choose({ witness: 1 }); }}>Show a run where it matters</button></p>
        ) : null}
        {core === null ? null : (
          <div class="core">
            <h2>These cannot hold together{core.minimal ? ', and each is needed' : ''}</h2>
            <ul>{core.parts.map((part, at) => <li key={at}><code>{part.text}</code> <span class="line">{part.role}, line {part.line}</span></li>)}</ul>
          </div>
        )}
      </Empty>
    </div>
  );
}
