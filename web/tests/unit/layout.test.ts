import { describe, expect, test } from 'vitest';
import { layout, stay, type LayoutEdge, type LayoutNode } from '../../src/lib/layout';

const nodes = (...ids: string[]): LayoutNode[] => ids.map(id => ({ id, width: 60, height: 30 }));
const edges = (...pairs: string[]): LayoutEdge[] => pairs.map(pair => ({ from: pair.charAt(0), to: pair.charAt(1) }));

/** Numbers that look random and are the same every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

function randomGraph(seed: number): [LayoutNode[], LayoutEdge[]] {
  const next = numbers(seed);
  const size = 2 + Math.floor(next() * 30);
  const list = Array.from({ length: size }, (_, at) => ({ id: String(at), width: 30 + Math.floor(next() * 100), height: 20 + Math.floor(next() * 60) }));
  const steps = Array.from({ length: Math.floor(size * 1.6) }, () => ({ from: String(Math.floor(next() * size)), to: String(Math.floor(next() * size)) }));
  return [list, steps];
}

function overlaps(list: readonly LayoutNode[], places: ReadonlyMap<string, { x: number; y: number }>): string[] {
  const found: string[] = [];
  for (const a of list) {
    for (const b of list) {
      const p = places.get(a.id);
      const q = places.get(b.id);
      if (a.id >= b.id || p === undefined || q === undefined) continue;
      if (Math.abs(p.x - q.x) < (a.width + b.width) / 2 && Math.abs(p.y - q.y) < (a.height + b.height) / 2) found.push(`${a.id} ${b.id}`);
    }
  }
  return found;
}

describe('layers', () => {
  test('a path goes from left to right on one line', () => {
    const { places } = layout(nodes('a', 'b', 'c'), edges('ab', 'bc'));
    expect([...places.values()].map(place => place.y)).toEqual([15, 15, 15].map(() => places.get('a')?.y));
    expect(places.get('a')?.x).toBeLessThan(places.get('b')?.x ?? 0);
    expect(places.get('b')?.x).toBeLessThan(places.get('c')?.x ?? 0);
  });

  test('the step that closes a loop is an arc and moves nothing', () => {
    const path = layout(nodes('a', 'b', 'c'), edges('ab', 'bc'));
    const loop = layout(nodes('a', 'b', 'c'), edges('ab', 'bc', 'cb'));
    expect(loop.places).toEqual(path.places);
    expect(loop.routes).toEqual([[], [], null]);
  });

  test('a long step passes through points between nodes', () => {
    const { routes } = layout(nodes('a', 'b', 'c'), edges('ab', 'bc', 'ac'));
    expect(routes[2]).toHaveLength(1);
  });

  test('a choice that was not taken does not pull the run aside', () => {
    const { places } = layout(nodes('a', 'b', 'c', 'g'), [...edges('ab', 'bc'), { from: 'b', to: 'g', light: true }]);
    expect(Math.abs((places.get('b')?.y ?? 0) - (places.get('c')?.y ?? 99))).toBeLessThan(4);
  });

  test.each(Array.from({ length: 60 }, (_, seed) => seed + 1))('random graph %i: forward steps go right, nodes do not overlap, and it is the same twice', seed => {
    const [list, steps] = randomGraph(seed);
    const drawing = layout(list, steps);
    expect(overlaps(list, drawing.places)).toEqual([]);
    steps.forEach((step, at) => {
      if (drawing.routes[at] !== null) expect(drawing.places.get(step.from)?.x).toBeLessThan(drawing.places.get(step.to)?.x ?? 0);
    });
    expect(layout(list, steps)).toEqual(drawing);
  });
});

describe('positions that stay', () => {
  test.each(Array.from({ length: 30 }, (_, seed) => seed + 100))('random graph %i: nodes drawn before do not move, and new ones cover nothing', seed => {
    const [list, steps] = randomGraph(seed);
    const half = list.slice(0, Math.ceil(list.length / 2));
    const known = new Set(half.map(node => node.id));
    const before = layout(half, steps.filter(step => known.has(step.from) && known.has(step.to)));
    const after = stay(layout(list, steps), before.places, list, steps);
    for (const node of half) expect(after.places.get(node.id)).toEqual(before.places.get(node.id));
    expect(overlaps(list, after.places)).toEqual([]);
  });
});
