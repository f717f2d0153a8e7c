// Pages for tests: reports made of documents as the checker does, and a browser to look at them.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { vi } from 'vitest';
import { format, parse } from '../../src/lib/route';

const here = import.meta.dirname;
export const dist = join(here, '../../dist');
export const fixture = (name: string): unknown => JSON.parse(readFileSync(join(here, '../fixtures', name), 'utf8'));

/** JSON that can stand inside a script element. */
export function embedded(data: unknown): string {
  return JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The page in one file, with data inside. */
export function reportHtml(data: unknown): string {
  const read = (name: string): string => readFileSync(join(dist, name), 'utf8');
  const put = (page: string, old: string, now: string): string => {
    if (page.split(old).length !== 2) throw new Error(`the page has not exactly one ${old}`);
    return page.split(old).join(now);
  };
  let page = read('index.html');
  page = put(page, '<link rel="stylesheet" href="app.css">', `<style>${read('app.css')}</style>`);
  page = put(page, '<script defer src="app.js"></script>', `<script>${read('app.js')}</script>`);
  return put(page, '<script type="application/json" id="wherefore-data">null</script>', `<script type="application/json" id="wherefore-data">${embedded(data)}</script>`);
}

export function findChromium(): string | null {
  return [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path): path is string => path !== undefined && existsSync(path)) ?? null;
}

export async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('chromium is missing: apt-get install -y chromium');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** A folder for reports that goes away with the tests. */
export class Reports {
  private readonly folder = mkdtempSync(join(tmpdir(), 'wherefore-web-'));

  url(name: string, data: unknown): string {
    const file = join(this.folder, `${name}.html`);
    writeFileSync(file, reportHtml(data));
    return pathToFileURL(file).href;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What pages complained about: errors, warnings of the browser, requests to anybody but their own server. */
const complaints: string[] = [];
const expected: RegExp[] = [];

/** Says that pages will complain like this until the test ends: the browser logs every request that is refused. */
export function expectComplaint(pattern: RegExp): void {
  expected.push(pattern);
}

/** Complaints since the last call that nobody expected. They come late, so a page is asked once it is closed. */
export function unexpected(): string[] {
  const found = complaints.splice(0).filter(each => !expected.some(pattern => pattern.test(each)));
  expected.splice(0);
  return found;
}

/** Limits end a test that hangs, no more. */
const LIMIT = 180_000;
/** How many times slower the page shall be, to find tests that rely on speed. */
const SLOWER = Number(process.env['SLOWER'] ?? '1');

/** Opens a page and waits until it answers. */
export async function open(browser: Browser, url: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 }, ...options });
  page.setDefaultTimeout(LIMIT);
  if (SLOWER > 1) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  page.on('pageerror', error => { complaints.push(String(error)); });
  page.on('console', message => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('request', request => {
    if (!/^(file:|data:|blob:|http:\/\/127\.0\.0\.1)/.test(request.url())) complaints.push(`a request to ${request.url()}`);
  });
  page.on('dialog', dialog => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  await settled(page);
  return page;
}

/** Waits until the screen of the address is there and no answer is awaited. Keys are answered as soon as a screen is drawn. */
export async function settled(page: Page): Promise<void> {
  await vi.waitFor(async () => {
    const address = await page.evaluate(() => (document.querySelector('#main > *') === null || document.querySelector('.waiting') !== null ? null : document.getElementById('main')?.dataset['address'] ?? null));
    if (address !== format(parse(new URL(page.url()).hash))) throw new Error(`${page.url()} is not there yet, but ${String(address)}`);
  }, { timeout: LIMIT, interval: 30 });
}

/** The whole text of an element, with single gaps. */
export async function text(page: Page, selector: string): Promise<string> {
  const all = await page.locator(selector).evaluateAll(elements => elements.map(each => (each instanceof HTMLElement ? each.innerText : each.textContent)));
  return all.join(' | ').replace(/\s+/g, ' ').trim();
}

/** Serious findings of the accessibility audit. */
export async function audit(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: { run: () => Promise<{ violations: { id: string; impact: string | null; nodes: { html: string; failureSummary: string }[] }[] }> } }).axe.run();
    return violations.map(each => ({ id: each.id, impact: each.impact, nodes: each.nodes.map(node => `${node.html.slice(0, 160)} ${node.failureSummary}`) }));
  });
  return found.filter(each => each.impact === 'serious' || each.impact === 'critical').map(each => `${each.id}: ${each.nodes.slice(0, 3).join(' || ')}`);
}
