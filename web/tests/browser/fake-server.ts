// A stand-in for the server: a counter from 0 to 3 that may stay where it is. It answers as docs/explorer-api.md says, so
// that the page can be tested where there is no binary, and slow or refused answers can be had on purpose.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnsweredProperty, Told } from '../../src/api/values';
import type { AboutAnswer, AnalysisDoc, BlockedAnswer, CheckDocument, EvidenceDoc, ModelsAnswer, NearbyAnswer, ProofAnswer, PropertyDoc, SpotDoc } from '../../src/api/wire';
import { dist, fixture } from './support';

const FORMULA = [{ id: 0, text: 'x = 3', op: 'atom', operands: [] }, { id: 1, text: '!(x = 3)', op: '!', operands: [0] }, { id: 2, text: 'AG !(x = 3)', op: 'AG', operands: [1] }];

/** Evidence that counts up to a number, with a step that stays where it is at one of them. */
function evidence(to: number, staysAt: number | null = null): EvidenceDoc {
  const counts = Array.from({ length: to + 1 }, (_, at) => at).flatMap(at => (at === staysAt ? [at, at] : [at]));
  const done = to === 3;
  return {
    shape: 'path', minimal: { measure: 'steps', length: counts.length - 1, proved: staysAt === null, at_least: 3, at_least_by: 'checker' }, replayed: true,
    states: counts.map((x, id) => ({ id, values: { x } })),
    edges: counts.slice(1).map((x, at) => ({ from: at, to: at + 1, action: null, changes: x === counts[at] ? [] : [{ variable: 'x', old: counts[at] ?? 0, new: x, line: 2 }] })),
    loop: null, segments: [{ from: null, main: true, sub: 2, holds: false, states: counts.map((_, at) => at), ending: 'goal', to: null }], regions: [],
    formula: FORMULA, proof: counts.map((_, at) => ({ state: at, sub: 2, holds: false, rule: at < counts.length - 1 ? 'continue' : done ? 'goal' : null, premises: at < counts.length - 1 ? [at + 1] : [] })),
    truth: Object.fromEntries(counts.map((x, at) => [String(at), [x === 3, x !== 3, false]])),
  };
}

const told = (steps: number): Told => ({
  because: 'a state where `x = 3` holds is reached', reading: 'Never must x be 3.', answer: 'Here it is.', shape: `${String(steps)} steps`, badges: [], decisions: [], wishes: [],
  steps: [{ state: 3, sentence: 'Now x is 3.', remarks: ['`x = 3` holds'] }],
});

const property: PropertyDoc = {
  name: 'small', text: 'AG !(x = 3)', line: 3, column: 1, kind: 'ctl', class: 'safety', verdict: 'fails', vacuous: null, reach: null, evidence: null,
};

const analysis = (): AnalysisDoc => {
  const found = (fixture('vending.json') as CheckDocument).models[0]?.properties[0]?.analysis;
  if (found === undefined) throw new Error('the fixture has an analysis');
  return found;
};

class Wrong extends Error {
  constructor(readonly status: number, readonly kind: string, message: string) { super(message); }
}

const spots = (x: number): SpotDoc[] => [
  { values: { x }, action: 'stay', changes: [] },
  ...(x < 3 ? [{ values: { x: x + 1 }, action: 'count', changes: [{ variable: 'x', old: x, new: x + 1 }] }] : []),
];

const piece = (node: number): NearbyAnswer => ({
  nodes: [node, node + 1].map(each => ({ node: each, state: each + 10, at: 0, values: null, zone: 'open', kind: each === 8 ? 'ci' : null, distance: each, accepting: false, steps: 2 })),
  edges: [{ from: node, to: node + 1, state: node + 11, action: 'GO', tag: 'incorrect' }, { from: node, to: null, state: 0, action: 'SAVE', tag: 'correct' }],
  left_out: 4,
});

