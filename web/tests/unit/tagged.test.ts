import { describe, expect, test } from 'vitest';
import type { CourseDoc, GraphEdgeDoc, GraphNodeDoc } from '../../src/api/wire';
import { graphOfAtoms } from '../../src/lib/atoms';
import { lanesOf } from '../../src/lib/actors';
import { chart, inSight, matcher } from '../../src/lib/columns';
import type { Run } from '../../src/lib/run';
import { foldSets } from '../../src/lib/sets';
import { graphOfCourse, graphOfPlaces, union } from '../../src/lib/tagged';

const course: CourseDoc = {
  which: 'shortest', length: 5, abstracted: 2, ending: 'reached', loop: null,
  states: [0, 1, 2, 3, 4, 5].map(state => ({ state, at: 0, neighbourhood: state === 3 ? { type: 'ci', correct: ['OK'], incorrect: ['BAD', 'WORSE'], neutral: [] } : null })),
  steps: ['A', 'B', 'C', 'BAD', 'D'].map((action, at) => ({ action, tag: at < 3 ? 'neutral' : 'incorrect', kept: at === 2 || at === 3 })),
};

const place = (node: number, more: Partial<GraphNodeDoc> = {}): GraphNodeDoc => ({ node, state: node, at: 0, values: null, zone: 'open', kind: null, distance: node, accepting: false, steps: 1, ...more });
const link = (from: number, to: number | null, action: string, tag: GraphEdgeDoc['tag']): GraphEdgeDoc => ({ from, to, state: to ?? 0, action, tag });

describe('pictures of all counterexamples', () => {
  test('steps that decide nothing are bundled, and neighbourhoods keep all their steps', () => {
    const graph = graphOfCourse(course, false);
    expect(graph.nodes.map(node => node.title)).toEqual(['state 0', '… 1 state …', 'state 2', 'state 3', 'state 4', 'state 5', '+ kept', 'wrong']);
    expect(graph.nodes.find(node => node.title === 'state 3')?.marks).toEqual(['◆ ci']);
    expect(graph.edges.filter(edge => edge.from === 'c3').map(edge => `${edge.tag ?? ''} ${edge.label}`)).toEqual(['incorrect BAD', 'correct OK', 'incorrect WORSE']);
    expect(graph.note).not.toBe('');
  });

  test('every step is drawn when that is asked for', () => {
    expect(graphOfCourse(course, true).nodes.filter(node => node.kind === 'bundle')).toEqual([]);
  });

  test('steps between the same states with the same tag share a line', () => {
    const graph = graphOfPlaces({ nodes: [place(0), place(1)], edges: [link(0, 1, 'A', 'neutral'), link(0, 1, 'B', 'neutral'), link(0, 1, 'C', 'incorrect'), link(0, null, 'D', 'correct')], left_out: 0 }, new Set());
    expect(graph.edges.map(edge => `${edge.tag ?? ''}: ${edge.label}`)).toEqual(['neutral: A, B', 'incorrect: C', 'correct: D']);
  });

  test('of a large piece the run and the neighbourhoods are drawn first, and the rest is counted', () => {
    const nodes = Array.from({ length: 1000 }, (_, at) => place(at, at === 900 ? { kind: 'cin' } : {}));
    const graph = graphOfPlaces({ nodes, edges: [], left_out: 5 }, new Set([999]));
    expect(graph.nodes.length).toBeLessThanOrEqual(300);
    expect(graph.nodes.map(node => node.id)).toEqual(expect.arrayContaining(['n999', 'n900', 'n0']));
    expect(graph.note).toContain('805 states are not drawn');
  });

  test('ends of steps count, too', () => {
    const nodes = Array.from({ length: 400 }, (_, at) => place(at));
    const edges = nodes.flatMap(({ node }) => [link(node, null, 'A', 'correct'), link(node, node + 5000, 'B', 'incorrect')]);
    const graph = graphOfPlaces({ nodes, edges, left_out: 0 }, new Set());
    expect(graph.nodes).toHaveLength(300);
    const drawn = new Set(graph.nodes.map(node => node.id));
    expect(graph.edges.every(edge => drawn.has(edge.from) && drawn.has(edge.to))).toBe(true);
    expect(graph.note).toContain('lead further');
  });

  test('of a run with very many neighbourhoods both ends are drawn, and the rest is counted', () => {
    const size = 50_000;
    const long: CourseDoc = {
      which: 'shortest', length: size - 1, abstracted: size, ending: 'reached', loop: null,
      states: Array.from({ length: size }, (_, state) => ({ state, at: 0, neighbourhood: { type: 'cin', correct: ['OK'], incorrect: ['BAD'], neutral: ['ON'] } })),
      steps: Array.from({ length: size - 1 }, () => ({ action: 'GO', tag: 'neutral', kept: true })),
    };
    for (const every of [false, true]) {
      const graph = graphOfCourse(long, every);
      expect(graph.nodes.length).toBeLessThanOrEqual(300);
      const titles = graph.nodes.filter(node => node.kind === 'state').map(node => node.title);
      expect(titles).toEqual(expect.arrayContaining(['state 0', 'state 1', `state ${String(size - 2)}`, `state ${String(size - 1)}`]));
      expect(graph.nodes.filter(node => node.kind === 'bundle').map(node => node.title.replace(/\D/g, ''))).toEqual([String(size - titles.length)]);
      expect(graph.note).toContain('in the middle are bundled');
    }
  });

  test('pieces are put together without doubles', () => {
    const piece = { nodes: [place(0), place(1)], edges: [link(0, 1, 'A', 'neutral')], left_out: 0 };
    expect(union([piece, piece, { ...piece, nodes: [place(2)] }])).toMatchObject({ nodes: [{ node: 0 }, { node: 1 }, { node: 2 }], edges: [{ action: 'A' }] });
  });
});

