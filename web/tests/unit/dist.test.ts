import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');

test('the bundle that is committed is what its source builds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-dist-'));
  try {
    // In a process of its own: the environment of tests is not that of a build.
    const { PATH } = process.env;
    execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'], { cwd: root, env: { PATH } });
    expect(readdirSync(folder).sort()).toEqual(['app.css', 'app.js', 'index.html']);
    expect(readdirSync(dist).sort()).toEqual(['app.css', 'app.js', 'index.html']);
    for (const name of readdirSync(folder)) {
      expect(readFileSync(join(dist, name), 'utf8') === readFileSync(join(folder, name), 'utf8'), `${name} is stale: run make web`).toBe(true);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the bundle is small, asks nobody, and can stand inside a page', () => {
  const script = readFileSync(join(dist, 'app.js'), 'utf8');
  const style = readFileSync(join(dist, 'app.css'), 'utf8');
  expect(gzipSync(script + style).length).toBeLessThan(200_000);
  expect(script).not.toMatch(/<\/script/i);
  expect(style).not.toMatch(/<\/style|url\(/i);
  expect(script.match(/https?:\/\/[^"'`]*/g)?.filter(address => !address.startsWith('http://www.w3.org/')) ?? []).toEqual([]);
});
