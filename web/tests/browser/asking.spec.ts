// What the page asks a server, and what it makes of the answers, with a stand-in for the server.

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFake } from './fake-server';
import { audit, expectComplaint, launch, open, settled, text, unexpected } from './support';

let browser: Browser;
let page: Page;
let server: Awaited<ReturnType<typeof startFake>>;

beforeAll(async () => {
  browser = await launch();
  server = await startFake();
});
afterEach(async () => {
  await page.close();
  expect(unexpected()).toEqual([]);
});
afterAll(async () => {
  server.stop();
  await browser.close();
});

const hash = (): string => decodeURIComponent(new URL(page.url()).hash.replaceAll('+', ' '));

describe('evidence', () => {
  test('the page begins where the command line says', async () => {
    page = await open(browser, server.url);
    await expect.poll(hash).toBe('#/p/small/evidence');
    await expect.poll(() => text(page, '.head')).toContain('because a state where x = 3 holds is reached');
    await page.keyboard.press('End');
    await expect.poll(() => text(page, '.told')).toBe('Now x is 3.');
    await expect.poll(() => text(page, '.step-selected')).toContain('x = 3 holds');
  });

  test('expressions are watched, and a wrong one is told', async () => {
    expectComplaint(/status of 422/);
    page = await open(browser, `${server.url}#/p/small/evidence?step=2`);
    await page.getByLabel('expression to watch').fill('x');
    await page.keyboard.press('Enter');
    await expect.poll(() => text(page, '.watches')).toContain('x = 2');
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await expect.poll(() => text(page, '.watches')).toContain('x = 3');
    await page.getByLabel('expression to watch').fill('nonsense');
    await page.keyboard.press('Enter');
    await expect.poll(() => text(page, '.watches')).toContain('nonsense is not known.');
    expect(await audit(page)).toEqual([]);
  });

  test('what can follow and what leads here', async () => {
    page = await open(browser, `${server.url}#/p/small/evidence?step=1`);
    await page.getByText('What can follow?').click();
    await expect.poll(() => text(page, '.spots')).toBe('stay nothing changes count x: 1 → 2');
    await page.getByText('What leads here?').click();
    await expect.poll(() => text(page, '.pane-state')).toContain('2 predecessors');
  });

  test('another run, a run that avoids a state, and the way back', async () => {
    page = await open(browser, `${server.url}#/p/small/evidence?step=2`);
    await page.getByRole('button', { name: 'Another one' }).click();
    await expect.poll(() => text(page, '.foot')).toContain('4 steps');
    await expect.poll(() => page.locator('.foot select option').count()).toBe(2);
    await page.goBack();
    await expect.poll(() => text(page, '.foot')).toContain('3 steps');
    await page.getByRole('button', { name: 'Not like this' }).click();
    await expect.poll(hash).toContain('avoid=x = 2');
    await expect.poll(() => text(page, '.foot')).toContain('4 steps');
    await page.locator('.avoided').click();
    await expect.poll(() => text(page, '.foot')).toContain('3 steps');
  });

  test('a change leads to its line, and exports are links', async () => {
    page = await open(browser, `${server.url}#/p/small/evidence?step=1`);
    await page.locator('.steps').getByText('line 2').first().click();
    await expect.poll(() => text(page, '.source-here')).toContain('VAR x : 0..3;');
    await page.getByText('Export').click();
    await expect.poll(() => page.locator('.menu a').getAttribute('href')).toBe('api/1/models/0/properties/0/export/itf');
  });

  test('compare finds another run when there is only one', async () => {
    page = await open(browser, `${server.url}#/p/small/compare`);
    await page.getByText('Find another run').click();
    await expect.poll(() => text(page, '.compare-said')).toBe('The runs agree for 1 state and part at step 1.');
  });
});

describe('proof', () => {
  test('obligations are shown one by one, the back button takes choices back, and a link repeats them', async () => {
    page = await open(browser, `${server.url}#/p/small/proof`);
    await expect.poll(() => text(page, '.pane h2')).toContain('1 obligation is open');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect.poll(hash).toContain('choice=expand #0');
    await expect.poll(() => page.locator('.claim').count()).toBe(2);
    await page.getByRole('button', { name: 'Ways' }).click();
    await expect.poll(() => text(page, '.ways')).toContain('2 go on to the same state');
    await page.keyboard.press('2');
    await expect.poll(hash).toContain('choice=take 2 #1');
    await expect.poll(() => page.locator('.claim').count()).toBe(3);
    await page.goBack();
    await expect.poll(() => page.locator('.claim').count()).toBe(2);
    await page.keyboard.press('A');
    await expect.poll(() => text(page, '.pane h2')).toContain('everything is shown');
    const link = page.url();
    await page.goto('about:blank');
    await page.goto(link);
    await settled(page);
    await expect.poll(() => page.locator('.claim').count()).toBe(4);
    await page.keyboard.press('u');
    await expect.poll(() => page.locator('.claim').count()).toBe(2);
    expect(await audit(page)).toEqual([]);
  });

  test('strategies ask for what they need, and what was said is told', async () => {
    page = await open(browser, `${server.url}#/p/small/proof`);
    await page.locator('.proof-tools select').selectOption({ label: 'prefer EXPR' });
    await page.getByRole('textbox', { name: 'prefer EXPR' }).fill('x = 2');
    await page.keyboard.press('Enter');
    await expect.poll(hash).toContain('choice=strategy prefer x = 2');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect.poll(() => page.locator('.claim').count()).toBe(2);
    await page.locator('.claim-text').first().click();
    await page.getByRole('button', { name: 'Another way' }).click();
    await expect.poll(() => text(page, '.proof-tools')).toContain('there is no other way to show this');
  });

  test('choices that do not fit are refused in words', async () => {
    page = await open(browser, `${server.url}#/p/small/proof?choice=dance`);
    await expect.poll(() => text(page, '[role=alert]')).toContain('There is no choice dance.');
  });
});

