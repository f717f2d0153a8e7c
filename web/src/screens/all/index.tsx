// All counterexamples at once: the tagged graph, its neighbourhoods, and runs through it.

import type { JSX } from 'preact';
import type { Analysed, AnsweredProperty } from '../../api/values';
import type { AnalysisDoc, ListedPropertyDoc } from '../../api/wire';
import { usePlace } from '../../ui/context';
import { PropertyHead } from '../../ui/property-head';
import { useAnswer } from '../../ui/use-answer';
import { useListed, useProperty, type Loaded } from '../../ui/use-property';
import { Awaited } from '../../ui/waiting';
import { Empty } from '../../ui/words';
import { LivePicture } from './live-picture';
import { ReportPicture } from './report-picture';
import { Summary } from './summary';

export function AllScreen(): JSX.Element {
  const property = useProperty();
  return <Awaited answer={property}>{loaded => <All loaded={loaded} />}</Awaited>;
}

function All({ loaded }: { loaded: Loaded }): JSX.Element {
  const { source } = usePlace();
  const { entry } = useListed();
  const { answer } = loaded;
  const live = source.live && (entry?.abilities.includes('debug') ?? false) && answer.property.verdict !== 'unknown';
  if (live) return <Live answer={answer} />;
  const { analysis } = answer.property;
  if (analysis === undefined) {
    return (
      <div class="evidence">
        <PropertyHead answer={answer} brief />
        <Empty title="All counterexamples at once are not known here.">
          <p>{source.live
            ? 'They are there for labelled transition systems and for SMV models whose states can be listed.'
            : 'A report has them for labelled transition systems. For others, open the model with `wherefore open`.'}</p>
        </Empty>
      </div>
    );
  }
  return <Page answer={answer} analysis={analysis} picture={<ReportPicture answer={answer} analysis={analysis} />} />;
}

/** An analysis is made once for a property as it is listed: whoever comes back finds it as it was. */
const analyses = new WeakMap<ListedPropertyDoc, Analysed>();

function Live({ answer }: { answer: AnsweredProperty }): JSX.Element {
  const { source } = usePlace();
  const { listed } = useListed();
  const route = `models/${String(answer.model)}/properties/${String(answer.id)}/analyses`;
  const analysis = useAnswer<Analysed>(route, async (signal, progress) => {
    const made = (listed === undefined ? undefined : analyses.get(listed)) ?? await source.ask<Analysed>(route, {}, signal, progress);
    if (listed !== undefined) analyses.set(listed, made);
    return made;
  });
  if (analysis.state === 'failed') {
    return <div class="evidence"><PropertyHead answer={answer} brief /><Empty title="All counterexamples at once are not known here."><p>{analysis.message}</p></Empty></div>;
  }
  return (
    <Awaited answer={analysis}>
      {value => (
        <Page
          answer={answer} analysis={value.document.analysis} number={value.analysis}
          picture={<LivePicture answer={answer} number={value.analysis} analysis={value.document.analysis} />}
        />
      )}
    </Awaited>
  );
}

function Page({ answer, analysis, picture, number }: { answer: AnsweredProperty; analysis: AnalysisDoc; picture: JSX.Element; number?: number }): JSX.Element {
  return (
    <div class="evidence">
      <PropertyHead answer={answer} brief />
      <div class="panes panes-wide">
        <section class="pane" aria-label="summary"><Summary analysis={analysis} {...(number === undefined ? {} : { number })} /></section>
        <section class="pane pane-run" aria-label="graph of all counterexamples">{picture}</section>
      </div>
    </div>
  );
}
