import { defineConfig } from 'vitest/config';

// The page is three files with fixed names: index.html (from page/), app.js and app.css. The script is a classic one, so
// that a report with everything inside opens from disk.
export default defineConfig({
  publicDir: 'page',
  build: {
    target: 'es2022',
    cssCodeSplit: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: 'src/main.tsx',
      output: { format: 'iife', entryFileNames: 'app.js', assetFileNames: 'app[extname]' },
    },
  },
  test: {
    environment: 'node',
    // Limits end a test that hangs, no more: the machine may be slow and busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    expect: { poll: { timeout: 90_000, interval: 30 } },
  },
});
