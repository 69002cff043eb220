// `npm run e2e`: real processes, then the attacks, which compare times and so run by themselves.
import { join } from 'node:path';
import { ROOT, runTests } from './tests.ts';

for (const project of ['e2e', 'attacks']) {
  const { passed } = await runTests(project, join(ROOT, '.vitest-results.e2e.json'));
  if (!passed) {
    process.exitCode = 1;
    break;
  }
}
