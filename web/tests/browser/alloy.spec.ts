// Instances of Alloy models as the visualizer of Alloy and Sterling read them: our documents in the hands of `alloy-ts`, the reader
// that the author of Sterling wrote, and in those of rules that Alloy's own reader has beyond it.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { binary, missing } from './server';
import { launch } from './support';

/** A model for each thing that documents can have, and how many instances are asked for. */
const MODELS: Record<string, { text: string; instances: number }> = {
  plain: {
    instances: 3,
    text: `sig Reader { friends: set Reader }
      sig Book { lent: lone Reader }
      sig Rare in Book {}
      one sig Desk { holds: Book -> lone Reader }
      pred share[b: Book] { b in Rare and some b.lent.friends }
      run share for 3 but exactly 2 Reader`,
  },
  names: {
    instances: 2,
    text: `module shelf
      open util/ordering[Day] as days
      open util/relation as r
      private sig Day {}
      enum Mood { Quiet, Loud }
      abstract sig Thing { price: Int, note: lone String, mood: Mood }
      sig Book, Map extends Thing {}
      sig Atlas extends Map { private of: set Book }
      one sig Shelf { kept: Day -> lone Thing, private last: lone Day }
      sig Wanted in Book + Map {}
      sig Dear in Wanted {}
      lone sig Keeper { private keys: Day -> Day -> Int }
      some sig Guest {}
      sig Empty { nothing: none }
      pred full[t: Thing, d: Day] {
        d->t in Shelf.kept and no Empty
        t.note = "old & <rare> 'é'" and t.price = 3 and t in Dear and some Keeper.keys and some of
      }
      run full for 3`,
  },
  trace: {
    instances: 2,
    text: `sig Lamp { var next: lone Lamp }
      var sig On in Lamp {}
      var sig Spark {}
      fact { no On and always (On = Lamp => On' = On else some l: Lamp - On | On' = On + l) }
      run { eventually On = Lamp and eventually some Spark } for exactly 2 Lamp, 2 Spark, 4 steps`,
  },
  sequence: {
    instances: 1,
    text: `sig Thing {} one sig Shelf { row: seq Thing } run { #Shelf.row = 2 } for 3`,
  },
  depends: {
    instances: 1,
    text: `sig A { f: set B } sig B {}
      run { some g: A -> B | all a: A | some b: B | a->b in g - f } for exactly 2 A, exactly 2 B`,
  },
};

interface Read {
  atoms: string[];
  signatures: { id: string; atoms: string[]; above: string[]; subset: boolean; builtin: boolean; one: boolean; private: boolean }[];
  fields: { name: string; types: string[]; tuples: string[][] }[];
  skolems: { name: string; types: string[]; tuples: string[][] }[];
  sources: { name: string; text: string }[];
  command: string;
  filename: string;
  bits: number;
  sequence: number;
}

/** What `alloy-ts` reads in a document with one instance. */
async function read(page: Page, xml: string): Promise<Read> {
  return page.evaluate(text => {
    interface Named { id: () => string; name: () => string }
    interface Tuple { atoms: () => Named[] }
    interface Signature extends Named { atoms: () => Named[]; typeHierarchy: () => Named[]; isSubset: () => boolean; isBuiltin: () => boolean; isOne: () => boolean; isPrivate: () => boolean }
    interface Field extends Named { types: () => Named[]; tuples: () => Tuple[] }
    interface Instance {
      atoms: () => Named[]; signatures: () => Signature[]; fields: () => Field[]; skolems: () => Field[]; command: () => string; filename: () => string; bidwidth: () => number; maxseq: () => number;
      sources: () => { filename: () => string; source: () => string }[];
    }
    const { alloy } = globalThis as unknown as { alloy: { AlloyInstance: new (text: string) => Instance } };
    const instance = new alloy.AlloyInstance(text);
    const names = (named: Named[]): string[] => named.map(each => each.name());
    const tuples = (field: Field): string[][] => field.tuples().map(tuple => names(tuple.atoms()));
    return {
      atoms: names(instance.atoms()),
      signatures: instance.signatures().map(each => ({
        id: each.id(), atoms: names(each.atoms()), above: each.typeHierarchy().map(type => type.id()).filter(id => id !== each.id()), subset: each.isSubset(), builtin: each.isBuiltin(), one: each.isOne(), private: each.isPrivate(),
      })),
      fields: instance.fields().map(each => ({ name: each.name(), types: names(each.types()), tuples: tuples(each) })),
      skolems: instance.skolems().map(each => ({ name: each.name(), types: names(each.types()), tuples: tuples(each) })),
      sources: instance.sources().map(each => ({ name: each.filename(), text: each.source() })),
      command: instance.command(), filename: instance.filename(), bits: instance.bidwidth(), sequence: instance.maxseq(),
    };
  }, xml);
}

