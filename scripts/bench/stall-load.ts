// The load while the gaps are measured: two accounts trade, another fills books, reads, and sends
// crafted ids. All of it is paced by the clock, so a stalled venue gets no relief.
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderTerms } from '@rialto/matching';
import { EngineFailure, type Engine } from '../../server/src/trading/engine/door.ts';
import type { Trader } from '../../server/src/testing/trader.ts';

/** Never forgotten within a run, so no client id has to be looked up first. */
const CHECKPOINT = Number.MAX_SAFE_INTEGER;
const PER_BATCH = 20;
const RETRY_MS = 50;

export interface Latency {
  readonly dueMs: number;
  readonly ms: number;
}

export interface Trading {
  /** Settled requests so far; latencies count from the moment at which an order was due. */
  readonly latencies: readonly Latency[];
  /** How late the generator itself was, and when. */
  readonly late: readonly (readonly [number, number])[];
  readonly refusals: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

const nowMs = () => performance.timeOrigin + performance.now();
/** After this many orders buyer and seller swap, so that neither runs out of money. */
const TURN = 1000;

/** Two accounts that trade with each other: each pair of orders is one trade, and nothing stays in the book. */
export function startTrading(
  engine: Engine,
  [one, other]: readonly [number, number],
  perSecond: number,
): Trading {
  const latencies: Latency[] = [];
  const late: [number, number][] = [];
  const refusals = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let isOver = false;

  async function send(index: number, dueMs: number): Promise<void> {
    const isTaker = index % 2 === 1;
    const isTurned = Math.floor(index / TURN) % 2 === 1;
    const order: OrderTerms = {
      symbol: 'btcusdt',
      side: isTaker ? 'buy' : 'sell',
      type: 'limit',
      price: 6_400_000 + (Math.floor(index / 2) % 100),
      priceDecimals: 2,
      volume: 100,
      volumeDecimals: 6,
      clientOrderId: `trade-${index}`,
    };
    const account = isTaker === isTurned ? one : other;
    const note = (why: string) => refusals.set(why, (refusals.get(why) ?? 0) + 1);
    try {
      const { result } = await engine.submit({
        type: 'place',
        account,
        checkpoint: CHECKPOINT,
        order,
      });
      if (result.kind !== 'placed') note(result.kind);
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      note(error.kind);
    }
    latencies.push({ dueMs, ms: nowMs() - dueMs });
  }

  const running = (async () => {
    const startMs = nowMs();
    let sent = 0;
    while (!isOver) {
      const elapsedMs = nowMs() - startMs;
      const due = Math.floor((elapsedMs * perSecond) / 1000) + 1;
      if (due > sent) late.push([nowMs(), elapsedMs - (sent * 1000) / perSecond]);
      for (; sent < due; sent += 1) {
        const order = send(sent, startMs + (sent * 1000) / perSecond);
        underWay.add(order);
        void order.finally(() => underWay.delete(order));
      }
      await sleep(1);
    }
    await Promise.all(underWay);
  })();

  return {
    latencies,
    late,
    refusals,
    async stop() {
      isOver = true;
      await running;
    },
  };
}

/** Places orders at a fixed pace, twenty per command, until all of them are placed. */
export async function placeAll(
  engine: Engine,
  { account, orders, perSecond }: { account: number; orders: OrderTerms[]; perSecond: number },
): Promise<void> {
  const startMs = nowMs();
  const underWay: Promise<void>[] = [];
  for (let from = 0; from < orders.length; from += PER_BATCH) {
    const dueMs = startMs + (from * 1000) / perSecond;
    if (dueMs > nowMs()) await sleep(dueMs - nowMs());
    underWay.push(placeBatch(engine, account, orders.slice(from, from + PER_BATCH)));
  }
  await Promise.all(underWay);
}

/** Asks again when the engine was overloaded: client ids make a repeat harmless. */
async function placeBatch(engine: Engine, account: number, orders: OrderTerms[]): Promise<void> {
  for (;;) {
    try {
      const { result } = await engine.submit({
        type: 'place_batch',
        account,
        checkpoint: CHECKPOINT,
        mode: 'independent',
        orders,
      });
      if (result.kind === 'batch' && result.items.every(({ kind }) => kind === 'placed')) return;
      throw new Error(`Orders were not placed: ${JSON.stringify(result).slice(0, 500)}`);
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** Used instead of a status. */
const NO_ANSWER = 0;

export interface Reading {
  readonly latencies: readonly Latency[];
  /** How many answers there were of each status. */
  readonly statuses: ReadonlyMap<number, number>;
  stop(): Promise<void>;
}

/**
 * Asks an api process for the trader's open orders at a fixed pace, whether or not the last answer
 * has come.
 */
export function startReading(origin: string, trader: Trader, perSecond: number): Reading {
  const latencies: Latency[] = [];
  const statuses = new Map<number, number>();
  const underWay = new Set<Promise<void>>();
  let isOver = false;

  async function read(dueMs: number): Promise<void> {
    const { query, headers } = trader.prepare();
    const note = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
    try {
      const response = await fetch(`${origin}/v1/private/order/open?${query}`, { headers });
      // Received but not parsed, because this process also has to trade.
      await response.arrayBuffer();
      note(response.status);
    } catch {
      note(NO_ANSWER);
    }
    latencies.push({ dueMs, ms: nowMs() - dueMs });
  }

  const running = (async () => {
    while (!isOver) {
      const request = read(nowMs());
      underWay.add(request);
      void request.finally(() => underWay.delete(request));
      await sleep(1000 / perSecond);
    }
    await Promise.all(underWay);
  })();

  return {
    latencies,
    statuses,
    async stop() {
      isOver = true;
      await running;
    },
  };
}
