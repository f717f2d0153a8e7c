// Neighbourhoods that are alike, as one line each: what is right, wrong and open there.

import type { JSX } from 'preact';
import type { Window } from '../../api/values';
import type { AnalysisDoc, NeighbourhoodDoc } from '../../api/wire';
import { markOf } from '../../lib/tagged';
import { plural } from '../../lib/values';
import { useChoose, usePlace } from '../../ui/context';
import { useAnswer, valueOf } from '../../ui/use-answer';
import { TagMark } from '../../ui/words';

type Group = NeighbourhoodDoc & { count: number; state: number; node?: number };

const MOST = 30;

export function Groups({ analysis, kinds, number }: { analysis: AnalysisDoc; kinds: readonly string[]; number?: number }): JSX.Element | null {
  const { source } = usePlace();
  const choose = useChoose();
  const asked = useAnswer<Window<Group>>(number === undefined ? null : `groups ${String(number)}`, signal => source.ask(`analyses/${String(number ?? 0)}/groups`, { count: 200 }, signal));
  const groups: Group[] = valueOf(asked)?.items ?? analysis.groups;
  const shown = groups.filter(group => kinds.length === 0 || kinds.includes(group.type));
  if (groups.length === 0) return null;
  return (
    <>
      <h3>Groups of similar ones <span class="at">{plural(shown.length, 'group')}</span></h3>
      {shown.length === 0 ? <p class="notice">No neighbourhood has this type.</p> : null}
      <ul class="groups">
        {shown.slice(0, MOST).map((group, at) => (
          <li key={at} class="group">
            {group.node === undefined
              ? <span class="group-head">{markOf(group.type)} at state {group.state}{group.count > 1 ? `, and ${String(group.count - 1)} more` : ''}</span>
              : <button type="button" class="group-head" onClick={() => { choose({ node: group.node ?? null }); }}>{markOf(group.type)} at state {group.state}{group.count > 1 ? `, and ${String(group.count - 1)} more` : ''}</button>}
            {(['correct', 'incorrect', 'neutral'] as const).map(tag => group[tag].length === 0 ? null : (
              <span key={tag} class="group-labels"><TagMark tag={tag} />{group[tag].slice(0, 6).join(', ')}{group[tag].length > 6 ? ` and ${String(group[tag].length - 6)} more` : ''}</span>
            ))}
          </li>
        ))}
      </ul>
      {shown.length > MOST ? <p class="notice">{plural(shown.length, 'group')}, showing {MOST}.</p> : null}
    </>
  );
}
