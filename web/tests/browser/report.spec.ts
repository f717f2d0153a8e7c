// Every screen of a report, from data inside the page alone.

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tree } from './data';
import { audit, fixture, launch, open, Reports, settled, text, unexpected } from './support';

let browser: Browser;
const reports = new Reports();
let elevator = '';
let page: Page;

beforeAll(async () => {
  browser = await launch();
  elevator = reports.url('elevator', fixture('elevator.json'));
});
afterEach(async () => {
  await page.close();
  expect(unexpected()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  reports.remove();
});

const hash = (): string => new URL(page.url()).hash;

describe('overview', () => {
  test('failures come first, each verdict has a word, and a click leads to the evidence', async () => {
    page = await open(browser, elevator);
    await expect.poll(() => text(page, '.properties tbody tr:first-child')).toContain('✗ fails third AG AF (floor = 3 & door = open) lasso, 1 step line 64');
    await expect.poll(() => page.locator('.properties tbody tr').count()).toBe(7);
    await expect.poll(() => text(page, '.filters')).toContain('fails 2');
    await expect.poll(() => text(page, '.model-size')).toBe('552 states · 4 416 transitions · engine explicit');
    await page.locator('a.property-link', { hasText: 'upstairs' }).click();
    await expect.poll(hash).toBe('#/p/upstairs/evidence');
    await page.goBack();
    await expect.poll(hash).toBe('');
  });

  test('filters and search narrow the list and are in the address', async () => {
    page = await open(browser, elevator);
    await page.locator('button.filter', { hasText: 'vacuous' }).click();
    await expect.poll(() => text(page, '.properties tbody')).toContain('top');
    await expect.poll(() => page.locator('.properties tbody tr').count()).toBe(1);
    await expect.poll(hash).toBe('#/?only=vacuous');
    await page.keyboard.press('/');
    await page.keyboard.type('no such');
    await expect.poll(() => text(page, '.model')).toContain('No property matches.');
  });
});

describe('evidence', () => {
  test('three panes are in step: property, run and state', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/evidence`);
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('j');
    await expect.poll(hash).toBe('#/p/upstairs/evidence?step=4');
    await expect.poll(() => text(page, '.step-selected')).toContain('4 door: closed → open line 43');
    await expect.poll(() => page.locator('.box', { hasText: /^\S?door = open$/ }).last().getAttribute('data-truth')).toBe('true');
    await expect.poll(() => page.locator('.box').first().getAttribute('data-truth')).toBe('false');
    await expect.poll(() => text(page, '.pane-state .changes')).toBe('door: closed → open line 43');
    await expect.poll(() => text(page, '.state-values tr.changed')).toContain('door');
    await page.keyboard.press('k');
    await expect.poll(() => text(page, '.step-selected')).toContain('3 floor: 1 → 2');
    await expect.poll(() => page.locator('.box', { hasText: /^\S?door = open$/ }).last().getAttribute('data-truth')).toBe('false');
  });

  test('steps show the loop as a bracket, what decides, and what changed', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/evidence`);
    await expect.poll(() => text(page, '.steps')).toContain('back to step 3, for ever');
    await expect.poll(() => text(page, '.steps')).toContain('★ decided here');
    await expect.poll(() => page.locator('.bracket').evaluateAll(all => all.map(each => each.className.replace('bracket', '').trim()))).toEqual(['', '', '', 'bracket-start', 'bracket-in', 'bracket-in', 'bracket-end']);
    await expect.poll(() => text(page, '.foot')).toContain('3 steps, then a loop of 3 steps shortest: proved replayed: ok');
    await expect.poll(() => text(page, '.foot-decisions')).toContain('Last chance at step 2:');
    await page.keyboard.press('d');
    await expect.poll(() => text(page, '[data-step="2"]')).toContain('floor=1');
  });

  test('the graph has the loop as a cycle, and choices not taken as ghosts', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/evidence?step=3`);
    await page.keyboard.press('2');
    await expect.poll(() => page.locator('.node-state').count()).toBe(6);
    await expect.poll(() => text(page, '.edge-loop')).toBe('for ever');
    await expect.poll(() => page.locator('.node-ghost').count()).toBe(3);
    await expect.poll(() => page.locator('.node-selected').getAttribute('aria-label')).toBe('3 floor = 2');
    await page.locator('.node', { hasText: 'door = open' }).click();
    await expect.poll(hash).toContain('step=4');
    await page.getByLabel('choices not taken').uncheck();
    await expect.poll(() => page.locator('.node-ghost').count()).toBe(0);
  });

  test('a node can be dragged and stays where it was put', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/evidence?view=graph`);
    const node = page.locator('.node', { hasText: 'door = open' }).locator('.node-body');
    const top = async (): Promise<number> => Math.round((await node.boundingBox())?.y ?? Number.NaN);
    const before = await node.boundingBox();
    await page.mouse.move((before?.x ?? 0) + 20, (before?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move((before?.x ?? 0) + 20, (before?.y ?? 0) + 90, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => text(page, '.graph-tools')).toContain('Unpin 1');
    await expect.poll(async () => await top() - (before?.y ?? 0)).toBeGreaterThan(60);
    const after = await top();
    await page.keyboard.press('j');
    await expect.poll(() => page.locator('.node-selected').getAttribute('aria-label')).toMatch(/^1 /);
    expect(Math.abs(await top() - after)).toBeLessThanOrEqual(1);
  });

  test('keys move nodes and the picture, and go from node to node', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/evidence?view=graph&step=1`);
    const node = page.locator('.node-selected .node-body');
    const left = async (): Promise<number> => Math.round((await node.boundingBox())?.x ?? Number.NaN);
    const before = await left();
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(left).toBeGreaterThan(before);
    await expect.poll(() => text(page, '.graph-tools')).toContain('Unpin 1');
    await page.keyboard.press('U');
    await expect.poll(left).toBe(before);
    await page.keyboard.press('L');
    await expect.poll(left).toBe(before - 80);
    await page.keyboard.press('.');
    await expect.poll(() => page.locator('.node-selected').getAttribute('aria-label')).toMatch(/^2 /);
    await page.keyboard.press(',');
    await expect.poll(() => page.locator('.node-selected').getAttribute('aria-label')).toMatch(/^1 /);
  });

  test('the table marks what changes, and the wave draws parts of the property', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/evidence?view=table&step=4`);
    await expect.poll(() => text(page, '.values thead')).toBe('variable 0 1 2 3 4 5 ↺ 3');
    await expect.poll(() => page.locator('.values tbody tr').count()).toBe(4);
    await expect.poll(() => text(page, '.values tbody tr:nth-child(2)')).toBe('door closed closed closed closed changed: open changed: closed closed');
    await page.keyboard.press('d');
    await expect.poll(() => page.locator('.values tbody tr').count()).toBe(9);
    await page.keyboard.press('4');
    await expect.poll(() => page.locator('.wave-part').count()).toBe(7);
    await expect.poll(() => page.locator('.wave-row', { hasText: 'btn2.r' }).locator('svg').getAttribute('aria-label')).toBe('btn2.r: FALSE, FALSE, TRUE, TRUE, TRUE, FALSE, TRUE');
  });

  test('lanes show who changed what, and an expression makes other lanes', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/evidence?view=sequence`);
    await expect.poll(() => text(page, '.lanes thead')).toBe('step others btn1 btn2 btn3');
    await expect.poll(() => text(page, '.lanes tbody tr:nth-child(3)')).toBe('2 r = TRUE');
    await page.getByLabel('pattern of actors').fill('^(floor|door)$');
    await page.keyboard.press('Enter');
    await expect.poll(() => text(page, '.lanes thead')).toBe('step others floor door');
  });

  test('a part of the property can be followed along the run', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/evidence?step=5`);
    await page.locator('.box[data-truth="true"] > .sign').first().click();
    await expect.poll(hash).toContain('sub=');
    await expect.poll(() => text(page, '.chosen')).toContain('true since step 3');
    await expect.poll(() => text(page, '.strip')).toBe('− − − + + +');
  });

  test('values can be pinned, and the pin is in the address', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/evidence`);
    await page.getByLabel('pin btn3.r').click();
    await expect.poll(hash).toContain('pin=btn3.r');
    await expect.poll(() => text(page, '.pane-state')).toContain('Pinned ●btn3.r');
    await page.goBack();
    await expect.poll(() => text(page, '.pane-state')).not.toContain('Pinned');
  });

  test('a property without evidence says why', async () => {
    page = await open(browser, `${elevator}#/p/served/evidence`);
    await expect.poll(() => text(page, '.empty')).toContain('No counterexample: the property holds.');
    await page.goto(`${elevator}#/p/top/evidence`);
    await expect.poll(() => text(page, '.empty')).toContain('has no effect');
    await page.goto(`${elevator}#/p/missing/evidence`);
    await expect.poll(() => text(page, '#main')).toContain('There is no such property.');
  });

  test('a tree labels its branches with the part they show', async () => {
    page = await open(browser, `${reports.url('tree', tree())}#/p/both/evidence`);
    await expect.poll(() => text(page, '.step-branch')).toBe('From step 0, to show that AG x = 0 is false: | From step 0, to show that AF x = 9 is false:');
    await expect.poll(() => text(page, '.steps')).toContain('nothing can follow');
    await expect.poll(() => text(page, '.fair')).toBe('fair: x = 3 is met at step 3.');
    await page.keyboard.press('2');
    await expect.poll(() => text(page, '.edge text')).toContain('AF x = 9');
    await page.keyboard.press(']');
    await expect.poll(() => text(page, '.empty')).toBe('Time ran out after 3 seconds.');
  });
});