interface Body {
  state?: { x: number }; states?: { x: number }[]; from?: { x: number }; to?: string; deadlock?: boolean; expression?: string; first?: number; count?: number;
  choices?: string[]; ways?: number; avoid?: string[]; kinds?: string[]; which?: string; pattern?: string; node?: number; text?: string; witness?: boolean; wish?: string;
}

const within = <T>(items: T[], { first = 0, count = 50 }: Body): { first: number; total: number; items: T[] } => ({ first, total: items.length, items: items.slice(first, first + count) });

function scene(choices: string[], ways: number | undefined): ProofAnswer {
  const bad = choices.find(choice => !/^(take [12] #\d+|expand( #\d+)?|all|close #\d+|next #\d+|strategy .+)$/.test(choice));
  if (bad !== undefined) throw new Wrong(422, 'rejected', `There is no choice \`${bad}\`.`);
  const shown = choices.includes('all') ? 3 : Math.min(3, choices.filter(choice => /^(take|expand)/.test(choice)).length);
  const now = evidence(shown);
  const strategy = choices.filter(choice => choice.startsWith('strategy ')).at(-1)?.slice(9) ?? 'shortest';
  return {
    model: 0, property: 0, holds: false, choices, said: choices.at(-1)?.startsWith('next') === true ? 'there is no other way to show this' : null, evidence: now, told: { ...told(shown), runs: [], proof: [] }, formula: FORMULA,
    nodes: now.proof.map((_, at) => at), sentences: now.proof.map((_, at) => `\`AG !(x = 3)\` is false at step ${String(at)}`),
    open: shown === 3 ? [] : [{ node: shown, claim: `\`AG !(x = 3)\` is false at step ${String(shown)}`, state: shown, sub: 2, holds: false, rank: 3 - shown }],
    ways: ways === undefined ? null : { node: ways, ways: [{ way: 1, text: 'go on to (x = 1)', kind: 'step', to: null }, { way: 2, text: 'go on to the same state', kind: 'step', to: null }] },
    strategy, strategies: ['shortest', 'random SEED', 'prefer EXPR'],
  };
}

function answer(route: string, body: Body): unknown {
  const x = body.state?.x ?? body.from?.x ?? 0;
  switch (route) {
    case 'about': return { schema: 'wherefore-explorer/1', tool: { name: 'wherefore', version: '0.1.0' }, start: { model: 0, property: 0 }, live: true, command: 'wherefore open counter.smv small', formats: [{ name: 'itf', title: 'ITF trace', media: 'application/json', ending: '.itf.json', languages: ['smv'] }] } satisfies AboutAnswer;
    case 'models': return {
      models: [{
        id: 0, checking: 'done', abilities: ['states', 'proofs', 'debug'], variables: [], source: 'MODULE main\nVAR x : 0..3;\nCTLSPEC AG !(x = 3)\n',
        model: { path: 'counter.smv', language: 'smv', space: { engine: 'explicit', states: 4, transitions: 7 }, notes: [], properties: [{ ...property, id: 0, size: { shape: 'path', steps: 3, because: 'a state where `x = 3` holds is reached' } }] },
      }],
    } satisfies ModelsAnswer;
    case 'models/0/properties/0': return { model: 0, id: 0, property: { ...property, evidence: evidence(3) }, told: told(3), formula: FORMULA } satisfies AnsweredProperty;
    case 'models/0/properties/0/another': return {
      model: 0, id: 0, told: told(3), formula: FORMULA,
      property: { ...property, evidence: evidence(3, body.avoid === undefined ? null : 1), more: Array.from({ length: (body.count ?? 1) - 1 }, (_, at) => ({ evidence: evidence(3, at) })) },
    } satisfies AnsweredProperty;
    case 'models/0/properties/0/proof': return scene(body.choices ?? [], body.ways);
    case 'models/0/properties/0/analyses': return { analysis: 7, model: 0, property: 0, document: { ...property, analysis: analysis() } };
    case 'analyses/7/run': return body.pattern === 'NOTHING' ? { run: null, nodes: [], missing: 'No run has this pattern.' } : { run: analysis().run, nodes: analysis().run?.states.map((_, at) => at) ?? [], missing: null };
    case 'analyses/7/around': return piece(body.node ?? 0);
    case 'analyses/7/steps': return within(piece(body.node ?? 0).edges, body);
    case 'analyses/7/groups': return within(analysis().groups.map((group, at) => ({ ...group, node: at === 0 ? 8 : at })), body);
    case 'analyses/7/queries': return { queries: [{ name: 'nearest', arguments: [], title: 'the nearest neighbourhood' }] };
    case 'analyses/7/query': return { queries: [{ text: body.text, columns: ['n'], rows: [[5], [{ nodes: [0, 1], actions: ['A', 'B'], relationships: [] }]] }] };
    case 'models/0/states/initial': return within([{ values: { x: 0 } }], body);
    case 'models/0/states/successors': return within(spots(x), body);
    case 'models/0/states/predecessors': return within(x === 0 ? [{ values: { x } }] : [{ values: { x: x - 1 } }, { values: { x } }], body);
    case 'models/0/states/truth': return { truth: [x === 3, x !== 3, false], has_path: true };
    case 'models/0/states/evaluate':
      if (body.expression !== 'x') throw new Wrong(422, 'rejected', `\`${body.expression ?? ''}\` is not known.`);
      return { expression: 'x', values: body.states?.map(state => String(state.x)) };
    case 'models/0/states/blocked':
      if (body.wish === 'x = 3') return { possible: null, blockers: [{ kind: 'assignment', line: 2, text: '{x, x + 1}', variable: 'x', allows: [String(x), String(x + 1)] }], open: false } satisfies BlockedAnswer;
      return { possible: spots(x)[1] ?? null, blockers: [], open: false } satisfies BlockedAnswer;
    case 'models/0/states/path': {
      const goal = Number(/^x = (\d)$/.exec(body.to ?? '')?.[1] ?? -1);
      return { steps: goal < x || goal > 3 ? null : Array.from({ length: goal - x }, (_, at) => spots(x + at)[1]) };
    }
    default: throw new Wrong(404, 'not-found', 'There is no such route.');
  }
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, , ...path] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
  if (path[0] !== 'api') {
    const name = path[0] === undefined || path[0] === '' ? 'index.html' : path[0];
    response.setHeader('Content-Security-Policy', "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'");
    response.setHeader('Content-Type', name.endsWith('.js') ? 'text/javascript' : name.endsWith('.css') ? 'text/css' : 'text/html');
    response.end(readFileSync(join(dist, name)));
    return;
  }
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const stream = request.headers.accept?.startsWith('application/x-ndjson') ?? false;
  response.setHeader('Content-Type', stream ? 'application/x-ndjson' : 'application/json');
  try {
    const result = answer(path.slice(2).join('/'), JSON.parse(text === '' ? '{}' : text) as Body);
    response.end(stream ? `{"event":"begun","request":1}\n{"event":"progress","phase":"exploring states","done":3}\n${JSON.stringify({ event: 'result', result })}\n` : JSON.stringify(result));
  } catch (error) {
    const wrong = error instanceof Wrong ? error : new Wrong(500, 'internal', String(error));
    const body = { kind: wrong.kind, message: wrong.message, diagnostics: [] };
    if (!stream) response.statusCode = wrong.status;
    response.end(stream ? `${JSON.stringify({ event: 'error', status: wrong.status, error: body })}\n` : JSON.stringify({ error: body }));
  }
}

/** Starts it; gives its address and a way to stop it. */
export async function startFake(): Promise<{ url: string; stop: () => void }> {
  const server: Server = createServer((request, response) => { void respond(request, response); });
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve); });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${String(port)}/secret/`, stop: () => { server.close(); server.closeAllConnections(); } };
}
