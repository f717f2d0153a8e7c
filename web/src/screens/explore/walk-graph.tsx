// The walk as a graph: equal states are one node, and the steps that can follow are ghosts. An expression may say which
// states count as one.

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Spot, Window } from '../../api/values';
import type { ValuesAnswer } from '../../api/wire';
import { one } from '../../lib/route';
import type { Run } from '../../lib/run';
import { graphOfWalk } from '../../lib/walk-graph';
import { useChoose, usePlace } from '../../ui/context';
import { GraphView } from '../../ui/graph-view';
import { useAnswer, valueOf } from '../../ui/use-answer';
import { Awaited } from '../../ui/waiting';

const GHOSTS = 30;

export function WalkGraph({ run, step, add }: { run: Run; step: number; add: (choice: string) => void }): JSX.Element {
  const { source, route } = usePlace();
  const choose = useChoose();
  const by = one(route, 'by') ?? '';
  const [text, setText] = useState(by);
  const last = run.states.at(-1)?.raw ?? {};
  const base = `models/${String(route.model)}/states`;
  const next = useAnswer<Window<Spot>>(`ghosts ${JSON.stringify(last)}`, signal => source.ask(`${base}/successors`, { state: last, count: GHOSTS }, signal));
  const spots = valueOf(next)?.items ?? [];
  const states = [...run.states.map(state => state.raw), ...spots.map(spot => spot.values)];
  const classes = useAnswer<ValuesAnswer>(by === '' ? null : `by ${by} ${JSON.stringify(states)}`, signal => source.ask(`${base}/evaluate`, { states, expression: by }, signal));
  const values = by === '' ? null : valueOf(classes)?.values ?? null;
  const graph = useMemo(() => graphOfWalk(run, spots, values), [run, spots, values]);
  const selected = graph.nodes.find(node => node.steps.includes(step))?.id ?? null;
  return (
    <>
      <form class="steps-head" onSubmit={event => { event.preventDefault(); choose({ by: text.trim() === '' ? null : text.trim() }); }}>
        <label>one node for each value of <input type="text" placeholder="an expression" value={text} onInput={event => { setText(event.currentTarget.value); }} /></label>
        {classes.state === 'failed' ? <Awaited answer={classes}>{() => null}</Awaited> : null}
      </form>
      <GraphView
        graph={graph} label="graph of the walk" name={`walk ${by}`} selected={selected}
        onSelect={node => { if (node.kind === 'ghost' && node.step !== undefined) add(String(node.step)); else if (node.step !== undefined) choose({ step: node.step }); }}
      />
    </>
  );
}