describe('the other screens', () => {
  test('the proof lists every claim beside the run', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/proof`);
    await expect.poll(() => text(page, '.proof > li:first-child')).toContain('#0 AG (floor != 1 -> AF (floor = 3 & door = open)) is false: goes on to step 1');
    const all = await page.locator('.claim').count();
    await page.locator('.claim-text', { hasText: 'because floor != 1 holds' }).click();
    await expect.poll(() => page.locator('.node-selected').getAttribute('aria-label')).toContain('3 floor = 2');
    await page.getByLabel('fold', { exact: true }).first().click();
    await expect.poll(() => page.locator('.claim').count()).toBeLessThan(all);
    await page.goBack();
    await expect.poll(() => page.locator('.claim').count()).toBe(all);
  });

  test('all counterexamples: summary, types, groups, and a picture', async () => {
    page = await open(browser, `${reports.url('vending', fixture('vending.json'))}#/p/vending/all`);
    await expect.poll(() => text(page, '.facts')).toContain('+ correct 5 correct × incorrect 10 incorrect · open 10 open');
    await expect.poll(() => text(page, '.types')).toContain('◐ cn 3 right or open');
    await expect.poll(() => text(page, '.groups')).toContain('ci at state 8, and 1 more');
    await expect.poll(() => page.locator('.node', { hasText: 'ci' }).count()).toBe(1);
    await expect.poll(() => text(page, '.edge-correct')).toContain('+ WANT !TEA');
    await page.locator('.type', { hasText: 'ci' }).first().click();
    await expect.poll(() => page.locator('.group').count()).toBe(1);
    await expect.poll(() => page.locator('.node-bundle').count()).toBe(1);
    await page.getByLabel('every step').check();
    await expect.poll(() => page.locator('.node-bundle').count()).toBe(0);
  });

  test('compare shows where two runs part', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/compare`);
    await expect.poll(() => text(page, '.empty')).toContain('There is nothing to compare yet.');
    await page.getByLabel('other property').selectOption('rest');
    await expect.poll(() => text(page, '.compare-said')).toBe('The runs agree for 1 state and part at step 1.');
    await expect.poll(() => text(page, '.pair-parts')).toContain('btn2.p: FALSE → TRUE');
  });

  test('compare reads a saved check', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/compare`);
    const saved = JSON.stringify(fixture('elevator.json')).replaceAll('"btn2.p":true', '"btn2.p":false');
    await page.locator('input[type=file]').setInputFiles({ name: 'before.json', mimeType: 'application/json', buffer: Buffer.from(saved) });
    await expect.poll(() => text(page, '[role=status]')).toContain('before.json: fails.');
    await expect.poll(() => text(page, '.compare-said')).toBe('The runs agree for 1 state and part at step 1.');
    await page.locator('input[type=file]').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('[]') });
    await expect.poll(() => text(page, '[role=status]')).toContain('bad.json has no property of this name.');
  });

  test('explore says that a report answers no new questions', async () => {
    page = await open(browser, `${elevator}#/explore`);
    await expect.poll(() => text(page, '.empty')).toContain('A report answers no new questions.');
  });

  test('the report has everything on one page and prints without buttons', async () => {
    page = await open(browser, `${elevator}#/report`);
    await expect.poll(() => text(page, '.report')).toContain('7 properties; 552 states');
    await expect.poll(() => page.locator('.report-property').count()).toBe(3);
    await expect.poll(() => page.locator('.static-graph').count()).toBe(3);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('.bar').isVisible()).toBe(false);
    await expect.poll(() => page.locator('.report .buttons').isVisible()).toBe(false);
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
  });

  test('an Alloy trace shows rows that come and go, and its atoms as a graph', async () => {
    page = await open(browser, `${reports.url('locker', fixture('locker.json'))}#/p/ownOnly/evidence?step=3`);
    await expect.poll(() => text(page, '.step-selected')).toContain('Parcel.box +Parcel$1 → Box$0');
    await expect.poll(() => text(page, '.relation')).toContain('Parcel$1 Box$0');
    await page.keyboard.press('6');
    await expect.poll(() => text(page, '.edge text')).toContain('box (new)');
    await page.keyboard.press('j');
    await expect.poll(() => text(page, '.edge text')).not.toContain('box (new)');
  });
});