describe('other views', () => {
  test('atoms are nodes, rows are arrows, and new rows are marked', () => {
    const graph = graphOfAtoms({ Player: [['Player$0']], winner: [['Player$0']], 'Game.sits': [['Player$0', 'Chair$1']], f: [['a', 'b', 'c']] }, { 'Game.sits': [], f: [['a', 'b', 'c']] });
    expect(graph.nodes.map(node => [node.title, node.marks])).toEqual([['Player$0', ['winner']], ['Chair$1', []], ['a', []], ['c', []]]);
    expect(graph.edges.map(edge => edge.label)).toEqual(['sits (new)', 'f[b]']);
  });

  test('sets that are told element by element are sets, and nothing else is', () => {
    expect(foldSets({ phase: 'Over', 'playing[Alice]': true, 'sits[Alice->Chair$0]': true, 'sits[Alice->Chair$1]': false, 'left[Chair$0]': false, 'a[0]': 3 }))
      .toEqual({ phase: 'Over', playing: [['Alice']], sits: [['Alice', 'Chair$0']], left: [], 'a[0]': 3 });
  });

  test('actors come from names, or from an expression', () => {
    const run = { states: [{ id: 0, values: { 'btn1.p': true, 'btn1.r': true, 'a[0].x': 1, floor: 1 } }] } as unknown as Run;
    expect(lanesOf(run, null).map(lane => lane.actor)).toEqual(['others', 'btn1', 'a[0]']);
    expect(lanesOf(run, /^(f)loor/).map(lane => lane.actor)).toEqual(['others', 'f']);
  });

  test('a broken expression is plain text', () => {
    expect(matcher('a[')('data[0]')).toBe(true);
    expect(matcher('^x')('ax')).toBe(false);
  });

  test('only columns in sight are drawn', () => {
    expect(inSight(0, 800, 80, 100_000)).toEqual([0, 16]);
    expect(inSight(80_000, 800, 80, 100_000)).toEqual([994, 1016]);
    const points = chart(100_000, at => at);
    expect(points).toHaveLength(240);
    expect([points[0], points.at(-1)]).toEqual([0, 99_999]);
    expect(chart(3, at => at)).toEqual([0, 1, 2]);
  });
});
