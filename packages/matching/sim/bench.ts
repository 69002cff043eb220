// How fast is the core? One market, 64 accounts, a million commands from a seed: 60 % limit orders
// within 50 ticks of the touch, 30 % cancels of a random live order, 10 % market orders sized to take
// one to three levels. Balances, holds, fees and client ids are all on; the book alone runs beside it.
//
//   node packages/matching/sim/bench.ts [--commands N] [--seed S] [--json]

import { PerformanceObserver, constants } from 'node:perf_hooks';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { BookSide } from '../src/book.ts';
import { Tape, applyTo, createState, findDepth } from '../src/index.ts';
import type { Cancel, Command, MarketConfig, Place, State } from '../src/index.ts';
import { BUY, SELL, STATUS_FILLED } from '../src/names.ts';
import {
  CELLS,
  ID,
  NONE,
  OrderPool,
  PRICE,
  REMAINING,
  SHOWN,
  SIDE,
  STATUS,
} from '../src/record.ts';
import { IdTable } from '../src/tables.ts';
import { Random } from './random.ts';

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

const ACCOUNTS = 64;
const LIMIT = 0;
const CANCEL = 1;
const MARKET = 2;
const START = 1_760_000_000_000;

export const CONFIG: MarketConfig = {
  symbol: 'btcusdt',
  base: 'btc',
  quote: 'usdt',
  basePrecision: 6,
  quotePrecision: 2,
  minimumQuoteSize: 5n * 10n ** 18n,
  maxMarketOrderAskLots: 1e12,
  maxMarketOrderBid: 10n ** 30n,
  minimumVolumeLots: 1,
  maximumVolumeLots: 1e12,
  minimumPriceTicks: 1,
  maximumPriceTicks: 1e12,
  listingPriceTicks: 6_425_000,
  priceBandPpm: 200_000,
  marketSlippagePpm: 50_000,
  haltPpm: 0,
  haltMinutes: 5,
  defaultStpMode: 'expire_maker',
  maxOpenOrders: 100_000,
  maxConditionalOrders: 50,
  icebergParts: 20,
};

/** The operations as numbers, so that replaying them costs next to nothing. */
interface Operations {
  count: number;
  kind: Uint8Array;
  account: Int32Array;
  side: Uint8Array;
  price: Float64Array;
  /** Lots of an order; for a cancel, the id of the order. */
  value: Float64Array;
  clientIds: string[];
}

function prepare(capacity: number): State {
  const state = createState({ memory: 1_000_000, capacity });
  const tape = new Tape();
  const time = START;
  const commands: Command[] = [
    { type: 'list_coin', time, coin: 'btc', networks: ['BTC'] },
    { type: 'list_coin', time, coin: 'usdt', networks: ['ETH'] },
    { type: 'define_fee_tier', time, tier: 0, makerPpm: 1_000, takerPpm: 1_500 },
    { type: 'create_market', time, config: CONFIG },
    { type: 'set_phase', time, symbol: 'btcusdt', phase: 'continuous' },
  ];
  for (let account = 1; account <= ACCOUNTS; account++) {
    commands.push({ type: 'open_account', time, account, parent: account });
    const amount = 10n ** 28n;
    for (const [coin, network] of [
      ['btc', 'BTC'],
      ['usdt', 'ETH'],
    ] as const) {
      const depositId = `${account}${coin}`;
      commands.push({
        type: 'credit_deposit',
        time,
        depositId,
        network,
        coin,
        to: account,
        amount,
      });
    }
  }
  for (const command of commands) applyTo(state, command, tape);
  return state;
}

/** One command object of each kind, written over for every operation. */
const placing: Place = {
  type: 'place',
  time: START,
  account: 1,
  order: {
    symbol: 'btcusdt',
    side: 'buy',
    type: 'limit',
    price: 1,
    priceDecimals: 2,
    volume: 1,
    volumeDecimals: 6,
    clientOrderId: '',
  },
  checkpoint: 0,
};
const selling: Place = {
  type: 'place',
  time: START,
  account: 1,
  order: {
    symbol: 'btcusdt',
    side: 'buy',
    type: 'market',
    volume: 1,
    volumeDecimals: 6,
    clientOrderId: '',
  },
  checkpoint: 0,
};
const canceling: Cancel = { type: 'cancel', time: START, account: 1, orderId: 0 };

function commandAt(ops: Operations, i: number): Command {
  const kind = ops.kind[i];
  // A thousand commands a second of venue time.
  const time = START + i;
  const account = ops.account[i]!;
  if (kind === CANCEL) {
    canceling.time = time;
    canceling.account = account;
    canceling.orderId = ops.value[i]!;
    return canceling;
  }
  const command = kind === LIMIT ? placing : selling;
  command.time = time;
  command.account = account;
  command.checkpoint = Infinity;
  command.order.side = ops.side[i] === BUY ? 'buy' : 'sell';
  command.order.volume = ops.value[i]!;
  command.order.clientOrderId = ops.clientIds[i]!;
  if (kind === LIMIT) command.order.price = ops.price[i]!;
  return command;
}

