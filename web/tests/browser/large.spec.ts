// Large systems: whatever is looked at, only a part is drawn, and the page says so. Counts are checked, not times.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { missing, Server } from './server';
import { launch, open, settled, text, unexpected } from './support';

/** No picture has more nodes. */
const MOST = 300;

let browser: Browser;
let page: Page;
let folder = '';

/** A corridor of so many states: one goes on, back, stays, or leaves by one of the doors; at the end it fails. */
function corridor(length: number): string {
  const lines: string[] = [];
  for (let at = 0; at < length; at += 1) {
    lines.push(`(${String(at)}, "GO !${String(at % 7)}", ${String(at + 1)})`, `(${String(at)}, "STAY", ${String(at)})`, `(${String(at)}, "BACK", ${String(Math.max(0, at - 1))})`);
    if (at % 3 === 0) lines.push(`(${String(at)}, "LEAVE", ${String(length + 1)})`);
  }
  lines.push(`(${String(length)}, "FAIL", ${String(length)})`, `(${String(length + 1)}, "REST", ${String(length + 1)})`);
  return [`des (0, ${String(lines.length)}, ${String(length + 2)})`, ...lines, ''].join('\n');
}

/** A crowd of states with very many steps between them; some fail, and from some nothing fails any more. */
function crowd(states: number, steps: number): string {
  const lines = Array.from({ length: states * steps }, (_, at) => {
    const from = Math.floor(at / steps);
    const turn = at % steps;
    const label = turn === 0 && from % 3 === 0 ? 'FAIL' : turn === 1 ? 'LEAVE' : `MOVE !${String(turn % 5)}`;
    return `(${String(from)}, "${label}", ${String(turn === 1 ? states : (from * 7 + turn * 31 + 1) % states)})`;
  });
  return [`des (0, ${String(lines.length + 1)}, ${String(states + 1)})`, ...lines, `(${String(states)}, "REST", ${String(states)})`, ''].join('\n');
}

describe.skipIf(missing() !== null)('large systems', () => {
  const servers: Server[] = [];
  const serve = async (name: string, system: string): Promise<string> => {
    writeFileSync(join(folder, `${name}.aut`), system);
    writeFileSync(join(folder, `${name}.mcl`), "[ true* . 'FAIL' . true* ] false\n");
    const server = await Server.start(join(folder, `${name}.aut`), join(folder, `${name}.mcl`));
    servers.push(server);
    return server.url;
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherefore-large-'));
    browser = await launch();
  });
  afterEach(async () => {
    await page.close();
    expect(unexpected()).toEqual([]);
  });
  afterAll(async () => {
    for (const server of servers) server.stop();
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const drawn = (): Promise<number> => page.locator('.node').count();

  test('a counterexample with thousands of neighbourhoods is drawn at both ends', async () => {
    page = await open(browser, `${await serve('corridor', corridor(6000))}#/p/corridor/all`);
    await expect.poll(() => text(page, '.facts')).toContain('6 001 steps');
    await expect.poll(() => text(page, '.graph-note')).toContain('in the middle are bundled');
    for (const [query, sign] of [['', 'bundled'], ['?every=1', 'bundled'], ['?type=cn', ''], ['?which=nearest', ''], ['?node=3000&open=3000', '']] as const) {
      await page.goto(`${page.url().split('#')[0] ?? ''}#/p/corridor/all${query}`);
      await settled(page);
      await expect.poll(drawn).toBeGreaterThan(0);
      await expect.poll(() => text(page, '.graph-note')).toContain(sign);
      expect(await drawn()).toBeLessThanOrEqual(MOST);
    }
    await page.goto(`${page.url().split('#')[0] ?? ''}#/p/corridor/evidence?view=graph&step=3000`);
    await settled(page);
    await expect.poll(() => text(page, '.graph-note')).toContain('the others are bundled');
    expect(await drawn()).toBeLessThanOrEqual(MOST);
  });

  test('states with very many steps can be opened one after the other', async () => {
    page = await open(browser, `${await serve('crowd', crowd(900, 80))}#/p/crowd/all`);
    await page.locator('button.group-head').first().click();
    await expect.poll(() => page.locator('.links button').count()).toBeGreaterThan(5);
    for (const target of [1, 2, 3, 4, 5]) {
      const before = page.url();
      await page.locator('.links button').nth(target).click();
      await expect.poll(() => page.url()).not.toBe(before);
      await settled(page);
      await expect.poll(() => text(page, '.graph-note')).toContain('Open a node to see more.');
      expect(await drawn()).toBeLessThanOrEqual(MOST);
    }
    await page.goto(`${page.url().split('#')[0] ?? ''}#/explore`);
    await settled(page);
    await page.keyboard.press('3');
    await expect.poll(() => text(page, '.step-selected')).toContain('MOVE');
    await page.getByRole('tab', { name: 'Graph' }).click();
    await expect.poll(drawn).toBeGreaterThan(0);
    expect(await drawn()).toBeLessThanOrEqual(MOST);
  });
});
