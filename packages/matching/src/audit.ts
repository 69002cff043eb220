// Checks the invariants of a whole state from scratch: at start-up, and as often as wanted.

import type { BookSide } from './book.ts';
import { siblingOf } from './core/finish.ts';
import { positionOf } from './link.ts';
import {
  BUCKETS,
  BUY,
  GTD,
  OPEN,
  PENDING,
  STATUS_FILLED,
  isMarketKind,
  isTrailing,
} from './names.ts';
import * as rec from './record.ts';
import { CELLS, NONE } from './record.ts';
import type { Account, Market, State } from './state.ts';
import { isPartial } from './sweeps.ts';
import { auditTrails } from './audit-trails.ts';
import { LIMBS, toBigint } from './wide.ts';

/** A fault in a state, with the market or coin it concerns if that is known. */
export interface Fault {
  readonly text: string;
  readonly symbol?: string;
  readonly coin?: string;
}

/** Faults reported per market or coin: the first few are enough. */
const FAULTS_EACH = 100;

class Faults {
  readonly list: Fault[] = [];
  readonly #counts = new Map<string, number>();

  add(text: string, about: Omit<Fault, 'text'> = {}): void {
    const key = `${about.symbol ?? ''} ${about.coin ?? ''}`;
    const count = this.#counts.get(key) ?? 0;
    if (count === FAULTS_EACH) return;
    this.#counts.set(key, count + 1);
    this.list.push({ text, ...about });
  }
}

/** Everything that is wrong, in words; empty for a sound state. */
export const audit = (s: State): string[] => findFaults(s).map(({ text }) => text);

/** The same, with the market or coin concerned; neither if the whole state may be affected. */
export function findFaults(s: State): Fault[] {
  const wrong = new Faults();
  auditSums(s, wrong);
  for (const account of s.accounts) auditHolds(s, account, auditOrders(s, account, wrong), wrong);
  for (const market of s.markets) {
    auditBook(s, market, wrong);
    const { symbol } = market.config;
    auditTrails(s, market, (text) => wrong.add(text, { symbol }));
  }
  auditPending(s, wrong);
  auditSweeps(s, wrong);
  return wrong.list;
}

const coinName = (s: State, coin: number): string => s.coins[coin]?.name ?? String(coin);

/** Per coin, everything adds up to zero, custody included. Limbs never go below zero: subtract() asserts it. */
function auditSums(s: State, wrong: Faults): void {
  for (const [coin, { name }] of s.coins.entries()) {
    let sum = 0n;
    let issued = 0n;
    for (const network of s.custody) issued -= network[coin] ?? 0n;
    for (const account of [s.fees, s.suspense, s.adjustments, s.capital, ...s.accounts]) {
      const row = account.rows[coin] ?? 0;
      if (row === 0) continue;
      for (let b = 0; b < BUCKETS.length; b++) sum += toBigint(s.rows, row * 3 * LIMBS + b * LIMBS);
    }
    if (sum !== issued) {
      wrong.add(`the ledger of ${name} adds up to ${sum - issued}`, { coin: name });
    }
    if (issued < 0n) {
      wrong.add(`custody has paid out ${-issued} of ${name} more than came in`, { coin: name });
    }
  }
}

/** What an account holds of each coin is what its orders need. */
function auditHolds(s: State, account: Account, needed: readonly bigint[], wrong: Faults): void {
  for (const [coin, row] of account.rows.entries()) {
    const held = row === 0 ? 0n : toBigint(s.rows, row * 3 * LIMBS + LIMBS);
    const owed = needed[coin] ?? 0n;
    if (held !== owed) {
      wrong.add(
        `account ${account.id} holds ${held} of ${coinName(s, coin)}, its orders need ${owed}`,
        { coin: coinName(s, coin) },
      );
    }
  }
}

