import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AnsweredProperty } from '../../src/api/values';
import type { CheckDocument, CourseDoc, EvidenceDoc, PropertyDoc } from '../../src/api/wire';
import { reportOf } from '../../src/api/report';
import { reportSource, sourceOf } from '../../src/api/source';
import { compare } from '../../src/lib/compare';
import { graphOfRun } from '../../src/lib/graph';
import { proofRows } from '../../src/lib/proof-rows';
import { order, runOfCourse, runOfInstance, runsOf, type Run } from '../../src/lib/run';
import { decision, lengthOf, nothing, sentence, whyHere } from '../../src/lib/tell';

const elevator = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/elevator.json'), 'utf8')) as CheckDocument;

function property(name: string): PropertyDoc {
  const found = elevator.models[0]?.properties.find(each => each.name === name);
  if (found === undefined) throw new Error(`no property ${name}`);
  return found;
}

function runOf(name: string): Run {
  const run = runsOf(property(name))[0];
  if (run === undefined) throw new Error(`no run of ${name}`);
  return run;
}

/** A straight run of so many steps that goes back to its middle. */
function long(length: number): Run {
  const states = Array.from({ length }, (_, id) => ({ id, values: { n: id } }));
  const edges = states.map(({ id }) => ({ from: id, to: id + 1 === length ? length >> 1 : id + 1, action: null, changes: [] }));
  const evidence: EvidenceDoc = {
    shape: 'lasso', minimal: { measure: 'steps', length, proved: true, at_least: length, at_least_by: 'checker' }, replayed: true, states, edges, loop: length >> 1,
    segments: [{ from: null, main: true, sub: 0, holds: false, states: states.map(({ id }) => id), ending: 'loop', to: length >> 1 }],
    regions: [], formula: [{ id: 0, text: 'p' }], proof: [], truth: {},
  };
  return runsOf({ ...property('third'), evidence, decisions: [] })[0] ?? runOf('third');
}

