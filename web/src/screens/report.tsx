// Report: everything on one page, to be read from top to bottom and printed.

import type { JSX } from 'preact';
import type { ListedPropertyDoc, ModelEntryDoc } from '../api/wire';
import { graphOfRun } from '../lib/graph';
import { decision, lengthOf, nothing } from '../lib/tell';
import { plural } from '../lib/values';
import { usePlace } from '../ui/context';
import { StaticGraph } from '../ui/graph-shapes';
import { PropertyHead } from '../ui/property-head';
import { useAnswer } from '../ui/use-answer';
import { load, type Loaded } from '../ui/use-property';
import { Awaited } from '../ui/waiting';
import { Badge, CauseLegend, Chip, Prose, verdictWord } from '../ui/words';
import { Steps } from './evidence/steps';
import { WhyHolds } from './evidence/why-holds';

/** Longer runs are not printed step by step. */
const LONGEST = 200;
/** So many changes that mend a property are printed; the screen `To blame` lists all. */
const MOST_MENDS = 3;

export function ReportScreen(): JSX.Element {
  const { models, about, source } = usePlace();
  return (
    <div class="page report">
      <p class="buttons no-print"><button type="button" onClick={() => { print(); }}>Print</button>{source.live ? <span class="quiet">To keep it as one file: <code>wherefore check --html report.html</code></span> : null}</p>
      <h1 class="hidden">Report</h1>
      {models.map(entry => <ModelReport key={entry.id} entry={entry} />)}
      <p class="notice">{about.tool.name} {about.tool.version}{about.command === undefined ? '' : ` · ${about.command}`}</p>
    </div>
  );
}

function ModelReport({ entry }: { entry: ModelEntryDoc }): JSX.Element {
  const { model } = entry;
  const interesting = model.properties.filter(property => property.verdict === 'fails' || property.why !== undefined || property.size !== null);
  return (
    <>
      <section class="card">
        <h2>{model.path}</h2>
        <p class="notice">{plural(model.properties.length, 'property', 'properties')}{model.space === null ? '' : `; ${plural(model.space.states, 'state')}, engine ${model.space.engine}`}</p>
        <table class="properties">
          <thead><tr><th scope="col">verdict</th><th scope="col">property</th></tr></thead>
          <tbody>{model.properties.map(property => <tr key={property.id}><td><Chip word={verdictWord(property)} /></td><td><strong>{property.name}</strong> <code class="property-text">{property.text}</code></td></tr>)}</tbody>
        </table>
      </section>
      {interesting.map(property => <PropertyReport key={property.id} entry={entry} property={property} />)}
    </>
  );
}

function PropertyReport({ entry, property }: { entry: ModelEntryDoc; property: ListedPropertyDoc }): JSX.Element {
  const { source } = usePlace();
  const route = `models/${String(entry.id)}/properties/${String(property.id)}`;
  const answer = useAnswer<Loaded>(route, (signal, progress) => load(source, route, entry.model.language, null, signal, progress));
  return <section class="card report-property" aria-label={property.name}><Awaited answer={answer}>{value => <Told loaded={value} />}</Awaited></section>;
}

function Told({ loaded: { answer, runs: [run] } }: { loaded: Loaded }): JSX.Element {
  if (run === undefined) return <><PropertyHead answer={answer} level={2} /><p class="notice">{nothing(answer.property)}</p>{answer.property.why === undefined ? null : <WhyHolds answer={answer} />}</>;
  const mends = (answer.property.blame ?? []).filter(suspect => suspect.role === 'mend').slice(0, MOST_MENDS);
  return (
    <>
      <PropertyHead answer={answer} level={2} />
      <p class="report-badges"><Badge>{run.shape}</Badge> <Badge>{lengthOf(run)}</Badge> {run.replayed === true ? <Badge kind="good">replayed: ok</Badge> : null}</p>
      {answer.told === null ? null : <p><Prose text={answer.told.reading ?? ''} /> <Prose text={answer.told.answer ?? ''} /></p>}
      <StaticGraph graph={graphOfRun(run, 0, true, 40)} label={`graph of ${answer.property.name}`} />
      {run.rows.length <= LONGEST ? <Steps run={run} step={-1} select={() => undefined} plain /> : <p class="notice">{plural(run.states.length, 'state')}: too many to print. The evidence screen lists them.</p>}
      <CauseLegend causes={run.causes} />
      {mends.length === 0 ? null : (
        <div class="report-blame">
          <h3>To blame</h3>
          <ul>{mends.map((suspect, at) => <li key={at}><Prose text={suspect.why} /></li>)}</ul>
        </div>
      )}
      {run.decisions.map((each, at) => <p key={at}><Prose text={decision(run, each)} /></p>)}
    </>
  );
}