/** The parts of a document that the reader of Alloy 6 asks for beyond those of `alloy-ts`. */
async function faults(page: Page, xml: string): Promise<string[]> {
  return page.evaluate(text => {
    const found: string[] = [];
    const say = (good: boolean, message: string): void => { if (!good) found.push(message); };
    const document = new DOMParser().parseFromString(text, 'application/xml');
    say(document.querySelector('parsererror') === null, 'it is no XML');
    const states = [...document.querySelectorAll('alloy > instance')];
    const number = (element: Element, key: string): number => {
      const value = element.getAttribute(key) ?? '';
      say(/^-?\d+$/.test(value), `${key} is no number`);
      return Number(value);
    };
    for (const state of states) {
      say(number(state, 'tracelength') === states.length, 'a state for each step');
      const back = number(state, 'backloop');
      say(back >= 0 && back < states.length, 'the trace goes back to one of its states');
      const [least, most] = [number(state, 'mintrace'), number(state, 'maxtrace')];
      say((least === -1 && most === -1 && states.length === 1) || (least >= 1 && states.length <= most), 'the trace has an allowed length');
      const all = [...state.querySelectorAll('sig, field, skolem')];
      const ids = new Map(all.map(each => [each.getAttribute('ID'), each]));
      say(ids.size === all.length && !ids.has(null), 'numbers are different');
      const builtin = [...state.querySelectorAll('sig[builtin=yes]')].map(each => each.getAttribute('label')).sort();
      say(JSON.stringify(builtin) === JSON.stringify(['Int', 'String', 'seq/Int', 'univ']), 'what is built in');
      const own = new Set<string>();
      for (const sig of state.querySelectorAll('sig')) {
        const subset = sig.querySelector('type') !== null;
        const label = sig.getAttribute('label') ?? '';
        const parent = ids.get(sig.getAttribute('parentID'));
        say(label === 'univ' || subset || parent?.tagName === 'sig', `${label} has a parent`);
        say(!subset || parent === undefined, `${label} is a subset and extends nothing`);
        for (const atom of sig.querySelectorAll('atom')) {
          const name = atom.getAttribute('label') ?? '';
          say(subset === own.has(name), `${name} of ${label} stands in one signature, and then in subsets`);
          own.add(name);
        }
      }
      const bits = number(state, 'bitwidth');
      const isNumber = (name: string): boolean => /^-?\d+$/.test(name) && Number(name) >= -(2 ** (bits - 1)) && Number(name) < 2 ** (bits - 1);
      for (const relation of state.querySelectorAll('field, skolem')) {
        const label = relation.getAttribute('label') ?? '';
        const types = [...relation.querySelectorAll('types')].map(each => [...each.querySelectorAll('type')]);
        const columns = types[0]?.length ?? 0;
        say(columns >= (relation.tagName === 'field' ? 2 : 1), `${label} has columns`);
        say(types.every(each => each.length === columns && each.every(type => ids.get(type.getAttribute('ID'))?.tagName === 'sig')), `${label} has a type`);
        if (relation.tagName === 'field') say(ids.get(relation.getAttribute('parentID'))?.tagName === 'sig', `${label} has a signature`);
        for (const tuple of relation.querySelectorAll('tuple')) {
          const atoms = [...tuple.querySelectorAll('atom')].map(each => each.getAttribute('label') ?? '');
          say(atoms.length === columns, `${label} has tuples of its columns`);
          say(atoms.every(atom => own.has(atom) || isNumber(atom)), `${label} has atoms that are there: ${atoms.join('->')}`);
        }
      }
      // What does not change is the same in every state, with the same numbers.
      for (const fixed of state.querySelectorAll('sig:not([var=yes]), field:not([var=yes])')) {
        const same = [...(states[0] as Element).querySelectorAll(fixed.tagName)].find(each => each.getAttribute('ID') === fixed.getAttribute('ID'));
        say(same?.getAttribute('label') === fixed.getAttribute('label'), 'numbers stay');
      }
    }
    const names = [...document.querySelectorAll('alloy > source')].map(each => each.getAttribute('filename'));
    say(names.includes(states[0]?.getAttribute('filename') ?? ''), 'the text of the model is there');
    return [...new Set(found)];
  }, xml);
}

/** The documents that each alone have one state of a document. */
function states(xml: string): string[] {
  const [head = '', ...rest] = xml.split(/(?=<instance )/);
  const last = rest.pop() ?? '';
  const end = last.indexOf('</instance>') + '</instance>'.length;
  return [...rest, last.slice(0, end)].map(state => head + state + last.slice(end));
}

