// The mixed workload of `bench core`: one market, 64 accounts, commands from a seed: 60 % limit orders
// within 50 ticks of the touch, 30 % cancels of a random live order, 10 % market orders sized to take
// one to three levels. The core runs it with balances, holds, fees and client ids; the book alone without.
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

const ACCOUNTS = 64;
export const LIMIT = 0;
export const CANCEL = 1;
const MARKET = 2;
const START = 1_760_000_000_000;
/** Commands between two looks at the thread's processor time, which cost about as much as one. */
const STRETCH = 16;

/** The benchmark that sends the same operations through the engine uses this market too. */
export const MIXED_MARKET: MarketConfig = {
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

/** The operations as numbers, so that replaying them costs almost nothing. */
export interface Operations {
  count: number;
  kind: Uint8Array;
  account: Int32Array;
  side: Uint8Array;
  price: Float64Array;
  /** Lots of an order; for a cancel, the id of the order. */
  value: Float64Array;
}

function prepare(capacity: number): State {
  const state = createState({ memory: 1_000_000, capacity });
  const tape = new Tape();
  const time = START;
  const commands: Command[] = [
    { type: 'list_coin', time, coin: 'btc', networks: ['BTC'] },
    { type: 'list_coin', time, coin: 'usdt', networks: ['ETH'] },
    { type: 'define_fee_tier', time, tier: 0, makerPpm: 1_000, takerPpm: 1_500 },
    { type: 'create_market', time, config: MIXED_MARKET },
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

/** One command object of each kind, overwritten for every operation. */
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
  // Built when needed, as if parsed from a message. A million objects kept alive would be marked by
  // the garbage collector again and again, and its pauses would count as the core's.
  command.order.clientOrderId = `desk-${i}`;
  if (kind === LIMIT) command.order.price = ops.price[i]!;
  return command;
}

/** Picks an order that is still live, and drops the dead ones it meets. */
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
export function draw(count: number, seed: bigint): Operations {
  const r = new Random(seed);
  const ops: Operations = {
    count,
    kind: new Uint8Array(count),
    account: new Int32Array(count),
    side: new Uint8Array(count),
    price: new Float64Array(count),
    value: new Float64Array(count),
  };
  const state = prepare(1 << 16);
  const tape = new Tape();
  const live: number[] = [];
  const owner: number[] = [];
  let middle = MIXED_MARKET.listingPriceTicks;
  for (let i = 0; i < count; i++) {
    const dice = r.below(100);
    const depth = i % 16 === 0 ? findDepth(state, 'btcusdt', 3) : undefined;
    if (depth?.bids[0] !== undefined && depth.asks[0] !== undefined) {
      middle = Math.floor((depth.bids[0].priceTicks + depth.asks[0].priceTicks) / 2);
    }
    ops.account[i] = 1 + r.below(ACCOUNTS);
    ops.side[i] = r.below(2);
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

export function runCore(
  ops: Operations,
  latencies: Float64Array | undefined,
): {
  ms: number;
  cpuMs: number;
  /** Processor time of the slowest commands in a row, with their collections; only with latencies. */
  longestCpuMs: number;
  state: State;
  window: [number, number];
} {
  const state = prepare(1 << 20);
  const tape = new Tape(1 << 16);
  const cpu = process.threadCpuUsage();
  const started = performance.now();
  let longestUs = 0;
  if (latencies === undefined) {
    for (let i = 0; i < ops.count; i++) {
      tape.clear();
      applyTo(state, commandAt(ops, i), tape);
    }
  } else {
    let last = spentUs();
    for (let i = 0; i < ops.count; i++) {
      if (i % STRETCH === 0 && i > 0) {
        const now = spentUs();
        longestUs = Math.max(longestUs, now - last);
        last = now;
      }
      tape.clear();
      const command = commandAt(ops, i);
      const before = performance.now();
      applyTo(state, command, tape);
      latencies[i] = performance.now() - before;
    }
  }
  const ended = performance.now();
  const { user, system } = process.threadCpuUsage(cpu);
  const cpuMs = (user + system) / 1000;
  const longestCpuMs = longestUs / 1000;
  return { ms: ended - started, cpuMs, longestCpuMs, state, window: [started, ended] };
}

/** Processor time of this thread. */
function spentUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** A state with this many open orders, each at its own price, none of which match. */
export function openOrders(count: number): State {
  const state = prepare(count);
  const tape = new Tape();
  for (let i = 0; i < count; i++) {
    const isBuy = i % 2 === 0;
    // Moves towards the middle: a new best level is the cheapest to add.
    const away = count - i;
    placing.account = 1 + (i % ACCOUNTS);
    placing.checkpoint = Infinity;
    placing.order.side = isBuy ? 'buy' : 'sell';
    placing.order.price = MIXED_MARKET.listingPriceTicks + (isBuy ? -away : away);
    placing.order.volume = 1_000 + i;
    placing.order.clientOrderId = `desk-${i}`;
    tape.clear();
    applyTo(state, placing, tape);
  }
  return state;
}

/** Adds this many orders that trade with each other at once, in pairs, between the best prices of both sides. */
export function finishOrders(state: State, count: number): void {
  const tape = new Tape();
  for (let i = 0; i < count; i++) {
    placing.time = Math.max(state.time, START + i);
    placing.account = 1 + (i % ACCOUNTS);
    placing.checkpoint = Infinity;
    placing.order.side = i % 2 === 0 ? 'buy' : 'sell';
    placing.order.price = MIXED_MARKET.listingPriceTicks;
    placing.order.volume = 1_000 + (Math.imul(i >> 1, 0x9e3779b1) >>> 16);
    placing.order.clientOrderId = `done-${i}`;
    tape.clear();
    applyTo(state, placing, tape);
  }
}

/** The same operations on bare books: no accounts, holds, fees, client ids or events. */
export function runBook(ops: Operations): number {
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
