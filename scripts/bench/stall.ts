// `bench stall`: does anything stop matching? Two accounts trade 2,000 times a second. Meanwhile
// another account fills books until memory has to grow, reads its 100,000 open orders ten times a
// second, and sends crafted client ids that would collide; finally a market of 120,000 orders is
// delisted. It measures the longest time between two batches on disk, in each phase and without any
// of this. Engine, api, relay and worker run in their own processes with production settings.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { OrderTerms } from '@rialto/matching';
import { startDeployment, type TestDeployment } from '../../server/src/testing/deployment.ts';
import { liveVenue } from '../../server/src/testing/live-venue.ts';
import { startRialtoProcess, type RialtoProcess } from '../../server/src/testing/rialto-process.ts';
import type { Trader } from '../../server/src/testing/trader.ts';
import { createEngineClient, type EngineClient } from '../../server/src/trading/engine/client.ts';
import { EngineFailure } from '../../server/src/trading/engine/door.ts';
import { awaitCommand, requestAct } from '../../server/src/trading/operators/actions.ts';
import { setPhase } from '../../server/src/trading/operators/acts.ts';
import { printTable, type Figure } from '../figure.ts';
import { craftClientIds } from './stall-crafted.ts';
import { measureSpin, watchJitter } from './stall-jitter.ts';
import { placeAll, startReading, startTrading, type Latency } from './stall-load.ts';
import { gapsOf, type EngineNotes, type Gaps, type Phase } from './stall-notes.ts';
import { quantile, round } from './stats.ts';

const SCRIPT = fileURLToPath(new URL('stall-engine.ts', import.meta.url));
const GOAL_MS = 25;
const READS_PER_SECOND = 10;
const SPIN_MS = 2000;
const NOTES_WITHIN_MS = 60_000;
const SWEPT_WITHIN_MS = 120_000;

interface Size {
  readonly tradesPerSecond: number;
  /** Resting orders of the account that reads them. */
  readonly resting: number;
  readonly crafted: number;
  /** Orders in the market that is delisted, and the number of their accounts. */
  readonly delisted: number;
  readonly delistedAccounts: number;
  /** Orders a second while books are filled. */
  readonly fillPerSecond: number;
  readonly craftedPerSecond: number;
  /** The length of the phases that do not end by themselves. */
  readonly seconds: number;
}

const FULL: Size = {
  tradesPerSecond: 2000,
  resting: 100_000,
  crafted: 30_000,
  delisted: 120_000,
  delistedAccounts: 4,
  fillPerSecond: 4000,
  craftedPerSecond: 2000,
  seconds: 10,
};

const QUICK: Size = {
  tradesPerSecond: 500,
  resting: 5000,
  crafted: 3000,
  delisted: 6000,
  delistedAccounts: 2,
  fillPerSecond: 2000,
  craftedPerSecond: 1000,
  seconds: 3,
};

export async function benchStall({ quick }: { quick: boolean }): Promise<Figure[]> {
  const size = quick ? QUICK : FULL;
  const deployment = await startDeployment({
    MONEY: 'simulated',
    // A key is allowed exactly ten requests a second; this benchmark is about the engine.
    TRADING_RATE_LIMIT: '1000',
    // The clients keep their connections.
    REQUESTS_PER_CONNECTION_MAX: '0',
  });
  const file = join(deployment.postgres.folder, 'stall-notes.json');
  const { environment } = deployment;
  const processes: RialtoProcess[] = [];
  try {
    const engine = await startRialtoProcess('engine', { ...environment, STALL_NOTES: file }, [
      SCRIPT,
    ]);
    processes.push(engine);
    for (const role of ['relay', 'worker', 'api']) {
      processes.push(await startRialtoProcess(role, environment));
    }
    const measured = await measure(deployment, size, processes.at(-1)?.origin ?? '');
    engine.kill('SIGUSR2');
    return report(measured, await readNotes(file));
  } finally {
    await Promise.all(processes.map((process) => process.stop()));
    await deployment.close();
  }
}

interface Measured {
  readonly phases: readonly Phase[];
  readonly orders: readonly Latency[];
  readonly reads: readonly Latency[];
  readonly generatorLate: readonly (readonly [number, number])[];
  readonly machineLate: readonly (readonly [number, number])[];
  readonly spinMs: number;
  readonly refusals: Readonly<Record<string, number>>;
  readonly readStatuses: Readonly<Record<string, number>>;
  /** From the command until no order of the market was left; undefined when that took too long. */
  readonly delistedMs: number | undefined;
}

