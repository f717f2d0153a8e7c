// Evidence: the property, the run and the state side by side, always at the same step.

import type { JSX } from 'preact';
import type { Loaded } from '../../ui/use-property';
import { hasRows } from '../../lib/atoms';
import { one } from '../../lib/route';
import { order } from '../../lib/run';
import { useChoose, usePlace } from '../../ui/context';
import { useKeys } from '../../ui/keys';
import { PropertyHead } from '../../ui/property-head';
import { Tabs } from '../../ui/tabs';
import { useProperty, useRunNumber, useStep } from '../../ui/use-property';
import { Awaited } from '../../ui/waiting';
import { CauseLegend } from '../../ui/words';
import { Atoms } from './atoms';
import { Foot } from './foot';
import { NoEvidence } from './no-evidence';
import { PropertyPane } from './property-pane';
import { RunGraph } from './run-graph';
import { Sequence } from './sequence';
import { StatePane } from './state-pane';
import { Steps } from './steps';
import { Table } from './table';
import { Wave } from './wave';

export const VIEWS = [
  { id: 'steps', title: 'Steps', key: '1' },
  { id: 'graph', title: 'Graph', key: '2' },
  { id: 'table', title: 'Table', key: '3' },
  { id: 'wave', title: 'Wave', key: '4' },
  { id: 'sequence', title: 'Sequence', key: '5' },
  { id: 'atoms', title: 'Atoms', key: '6' },
] as const;

export function EvidenceScreen(): JSX.Element {
  const property = useProperty();
  return <Awaited answer={property}>{loaded => <Evidence loaded={loaded} />}</Awaited>;
}

function Evidence({ loaded }: { loaded: Loaded }): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const { answer, runs } = loaded;
  const which = useRunNumber(runs);
  const run = runs[which];
  const step = useStep(run);
  const views = VIEWS.filter(each => each.id !== 'atoms' || hasRows(run?.states[0]?.values ?? {}));
  const view = views.find(each => each.id === one(route, 'view'))?.id ?? (run?.shape === 'instance' ? 'atoms' : 'steps');
  const states = run === undefined ? [] : order(run);
  const select = (state: number, quietly = false): void => { choose({ step: state }, { quietly }); };
  const move = (by: number): void => {
    const next = states[Math.max(0, Math.min(states.length - 1, states.indexOf(step) + by))];
    if (next !== undefined) select(next, true);
  };
  const show = (id: string): void => { choose({ view: id }); };
  useKeys([
    { keys: ['j', 'ArrowDown', 'ArrowRight'], help: 'the next step', run: () => { move(1); } },
    { keys: ['k', 'ArrowUp', 'ArrowLeft'], help: 'the step before', run: () => { move(-1); } },
    { keys: ['Home'], help: 'the first step', run: () => { move(-states.length); } },
    { keys: ['End'], help: 'the last step', run: () => { move(states.length); } },
    ...views.map(({ id, title, key }) => ({ keys: [key], help: `show the run as ${title}`, run: () => { show(id); } })),
  ]);
  if (run === undefined) return <NoEvidence answer={answer} />;
  const panes = { run, step, select };
  return (
    <div class="evidence">
      <PropertyHead answer={answer} />
      <div class="panes">
        <section class="pane pane-property" aria-label="property"><PropertyPane {...panes} answer={answer} /></section>
        <section class="pane pane-run" aria-label="run">
          <Tabs label="views of the run" tabs={views} selected={view} panel="run-panel" onSelect={show} />
          <div id="run-panel" role="tabpanel" aria-labelledby={`tab-${view}`} class={`run-panel run-${view}`}>
            {view === 'steps' ? <Steps {...panes} /> : null}
            {view === 'graph' ? <RunGraph {...panes} name={`${answer.property.name} ${String(which)}`} /> : null}
            {view === 'table' ? <Table {...panes} /> : null}
            {view === 'wave' ? <Wave {...panes} /> : null}
            {view === 'atoms' ? <Atoms {...panes} name={`${answer.property.name} ${String(which)}`} /> : null}
            {view === 'sequence' ? <Sequence {...panes} /> : null}
          </div>
          {view === 'sequence' || view === 'atoms' ? null : <CauseLegend causes={run.causes} />}
        </section>
        <section class="pane pane-state" aria-label="state"><StatePane {...panes} answer={answer} /></section>
      </div>
      <Foot loaded={loaded} which={which} step={step} />
    </div>
  );
}
