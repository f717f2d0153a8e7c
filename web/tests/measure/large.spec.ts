// How long the page stands still with large systems: not a test that passes or fails, but figures to look at.
//
//     WHEREFORE=…/wherefore SYSTEMS="dense.aut dense.mcl; corridor.aut corridor.mcl" npm run measure
//
// For each thing that somebody does, the longest task of the page's thread is printed: by the clock, and in CPU time, which
// does not grow when the machine is busy. A page feels frozen when it stands still for more than about 200 milliseconds.

import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../browser/server';
import { launch, open, settled, text } from '../browser/support';

interface TraceEvent { name: string; ph: string; ts: number; dur?: number; tdur?: number; pid: number; tid: number; args?: { name?: string } }

let browser: Browser;
beforeAll(async () => { browser = await launch(); });
afterAll(async () => { await browser.close(); });

const systems = (process.env['SYSTEMS'] ?? '').split(';').map(each => each.trim().split(/\s+/)).filter(each => each[0] !== '');

test.each(systems)('%s', async (...files) => {
  const server = await Server.start(...files);
  let page: Page | null = null;
  try {
    page = await open(browser, 'data:text/html,<main id="main" data-address="%23/"><p>nothing</p></main>');
    const here = page;
    const count = (selector: string) => (): Promise<number> => here.locator(selector).count();
    const go = async (hash: string): Promise<void> => { await here.goto(`${server.url}#${hash}`); await settled(here); };
    const say = async (what: string, act: () => Promise<void>): Promise<void> => { console.log(`${what.padEnd(46)} ${await longest(here, act)}`); };
    const name = (files[1] ?? files[0] ?? '').replace(/.*\//, '').replace(/\.\w+$/, '');
    const key = async (pressed: string): Promise<void> => { await here.keyboard.press(pressed); await settled(here); };
    const of = `/p/${name}`;
    await say('the overview', () => go('/'));
    await expect.poll(() => text(here, '.filters'), { timeout: 600_000 }).toContain('fails 1');
    await say('the evidence', () => go(`${of}/evidence`));
    for (const view of ['steps', 'graph', 'table', 'wave', 'sequence']) {
      await say(`the evidence as ${view}`, () => go(`${of}/evidence?view=${view}`));
      await say('  the next step', () => key('j'));
      await say('  the last step', () => key('End'));
    }
    await say('all counterexamples', () => go(`${of}/all`));
    await expect.poll(count('.node'), { timeout: 600_000 }).toBeGreaterThan(0);
    await settled(here);
    for (const kind of ['cn', 'in', 'cin']) {
      const types = here.locator('.type', { hasText: new RegExp(`\\b${kind}\\b`) }).first();
      if (await types.count() > 0 && await types.isEnabled()) {
        await say(`  neighbourhoods of type ${kind}`, async () => { await types.click(); await settled(here); });
        await here.goBack();
        await settled(here);
      }
    }
    await say('  the run to the nearest neighbourhood', () => go(`${of}/all?which=nearest`));
    await say('  every step', () => go(`${of}/all?every=1`));
    await say('  the group at the top', async () => { await go(`${of}/all`); await here.locator('button.group-head').first().click(); await settled(here); });
    for (let opened = 0; opened < 4; opened += 1) {
      const targets = here.locator('.links button');
      await expect.poll(() => targets.count()).toBeGreaterThan(0);
      const target = targets.nth(opened % await targets.count());
      await say('  a state is opened', async () => { await target.click(); await settled(here); });
    }
    console.log(`  nodes drawn: ${String(await count('.node')())}`);
    await say('  a question', () => go(`${of}/all?query=MATCH (s:NEIGHBOURHOOD) RETURN s.id`));
    await say('explore', () => go('/explore'));
    for (const pressed of ['1', '2', '3']) await say('  a step', () => key(pressed));
    await say('  the graph', () => go('/explore?go=1&go=2&go=1&view=graph'));
    await say('the report', () => go('/report'));
  } finally {
    await page?.close();
    server.stop();
  }
}, 3_600_000);

/** The longest task of the page while something is done. */
async function longest(page: Page, act: () => Promise<void>): Promise<string> {
  const file = join(tmpdir(), `wherefore-trace-${String(process.pid)}.json`);
  await browser.startTracing(page, { path: file, categories: ['toplevel', '__metadata', 'disabled-by-default-devtools.timeline', 'devtools.timeline'] });
  try {
    await act();
    await page.evaluate(() => new Promise(resolve => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
  } finally {
    await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(readFileSync(file, 'utf8')) as { traceEvents: TraceEvent[] };
  rmSync(file);
  const threads = new Set(traceEvents.filter(event => event.name === 'thread_name' && event.args?.name === 'CrRendererMain').map(event => `${String(event.pid)} ${String(event.tid)}`));
  const tasks = traceEvents.filter(event => event.ph === 'X' && event.name.endsWith('RunTask') && threads.has(`${String(event.pid)} ${String(event.tid)}`));
  const most = (value: (event: TraceEvent) => number): string => `${String(Math.round(Math.max(0, ...tasks.map(value)) / 1000)).padStart(6)} ms`;
  return `${most(event => event.dur ?? 0)} by the clock, ${most(event => event.tdur ?? 0)} of CPU time`;
}
