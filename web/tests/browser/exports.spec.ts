// Exports, read by readers that are not ours: Mermaid's own parser and drawing, a validator of JSON schemas, the browser
// for XML and pictures, Quint for ITF, Graphology for GraphML, and the parser of Neo4j's editor for openCypher.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { binary, examples, missing } from './server';
import { launch } from './support';

/** Names and values that mean something to every reader. */
const HOSTILE = `MODULE part(go)
VAR at : {a$b, away, waiting};
ASSIGN
  init(at) := away;
  next(at) := case go : waiting; TRUE : at; esac;
MODULE main
IVAR go : boolean;
VAR left : part(go); a#b : 0..3; end : boolean; state : boolean; r-x : boolean;
ASSIGN init(a#b) := 0; next(a#b) := a#b < 3 ? a#b + 1 : 0;
CTLSPEC NAME counts := AG (a#b = 3 -> AF left.at = waiting)
`;
const HOSTILE_SYSTEM = `des (0, 4, 4)
(0, "A;B:C %% {x} [y] <z> #35;", 1)
(1, "end", 2)
(2, "state note --> [*]", 3)
(3, "FAIL !\\\\n '\`& \u00e9", 3)
`;

// These packages have no types that say what is used here.
const require = createRequire(import.meta.url);
const { ofItf } = require('@informalsystems/quint/dist/src/itf.js') as { ofItf: (trace: unknown) => { kind: string; opcode: string; args: { value: unknown }[] }[] };
const { parse: parseCypher } = require('@neo4j-cypher/editor-support') as { parse: (text: string) => { errorListener: { errors: { line: number; msg: string }[] } } };
const Graph = require('graphology') as new () => unknown;
const { parse: parseGraph } = require('graphology-graphml/node') as { parse: (graph: new () => unknown, text: string) => { order: number; size: number } };

const SYSTEM = ['mmd', 'svg', 'graphml', 'cypher'];
const MODEL = [...SYSTEM, 'xml', 'itf.json', 'puml', 'csv'];
const cases: { name: string; files: string[]; formats: string[] }[] = [
  { name: 'elevator', files: [join(examples, 'elevator.smv')], formats: MODEL },
  { name: 'mutex', files: [join(examples, 'mutex.smv')], formats: MODEL },
  { name: 'hostile names', files: ['hostile.smv'], formats: MODEL },
  { name: 'vending', files: [join(examples, 'lts/vending.aut'), join(examples, 'lts/vending.mcl')], formats: SYSTEM },
  { name: 'hostile labels', files: ['hostile.aut', 'hostile.mcl'], formats: SYSTEM },
];

describe.skipIf(missing() !== null)('exports', () => {
  let browser: Browser;
  let page: Page;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherefore-exports-'));
    writeFileSync(join(folder, 'hostile.smv'), HOSTILE);
    writeFileSync(join(folder, 'hostile.aut'), HOSTILE_SYSTEM);
    writeFileSync(join(folder, 'hostile.mcl'), "[ true* . 'FAIL.*' ] false\n");
    browser = await launch();
    page = await browser.newPage();
    await page.setContent('<div id="here"></div>');
    await page.addScriptTag({ path: join(import.meta.dirname, '../../node_modules/mermaid/dist/mermaid.min.js') });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each(cases)('$name', ({ name, files, formats }) => {
    const stem = name.replace(' ', '-');
    const read = (format: string): string => readFileSync(join(folder, `${stem}.${format}`), 'utf8');
    beforeAll(() => {
      const args = ['check', '-q', ...files, '--json', `${stem}.json`, ...formats.flatMap(format => ['--export', `${stem}.${format}`])];
      const ran = spawnSync(binary, args, { cwd: folder, encoding: 'utf8' });
      expect([ran.status, ran.stderr]).toEqual([1, '']);
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(formats.map(format => `${stem}.${format}`)));
    });

    test('Mermaid parses and draws the diagram', async () => {
      const text = read('mmd');
      const drawn = await page.evaluate(async code => {
        const { mermaid } = globalThis as unknown as { mermaid: { initialize: (options: object) => void; parse: (text: string) => Promise<{ diagramType: string }>; render: (id: string, text: string) => Promise<{ svg: string }> } };
        mermaid.initialize({ startOnLoad: false });
        const { diagramType } = await mermaid.parse(code);
        const { svg } = await mermaid.render('drawn', code);
        const picture = new DOMParser().parseFromString(svg, 'text/html');
        return { diagramType, nodes: picture.querySelectorAll('g.node').length, text: picture.body.textContent };
      }, text);
      expect(drawn.diagramType).toMatch(/^stateDiagram/);
      // One node for each state, and one for the start.
      expect(drawn.nodes).toBe(text.split('\n').filter(line => /^ {2}[sr]\d+ : /.test(line)).length + 1);
      if (name === 'hostile labels') expect(drawn.text).toContain('A;B:C %% {x} [y] <z> #35;');
      if (name === 'hostile names') expect(drawn.text).toContain('a#b: 0 → 1');
    });

    test('XML is well-formed, and the picture is drawn', async () => {
      for (const format of formats.filter(each => ['svg', 'graphml', 'xml'].includes(each))) {
        const wrong = await page.evaluate(text => new DOMParser().parseFromString(text, 'application/xml').querySelector('parsererror')?.textContent ?? '', read(format));
        expect(wrong, format).toBe('');
      }
      const size = await page.evaluate(async text => {
        const image = new Image();
        image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
      }, read('svg'));
      expect(Math.min(...size)).toBeGreaterThan(20);
    });

    test('the document fits its schema', () => {
      const schema = JSON.parse(readFileSync(join(examples, '../docs/schema.json'), 'utf8')) as object;
      const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
      validate(JSON.parse(read('json')));
      expect(validate.errors ?? []).toEqual([]);
    });

    test('Graphology reads the graph', () => {
      const text = read('graphml');
      const { order, size } = parseGraph(Graph, text);
      expect([order, size]).toEqual([(text.match(/<node /g) ?? []).length, (text.match(/<edge /g) ?? []).length]);
      expect(order).toBeGreaterThan(0);
    });

    test('the parser of Neo4j reads the statements', () => {
      const text = read('cypher').trim().replace(/;$/, '');
      expect(parseCypher(text).errorListener.errors).toEqual([]);
      expect(parseCypher(`${text} CREATE (`).errorListener.errors).not.toEqual([]);
    });

    if (formats.includes('itf.json'))
      test('Quint reads the trace', () => {
        const trace = JSON.parse(read('itf.json')) as { vars: string[]; states: unknown[] };
        const states = ofItf(trace);
        expect(states).toHaveLength(trace.states.length);
        for (const state of states) {
          expect(state).toMatchObject({ kind: 'app', opcode: 'Rec' });
          expect(state.args.filter((_, at) => at % 2 === 0).map(each => each.value)).toEqual(trace.vars);
        }
      });
  });
});