const nowMs = () => performance.timeOrigin + performance.now();

async function measure({ ctx }: TestDeployment, size: Size, apiOrigin: string): Promise<Measured> {
  const maxOpenOrders = 2 * Math.max(size.resting + size.crafted, size.delisted);
  const many = { maxOpenOrders };
  // Includes the market where they trade: orders whose counterparts were refused stay there.
  const terms = { btcusdt: many, ethusdt: many, xrpusdt: many };
  const venue = await liveVenue({ ctx }, { terms, phase: 'continuous' });
  const traders = [await venue.trader(), await venue.trader()] as const;
  const holder = await venue.trader();
  const sellers: Trader[] = [];
  while (sellers.length < size.delistedAccounts) sellers.push(await venue.trader());
  const accountOf = ({ accountId }: { accountId: bigint }) => Number(accountId);
  const crafted = craftClientIds(accountOf(holder), size.crafted);
  const spinMs = await measureSpin(SPIN_MS);

  const engine = createEngineClient({
    bus: ctx.bus,
    pool: ctx.database.pool,
    secrets: ctx.secrets,
    log: ctx.log,
    answerMs: 30_000,
    underWayMax: 100_000,
  });
  const phases: Phase[] = [];
  const phase = async (name: string, work: () => Promise<unknown>) => {
    const fromMs = nowMs();
    await work();
    phases.push({ name, fromMs, untilMs: nowMs() });
  };
  const trading = startTrading(
    engine,
    [accountOf(traders[0]), accountOf(traders[1])],
    size.tradesPerSecond,
  );
  try {
    // Warm-up: code that is not compiled yet is slow in every release.
    await sleep(size.seconds * 500);
    const machine = watchJitter();
    await phase('trading alone', () => sleep(size.seconds * 1000));
    await phase('books filled, memory grows', async () => {
      await placeAll(engine, {
        account: accountOf(holder),
        orders: Array.from({ length: size.resting }, (_, n) => restingOrder(n, `rest-${n}`)),
        perSecond: size.fillPerSecond,
      });
    });
    const reading = startReading(apiOrigin, holder, READS_PER_SECOND);
    await phase('open orders read', () => sleep(size.seconds * 1000));
    await phase('crafted client ids, and reads', () =>
      placeAll(engine, {
        account: accountOf(holder),
        orders: crafted.map((id, n) => restingOrder(n, id)),
        perSecond: size.craftedPerSecond,
      }),
    );
    await phase('books filled again, and reads', () =>
      Promise.all(
        sellers.map((seller, index) =>
          placeAll(engine, {
            account: accountOf(seller),
            orders: Array.from({ length: Math.ceil(size.delisted / sellers.length) }, (_, n) =>
              sideOrder(n, `side-${index}-${n}`),
            ),
            perSecond: size.fillPerSecond / sellers.length,
          }),
        ),
      ),
    );
    let delistedMs: number | undefined;
    await phase('market delisted, and reads', async () => {
      const sinceMs = nowMs();
      const id = await requestAct(ctx, venue.operator, setPhase('xrpusdt', 'delisted'));
      await awaitCommand(ctx, id, SWEPT_WITHIN_MS);
      if (await untilSwept(engine, sellers.map(accountOf))) delistedMs = nowMs() - sinceMs;
      await sleep(size.seconds * 200);
    });
    await reading.stop();
    const machineLate = await machine.stop();
    return {
      phases,
      orders: trading.latencies,
      reads: reading.latencies,
      generatorLate: trading.late,
      machineLate,
      spinMs,
      refusals: Object.fromEntries(trading.refusals),
      readStatuses: Object.fromEntries(reading.statuses),
      delistedMs,
    };
  } finally {
    await trading.stop();
    await engine.stop();
  }
}

/** Buy orders below the price, spread over many levels where nothing trades. */
const restingOrder = (index: number, clientOrderId: string): OrderTerms => ({
  symbol: 'ethusdt',
  side: 'buy',
  type: 'limit',
  price: 320_000 - 10_000 - ((index * 7919) % 20_000),
  priceDecimals: 2,
  volume: 200,
  volumeDecimals: 5,
  clientOrderId,
});