/** Picks an order that still lives, and drops the others it meets on the way. */
function pickLive(state: State, r: Random, live: number[], owner: number[]): number {
  while (live.length > 0) {
    const at = r.below(live.length);
    const slot = state.ids.find(live[at]!);
    if (slot !== NONE && state.pool.u32[slot * CELLS * 2 + STATUS]! < STATUS_FILLED) return at;
    live[at] = live.at(-1)!;
    owner[at] = owner.at(-1)!;
    live.pop();
    owner.pop();
  }
  return NONE;
}

/** Draws the operations against a running core, so that touches and live orders are real ones. */
function draw(count: number, seed: bigint): Operations {
  const r = new Random(seed);
  const ops: Operations = {
    count,
    kind: new Uint8Array(count),
    account: new Int32Array(count),
    side: new Uint8Array(count),
    price: new Float64Array(count),
    value: new Float64Array(count),
    clientIds: [],
  };
  const state = prepare(1 << 16);
  const tape = new Tape();
  const live: number[] = [];
  const owner: number[] = [];
  let middle = CONFIG.listingPriceTicks;
  for (let i = 0; i < count; i++) {
    const dice = r.below(100);
    const depth = i % 16 === 0 ? findDepth(state, 'btcusdt', 3) : undefined;
    if (depth?.bids[0] !== undefined && depth.asks[0] !== undefined) {
      middle = Math.floor((depth.bids[0].priceTicks + depth.asks[0].priceTicks) / 2);
    }
    ops.account[i] = 1 + r.below(ACCOUNTS);
    ops.side[i] = r.below(2);
    ops.clientIds.push(`desk-${i}`);
    const at = dice < 30 ? pickLive(state, r, live, owner) : NONE;
    if (at !== NONE) {
      ops.kind[i] = CANCEL;
      ops.value[i] = live[at]!;
      ops.account[i] = owner[at]!;
      live[at] = live.at(-1)!;
      owner[at] = owner.at(-1)!;
      live.pop();
      owner.pop();
    } else if (dice < 40 && i > 1_000) {
      ops.kind[i] = MARKET;
      const book = findDepth(state, 'btcusdt', 3);
      const levels = (ops.side[i] === BUY ? book?.asks : book?.bids) ?? [];
      let lots = 0;
      for (const level of levels.slice(0, 1 + r.below(3))) lots += level.lots;
      ops.value[i] = Math.max(1_000, lots);
    } else {
      ops.kind[i] = LIMIT;
      const away = 1 + r.below(50);
      ops.price[i] = middle + (ops.side[i] === BUY ? -away : away) + r.between(-2, 2);
      ops.value[i] = r.between(1_000, 100_000);
    }
    tape.clear();
    const before = state.orderCount;
    applyTo(state, commandAt(ops, i), tape);
    if (ops.kind[i] === LIMIT && state.orderCount > before) {
      live.push(state.orderCount);
      owner.push(ops.account[i]!);
    }
  }
  return ops;
}

function runCore(
  ops: Operations,
  latencies: Float64Array | undefined,
): {
  ms: number;
  cpuMs: number;
  state: State;
  window: [number, number];
} {
  const state = prepare(1 << 20);
  const tape = new Tape(1 << 16);
  const cpu = process.cpuUsage();
  const started = performance.now();
  if (latencies === undefined) {
    for (let i = 0; i < ops.count; i++) {
      tape.clear();
      applyTo(state, commandAt(ops, i), tape);
    }
  } else {
    for (let i = 0; i < ops.count; i++) {
      tape.clear();
      const command = commandAt(ops, i);
      const before = performance.now();
      applyTo(state, command, tape);
      latencies[i] = performance.now() - before;
    }
  }
  const ended = performance.now();
  const cpuMs = process.cpuUsage(cpu).user / 1000;
  return { ms: ended - started, cpuMs, state, window: [started, ended] };
}