describe.skipIf(missing() !== null)('instances of Alloy models', () => {
  let browser: Browser;
  let page: Page;
  let folder = '';
  const documents: Record<string, string[]> = {};
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherefore-alloy-'));
    for (const [name, { text, instances }] of Object.entries(MODELS)) {
      writeFileSync(join(folder, `${name}.als`), text);
      const args = ['check', '-q', `${name}.als`, '--instances', String(instances), '--xml', `${name}.xml`];
      const ran = spawnSync(binary, args, { cwd: folder, encoding: 'utf8' });
      expect([ran.status, ran.stderr.split('\n').filter(line => line.startsWith('error'))]).toEqual([0, []]);
      const files = readdirSync(folder).filter(file => file.startsWith(`${name}.`) && file.endsWith('.xml'));
      expect(files.length).toBe(instances);
      documents[name] = files.map(file => readFileSync(join(folder, file), 'utf8'));
    }
    browser = await launch();
    page = await browser.newPage();
    await page.setContent('<p></p>');
    await page.addScriptTag({ path: join(import.meta.dirname, '../../node_modules/alloy-ts/bundle/alloy-1.4.1.min.js') });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(Object.keys(MODELS))('the documents of %s keep the rules of the format', async name => {
    for (const xml of documents[name] ?? []) expect(await faults(page, xml)).toEqual([]);
  });

  // It takes the places of a sequence for numbers that are in no sequence, and refuses every field with one.
  test.each(Object.keys(MODELS).filter(name => name !== 'sequence'))('every state of %s is read by the reader of Sterling', async name => {
    for (const xml of documents[name] ?? []) {
      for (const state of states(xml)) {
        const seen = await read(page, state);
        expect(seen.filename.endsWith(`/${name}.als`), seen.filename).toBe(true);
        expect(seen.sources.find(source => source.name === seen.filename)?.text).toBe(MODELS[name]?.text);
        expect(seen.command).toMatch(/^run /);
        expect(seen.bits).toBe(4);
        expect(seen.atoms.filter(atom => /^-?\d+$/.test(atom)).length).toBe(16);
        expect(seen.signatures.map(each => each.id)).toEqual(expect.arrayContaining(['univ', 'Int', 'seq/Int', 'String']));
        for (const field of [...seen.fields, ...seen.skolems]) {
          for (const tuple of field.tuples) expect(tuple.length).toBe(field.types.length);
        }
      }
    }
  });

  // Alloy writes `seq/Int` for them, and so do we; called `Int`, they are read with everything else.
  test('a sequence is read once its places are called numbers', async () => {
    const xml = documents['sequence']?.[0] ?? '';
    await expect(read(page, xml)).rejects.toThrow('has incorrect types');
    const [places, numbers] = ['seq/Int', 'Int'].map(label => `<type ID="${new RegExp(`<sig label="${label}" ID="(\\d+)"`).exec(xml)?.[1] ?? ''}"/>`);
    const called = xml.replaceAll(/<types>.*<\/types>/g, types => types.replaceAll(places ?? '', numbers ?? ''));
    const seen = await read(page, called);
    expect(seen.fields).toMatchObject([{ name: 'row', types: ['this/Shelf', 'Int', 'this/Thing'] }]);
    expect(seen.fields[0]?.tuples.map(tuple => tuple[1])).toEqual(['0', '1']);
    expect(seen.signatures.find(each => each.id === 'seq/Int')?.atoms).toEqual(['0', '1', '2']);
  });

  test('names, flags, values and texts arrive as they are', async () => {
    const seen = await read(page, documents['names']?.[0] ?? '');
    const signature = (id: string): Read['signatures'][number] | undefined => seen.signatures.find(each => each.id === id);
    expect(signature('this/Day')?.private).toBe(true);
    expect(signature('this/Shelf')).toMatchObject({ above: ['univ'], subset: false });
    expect(signature('this/Atlas')?.above).toEqual(['univ', 'this/Thing', 'this/Map']);
    expect(signature('this/Dear')).toMatchObject({ subset: true, above: expect.arrayContaining(['this/Wanted']) as string[] });
    expect(signature('this/Quiet')?.atoms).toEqual(['Quiet$0']);
    expect(signature('String')?.atoms).toContain('"old & <rare> \'é\'"');
    expect(signature('seq/Int')?.atoms).toEqual(['0', '1', '2']);
    const field = (name: string): Read['fields'][number] | undefined => seen.fields.find(each => each.name === name);
    expect(field('keys')).toMatchObject({ types: ['this/Keeper', 'this/Day', 'this/Day', 'Int'] });
    expect(seen.skolems.map(each => each.name)).toEqual(['$full_t', '$full_d']);
    expect(seen.skolems[0]?.tuples.length).toBe(1);
  });

  test('a document that the Alloy Analyzer wrote is shown, and can be asked', () => {
    const theirs = join(import.meta.dirname, '../../node_modules/alloy-ts/test/test.xml');
    const ran = spawnSync(binary, ['show', theirs, '-e', 'B.bc', '-e', '#ab', '-e', '$b in univ'], { cwd: folder, encoding: 'utf8' });
    expect([ran.status, ran.stderr]).toEqual([0, expect.stringMatching(/^note: .* is not there; the model is read from the document\n$/) as string]);
    expect(ran.stdout).toContain('B.bc = {C$0, C$1, C$2}');
    expect(ran.stdout).toContain('#ab = 5');
    expect(ran.stdout).toContain('$b in univ = true');
  });

  test('a trace has its states one after the other', async () => {
    const xml = documents['trace']?.[0] ?? '';
    const seen = [];
    for (const state of states(xml)) seen.push(await read(page, state));
    expect(seen.length).toBeGreaterThan(2);
    const on = seen.map(state => state.signatures.find(each => each.id === 'this/On')?.atoms.length ?? -1);
    expect(on[0]).toBe(0);
    expect(on.at(-1)).toBe(2);
  });
});
