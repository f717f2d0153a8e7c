// One state of the tagged graph with its steps: what is right, wrong and open there.

import type { JSX } from 'preact';
import type { Window } from '../../api/values';
import type { GraphEdgeDoc } from '../../api/wire';
import { plural } from '../../lib/values';
import { usePlace } from '../../ui/context';
import { useAnswer } from '../../ui/use-answer';
import { Awaited } from '../../ui/waiting';
import { TagMark } from '../../ui/words';

export function NodeCard({ number, node, onOpen }: { number: number; node: number; onOpen: (node: number) => void }): JSX.Element {
  const { source } = usePlace();
  const answer = useAnswer<Window<GraphEdgeDoc>>(`steps ${String(number)} ${String(node)}`, signal => source.ask(`analyses/${String(number)}/steps`, { node, count: 60 }, signal));
  return (
    <div class="node-card" role="region" aria-label="selected state">
      <Awaited answer={answer}>
        {({ items, total }) => (
          <>
            <h3>{plural(total ?? items.length, 'step')} {items.length === 1 ? 'leaves' : 'leave'} this state</h3>
            <ul class="links">
              {items.map((link, at) => (
                <li key={at}>
                  <TagMark tag={link.tag} /><span class="action">{link.action}</span>{' '}
                  {link.to === null ? <span class="quiet">the property is kept</span> : <button type="button" class="link" onClick={() => { onOpen(link.to ?? 0); }}>to state {link.state}</button>}
                </li>
              ))}
            </ul>
          </>
        )}
      </Awaited>
    </div>
  );
}
