// The page with the real server: the three stories, and every question that only a server answers.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { binary, examples, missing, Server } from './server';
import { audit, expectComplaint, launch, open, settled, text, unexpected } from './support';

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

describe.skipIf(why !== null)('with a server', () => {
  beforeAll(async () => { browser = await launch(); });
  afterEach(async () => {
    await page.close();
    expect(unexpected()).toEqual([]);
  });
  afterAll(async () => {
    for (const server of servers) server.stop();
    await browser.close();
  });

  describe('the elevator, from the first failure to the property that was meant', () => {
    let url = '';
    beforeAll(async () => { url = await serve('elevator.smv'); });

    test('the overview tells why at a glance', async () => {
      page = await open(browser, url);
      await expect.poll(() => text(page, '.filters')).toContain('fails 2');
      await expect.poll(() => text(page, '.properties tbody tr:first-child')).toContain('third AG AF (floor = 3 & door = open) because from the start there is a loop that never reaches floor = 3 & door = open');
      await expect.poll(() => text(page, '.command')).toContain('wherefore open');
    });

    test('the tour of the terminal is told above the screens that show it', async () => {
      page = await open(browser, url);
      await page.getByText('Take the tour').click();
      await expect.poll(() => text(page, '.tour')).toContain('stop 1 of');
      await expect.poll(() => text(page, '.head')).toContain('AG AF (floor = 3 & door = open)');
      for (;;) {
        const next = page.locator('.tour').getByText('Next', { exact: true });
        await settled(page);
        if (await next.count() === 0) break;
        const before = await text(page, '.tour-at');
        await next.click();
        await expect.poll(() => text(page, '.tour-at')).not.toBe(before);
        await expect.poll(() => page.locator('.refused').count()).toBe(0);
      }
      await expect.poll(() => text(page, '.tour')).toContain('Claim by claim');
      expect(hash()).toContain('#/p/upstairs/proof?');
      await page.locator('.tour').getByText('End the tour').click();
      await expect.poll(() => page.locator('.tour').count()).toBe(0);
    });

    test('the first try fails, since the lift may rest on the first floor', async () => {
      page = await open(browser, url);
      await page.locator('a.property-link', { hasText: 'third' }).click();
      await expect.poll(() => text(page, '.head')).toContain('because from the start there is a loop that never reaches');
      await expect.poll(() => text(page, '.steps')).toContain('back to step 0, for ever');
      await page.getByLabel('expression to watch').fill('idle');
      await page.keyboard.press('Enter');
      await expect.poll(() => text(page, '.watches')).toContain('idle = TRUE');
      await page.getByText('What can follow?').click();
      await expect.poll(() => text(page, '.spots')).toContain('btn3.p: FALSE → TRUE');
      await expect.poll(() => text(page, '.pane-state')).toContain('8 successors');
      await page.goBack();
      await expect.poll(() => text(page, '.pane-state')).not.toContain('idle = TRUE');
    });

    test('the second try fails, since somebody may keep it busy on the second floor', async () => {
      page = await open(browser, `${url}#/p/upstairs/evidence?step=3`);
      await expect.poll(() => text(page, '.head')).toContain('at step 3 floor != 1 holds, and from there a loop never reaches floor = 3 & door = open');
      await expect.poll(() => text(page, '.step-selected')).toContain('AF (floor = 3 & door = open) is false here');
      await expect.poll(() => page.locator('.box', { hasText: /floor != 1$/ }).last().getAttribute('data-truth')).toBe('true');
      await page.getByText('line 58').first().click();
      await expect.poll(() => text(page, '.source-here')).toContain('floor + 1');
      await page.keyboard.press('2');
      await expect.poll(() => page.locator('.node-ghost').count()).toBe(3);
    });

    test('another run, and one that avoids a state', async () => {
      page = await open(browser, `${url}#/p/upstairs/evidence`);
      await page.getByRole('button', { name: 'Another one' }).click();
      await expect.poll(() => page.locator('.foot select option').count()).toBe(2);
      await settled(page);
      const first = await text(page, '.steps');
      await page.goBack();
      await settled(page);
      await expect.poll(() => text(page, '.steps')).not.toBe(first);
      await page.locator('[data-step="3"]').click();
      await page.getByRole('button', { name: 'Not like this' }).click();
      await expect.poll(() => text(page, '.foot')).toContain('Avoiding');
      await expect.poll(() => text(page, '.foot')).toContain('replayed: ok');
    });

    test('the proof grows by choices that the back button takes back', async () => {
      page = await open(browser, `${url}#/p/upstairs/proof`);
      await expect.poll(() => text(page, '.pane h2')).toContain('1 obligation is open');
      await page.getByRole('button', { name: 'Ways' }).click();
      await expect.poll(() => page.locator('.ways li').count()).toBe(8);
      await page.locator('.ways button').first().click();
      await expect.poll(() => page.locator('.claim').count()).toBe(2);
      await page.goBack();
      await expect.poll(() => page.locator('.claim').count()).toBe(1);
      await page.keyboard.press('A');
      await expect.poll(() => text(page, '.pane h2')).toContain('everything is shown');
      const link = page.url();
      const claims = await text(page, '.proof');
      await page.goto('about:blank');
      await page.goto(link);
      await settled(page);
      await expect.poll(() => text(page, '.proof')).toBe(claims);
      await page.keyboard.press('u');
      await expect.poll(() => text(page, '.pane h2')).not.toContain('everything is shown');
    });

    test('a strategy chooses another loop', async () => {
      page = await open(browser, `${url}#/p/upstairs/proof`);
      await page.locator('.proof-tools select').selectOption({ label: 'prefer EXPR' });
      await page.getByRole('textbox', { name: 'prefer EXPR' }).fill('btn1.r');
      await page.keyboard.press('Enter');
      await expect.poll(hash).toContain('strategy prefer btn1.r');
      await page.keyboard.press('A');
      await expect.poll(() => text(page, '.pane h2')).toContain('everything is shown');
    });

    test('what was meant holds, and a run shows where it matters', async () => {
      page = await open(browser, `${url}#/p/served/evidence`);
      await expect.poll(() => text(page, '.empty')).toContain('No counterexample: the property holds.');
      await page.getByText('Show a run where it matters').click();
      await expect.poll(() => text(page, '.foot')).toContain('Where it matters');
    });

    test('a walk can go to a state, go on, and be repeated from its link', async () => {
      page = await open(browser, `${url}#/explore`);
      await page.keyboard.press('3');
      await expect.poll(() => text(page, '.step-selected')).toContain('btn2.p: FALSE → TRUE');
      await page.getByPlaceholder('an expression, as floor = 3').fill('floor = 3 & door = open');
      await page.keyboard.press('Enter');
      await expect.poll(() => text(page, '.step-selected')).toContain('door: closed → open');
      await page.getByText('What is true here').click();
      await expect.poll(() => text(page, '.truths')).toContain('+ true: served');
      const steps = await text(page, '.steps');
      const link = page.url();
      await page.goto('about:blank');
      await page.goto(link);
      await settled(page);
      await expect.poll(() => text(page, '.steps')).toBe(steps);
      await page.getByRole('tab', { name: 'Graph' }).click();
      await expect.poll(() => page.locator('.node-ghost').count()).toBeGreaterThan(3);
      await page.getByLabel('one node for each value of').fill('floor');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.node-state').count()).toBe(3);
      expect(await audit(page)).toEqual([]);
    });

    test('a wrong expression is told, and nothing is lost', async () => {
      expectComplaint(/status of 4\d\d/);
      page = await open(browser, `${url}#/explore`);
      await page.getByPlaceholder('an expression, as floor = 3').fill('flor = 3');
      await page.keyboard.press('Enter');
      await expect.poll(() => text(page, '[role=alert]')).toContain('flor');
      await page.getByText('Take the last choice back').click();
      await expect.poll(() => text(page, '.step-selected')).toContain('floor=1');
    });

    test('why a step is blocked', async () => {
      page = await open(browser, `${url}#/explore`);
      await page.getByLabel('what shall be next').fill('floor = 3');
      await page.keyboard.press('Enter');
      await expect.poll(() => text(page, '.blockers')).toMatch(/line \d+: .*so here floor can only become 1/);
      await page.getByLabel('what shall be next').fill('btn3.p');
      await page.keyboard.press('Enter');
      await expect.poll(() => text(page, '.why-not')).toContain('It can be');
    });

    test('a part of the property is explained, and can be checked on its own', async () => {
      page = await open(browser, `${url}#/p/upstairs/evidence?step=3`);
      await page.locator('.box', { hasText: /AF \(.*\)$/ }).last().locator('> .sign').click();
      await expect.poll(() => text(page, '.explained')).toContain('AF (floor = 3 & door = open) is false');
      await page.getByRole('button', { name: 'Check this part on its own' }).click();
      await expect.poll(() => text(page, '.plain-formula, .head')).toContain('AF (floor = 3 & door = open)');
      await expect.poll(hash).not.toContain('/p/upstairs/');
      await settled(page);
      await expect.poll(() => text(page, '.foot')).toContain('replayed: ok');
    });

    test('screens have no serious finding in the audit', async () => {
      page = await open(browser, `${url}#/p/upstairs/proof?ways=0`);
      await expect.poll(() => page.locator('.ways li').count()).toBe(8);
      expect(await audit(page)).toEqual([]);
      for (const [address, content] of [['p/upstairs/evidence?step=3&watch=idle', '.watches li'], ['explore?go=2', '.choice, .choices li'], ['explore?go=2&view=graph', '.node'], ['p/upstairs/all', '.node']] as const) {
        await page.goto(`${url}#/${address}`);
        await settled(page);
        await expect.poll(() => page.locator(content).count()).toBeGreaterThan(0);
        expect(await audit(page), address).toEqual([]);
        await page.keyboard.press('t');
        await settled(page);
        expect(await audit(page), `${address}, in the other colours`).toEqual([]);
      }
    });
  });

  describe('a file that changes', () => {
    test('is read again when it is checked again, and what changed is told', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'wherefore-again-'));
      try {
        const file = join(folder, 'lift.smv');
        const model = readFileSync(join(examples, 'elevator.smv'), 'utf8');
        writeFileSync(file, model);
        page = await open(browser, await serve(file));
        await expect.poll(() => text(page, '.filters')).toContain('fails 2');
        await page.getByRole('button', { name: 'Check again' }).click();
        await expect.poll(() => text(page, '.model [role=status]')).toBe('Nothing changed since the last check.');
        writeFileSync(file, `${model.replace(/NAME third\s*:= AG AF/, 'NAME third := EF')}\nCTLSPEC NAME added := EF door = open\n`);
        await page.getByRole('button', { name: 'Check again' }).click();
        await expect.poll(() => text(page, '.model [role=status]')).toBe('Since the last check: 1 verdict changed; 1 property is new.');
        await expect.poll(() => text(page, '.properties tbody tr:has(a:text-is("third")) .property-change')).toBe('was: fails');
        await expect.poll(() => text(page, '.properties tbody tr:has(a:text-is("added")) .property-change')).toBe('new');
        expect(await audit(page)).toEqual([]);
        await page.locator('a.property-link', { hasText: 'third' }).click();
        await expect.poll(() => text(page, '.head')).toContain('holds');
        await page.goBack();
        await settled(page);
        writeFileSync(file, 'MODULE main VAR x : nothing at all');
        expectComplaint(/status of 4\d\d/);
        await page.getByRole('button', { name: 'Check again' }).click();
        await expect.poll(() => text(page, '.model')).toContain('The model was rejected');
        writeFileSync(file, model);
        await page.getByRole('button', { name: 'Check again' }).click();
        await expect.poll(() => text(page, '.filters')).toContain('fails 2');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });

  describe('the vending machine and its neighbourhoods', () => {
    let url = '';
    beforeAll(async () => { url = await serve('lts/vending.aut', 'lts/vending.mcl', 'vending'); });

    test('the page begins with the property that was named', async () => {
      page = await open(browser, url);
      await expect.poll(() => text(page, '.head-name')).toBe('vending');
      await expect.poll(() => text(page, '.steps')).toContain('WANT !BEER');
    });

    test('from the shortest counterexample to the state where good and bad part', async () => {
      page = await open(browser, `${url}#/p/vending/all`);
      await expect.poll(() => text(page, '.facts')).toContain('9 steps, 5 of which matter');
      await expect.poll(() => text(page, '.types')).toContain('◆ ci 2 right or wrong');
      await expect.poll(() => text(page, '.edge-incorrect')).toContain('× RETURN');
      await page.locator('button.group-head', { hasText: 'ci at state 8' }).click();
      await expect.poll(() => text(page, '.node-card')).toContain('2 steps leave this state');
      await expect.poll(() => text(page, '.links')).toContain('COIN the property is kept');
      await expect.poll(() => text(page, '.node-selected')).toContain('◆ ci');
      await page.goBack();
      await expect.poll(() => page.locator('.node-card').count()).toBe(0);
    });

    test('runs through some types and some actions only', async () => {
      page = await open(browser, `${url}#/p/vending/all?which=nearest`);
      await expect.poll(() => text(page, '.node')).toContain('cn');
      await page.goto(`${url}#/p/vending/all?pattern=RETURN ... RETURN`);
      await settled(page);
      await expect.poll(() => text(page, '.pane-run')).toMatch(/RETURN|no such|There is no/);
    });

    test('queries are answered as tables', async () => {
      page = await open(browser, `${url}#/p/vending/all`);
      await page.getByLabel('query', { exact: true }).fill('MATCH (s:NEIGHBOURHOOD) RETURN count(*) AS n');
      await page.getByRole('button', { name: 'Ask' }).click();
      await expect.poll(() => text(page, '[aria-label=answer]')).toBe('n 5');
      expect(await audit(page)).toEqual([]);
    });
  });

  describe('models whose states nobody lists', () => {
    test('a command of an Alloy model: its counterexample, another one, and values in it', async () => {
      page = await open(browser, await serve('alloy/rights.als'));
      await expect.poll(() => text(page, '.properties')).toContain('there is no counterexample in this scope');
      await page.locator('a.property-link', { hasText: 'closedIsClosed' }).click();
      await expect.poll(() => text(page, '.run-panel')).toContain('Folder$0');
      await page.getByLabel('expression to watch').fill('#Grant');
      await page.keyboard.press('Enter');
      await expect.poll(() => text(page, '.watches')).toContain('#Grant = 1');
      await page.getByRole('button', { name: 'Another one' }).click();
      await expect.poll(() => text(page, '.foot select')).toContain('Counterexample 2');
      await page.getByText('Export').click();
      await expect.poll(() => text(page, '.menu')).toContain('instance for the Alloy visualizer');
    });

    test('an infinite-state model: a run that a solver found, and its proof', async () => {
      page = await open(browser, await serve('smt/counter.vmt'));
      await page.locator('a.property-link', { hasText: 'never-ten' }).click();
      await expect.poll(() => text(page, '.head')).toContain('because a state where (= c 10) holds is reached');
      await page.keyboard.press('p');
      await page.getByRole('button', { name: 'Show everything' }).click();
      await expect.poll(() => text(page, '#main')).toContain('everything is shown');
    });

  });

  describe('reports', () => {
    test('check --html writes a page that needs nothing else', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'wherefore-report-'));
      try {
        const file = join(folder, 'report.html');
        spawnSync(binary, ['check', 'elevator.smv', '--html', file], { cwd: examples });
        page = await open(browser, `${pathToFileURL(file).href}#/p/upstairs/evidence?step=3`);
        await expect.poll(() => text(page, '.head')).toContain('because at step 3 floor != 1 holds');
        await expect.poll(() => text(page, '.step-selected')).toContain('floor: 1 → 2');
        await page.goto(`${pathToFileURL(file).href}#/report`);
        await settled(page);
        await expect.poll(() => text(page, '.report')).toContain('Whenever floor is not 1');
        expect(readFileSync(file).length).toBeLessThan(1_000_000);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

    test('musical chairs: a lasso of the complete game, with rows that come and go', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'wherefore-report-'));
      try {
        const file = join(folder, 'report.html');
        spawnSync(binary, ['check', 'alloy/musical_chairs.als', '--reach', 'complete', '--html', file], { cwd: examples });
        page = await open(browser, pathToFileURL(file).href);
        await page.locator('.properties tbody tr', { hasText: 'fails' }).first().locator('a').click();
        await settled(page);
        await expect.poll(() => text(page, '.steps')).toContain('for ever');
        await page.keyboard.press('End');
        await expect.poll(() => text(page, '.step-selected')).toMatch(/phase|sits|playing/);
        await page.keyboard.press('2');
        await expect.poll(() => page.locator('.edge-loop').count()).toBe(1);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
});
