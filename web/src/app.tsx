// The page: a bar at the top, and the screen that the address names.

import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { AboutAnswer, ModelEntryDoc, ModelsAnswer } from './api/wire';
import type { Source } from './api/source';
import { AllScreen } from './screens/all';
import { BlameScreen } from './screens/blame';
import { CompareScreen } from './screens/compare';
import { EvidenceScreen } from './screens/evidence';
import { ExploreScreen } from './screens/explore';
import { OverviewScreen } from './screens/overview';
import { ProofScreen } from './screens/proof';
import { ReportScreen } from './screens/report';
import { verdictsOf, type Verdicts } from './lib/changed';
import { format } from './lib/route';
import { Bar } from './ui/bar';
import { PlaceContext } from './ui/context';
import { listen } from './ui/keys';
import { useAnswer, type Answer } from './ui/use-answer';
import { Tour } from './ui/tour';
import { useRoute } from './ui/use-route';
import { Awaited } from './ui/waiting';
import { verdictWord } from './ui/words';

/** How often the list is asked for while properties are being checked. */
const EVERY = 600;

interface Start {
  about: AboutAnswer;
  models: ModelEntryDoc[];
}

export function App({ source }: { source: Source }): JSX.Element {
  const [route, go] = useRoute();
  const [start, refresh] = useStart(source);
  const [before, setBefore] = useState<ReadonlyMap<number, Verdicts>>(new Map());
  const recheck = async (entry: ModelEntryDoc): Promise<void> => {
    setBefore(new Map(before).set(entry.id, verdictsOf(entry.model.properties, verdictWord)));
    const done = source.ask(`models/${String(entry.id)}/check`, {});
    refresh();
    await done.finally(refresh);
  };
  useLayoutEffect(listen, []);
  // A server may be asked to begin with a property.
  useLayoutEffect(() => {
    if (start.state !== 'ready' || location.hash !== '' || !start.value.about.live) return;
    const { model, property } = start.value.about.start;
    const listed = start.value.models[model]?.model.properties.find(each => each.id === property);
    if (listed !== undefined) go({ screen: 'evidence', property: listed.name, model, query: {} }, { quietly: true });
  }, [start.state]);
  return (
    <Awaited answer={start}>
      {({ about, models }) => (
        <PlaceContext.Provider value={{ source, about, models, route, go, refresh, before, recheck }}>
          <Bar />
          <Tour />
          <main id="main" tabIndex={-1} class={`screen screen-${route.screen}`} data-address={format(route)}><Screen name={route.screen} /></main>
        </PlaceContext.Provider>
      )}
    </Awaited>
  );
}

function Screen({ name }: { name: string }): JSX.Element {
  switch (name) {
    case 'evidence': return <EvidenceScreen />;
    case 'blame': return <BlameScreen />;
    case 'proof': return <ProofScreen />;
    case 'all': return <AllScreen />;
    case 'compare': return <CompareScreen />;
    case 'explore': return <ExploreScreen />;
    case 'report': return <ReportScreen />;
    default: return <OverviewScreen />;
  }
}

/** What the page begins with; asked again while properties are being checked. */
function useStart(source: Source): [Answer<Start>, () => void] {
  const [round, setRound] = useState(0);
  const answer = useAnswer<Start>(`start ${String(round)}`, async signal => {
    const [about, { models }] = await Promise.all([source.get<AboutAnswer>('about', signal), source.get<ModelsAnswer>('models', signal)]);
    return { about, models };
  });
  const models = answer.state === 'ready' ? answer.value.models : null;
  const refresh = (): void => { setRound(round => round + 1); };
  useEffect(() => {
    const busy = models?.some(entry => entry.checking === 'running' || entry.checking === 'waiting') ?? false;
    if (!busy) return undefined;
    const timer = setTimeout(refresh, EVERY);
    return () => { clearTimeout(timer); };
  }, [models]);
  // While the list is asked for again, the one before is shown.
  return [answer.state === 'waiting' && answer.last !== null ? { state: 'ready', value: answer.last } : answer, refresh];
}
