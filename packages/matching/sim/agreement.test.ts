import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as core from '../src/index.ts';
import { findViolation, runSeed } from './agreement.ts';
import { Venue } from './example.ts';
import { MUTANTS } from './mutants.ts';
import { mix64 } from './random.ts';
import { simulate } from './simulate.ts';

// The long runs are `npm run sim`. These few check at every change that the machinery works.
for (let seed = 1; seed <= 6; seed++) {
  test(`the core agrees with its slow twin (seed ${seed})`, () => {
    const log: Parameters<typeof runSeed>[1] = [];
    runSeed({ core, seed: mix64(BigInt(seed)), commands: 2_000, replay: true }, log);
    expect(log).toHaveLength(2_000);
  });
}

test('a simulation goes on for rare cases, at most half as long again', () => {
  const short = { core, commands: 601, seed: 3n };
  const usual = simulate(short);
  expect(usual).toMatchObject({ commands: 601, runs: 1, failures: [] });
  expect(usual.coverage.shortfalls()).not.toEqual([]);
  const done: number[] = [];
  const onProgress = (count: number) => void done.push(count);
  const covering = simulate({ ...short, isCovering: true, onProgress });
  expect(done).toEqual([601, 901]);
  expect(covering.commands).toBe(901);
  expect(covering.coverage.shortfalls()).not.toEqual([]);
});

const BEGINNING = { shard: 0, memory: 100, rules: core.CORE_VERSION, sweepStep: 200 };

test('an amendment that is sent again with a nineteenth decimal is the same', () => {
  const venue = new Venue({ market: { basePrecision: 18, quotePrecision: 0 } });
  const decimals = { priceDecimals: 0, volumeDecimals: 18 };
  const { orderId } = venue.buy(1, 1000, 266, decimals);
  const amend = { type: 'amend', account: 1, orderId, amendId: 'a' } as const;
  venue.do({ ...amend, volume: 200, volumeDecimals: 18 });
  venue.do({ ...amend, volume: 2000, volumeDecimals: 19 });
  expect(venue.last?.result).toMatchObject({ kind: 'amended', replay: true });
  expect(findViolation(core, venue.commands, BEGINNING)).toBeUndefined();
});

test('the last leg of a list may release twice when an auction ends', () => {
  const venue = new Venue();
  venue.sell(3, 1000, 1);
  venue.buy(2, 1000, 1);
  const own = venue.sell(1, 1005, 1);
  const list = {
    kind: 'oco',
    symbol: 'btcusdt',
    side: 'buy',
    volume: 2,
    volumeDecimals: 2,
    limitPrice: 990,
    stopPrice: 1010,
    stopLimitPrice: 1020,
    priceDecimals: 1,
  } as const;
  venue.do({ type: 'place_list', account: 1, list });
  venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'auction' });
  venue.sell(3, 980, 1);
  const { orderId } = own;
  venue.do({ type: 'amend', account: 1, orderId, price: 990, priceDecimals: 1 });
  venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' });
  const releases = venue.steps.flatMap(({ journals }) =>
    journals.filter(({ kind }) => kind === 'release').map(({ reference }) => reference),
  );
  expect(releases).toHaveLength(2);
  expect(new Set(releases).size).toBe(1);
  expect(venue.balance(1, 'usdt').hold).toBe(0n);
  expect(findViolation(core, venue.commands, BEGINNING)).toBeUndefined();
});

test('every planted bug still finds its place in the source', () => {
  expect(MUTANTS).toHaveLength(133);
  for (const { name, file, search } of MUTANTS) {
    const source = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
    expect(source.split(search), name).toHaveLength(2);
  }
});
