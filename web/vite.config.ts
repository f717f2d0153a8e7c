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
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    expect: { poll: { timeout: 8_000, interval: 20 } },
  },
});
