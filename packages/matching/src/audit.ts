// The promises about a whole state, checked from scratch: at start-up, and as often as one likes.

import type { BookSide } from './book.ts';
import { BUCKETS, BUY, GTD, PENDING, STATUS_FILLED, isMarketKind } from './names.ts';
import * as rec from './record.ts';
import { CELLS, NONE } from './record.ts';
import type { Account, Market, State } from './state.ts';
import { isPartial } from './sweeps.ts';
import { LIMBS, toBigint } from './wide.ts';

/** Everything that is wrong, in words; empty for a sound state. */
export function audit(s: State): string[] {
  const wrong: string[] = [];
  auditSums(s, wrong);
  const holds = new Map<string, bigint>();
  for (const account of s.accounts) auditOrders(s, account, holds, wrong);
  for (const account of s.accounts) {
    for (const [coin, row] of account.rows.entries()) {
      const held = row === 0 ? 0n : toBigint(s.rows, row * 3 * LIMBS + LIMBS);
      const owed = holds.get(`${account.index} ${coin}`) ?? 0n;
      if (held !== owed) {
        wrong.push(`account ${account.id} holds ${held} of coin ${coin}, its orders need ${owed}`);
      }
    }
  }
  for (const market of s.markets) auditBook(s, market, wrong);
  auditPending(s, wrong);
  auditSweeps(s, wrong);
  return wrong;
}

/** Per coin, everything adds up to zero, custody included. Limbs never go below zero: subtract() asserts it. */
function auditSums(s: State, wrong: string[]): void {
  for (const [coin, { name }] of s.coins.entries()) {
    let sum = 0n;
    for (const network of s.custody) sum += network[coin] ?? 0n;
    for (const account of [s.fees, s.suspense, s.adjustments, ...s.accounts]) {
      const row = account.rows[coin] ?? 0;
      if (row === 0) continue;
      for (let b = 0; b < BUCKETS.length; b++) sum += toBigint(s.rows, row * 3 * LIMBS + b * LIMBS);
    }
    if (sum !== 0n) wrong.push(`the ledger of ${name} adds up to ${sum}`);
  }
}

function auditOrders(
  s: State,
  account: Account,
  holds: Map<string, bigint>,
  wrong: string[],
): void {
  const { f64, u32, i32 } = s.pool;
  const open: number[] = [];
  const pending: number[] = [];
  let last = 0;
  for (let slot = account.head; slot !== NONE; slot = i32[slot * CELLS * 2 + rec.MINE_NEXT]!) {
    const cell = slot * CELLS;
    const word = cell * 2;
    const id = f64[cell + rec.ID]!;
    const market = s.markets[u32[word + rec.MARKET]!]!;
    const side = u32[word + rec.SIDE]!;
    const status = u32[word + rec.STATUS]!;
    if (id <= last) wrong.push(`orders of account ${account.id} are out of order`);
    last = id;
    if (s.ids.find(id) !== slot) wrong.push(`order ${id} is not found by its id`);
    if (status >= STATUS_FILLED) wrong.push(`order ${id} is final and live`);
    const byTotal = (u32[word + rec.FLAGS]! & rec.FLAG_BY_TOTAL) !== 0;
    const parts = f64[cell + rec.FILLED]! + f64[cell + rec.REMAINING]! + f64[cell + rec.PREVENTED]!;
    if (!byTotal && parts !== f64[cell + rec.VOLUME]) wrong.push(`order ${id} does not add up`);
    const held = toBigint(f64, cell + rec.HELD);
    const needed = byTotal
      ? toBigint(f64, cell + rec.TOTAL)
      : needs(market, side, f64[cell + rec.PRICE]!, f64[cell + rec.REMAINING]!);
    if (held !== needed) wrong.push(`order ${id} holds ${held} and needs ${needed}`);
    const coin = side === BUY ? market.quote : market.base;
    const key = `${account.index} ${coin}`;
    holds.set(key, (holds.get(key) ?? 0n) + held);
    const counts = status === PENDING ? pending : open;
    counts[market.index] = (counts[market.index] ?? 0) + 1;
    if ((status === PENDING) === (i32[word + rec.LEVEL] !== NONE)) {
      wrong.push(`order ${id} is in the book and pending, or in neither`);
    }
    if ((u32[word + rec.TIF] === GTD) !== s.gtd.has(slot)) wrong.push(`order ${id} has no timer`);
  }
  for (const market of s.markets) {
    const i = market.index;
    if (
      (account.open[i] ?? 0) !== (open[i] ?? 0) ||
      (account.pending[i] ?? 0) !== (pending[i] ?? 0)
    ) {
      wrong.push(`account ${account.id} has a wrong count of orders in ${market.config.symbol}`);
    }
  }
}

