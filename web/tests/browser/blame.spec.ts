// What is to blame: the text with heat, the red dots, and the run with and without a change; in a report and with a server.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { reportOf } from '../../src/api/report';
import type { CheckDocument, ModelsAnswer } from '../../src/api/wire';
import { binary, examples, missing, Server } from './server';
import { audit, fixture, launch, open, Reports, settled, text, unexpected } from './support';

/** The elevator that turns the wrong way when somebody waits below. */
const turns = readFileSync(join(examples, 'elevator.smv'), 'utf8').replace('below                    : down;', 'below                    : up;');

let browser: Browser;
let page: Page;
const reports = new Reports();

beforeAll(async () => { browser = await launch(); });
afterEach(async () => {
  await page.close();
  expect(unexpected()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  reports.remove();
});

const hash = (): string => new URL(page.url()).hash;

describe('in a report', () => {
  let url = '';
  let plain = '';
  beforeAll(() => {
    const document = fixture('turns.json') as CheckDocument;
    const report = reportOf(document);
    for (const entry of (report.responses['models'] as ModelsAnswer).models) entry.source = turns;
    url = reports.url('turns', report);
    plain = reports.url('plain', document);
  });

  test('the lines that may be to blame are marked in the text, by more than a colour', async () => {
    page = await open(browser, `${url}#/p/home/evidence`);
    await page.keyboard.press('b');
    await expect.poll(hash).toBe('#/p/home/blame');
    const first = page.locator('.heat-line[data-place="1"]');
    await expect.poll(() => first.getAttribute('class')).toContain('heat-mend');
    await expect.poll(() => first.locator('u').innerText()).toBe('up');
    await expect.poll(() => first.locator('button').getAttribute('aria-label')).toBe('place 1, line 51: a change here mends it');
    await expect.poll(() => text(page, '.heat-legend')).toContain('● a change here mends it');
    // What a line is, is told to whoever comes there with keys.
    await first.locator('button').focus();
    await expect.poll(() => first.locator('.heat-note').isVisible()).toBe(true);
    await expect.poll(() => text(page, '.place[data-place="1"]')).toBe('●1 line 51: a change here mends it up → down [5 of 7 hold] − as it is: below : up; + with the change: below : down;');
    await expect.poll(() => text(page, '.blame-search')).toMatch(/^326 changes tried\./);
    expect(await audit(page)).toEqual([]);
  });

  test('a place is chosen with keys, is in the address, and says what a report cannot do', async () => {
    page = await open(browser, `${url}#/p/home/blame`);
    await page.keyboard.press('j');
    await expect.poll(hash).toBe('#/p/home/blame?place=1');
    await expect.poll(() => text(page, '.pane-chosen')).toContain('With the change home holds; 5 of 7 properties do.');
    await expect.poll(() => text(page, '.pane-chosen')).toContain('Open an SMV model with wherefore open');
    await expect.poll(() => page.getByText('Try more').count()).toBe(0);
    await page.keyboard.press('End');
    await expect.poll(() => text(page, '.pane-chosen')).toMatch(/^Place \d+, line \d+: not excluded/);
    await page.keyboard.press('Escape');
    await expect.poll(hash).toBe('#/p/home/blame');
    await expect.poll(() => page.locator('.pane-chosen').count()).toBe(0);
    await page.locator('.heat-line[data-place="3"]').click();
    await expect.poll(hash).toBe('#/p/home/blame?place=3');
    const saved = page.waitForEvent('download');
    await page.getByText('Download the mended model').click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('mended-turns.smv');
    expect(readFileSync(await file.path(), 'utf8')).toBe(turns.replace('direction = down & below : down;', 'direction = up & below : down;'));
  });

  test('without the text of the model there is the list', async () => {
    page = await open(browser, `${plain}#/p/home/blame`);
    await expect.poll(() => text(page, '.pane-heat')).toContain('The text of the model is not in these data.');
    await expect.poll(() => text(page, '.place[data-place="1"]')).toContain('up → down [5 of 7 hold]');
  });

  test('a property that holds has nothing to blame', async () => {
    page = await open(browser, `${url}#/p/served/blame`);
    await expect.poll(() => text(page, '.empty')).toBe('The property holds: nothing is to blame.');
  });

  test('values that the failure depends on have red dots in every view, and the legend says what that means', async () => {
    const causes = (fixture('turns.json') as CheckDocument).models[0]?.properties.find(each => each.name === 'upstairs')?.evidence?.causes ?? [];
    expect(causes.length).toBeGreaterThan(0);
    page = await open(browser, `${url}#/p/upstairs/evidence`);
    await expect.poll(() => text(page, '.cause-legend')).toMatch(/^• marked: the failure (depends on this value|may depend on this value, by an approximation)/);
    await expect.poll(() => page.locator('.steps .cause').count()).toBe(causes.length);
    const [first] = causes;
    await expect.poll(() => text(page, `.step[data-step="${String(first?.state)}"]`)).toContain(`• marked: ${String(first?.variable)}`);
    await page.keyboard.press('2');
    await expect.poll(() => page.locator('.node-cause').count()).toBe(causes.length);
    await page.keyboard.press('3');
    await expect.poll(() => page.locator('.values .cause').count()).toBe(causes.length);
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('4');
    await expect.poll(() => page.locator('.wave-cause').count()).toBe(causes.length);
    await page.keyboard.press('5');
    await settled(page);
    await expect.poll(() => page.locator('.cause-legend').count()).toBe(0);
    page = (await page.close(), await open(browser, `${url}#/report`));
    await expect.poll(() => text(page, '.report-property[aria-label="home"] .report-blame')).toContain('To blame line 51: up → down [5 of 7 hold]');
    await expect.poll(() => page.locator('.report-property[aria-label="upstairs"] .cause-legend').count()).toBe(1);
  });
});

const why = missing();
describe.skipIf(why !== null)('with a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-blame-'));
  const file = join(folder, 'turns.smv');
  let server: Server;
  let url = '';
  beforeAll(async () => {
    writeFileSync(file, turns);
    server = await Server.start(file);
    url = server.url;
  });
  afterAll(() => {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a change is clicked, and the step that it forbids is told', async () => {
    page = await open(browser, `${url}#/p/home/blame?try=1`);
    await expect.poll(() => text(page, '.blame-search')).toMatch(/changes tried/);
    await page.locator('.place', { hasText: 'line 20: a change here mends it at a cost' }).locator('button').click();
    await expect.poll(() => text(page, '.fate')).toContain('In the changed model the counterexample dies at step 2: line 20 p : FALSE allows btn3.r = FALSE, not TRUE.');
    await expect.poll(() => text(page, '.fate')).toContain('Possible instead: btn3.r=FALSE');
    await expect.poll(() => text(page, '.again tbody')).toContain('1 btn3.p: FALSE → TRUE ✓ possible as before 2 btn3.r: FALSE → TRUE line 20 ✗ no longer possible');
    await expect.poll(() => text(page, '.verdicts tbody')).toContain('home ✗ fails ✓ holds now holds');
    await expect.poll(() => text(page, '.verdicts tbody')).toContain('rest ✓ holds ✗ fails no longer holds');
    await expect.poll(() => text(page, '.reason')).toContain('Why it holds');
    expect(await audit(page)).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(turns);
  });

  test('where every step stays possible, a run shows that the claim is wrong now', async () => {
    page = await open(browser, `${url}#/p/home/blame?place=1&try=1`);
    await expect.poll(() => text(page, '.fate')).toContain('In the changed model the counterexample runs, but no longer shows it');
    await expect.poll(() => text(page, '.again tbody')).toContain('possible as before; here it no longer shows what it showed');
    await expect.poll(() => text(page, '.contrary')).toBe('In the changed model, EF (floor = 1 & door = closed & idle) is true at step 2.');
    await expect.poll(() => page.locator('.with-run .with-other .step').count()).toBeGreaterThan(2);
    // The next place is asked at once, and the answer to the one before is no longer awaited.
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(hash).toBe('#/p/home/blame?place=3&try=1');
    await expect.poll(() => text(page, '.pane-chosen h2')).toContain('With and without change 3');
    await expect.poll(() => text(page, '.verdicts tbody')).toContain('home ✗ fails ✓ holds now holds');
  });

  test('a state says where its values come from, and what kept them from being others', async () => {
    page = await open(browser, `${url}#/p/home/evidence?step=2`);
    await expect.poll(() => text(page, '.slice')).toContain('step 2: btn3.r is TRUE, given by line 20: p : TRUE, since p is TRUE');
    await expect.poll(() => text(page, '.slice')).toContain('line 19: reset : FALSE is not taken, since floor = 3 (line 31) is FALSE');
    await expect.poll(() => page.locator('.slice .cause').count()).toBe(3);
    expect(await audit(page)).toEqual([]);
  });

  test('more is tried when somebody asks', async () => {
    page = await open(browser, `${url}#/p/third/blame`);
    await page.getByText('Try more').click();
    await expect.poll(hash).toBe('#/p/third/blame?try=1');
    await expect.poll(() => text(page, '.blame-search')).toMatch(/changes tried/);
    await expect.poll(() => page.getByText('Cancel').count()).toBe(0);
    await page.goBack();
    await expect.poll(hash).toBe('#/p/third/blame');
  });

  test('a long search can be cancelled, and the server is told so', async () => {
    page = await open(browser, `${url}#/p/third/blame`);
    // An answer that never comes.
    await page.route('**/properties/*/blame', () => undefined);
    await page.getByText('Try more').click();
    await expect.poll(() => page.getByText('Cancel').count()).toBe(1);
    const ended = page.waitForEvent('requestfailed', request => request.url().endsWith('/blame'));
    await page.getByText('Cancel').click();
    expect((await ended).failure()?.errorText).toContain('ABORTED');
    await expect.poll(hash).toBe('#/p/third/blame');
    await expect.poll(() => text(page, '.blame-search')).toMatch(/changes tried/);
  });

  test('a report that the checker writes has the text, the places and the dots', async () => {
    const report = join(folder, 'report.html');
    spawnSync(binary, ['check', file, '--html', report]);
    page = await open(browser, `${pathToFileURL(report).href}#/p/home/blame?place=1`);
    await expect.poll(() => page.locator('.heat-line[data-place="1"] u').innerText()).toBe('up');
    await expect.poll(() => text(page, '.pane-chosen')).toContain('With the change home holds; 5 of 7 properties do.');
    page = (await page.close(), await open(browser, `${pathToFileURL(report).href}#/p/upstairs/evidence`));
    await expect.poll(() => page.locator('.steps .cause').count()).toBeGreaterThan(0);
  });
});
