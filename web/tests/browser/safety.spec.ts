// Names and texts of models are text, whatever is in them; and a very long run can be read.

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { format } from '../../src/lib/route';
import { HOSTILE, hostile, longRun } from './data';
import { launch, open, Reports, settled, text, unexpected } from './support';

let browser: Browser;
const reports = new Reports();
let page: Page;

beforeAll(async () => { browser = await launch(); });
afterEach(async () => {
  await page.close();
  expect(unexpected()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  reports.remove();
});

describe('hostile names', () => {
  let url = '';
  beforeAll(() => { url = reports.url('hostile', hostile()); });

  /** Elements that only markup from a name could have made. */
  const intruders = (): Promise<number> => page.locator('#app script, #app img, #app iframe').count();

  test('are text on the overview and on the report', async () => {
    page = await open(browser, url);
    await expect.poll(() => text(page, '.properties')).toContain('<script>alert(1)</script>');
    await expect.poll(() => text(page, '.properties')).toContain('"><img src=x onerror=alert(1)>');
    expect(await intruders()).toBe(0);
    await page.goto(`${url}#/report`);
    await settled(page);
    expect(await intruders()).toBe(0);
  });

  test.each(HOSTILE.map((name, at) => [at, name.slice(0, 24), name] as const))('are text on every screen: %i %s', async (_at, _short, name) => {
    page = await open(browser, url);
    for (const [screen, view] of [['evidence', 'steps'], ['evidence', 'graph'], ['evidence', 'table'], ['evidence', 'wave'], ['evidence', 'sequence'], ['blame', ''], ['proof', ''], ['all', ''], ['compare', '']] as const) {
      await page.goto(url + format({ screen, property: name, model: 0, query: screen === 'blame' ? { place: ['1'] } : view === '' ? {} : { view: [view] } }));
      await settled(page);
      expect(await intruders()).toBe(0);
      expect(await text(page, '#main')).not.toContain('There is no such property.');
    }
  });

  test('make no link that runs anything', async () => {
    page = await open(browser, url);
    const targets = await page.locator('a').evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''));
    expect(targets.filter(target => !target.startsWith('#'))).toEqual([]);
  });
});

describe('a run of 100 000 steps', () => {
  let url = '';
  beforeAll(() => { url = reports.url('long', longRun(100_000)); });

  /** A list that is drawn as a whole has hundreds of thousands. */
  const elements = (): Promise<number> => page.locator('#run-panel *').count();

  test.each(['steps', 'graph', 'table', 'wave'])('is drawn in part, and goes on with the next key: %s', async view => {
    page = await open(browser, `${url}#/p/long/evidence?view=${view}&step=54321`);
    await expect.poll(() => text(page, '.pane-state h2')).toBe('State at step 54321');
    await expect.poll(elements).toBeGreaterThan(0);
    expect(await elements()).toBeLessThan(4000);
    for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press('j');
    await expect.poll(() => text(page, '.pane-state h2')).toBe('State at step 54326');
    expect(await elements()).toBeLessThan(4000);
  });

  test('can be scrolled to its end', async () => {
    page = await open(browser, `${url}#/p/long/evidence`);
    await page.keyboard.press('End');
    await expect.poll(() => text(page, '.step-selected')).toContain('99999');
  });
});
