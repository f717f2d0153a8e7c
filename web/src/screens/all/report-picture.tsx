// The picture in a report: what it has inside, or the shortest counterexample with what stands beside it.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { AnsweredProperty } from '../../api/values';
import type { AnalysisDoc } from '../../api/wire';
import { one } from '../../lib/route';
import { graphOfCourse, graphOfPlaces } from '../../lib/tagged';
import { useChoose, usePlace } from '../../ui/context';
import { GraphView } from '../../ui/graph-view';
import { Empty } from '../../ui/words';

export function ReportPicture({ answer, analysis }: { answer: AnsweredProperty; analysis: AnalysisDoc }): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const every = one(route, 'every') !== undefined;
  const { graph: piece } = answer;
  const { run } = analysis;
  const graph = useMemo(() => (piece !== undefined ? graphOfPlaces(piece, new Set()) : run === undefined ? null : graphOfCourse(run, every)), [piece, run, every]);
  const selected = one(route, 'node') ?? null;
  if (graph === null) return <Empty title={analysis.missing ?? 'There is no counterexample to draw.'} />;
  return (
    <>
      {piece === undefined ? (
        <p class="steps-head"><label><input type="checkbox" checked={every} onChange={() => { choose({ every: every ? null : 1 }); }} /> every step</label></p>
      ) : null}
      <GraphView graph={graph} label="counterexamples" name={`${answer.property.name} ${String(every)}`} selected={selected} onSelect={node => { choose({ node: node.id }); }} />
    </>
  );
}