describe('musical chairs: why Alice does not always win', () => {
  let chairs = '';
  beforeAll(() => { chairs = `${reports.url('chairs', fixture('chairs.json'))}`; });

  test('the lasso ends with somebody else as the winner, for ever', async () => {
    page = await open(browser, chairs);
    await page.locator('.properties tbody tr', { hasText: 'fails' }).locator('a').click();
    await settled(page);
    await expect.poll(() => text(page, '.foot')).toContain('7 steps, then a loop of 1 step');
    await expect.poll(() => text(page, '[data-step="3"]')).toContain('oneLeaves');
    await expect.poll(() => text(page, '[data-step="3"]')).toContain('playing −Alice');
    await page.keyboard.press('End');
    await expect.poll(() => text(page, '.step-selected')).toContain('gameEnds phase: Ready → Over');
    await expect.poll(() => text(page, '.pane-state .state-values')).toContain('{Player$1}');
    await expect.poll(() => page.locator('.box').first().getAttribute('data-truth')).toBe('false');
  });

  test('the last chance went when the music stopped, and the graph shows what else was possible', async () => {
    page = await open(browser, `${chairs}#/p/AliceAlwaysWins/evidence?step=1&view=graph`);
    await expect.poll(() => text(page, '.node-selected')).toContain('★ decided here');
    await expect.poll(() => page.locator('.node-ghost').count()).toBe(3);
    await expect.poll(() => text(page, '.node-ghost')).toContain('Alice');
    await expect.poll(() => text(page, '.edge-loop')).toContain('gameEnds');
    await page.keyboard.press('j');
    await page.keyboard.press('6');
    await expect.poll(() => text(page, '.edge text')).toBe('sits (new) | sits (new)');
    await expect.poll(() => page.locator('.node', { hasText: 'Alice' }).count()).toBe(1);
  });
});