/** Gives what the account's orders hold, by coin. */
function auditOrders(s: State, account: Account, wrong: Faults): bigint[] {
  const { f64, u32, i32 } = s.pool;
  const holds: bigint[] = [];
  const open: number[] = [];
  const pending: number[] = [];
  const slots = f64.length / CELLS;
  let last = 0;
  for (let slot = account.head; slot !== NONE; slot = i32[slot * CELLS * 2 + rec.MINE_NEXT]!) {
    if (!(slot >= 0 && slot < slots)) {
      wrong.add(`the orders of account ${account.id} lead nowhere`);
      break;
    }
    const cell = slot * CELLS;
    const word = cell * 2;
    const id = f64[cell + rec.ID]!;
    const market = s.markets[u32[word + rec.MARKET]!]!;
    const about = { symbol: market.config.symbol };
    const side = u32[word + rec.SIDE]!;
    const status = u32[word + rec.STATUS]!;
    if (id <= last) {
      // The list may be circular, so later findings would mean nothing.
      wrong.add(`orders of account ${account.id} are out of order`, about);
      break;
    }
    last = id;
    if (s.ids.find(id) !== slot) wrong.add(`order ${id} is not found by its id`, about);
    if (status >= STATUS_FILLED) wrong.add(`order ${id} is final and live`, about);
    const byTotal = (u32[word + rec.FLAGS]! & rec.FLAG_BY_TOTAL) !== 0;
    const parts = f64[cell + rec.FILLED]! + f64[cell + rec.REMAINING]! + f64[cell + rec.PREVENTED]!;
    if (!byTotal && parts !== f64[cell + rec.VOLUME]) {
      wrong.add(`order ${id} does not add up`, about);
    }
    const held = toBigint(f64, cell + rec.HELD);
    let needed = byTotal
      ? toBigint(f64, cell + rec.TOTAL)
      : needs(market, side, f64[cell + rec.PRICE]!, f64[cell + rec.REMAINING]!);
    if (u32[word + rec.LINK] !== 0) needed = auditLeg(s, market, slot, needed, wrong);
    if (held !== needed) wrong.add(`order ${id} holds ${held} and needs ${needed}`, about);
    const coin = side === BUY ? market.quote : market.base;
    holds[coin] = (holds[coin] ?? 0n) + held;
    const counts = status === PENDING ? pending : open;
    counts[market.index] = (counts[market.index] ?? 0) + 1;
    // Trailing stops use the word for their group; auditTrails() looks at it.
    const isTrail = status === PENDING && isTrailing(u32[word + rec.TYPE]!);
    if (!isTrail && (status === PENDING) === (i32[word + rec.LEVEL] !== NONE)) {
      wrong.add(`order ${id} is in the book and pending, or in neither`, about);
    }
    if ((u32[word + rec.TIF] === GTD) !== s.gtd.has(slot)) {
      wrong.add(`order ${id} has no timer`, about);
    }
  }
  for (const { index: i, config } of s.markets) {
    if (
      (account.open[i] ?? 0) !== (open[i] ?? 0) ||
      (account.pending[i] ?? 0) !== (pending[i] ?? 0)
    ) {
      wrong.add(`account ${account.id} has a wrong count of orders in ${config.symbol}`, {
        symbol: config.symbol,
      });
    }
  }
  return holds;
}

/** A leg of a list: gives what it must hold, if alone it would need this much. */
function auditLeg(s: State, market: Market, slot: number, alone: bigint, wrong: Faults): bigint {
  const { f64, u32 } = s.pool;
  const { symbol } = market.config;
  const word = slot * CELLS * 2;
  const id = f64[slot * CELLS + rec.ID]!;
  const position = positionOf(u32[word + rec.LINK]!);
  const isDormant = (u32[word + rec.FLAGS]! & rec.FLAG_DORMANT) !== 0;
  const sibling = siblingOf(s, slot);
  if (isDormant) {
    const entry = s.ids.find(id - position);
    const isWaiting = entry !== NONE && u32[entry * CELLS * 2 + rec.STATUS]! < STATUS_FILLED;
    if (!isWaiting) wrong.add(`order ${id} waits for an entry that has ended`, { symbol });
    if (sibling === NONE) wrong.add(`order ${id} waits without the other exit`, { symbol });
    if (isInTriggers(market, slot)) wrong.add(`order ${id} may fire too early`, { symbol });
    return 0n;
  }
  if (sibling === NONE) return alone;
  const [limit, stop] = f64[sibling * CELLS + rec.ID]! > id ? [slot, sibling] : [sibling, slot];
  const isPair =
    u32[limit * CELLS * 2 + rec.STATUS] === OPEN &&
    u32[stop * CELLS * 2 + rec.STATUS] === PENDING &&
    f64[limit * CELLS + rec.REMAINING] === f64[stop * CELLS + rec.REMAINING];
  if (!isPair) wrong.add(`the list of order ${id} is decided, and both legs live`, { symbol });
  if (slot === stop) return 0n;
  const other = needs(
    market,
    u32[word + rec.SIDE]!,
    f64[stop * CELLS + rec.PRICE]!,
    f64[stop * CELLS + rec.REMAINING]!,
  );
  return other > alone ? other : alone;
}

function isInTriggers(market: Market, slot: number): boolean {
  return [market.rising, market.falling].some((list) => {
    for (let i = 0; i < list.count; i++) if (list.slotAt(i) === slot) return true;
    return false;
  });
}

function needs(market: Market, side: number, price: number, lots: number): bigint {
  if (side === BUY) return BigInt(price) * BigInt(lots) * market.quoteScale.big;
  return BigInt(lots) * market.baseScale.big;
}