function needs(market: Market, side: number, price: number, lots: number): bigint {
  if (side === BUY) return BigInt(price) * BigInt(lots) * market.quoteScale.big;
  return BigInt(lots) * market.baseScale.big;
}

function auditBook(s: State, market: Market, wrong: string[]): void {
  const { bids, asks } = market;
  const { symbol } = market.config;
  if (bids.count > 0 && asks.count > 0 && bids.bestPrice() >= asks.bestPrice()) {
    wrong.push(`the book of ${symbol} is crossed: ${bids.bestPrice()} ${asks.bestPrice()}`);
  }
  for (const book of [bids, asks]) auditSide(s, market, book, wrong);
}

function auditSide(s: State, market: Market, book: BookSide, wrong: string[]): void {
  const { f64, u32, i32 } = s.pool;
  const { symbol } = market.config;
  let lots = 0;
  for (let i = 0; i < book.count; i++) {
    const price = book.priceAt(i);
    const level = book.levelAt(i);
    let shown = 0;
    let previous = NONE;
    if (i > 0 && Math.abs(price - book.priceAt(i - 1)) === 0)
      wrong.push(`${symbol} repeats a level`);
    for (let slot = book.headOf(level); slot !== NONE; slot = i32[slot * CELLS * 2 + rec.NEXT]!) {
      const cell = slot * CELLS;
      const word = cell * 2;
      const own = f64[cell + rec.SHOWN]!;
      const remaining = f64[cell + rec.REMAINING]!;
      if (own <= 0 || own > remaining) wrong.push(`an order at ${price} in ${symbol} shows ${own}`);
      if (f64[cell + rec.PRICE] !== price || u32[word + rec.SIDE] !== book.side) {
        wrong.push(`an order stands at a foreign level ${price} in ${symbol}`);
      }
      if (i32[word + rec.PREV] !== previous) wrong.push(`a queue in ${symbol} is not linked`);
      previous = slot;
      shown += own;
      lots += remaining;
    }
    if (shown === 0 || shown !== book.lotsOf(level)) {
      wrong.push(`level ${price} of ${symbol} says ${book.lotsOf(level)}, its orders ${shown}`);
    }
  }
  for (const list of [market.rising, market.falling]) {
    for (let i = 0; i < list.count; i++) {
      const cell = list.slotAt(i) * CELLS;
      if (u32[cell * 2 + rec.SIDE] !== book.side) continue;
      if (!isMarketKind(u32[cell * 2 + rec.TYPE]!)) lots += f64[cell + rec.REMAINING]!;
    }
  }
  if (lots !== market.openLots[book.side]) {
    wrong.push(`${symbol} counts ${market.openLots[book.side]} open lots instead of ${lots}`);
  }
}

/** What is pending in withdrawals is what the accounts have set aside for them. */
function auditPending(s: State, wrong: string[]): void {
  const owed = new Map<string, bigint>();
  for (const w of s.withdrawals.values()) {
    if (w.status !== 'pending') continue;
    const key = `${w.account} ${w.coin}`;
    owed.set(key, (owed.get(key) ?? 0n) + w.amount);
  }
  for (const account of s.accounts) {
    for (const [coin, row] of account.rows.entries()) {
      const set = row === 0 ? 0n : toBigint(s.rows, row * 3 * LIMBS + 2 * LIMBS);
      if (set !== (owed.get(`${account.id} ${coin}`) ?? 0n)) {
        wrong.push(`account ${account.id} has ${set} of coin ${coin} pending withdrawal`);
      }
    }
  }
}

/** Sweeps are known where they must be, and stand at live orders. */
function auditSweeps(s: State, wrong: string[]): void {
  for (const market of s.markets) {
    const count = s.sweeps.filter((w) => w.account === NONE && w.market === market.index).length;
    if (market.sweeping !== count) {
      wrong.push(`${market.config.symbol} counts ${market.sweeping} sweeps instead of ${count}`);
    }
  }
  for (const sweep of s.sweeps) {
    if (!isPartial(sweep)) continue;
    const account = s.accounts[sweep.account]!;
    if (!account.sweeps.includes(sweep)) wrong.push(`account ${account.id} misses a sweep`);
    const word = sweep.next * CELLS * 2;
    const isPlaced =
      sweep.next === NONE ||
      (s.pool.u32[word + rec.ACCOUNT] === account.index &&
        s.pool.u32[word + rec.STATUS]! < STATUS_FILLED);
    if (!isPlaced) wrong.push(`sweep ${sweep.id} stands at an order that is not live`);
  }
}