/** The same operations on bare books: no accounts, holds, fees, client ids or events. */
function runBook(ops: Operations): number {
  const pool = new OrderPool(1 << 20);
  const ids = new IdTable(pool, 1 << 20);
  const books = [new BookSide(BUY, pool), new BookSide(SELL, pool)] as const;
  let next = 0;
  const started = performance.now();
  for (let i = 0; i < ops.count; i++) {
    const kind = ops.kind[i];
    const value = ops.value[i]!;
    if (kind === CANCEL) {
      const slot = ids.find(value);
      if (slot === NONE) continue;
      const side = pool.u32[slot * CELLS * 2 + SIDE]!;
      books[side === BUY ? BUY : SELL].leave(slot);
      ids.remove(slot);
      pool.give(slot);
      continue;
    }
    const side = ops.side[i]!;
    const other = books[side === BUY ? SELL : BUY];
    let lots = value;
    next += 1;
    while (lots > 0 && other.count > 0) {
      const price = other.bestPrice();
      if (kind === LIMIT && (side === BUY ? price > ops.price[i]! : price < ops.price[i]!)) break;
      const level = other.bestLevel();
      const maker = other.headOf(level);
      const shown = pool.f64[maker * CELLS + SHOWN]!;
      const fill = Math.min(lots, shown);
      lots -= fill;
      if (fill === shown) {
        other.leave(maker);
        ids.remove(maker);
        pool.give(maker);
      } else {
        other.addLots(level, -fill);
        pool.f64[maker * CELLS + SHOWN] = shown - fill;
      }
    }
    if (kind === MARKET || lots === 0) continue;
    const slot = pool.take();
    const cell = slot * CELLS;
    pool.f64[cell + ID] = next;
    pool.f64[cell + PRICE] = ops.price[i]!;
    pool.f64[cell + REMAINING] = lots;
    pool.f64[cell + SHOWN] = lots;
    pool.u32[cell * 2 + SIDE] = side;
    ids.insert(slot);
    books[side === BUY ? BUY : SELL].join(slot);
  }
  return performance.now() - started;
}

const percentile = (sorted: Float64Array, p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))]! * 1e6;

async function main(): Promise<void> {
  const count = Number(values.commands);
  const pauses: Array<{ start: number; ms: number; kind: number }> = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind = 0 } = (entry as unknown as { detail?: { kind?: number } }).detail ?? {};
      pauses.push({ start: entry.startTime, ms: entry.duration, kind });
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  const ops = draw(count, BigInt(values.seed));
  for (let i = 0; i < 2; i++) runCore({ ...ops, count: Math.min(count, 200_000) }, undefined);
  const runs: number[] = [];
  const cpuRuns: number[] = [];
  const books: number[] = [];
  // Setting a run up allocates its buffers at once; only pauses while commands run are counted.
  const windows: Array<[number, number]> = [];
  let state: State | undefined;
  for (let i = 0; i < 3; i++) {
    const run = runCore(ops, undefined);
    windows.push(run.window);
    runs.push(run.ms);
    cpuRuns.push(run.cpuMs);
    state = run.state;
    books.push(runBook(ops));
  }
  const latencies = new Float64Array(count);
  windows.push(runCore(ops, latencies).window);
  const generatorStart = performance.now();
  let sink = 0;
  for (let i = 0; i < count; i++) sink += commandAt(ops, i).time;
  const generator = performance.now() - generatorStart + (sink === 0 ? 1 : 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  observer.disconnect();
  const during = pauses.filter((p) =>
    windows.some(([from, until]) => p.start >= from && p.start <= until),
  );
  const longest = during.reduce((max, p) => Math.max(max, p.ms), 0);
  const major = during.filter((p) => p.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
  latencies.sort();
  const median = (list: number[]): number =>
    list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
  const rate = Math.round((count / median(runs)) * 1000);
  const bookRate = Math.round((count / median(books)) * 1000);
  const worst = Math.round(percentile(latencies, 1));
  const lines = [
    `${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, seed ${values.seed}`,
    `${count} commands, ${state?.tradeCount ?? 0} trades, three runs, median`,
    `core    ${rate} commands/s  (runs: ${runs.map((ms) => Math.round((count / ms) * 1000)).join(', ')})`,
    `cpu     ${Math.round((count / median(cpuRuns)) * 1000)} commands per second of processor time (differs from the above when the machine is shared)`,
    `book    ${bookRate} operations/s alone`,
    `per op  p50 ${percentile(latencies, 0.5).toFixed(0)} ns  p99 ${percentile(latencies, 0.99).toFixed(0)} ns  p99.99 ${percentile(latencies, 0.9999).toFixed(0)} ns  max ${worst} ns`,
    `gc      ${during.length} pauses (${major} major), longest ${longest.toFixed(2)} ms`,
    `generator ${((generator / count) * 1e6).toFixed(0)} ns per command, included above`,
  ];
  const out = values.json ? process.stderr : process.stdout;
  out.write(`${lines.join('\n')}\n`);
  if (!values.json) return;
  const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  print({
    figure: 'core.rate',
    ours: rate,
    bare: bookRate,
    ratio: Number((rate / bookRate).toFixed(3)),
    unit: 'commands/s',
    goal: 1_000_000,
    met: rate >= 1_000_000,
  });
  print({
    figure: 'core.pause',
    value: Number(longest.toFixed(2)),
    unit: 'ms',
    goal: 10,
    met: longest <= 10,
  });
}

await main();