function auditBook(s: State, market: Market, wrong: Faults): void {
  const { bids, asks } = market;
  const { symbol } = market.config;
  // An auction may leave a book crossed until the market trades again, or a sweep takes a side away.
  const trades = market.phase === 'continuous' || market.phase === 'post_only';
  const mayCross = s.rules >= 4 && (!trades || market.sweeping > 0);
  if (!mayCross && bids.count > 0 && asks.count > 0 && bids.bestPrice() >= asks.bestPrice()) {
    wrong.add(`the book of ${symbol} is crossed: ${bids.bestPrice()} ${asks.bestPrice()}`, {
      symbol,
    });
  }
  for (const book of [bids, asks]) auditSide(s, market, book, wrong);
}

function auditSide(s: State, market: Market, book: BookSide, wrong: Faults): void {
  const { f64, u32, i32 } = s.pool;
  const { symbol } = market.config;
  const slots = f64.length / CELLS;
  let lots = 0;
  for (let i = 0; i < book.count; i++) {
    const price = book.priceAt(i);
    const level = book.levelAt(i);
    let shown = 0;
    let previous = NONE;
    if (i > 0 && Math.abs(price - book.priceAt(i - 1)) === 0)
      wrong.add(`${symbol} repeats a level`, { symbol });
    for (let slot = book.headOf(level); slot !== NONE; slot = i32[slot * CELLS * 2 + rec.NEXT]!) {
      if (!(slot >= 0 && slot < slots)) {
        wrong.add(`a queue in ${symbol} leads nowhere`, { symbol });
        break;
      }
      const cell = slot * CELLS;
      const word = cell * 2;
      const own = f64[cell + rec.SHOWN]!;
      const remaining = f64[cell + rec.REMAINING]!;
      if (own <= 0 || own > remaining)
        wrong.add(`an order at ${price} in ${symbol} shows ${own}`, { symbol });
      if (f64[cell + rec.PRICE] !== price || u32[word + rec.SIDE] !== book.side) {
        wrong.add(`an order stands at a foreign level ${price} in ${symbol}`, { symbol });
      }
      if (i32[word + rec.PREV] !== previous) {
        wrong.add(`a queue in ${symbol} is not linked`, { symbol });
        break;
      }
      previous = slot;
      shown += own;
      lots += remaining;
    }
    if (shown === 0 || shown !== book.lotsOf(level)) {
      wrong.add(`level ${price} of ${symbol} says ${book.lotsOf(level)}, its orders ${shown}`, {
        symbol,
      });
    }
  }
  for (const list of [market.rising, market.falling]) {
    for (let i = 0; i < list.count; i++) {
      const cell = list.slotAt(i) * CELLS;
      if (u32[cell * 2 + rec.SIDE] !== book.side) continue;
      if (!isMarketKind(u32[cell * 2 + rec.TYPE]!)) lots += f64[cell + rec.REMAINING]!;
    }
  }
  for (const slot of market.trails.after(0)) {
    const cell = slot * CELLS;
    if (u32[cell * 2 + rec.SIDE] !== book.side) continue;
    if (!isMarketKind(u32[cell * 2 + rec.TYPE]!)) lots += f64[cell + rec.REMAINING]!;
  }
  if (lots !== market.openLots[book.side]) {
    wrong.add(`${symbol} counts ${market.openLots[book.side]} open lots instead of ${lots}`, {
      symbol,
    });
  }
}

/** What is pending in withdrawals is what the accounts have set aside for them. */
function auditPending(s: State, wrong: Faults): void {
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
        const name = coinName(s, coin);
        wrong.add(`account ${account.id} has ${set} of ${name} pending withdrawal`, { coin: name });
      }
    }
  }
}

/** Sweeps are known where they must be, and stand at live orders. */
function auditSweeps(s: State, wrong: Faults): void {
  for (const market of s.markets) {
    const count = s.sweeps.filter((w) => w.account === NONE && w.market === market.index).length;
    if (market.sweeping !== count) {
      const { symbol } = market.config;
      wrong.add(`${symbol} counts ${market.sweeping} sweeps instead of ${count}`, { symbol });
    }
  }
  for (const sweep of s.sweeps) {
    if (!isPartial(sweep)) continue;
    const account = s.accounts[sweep.account]!;
    if (!account.sweeps.includes(sweep)) wrong.add(`account ${account.id} misses a sweep`);
    const word = sweep.next * CELLS * 2;
    const isPlaced =
      sweep.next === NONE ||
      (s.pool.u32[word + rec.ACCOUNT] === account.index &&
        s.pool.u32[word + rec.STATUS]! < STATUS_FILLED);
    if (!isPlaced) wrong.add(`sweep ${sweep.id} stands at an order that is not live`);
  }
}
