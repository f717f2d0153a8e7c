import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MendAnswer, MendDoc, SuspectName } from '../../src/api/wire';
import { CAUSE, causesAt, causesOf, changedLines, changedText, heatOf, legend, linesOf, ofOthers, partsOf, searched, standingOf, standingsOf, type Suspect } from '../../src/lib/blame';
import { variablesOf } from '../../src/lib/columns';
import { graphOfRun } from '../../src/lib/graph';
import { againRows } from '../../src/lib/mended';
import { runsOf } from '../../src/lib/run';
import type { CheckDocument } from '../../src/api/wire';

const root = join(import.meta.dirname, '../../..');
const turns = JSON.parse(readFileSync(join(root, 'web/tests/fixtures/turns.json'), 'utf8')) as CheckDocument;
const [model] = turns.models;
const named = (name: string) => {
  const property = model?.properties.find(each => each.name === name);
  if (property === undefined) throw new Error(`no ${name}`);
  return property;
};

const place = (line: number, column: number, end: [number, number], role: SuspectName = 'suspect'): Suspect => ({
  line, column, end: { line: end[0], column: end[1] }, role, why: 'because', guarantee: 'open',
});
const change = (from: number, to: number, text: string): MendDoc => ({ from, to, text, before: '', after: '', holds: 1, of: 1 });

test('a place is underlined from its first to its last character, on each of its lines', () => {
  const lines = linesOf('a := b;\r\n  c := d\n   | e;\n');
  expect(lines[0]).toBe('a := b;');
  const heat = heatOf([place(2, 8, [3, 7], 'mend'), place(1, 1, [1, 2]), place(2, 3, [2, 4])], lines);
  expect([...heat.keys()].sort()).toEqual([1, 2, 3]);
  const at = (line: number) => { const hot = heat.get(line); return hot === undefined ? null : [hot.rank, ...partsOf(lines[line - 1] ?? '', hot.from, hot.to)]; };
  expect(at(2)).toEqual([1, '  c := ', 'd', '']);
  expect(at(3)).toEqual([1, '   ', '| e', ';']);
  expect(at(1)).toEqual([2, '', 'a', ' := b;']);
});

test('columns are characters and places of changes are bytes', () => {
  expect(partsOf('ä𝒙 := 1;', 2, 4)).toEqual(['ä𝒙', ' :', '= 1;']);
  // `ä` has two bytes, the letter after it four.
  expect(changedText('ä𝒙 := 1;\nz', change(10, 11, '22'))).toBe('ä𝒙 := 22;\nz');
  expect(changedText('abc', change(2, 9, 'x'))).toBeNull();
  expect(changedLines('a\nb\nc\n', change(2, 3, 'd'))).toEqual({ from: 2, before: ['b'], after: ['d'] });
  expect(changedLines('a\na\n', change(2, 2, 'a\n'))).toEqual({ from: 3, before: [], after: ['a'] });
});

test('what is known of a place is told in words; a name that nobody knows stands for itself', () => {
  const words = (role: string, guarantee: string): string => standingOf({ role, guarantee }).words;
  expect(words('mend', 'mended')).toBe('a change here mends it');
  expect(words('costly', 'mended')).toBe('a change here mends it at a cost');
  expect(words('suspect', 'can_mend')).toBe('another expression here can mend it');
  expect(words('suspect', 'open')).toBe('not excluded');
  expect(words('bystander', 'open')).toBe('bystander');
  expect(words('suspect', 'hopeless')).toBe('hopeless');
  expect(standingsOf([place(1, 1, [1, 2]), place(2, 1, [2, 2], 'mend'), place(3, 1, [3, 2])]).map(each => each.sign)).toEqual(['○', '●']);
});

test('what is known of all other places is told as in the terminal', () => {
  const search = { tried: 1, excluded: 0, untried: 0 };
  expect(ofOthers(search, [])).toEqual([]);
  expect(ofOthers({ ...search, no_others: true }, [])).toEqual(['No single place can mend it: whatever one expression is replaced with, the property fails or runs end.']);
  expect(ofOthers({ ...search, no_others: true, pairs: [{ first: 3, first_text: 'a', second: 4, second_text: 'b' }] }, [place(1, 1, [1, 2])])).toEqual([
    'Line 3: `a` and line 4: `b` can mend it together, neither can alone.', 'No other single place can mend it: whatever stands there, the property fails or runs end.',
  ]);
});

test('what was tried is told as in the terminal', () => {
  expect(searched({ tried: 142, excluded: 184, untried: 0 })).toBe('142 changes tried; 184 left out, since no step of the counterexample depends on their places.');
  expect(searched({ tried: 1, excluded: 0, untried: 1200 })).toBe('1 change tried; 1\u202f200 not tried, since the effort was spent.');
  expect(searched({ tried: 0, excluded: 0, untried: 0 })).toBe('No change of the text was tried.');
});

test('the legend of the marks has the words of the terminal', () => {
  const rust = readFileSync(join(root, 'crates/view/src/sentences/to_blame.rs'), 'utf8');
  for (const exact of [true, false]) expect(rust).toContain(`"{} ${legend({ at: new Map(), exact })}"`);
});

test('values that a failure depends on are marked on the run', () => {
  expect(causesOf([])).toBeNull();
  const property = named('upstairs');
  const [run] = runsOf(property);
  expect(run?.causes).toBeDefined();
  if (run === undefined) return;
  const [first] = property.evidence?.causes ?? [];
  expect(first).toBeDefined();
  expect(causesAt(run, first?.state ?? -1).has(first?.variable ?? '')).toBe(true);
  expect(causesAt(run, 9999).size).toBe(0);
  const graph = graphOfRun(run, 0, false);
  expect(graph.nodes.some(node => node.lines.some(line => line.startsWith(`${CAUSE} ${first?.variable ?? ''} = `)))).toBe(true);
  // A variable that never changes is shown all the same if the failure depends on it.
  const still = { ...run, states: run.states.map(state => ({ ...state, values: { still: 1, other: 2 } })), causes: { at: new Map([[0, new Set(['still'])]]), exact: true } };
  expect(variablesOf(still, new Set(), true, '')).toEqual(['still']);
});

test('the steps of a counterexample are possible up to the one that the changed model does not do', () => {
  const [run] = runsOf(named('upstairs'));
  if (run === undefined) throw new Error('no run');
  const back = run.steps.find(step => step.to === run.loop && step.from >= step.to);
  const told = (broken: MendAnswer['broken'], kind: 'dies' | 'runs-only' | 'misfit', step: number | null = null): Pick<MendAnswer, 'broken' | 'fate'> => ({ broken, fate: { kind, step, line: null, text: '' } });
  const kinds = (rows: ReturnType<typeof againRows>): string => rows.map(row => row.kind.slice(0, 1)).join('');
  const all = againRows(run, told(null, 'runs-only'));
  expect(new Set(all.map(row => row.kind))).toEqual(new Set(['possible']));
  expect(kinds(againRows(run, told({ from: 0, to: 1 }, 'dies', 1)))).toBe(`pb${'l'.repeat(all.length - 2)}`);
  expect(kinds(againRows(run, told({ from: null, to: 0 }, 'dies', 0)))).toBe(`b${'l'.repeat(all.length - 1)}`);
  // The step back into the loop is not the first step to that state.
  const last = againRows(run, told({ from: back?.from ?? 0, to: back?.to ?? 0 }, 'dies', back?.to ?? 0));
  expect(last.find(row => row.kind === 'broken')?.back).toBe(true);
  expect(kinds(againRows(run, told(null, 'misfit', 0)))).toBe('l'.repeat(all.length));
});
