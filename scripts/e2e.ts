// `npm run e2e`: runs the end-to-end tests with real processes, then the attacks alone, because
// they compare timings.
import { join } from 'node:path';
import { ROOT, runTests } from './tests.ts';

for (const project of ['e2e', 'attacks']) {
  const { passed } = await runTests(project, join(ROOT, '.vitest-results.e2e.json'));
  if (!passed) {
    process.exitCode = 1;
    break;
  }
}
