// The selected state of an Alloy model as a graph of its atoms. Atoms stay where they are from step to step.

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { graphOfAtoms } from '../../lib/atoms';
import { stepTo } from '../../lib/run';
import { GraphView } from '../../ui/graph-view';
import { Empty } from '../../ui/words';
import type { RunView } from './panes';

export function Atoms({ run, step, name }: RunView & { name: string }): JSX.Element {
  const [chosen, setChosen] = useState<string | null>(null);
  const values = run.states[step]?.values ?? {};
  const from = stepTo(run, step)?.from;
  const before = from === undefined ? null : run.states[from]?.values ?? null;
  const graph = useMemo(() => graphOfAtoms(values, before), [values, before]);
  if (graph.nodes.length === 0) return <Empty title="There is no atom in this state." />;
  return <GraphView graph={graph} label={`atoms at step ${String(step)}`} name={`${name} atoms`} selected={chosen} onSelect={node => { setChosen(node.id); }} />;
}
