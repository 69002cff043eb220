import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as core from '../src/index.ts';
import { runSeed } from './agreement.ts';
import { MUTANTS } from './mutants.ts';
import { mix64 } from './random.ts';

// The long runs are `npm run sim`. These few check at every change that the machinery works.
for (let seed = 1; seed <= 6; seed++) {
  test(`the core agrees with its slow twin (seed ${seed})`, () => {
    const log: Parameters<typeof runSeed>[1] = [];
    runSeed({ core, seed: mix64(BigInt(seed)), commands: 2_000, replay: true }, log);
    expect(log).toHaveLength(2_000);
  });
}

test('every planted bug still finds its place in the source', () => {
  expect(MUTANTS).toHaveLength(114);
  for (const { name, file, search } of MUTANTS) {
    const source = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
    expect(source.split(search), name).toHaveLength(2);
  }
});
