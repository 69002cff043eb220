import { defineConfig } from 'vitest/config';

// Two cores: two workers. Integration files each clone a database from a migrated template, so they
// may run side by side, and so may end-to-end files, each of which starts engines of its own; unit tests
// touch nothing outside the process. Files of one worker share what
// they import: loading the server anew for each would take a third of the time.
const shared = {
  exclude: ['**/node_modules/**', '**/dist/**'],
  pool: 'forks' as const,
  isolate: false,
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', 'json'],
    // Given here and not with the reporter, so that a command may name another file.
    outputFile: { json: '.vitest-results.json' },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['server/src/**/*.test.ts', 'packages/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...shared.exclude, '**/*.int.test.ts'],
          // Some of them draw a hundred thousand cases; a busy machine must not fail them.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: ['server/src/**/*.int.test.ts', 'scripts/**/*.int.test.ts'],
          globalSetup: ['server/src/testing/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
