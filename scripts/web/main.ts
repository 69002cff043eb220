// `npm run web`: builds the web client and prints how much script it brings; more than a view may bring is an error.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { explain } from '../../server/src/ops/trouble.ts';
import type { Manifest } from '../../server/src/web/client/build.ts';
import { BUDGETS, describeSpent, spend } from './budget.ts';
import { buildClient, CLIENT, MANIFEST } from './build.ts';

try {
  await buildClient();
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest;
  for (const budget of BUDGETS) {
    const spent = spend(manifest, budget, (file) => statSync(join(CLIENT, `${file}.br`)).size);
    console.log(describeSpent(spent));
    if (spent.bytes > spent.bytesMax) process.exitCode = 1;
  }
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