describe('all counterexamples', () => {
  test('a group leads to its nearest state, and nodes open', async () => {
    page = await open(browser, `${server.url}#/p/small/all`);
    await expect.poll(() => text(page, '.facts')).toContain('9 steps, 5 of which matter');
    await page.locator('button.group-head').first().click();
    await expect.poll(hash).toContain('node=8');
    await expect.poll(() => text(page, '.node-card')).toContain('2 steps leave this state');
    await expect.poll(() => text(page, '.node-selected')).toContain('◆ ci');
    await expect.poll(() => text(page, '.graph-note')).toContain('4 states are not drawn');
    await page.locator('.links').getByText('to state').click();
    await expect.poll(() => page.locator('.node-state').count()).toBe(3);
    await page.goBack();
    await expect.poll(() => page.locator('.node-state').count()).toBe(2);
    await page.getByText('Back to the run').click();
    await expect.poll(() => page.locator('.node-card').count()).toBe(0);
    expect(await audit(page)).toEqual([]);
  });

  test('a pattern without a run says so, and queries are tables', async () => {
    page = await open(browser, `${server.url}#/p/small/all?pattern=NOTHING`);
    await expect.poll(() => text(page, '.empty')).toBe('No run has this pattern.');
    await page.getByLabel('query', { exact: true }).fill('MATCH (s) RETURN s');
    await page.getByRole('button', { name: 'Ask' }).click();
    await expect.poll(() => text(page, '[aria-label=answer]')).toBe('n 5 A, B');
  });
});

describe('explore', () => {
  test('steps are taken by keys, ways are found, and a link repeats the walk', async () => {
    page = await open(browser, `${server.url}#/explore`);
    await page.keyboard.press('2');
    await expect.poll(() => text(page, '.step-selected')).toContain('count x: 0 → 1');
    await page.getByPlaceholder('an expression, as floor = 3').fill('x = 3');
    await page.keyboard.press('Enter');
    await expect.poll(() => text(page, '.step-selected')).toContain('x: 2 → 3');
    await page.getByText('What is true here').click();
    await expect.poll(() => text(page, '.truths')).toContain('− false: small');
    const link = page.url();
    await page.goto('about:blank');
    await page.goto(link);
    await settled(page);
    await expect.poll(() => page.locator('.step').count()).toBe(4);
    await page.getByRole('tab', { name: 'Graph' }).click();
    await expect.poll(() => page.locator('.node').count()).toBe(4);
    await page.getByLabel('one node for each value of').fill('x');
    await page.keyboard.press('Enter');
    await expect.poll(() => text(page, '.node-title')).toContain('3');
    await page.keyboard.press('Escape');
    expect(await audit(page)).toEqual([]);
  });

  test('why a step is blocked is told by the lines that forbid it', async () => {
    page = await open(browser, `${server.url}#/explore`);
    await page.getByLabel('what shall be next').fill('x = 3');
    await page.keyboard.press('Enter');
    await expect.poll(() => text(page, '.why-not')).toContain('This line forbids it: line 2: assigns {x, x + 1}, so here x can only become 0 or 1');
    await expect.poll(hash).toContain('why=x = 3');
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('what shall be next').fill('x = 1');
    await page.keyboard.press('Enter');
    await expect.poll(() => text(page, '.why-not')).toContain('It can be: a step leads to a state where x = 1 is true.');
  });

  test('what cannot be reached is told, and the last choice can be taken back', async () => {
    page = await open(browser, `${server.url}#/explore?go=1&go=to:x = 0`);
    await expect.poll(() => text(page, '[role=alert]')).toContain('No state where x = 0 is true can be reached from here.');
    await page.getByText('Take the last choice back').click();
    await expect.poll(() => text(page, '.step-selected')).toContain('x: 0 → 1');
  });
});

test('a server that is gone is told', async () => {
  expectComplaint(/ERR_(CONNECTION|EMPTY)/);
  const other = await startFake();
  page = await open(browser, `${other.url}#/`);
  other.stop();
  await page.locator('a.property-link').click();
  await expect.poll(() => text(page, '[role=alert]')).toContain('The server does not answer.');
});