/** What a screen has if it is drawn at all. */
const CONTENT = {
  overview: '.properties', steps: '.steps', graph: '.node', table: '.values', wave: '.wave-row', sequence: '.lanes', nothing: '.empty', proof: '.claim', compare: '.pair-parts', report: '.report-property',
};

describe('for everybody', () => {
  test('keys are listed, and close with the same key', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/evidence`);
    await page.keyboard.press('?');
    await expect.poll(() => text(page, 'dialog')).toContain('the next step');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
  });

  test('light and dark: as the system says, until somebody chooses', async () => {
    page = await open(browser, elevator, { colorScheme: 'dark' });
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.keyboard.press('t');
    await expect.poll(ground).not.toBe(dark);
    await page.keyboard.press('t');
    await expect.poll(ground).toBe(dark);
  });

  const audited = async (): Promise<void> => {
    expect(await audit(page), 'as it is').toEqual([]);
    await page.keyboard.press('t');
    await settled(page);
    expect(await audit(page), 'in the other colours').toEqual([]);
  };

  test.each([
    ['overview', '#/'], ['steps', '#/p/upstairs/evidence?step=3&sub=3&pin=floor'], ['graph', '#/p/upstairs/evidence?view=graph'],
    ['table', '#/p/upstairs/evidence?view=table&step=3'], ['wave', '#/p/upstairs/evidence?view=wave'], ['sequence', '#/p/upstairs/evidence?view=sequence'],
    ['nothing', '#/p/served/evidence'], ['proof', '#/p/upstairs/proof?claim=3'], ['compare', '#/p/upstairs/compare?with=rest'], ['report', '#/report'],
  ] as const)('the audit finds nothing serious, light and dark: %s %s', async (screen, address) => {
    page = await open(browser, elevator + address);
    // An empty screen would have nothing to find.
    await expect.poll(() => page.locator(CONTENT[screen]).count()).toBeGreaterThan(0);
    await audited();
  });

  test('the audit finds nothing serious in all counterexamples, in atoms and in the help', async () => {
    page = await open(browser, `${reports.url('locker', fixture('locker.json'))}#/p/ownOnly/evidence?view=atoms`);
    await page.waitForSelector('.node');
    await audited();
    await page.close();
    page = await open(browser, `${reports.url('vending', fixture('vending.json'))}#/p/vending/all`);
    await page.waitForSelector('.node');
    await audited();
    await page.keyboard.press('?');
    await expect.poll(() => text(page, 'dialog')).toContain('Keys on this screen');
    expect(await audit(page)).toEqual([]);
  });

  test('a page on a narrow screen has no sideways scrolling', async () => {
    page = await open(browser, `${elevator}#/p/upstairs/evidence`, { viewport: { width: 720, height: 900 } });
    await page.waitForSelector('.steps');
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(720);
  });
});
