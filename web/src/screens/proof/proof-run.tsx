// The run that the proof speaks of, as far as it is shown.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { graphOfRun } from '../../lib/graph';
import { number, one } from '../../lib/route';
import { useChoose, usePlace } from '../../ui/context';
import { GraphView } from '../../ui/graph-view';
import { Tabs } from '../../ui/tabs';
import { Empty } from '../../ui/words';
import { Steps } from '../evidence/steps';
import type { Shown } from './index';

const VIEWS = [{ id: 'graph', title: 'Graph' }, { id: 'steps', title: 'Steps' }];

export function ProofRun({ shown, chosen, name }: { shown: Shown; chosen: number | null; name: string }): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const { run } = shown;
  const view = one(route, 'view') === 'steps' ? 'steps' : 'graph';
  const claim = run.proof[shown.names.indexOf(chosen ?? -1)];
  const step = one(route, 'step') === undefined ? claim?.state ?? 0 : number(route, 'step', 0);
  const graph = useMemo(() => {
    const drawn = graphOfRun(run, step, false);
    const open = new Map<string, number>();
    for (const { rule, state } of run.proof) if (rule === null) open.set(`s${String(state)}`, (open.get(`s${String(state)}`) ?? 0) + 1);
    for (const node of drawn.nodes) {
      const here = open.get(node.id);
      if (here !== undefined) node.marks.push(`? ${String(here)} open`);
    }
    return drawn;
  }, [run, run.states.length > 300 ? step : 0]);
  const select = (state: number): void => { choose({ step: state }); };
  return (
    <>
      <Tabs label="views of the run" tabs={VIEWS} selected={view} panel="proof-panel" onSelect={id => { choose({ view: id === 'graph' ? null : id }); }} />
      <div id="proof-panel" role="tabpanel" aria-labelledby={`tab-${view}`} class="run-panel">
        {run.states.length === 0 ? <Empty title="Nothing is shown yet." /> : null}
        {view === 'graph'
          ? <GraphView graph={graph} label="graph of the proof" name={name} selected={`s${String(step)}`} onSelect={node => { if (node.step !== undefined) select(node.step); }} />
          : <Steps run={run} step={step} select={select} />}
      </div>
    </>
  );
}
