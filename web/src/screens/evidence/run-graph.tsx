// The run as a graph: loops are cycles, branches say what they are for, and choices not taken are ghosts.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { graphOfRun, MOST_NODES } from '../../lib/graph';
import { one } from '../../lib/route';
import { useChoose, usePlace } from '../../ui/context';
import { GraphView } from '../../ui/graph-view';
import type { RunView } from './panes';

export function RunGraph({ run, step, select, name }: RunView & { name: string }): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const ghosts = one(route, 'ghosts') !== 'off';
  const claims = one(route, 'claims') === 'on';
  // Only a run that is bundled is drawn anew for another step.
  const focus = run.states.length > MOST_NODES ? step : 0;
  const graph = useMemo(() => graphOfRun(run, focus, ghosts, MOST_NODES, claims), [run, focus, ghosts, claims]);
  const selected = graph.nodes.find(node => node.id === `s${String(step)}`)?.id ?? null;
  return (
    <>
      <p class="steps-head">
        {run.decisions.some(each => each.instead.length > 0)
          ? <label><input type="checkbox" checked={ghosts} onChange={() => { choose({ ghosts: ghosts ? 'off' : null }); }} /> choices not taken</label>
          : null}
        {run.proof.length > 0
          ? <label><input type="checkbox" checked={claims} onChange={() => { choose({ claims: claims ? null : 'on' }); }} /> claims that states serve</label>
          : null}
      </p>
      <GraphView graph={graph} label="graph of the run" selected={selected} name={name} onSelect={node => { if (node.step !== undefined) select(node.step); }} />
    </>
  );
}