describe('runs', () => {
  test('a lasso lists its steps, marks its loop and says where it goes back to', () => {
    const run = runOf('upstairs');
    expect(order(run)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(run.rows.map(row => (row.kind === 'state' ? row.looping : row.kind))).toEqual([false, false, false, true, true, true, 'back']);
    expect(run.rows.at(-1)).toMatchObject({ kind: 'back', to: 3, ending: 'loop' });
    expect(lengthOf(run)).toBe('3 steps, then a loop of 3 steps');
  });

  test('a loop of one step goes back to its only state', () => {
    const run = runOf('third');
    expect(run.rows).toHaveLength(2);
    expect(lengthOf(run)).toBe('a loop of 1 step');
  });

  test('the reasons of a step name what is first claimed there', () => {
    expect(whyHere(runOf('upstairs'), 3)).toContain('`floor != 1` holds');
    expect(whyHere(runOf('upstairs'), 1)).toBe('');
  });

  test('every claim of the proof is a sentence', () => {
    const run = runOf('upstairs');
    for (const [at, node] of run.proof.entries()) expect(sentence(run, node, at)).toMatch(/^`.+` (holds|is false): .+/);
  });

  test('a decision names what else was possible', () => {
    const run = runOf('upstairs');
    const lost = run.decisions.find(each => each.choice === 'lost');
    expect(lost === undefined ? '' : decision(run, lost)).toMatch(/^Last chance at step 2: a step to \(floor = 2, btn3.p = TRUE\), /);
  });

  test('a property without evidence says why', () => {
    expect(nothing(property('served'))).toBe('No counterexample: the property holds.');
    expect(nothing(property('top'))).toContain('has no effect');
    expect(nothing({ ...property('served'), verdict: 'fails', why: { rechecked: true, lines: [] } })).toBe('No run alone shows this; its reason does.');
    expect(nothing({ ...property('served'), verdict: 'unknown', reason: 'Time ran out.' })).toBe('Time ran out.');
  });

  test('an Alloy trace is a run whose changes are rows', () => {
    const run = runOfInstance({
      atoms: [], witnesses: [], loop: 1,
      states: [{ signatures: { P: ['P$0'] }, fields: { 'P.f': [] } }, { signatures: { P: ['P$0'] }, fields: { 'P.f': [['P$0', 'Q$0']] } }],
    }, 'Instance');
    expect(run.shape).toBe('lasso');
    expect(run.steps[0]?.changes).toMatchObject([{ variable: 'P.f', added: [['P$0', 'Q$0']], removed: [] }]);
    expect(run.steps[1]).toMatchObject({ from: 1, to: 1, changes: [] });
  });

  test('a counterexample of debug has actions and tags', () => {
    const course: CourseDoc = {
      which: 'shortest', length: 1, abstracted: 1, ending: 'reached', loop: null,
      states: [{ state: 4, at: 0, neighbourhood: { type: 'ci', correct: ['A'], incorrect: ['B'], neutral: [] } }, { state: 7, at: 1, neighbourhood: null }],
      steps: [{ action: 'B', tag: 'incorrect', kept: true }],
    };
    const run = runOfCourse(course);
    expect(run.steps[0]).toMatchObject({ action: 'B', tag: 'incorrect' });
    expect(run.states[0]?.mark).toBe('ci');
    expect(run.rows.at(-1)).toMatchObject({ kind: 'end', text: 'the property is broken' });
  });
});

describe('graphs of runs', () => {
  test('a loop is a cycle, and choices not taken are ghosts', () => {
    const graph = graphOfRun(runOf('upstairs'), 0, true);
    expect(graph.edges.filter(edge => edge.loop)).toMatchObject([{ from: 's5', to: 's3', label: 'for ever' }]);
    expect(graph.nodes.filter(node => node.kind === 'ghost')).toHaveLength(3);
    expect(graphOfRun(runOf('upstairs'), 0, false).nodes.filter(node => node.kind === 'ghost')).toHaveLength(0);
  });

  test('nodes show the claims that their states serve, if asked to', () => {
    const lines = (claims: boolean): string[] => graphOfRun(runOf('upstairs'), 0, false, 300, claims).nodes.flatMap(node => node.lines);
    expect(lines(false)).not.toContain('--');
    expect(lines(true)).toContain('--');
    expect(lines(true).some(line => line.endsWith('is false'))).toBe(true);
  });

  test('no more than 300 nodes are drawn, the rest is bundled, and the picture says so', () => {
    const run = long(100_000);
    const graph = graphOfRun(run, 77_777, true);
    expect(graph.nodes.length).toBeLessThanOrEqual(300);
    expect(graph.nodes.some(node => node.id === 's77777')).toBe(true);
    expect(graph.nodes.some(node => node.id === 's50000')).toBe(true);
    expect(graph.note).toMatch(/^100\u202f000 states, showing \d+; the others are bundled\.$/);
    // The bundles and the states drawn are everything there is.
    const bundled = graph.nodes.flatMap(node => (node.kind === 'bundle' ? [Number(node.title.replace(/\D/g, ''))] : []));
    expect(bundled.reduce((sum, size) => sum + size, 0) + graph.nodes.filter(node => node.kind === 'state').length).toBe(100_000);
  });
});

describe('comparing', () => {
  test('two runs agree up to the step where they part', () => {
    const { common, rows, equal } = compare(runOf('upstairs'), runOf('rest'));
    expect(common).toBe(1);
    expect(equal).toBe(false);
    expect(rows[1]?.differs.map(each => each.variable)).toEqual(['btn2.p', 'btn3.p']);
    expect(rows.map(row => row.kind)).toEqual(['same', 'parts', 'after', 'after', 'after', 'after', 'after']);
  });

  test('of long runs those rows are shown where they part', () => {
    const whole = compare(runOf('upstairs'), runOf('rest'));
    const { rows, first, total } = compare(runOf('upstairs'), runOf('rest'), 3);
    expect([first, total]).toEqual([0, 7]);
    expect(rows).toEqual(whole.rows.slice(0, 3));
  });

  test('a run is the same as itself', () => {
    expect(compare(runOf('upstairs'), runOf('upstairs'))).toMatchObject({ equal: true, common: 6 });
  });
});

describe('proofs as rows', () => {
  test('every claim stands there once, and loops end', () => {
    const { proof } = runOf('upstairs');
    const { rows, left } = proofRows(proof, new Set());
    expect(left).toBe(0);
    expect(rows.filter(row => !row.again).map(row => row.node).sort((a, b) => a - b)).toEqual(proof.map((_, at) => at));
  });

  test('what is folded is not listed', () => {
    expect(proofRows(runOf('upstairs').proof, new Set([0])).rows).toMatchObject([{ node: 0, folded: 1 }]);
  });

  test('a claim that goes on is not indented', () => {
    const { rows } = proofRows(runOf('upstairs').proof, new Set());
    expect(rows.slice(0, 4).map(row => row.depth)).toEqual([0, 0, 0, 0]);
  });
});

describe('reports', () => {
  test('a plain document answers as a report does', async () => {
    const source = sourceOf(elevator);
    const answer = await source.get<AnsweredProperty>('models/0/properties/1');
    expect(answer.property.name).toBe('upstairs');
    expect(source.live).toBe(false);
  });

  test('a report answers nothing that is not in it', async () => {
    const source = reportSource(reportOf(elevator));
    await expect(source.get('models/0/properties/99')).rejects.toThrow('does not have the answer');
    await expect(source.ask('models/0/states/initial', {})).rejects.toThrow('no new questions');
  });
});
