// What a person chooses about evidence, with the real server: states to ask from, paths, words of a script; and runs that
// show a verdict together with a proof.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { binary, examples, missing, Server } from './server';
import { expectComplaint, launch, open, text, unexpected } from './support';

const why = missing();
if (why !== null) {
  if (process.env['CI'] !== undefined && process.env['CI'] !== '') throw new Error(`${why}, and tests are not skipped in CI`);
  console.warn(`SKIPPED: tests with a server, since ${why}`);
}

let browser: Browser;
let page: Page;
const servers: Server[] = [];

async function serve(...args: string[]): Promise<string> {
  const server = await Server.start(...args);
  servers.push(server);
  return server.url;
}

const hash = (): string => decodeURIComponent(new URL(page.url()).hash.replaceAll('+', ' '));

describe.skipIf(why !== null)('what is chosen, with a server', () => {
  beforeAll(async () => { browser = await launch(); });
  afterEach(async () => {
    await page.close();
    expect(unexpected()).toEqual([]);
  });
  afterAll(async () => {
    for (const server of servers) server.stop();
    await browser.close();
  });

  test('the states to ask from and the paths are in the address, and can be taken back', async () => {
    const url = await serve('elevator.smv');
    page = await open(browser, `${url}#/p/upstairs/evidence?from=${encodeURIComponent('floor = 2')}`);
    await expect.poll(() => text(page, '.head')).toContain('floor = 2');
    await expect.poll(() => text(page, '.steps .step:first-child')).toContain('floor=2');
    await page.locator('.head .avoided').click();
    await expect.poll(() => text(page, '.steps .step:first-child')).toContain('floor=1');
    expect(hash()).toBe('#/p/upstairs/evidence');
    // Whoever stands at a step asks from there.
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Ask from here' }).click();
    await expect.poll(hash).toContain('from=floor = ');
    await expect.poll(() => text(page, '.head')).toContain('which is reachable');
    await page.goto(`${url}#/p/upstairs/evidence?paths=maximal`);
    await expect.poll(() => text(page, '.head')).toContain('paths: maximal');
    expectComplaint(/status of 422/);
    await page.goto(`${url}#/p/upstairs/evidence?from=${encodeURIComponent('floor = 9')}`);
    await expect.poll(() => text(page, '#main')).toContain('floor = 9');
  });

  test('an infinite-state model: a run without a loop, with the proof that closes it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wherefore-run-'));
    try {
      const file = join(folder, 'skip.vmt');
      writeFileSync(file, `(declare-fun c () Int) (declare-fun c1 () Int)
        (define-fun .c () Int (! c :next c1))
        (define-fun .init () Bool (! (= c 0) :init true))
        (define-fun .trans () Bool (! (or (= c1 (+ c 1)) (= c1 (+ c 2))) :trans true))
        (define-fun .five () Bool (! (ctl.AF (= c 5)) :ctl-property 0))
        (define-fun .past () Bool (! (ctl.EF (ctl.AG (> c 2))) :ctl-property 1))`);
      const url = await serve(file, '--engine', 'induction');
      page = await open(browser, `${url}#/p/five/evidence`);
      await expect.poll(() => text(page, '.steps')).toContain('c: 0 →');
      await expect.poll(() => text(page, '.pane-property')).toContain('c != 5');
      page.close().catch(() => undefined);
      page = await open(browser, `${url}#/p/past/evidence`);
      await expect.poll(() => text(page, '.steps')).toContain('c: 0 →');
      await expect.poll(() => text(page, '.pane-property')).toContain('AG (c > 2) holds at step');
      await page.keyboard.press('2');
      await expect.poll(() => page.locator('.edge').count()).toBeGreaterThan(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('what a script says of states stands beside their steps', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wherefore-report-'));
    try {
      const [script, file] = [join(folder, 'lift.rhai'), join(folder, 'report.html')];
      writeFileSync(script, 'fn say(state) { if state["floor"] == 2 { "half way" } }');
      spawnSync(binary, ['check', 'elevator.smv', '-p', 'upstairs', '--tell', script, '--html', file], { cwd: examples });
      page = await open(browser, `${pathToFileURL(file).href}#/p/upstairs/evidence?step=3`);
      await expect.poll(() => text(page, '.step-selected .caption')).toBe('half way');
      await expect.poll(() => text(page, '.pane-state .caption')).toBe('half way');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