const sideOrder = (index: number, clientOrderId: string): OrderTerms => ({
  symbol: 'xrpusdt',
  side: 'buy',
  type: 'limit',
  price: 25_000 - 500 - ((index * 7919) % 3000),
  priceDecimals: 4,
  volume: 30,
  volumeDecimals: 1,
  clientOrderId,
});

/** Returns whether all orders were gone within the time limit. */
async function untilSwept(engine: EngineClient, accounts: readonly number[]): Promise<boolean> {
  const untilMs = nowMs() + SWEPT_WITHIN_MS;
  const isOpen = async (account: number): Promise<boolean> => {
    try {
      return (await engine.read('open', { account, symbol: 'xrpusdt', limit: 1 })).length > 0;
    } catch (error) {
      // The engine is overloaded, which is the point of this phase.
      if (error instanceof EngineFailure) return true;
      throw error;
    }
  };
  for (const account of accounts) {
    while (await isOpen(account)) {
      if (nowMs() > untilMs) return false;
      await sleep(20);
    }
  }
  return true;
}

async function readNotes(file: string): Promise<EngineNotes> {
  const untilMs = nowMs() + NOTES_WITHIN_MS;
  while (!existsSync(file)) {
    if (nowMs() > untilMs) throw new Error('The engine did not write its notes.');
    await sleep(50);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as EngineNotes;
}

function report(measured: Measured, notes: EngineNotes): Figure[] {
  const rows = measured.phases.map((phase) => {
    const isInside = (ms: number) => ms >= phase.fromMs && ms < phase.untilMs;
    const longest = (list: readonly (readonly [number, number])[]) =>
      round(Math.max(0, ...list.flatMap(([atMs, ms]) => (isInside(atMs) ? [ms] : []))), 1);
    const p99 = (list: readonly Latency[]) => {
      const inside = list.filter(({ dueMs }) => isInside(dueMs)).map(({ ms }) => ms);
      return round(
        quantile(
          inside.sort((a, b) => a - b),
          0.99,
        ),
        1,
      );
    };
    return {
      phase,
      gaps: gapsOf(notes, phase),
      generatorLate: longest(measured.generatorLate),
      machineLate: longest(measured.machineLate),
      orderP99: p99(measured.orders),
      readP99: p99(measured.reads),
    };
  });
  printTable([
    [
      'ms',
      'seconds',
      'batches',
      'gap p99',
      'longest gap',
      'longest work',
      'longest commit',
      'thread away',
      'collection',
      'generator late',
      'machine late',
      'order p99',
      'read p99',
    ],
    ...rows.map(({ phase, gaps, generatorLate, machineLate, orderP99, readP99 }) => [
      phase.name,
      ...[
        round((phase.untilMs - phase.fromMs) / 1000),
        gaps.batches,
        gaps.p99,
        gaps.longest,
        gaps.work,
        gaps.commit,
        gaps.away,
        gaps.collection,
        generatorLate,
        machineLate,
        orderP99,
        Number.isNaN(readP99) ? '' : readP99,
      ].map(String),
    ]),
  ]);
  console.error(
    `A spinning thread on the idle machine was kept from the clock for ${round(measured.spinMs, 1)} ms. ` +
      `The delisting ${measured.delistedMs === undefined ? 'was not over in time' : `took ${round(measured.delistedMs)} ms`}. ` +
      `Orders refused: ${JSON.stringify(measured.refusals)}; answers to reads: ${JSON.stringify(measured.readStatuses)}.`,
  );
  const [alone, ...others] = rows;
  const baseline = alone?.gaps as Gaps;
  return others.map(({ phase, gaps, generatorLate, machineLate, orderP99, readP99 }, index) => ({
    figure: `stall.${NAMES[index] ?? phase.name}`,
    value: gaps.longest,
    p99: gaps.p99,
    unit: 'ms',
    baseline: { value: baseline.longest, p99: baseline.p99, work: baseline.work },
    work: gaps.work,
    commit: gaps.commit,
    away: gaps.away,
    collection: gaps.collection,
    generatorLate,
    machineLate,
    spin: round(measured.spinMs, 1),
    orderP99,
    ...(Number.isNaN(readP99) ? {} : { readP99 }),
    goal: GOAL_MS,
    met:
      gaps.longest <= GOAL_MS &&
      (phase !== rows.at(-1)?.phase || measured.delistedMs !== undefined),
  }));
}

/** Of the figures, in the order of the phases after the first. */
const NAMES = ['growth', 'reads', 'crafted', 'growth_again', 'delisting'];
