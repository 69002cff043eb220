// Reading the state, for answers about live orders, balances and books. Changes nothing.

import type { MarketConfig, OrderRef, Phase } from './command.ts';
import { findOrder as findSlot } from './core/cancel.ts';
import { referencePrice } from './core/walk.ts';
import { decodeOrder } from './decode.ts';
import type { Order } from './outcome.ts';
import type { BookSide } from './book.ts';
import type { Directory } from './directory.ts';
import { LEGS_MAX } from './link.ts';
import { CELLS, ID, NONE, PUBLIC_CELLS } from './record.ts';
import { balanceOf, findAccount, findMarket } from './state.ts';
import type { Account, Market, State } from './state.ts';
import { ORDER } from './tape.ts';
import type { Tape } from './tape.ts';

export interface Balance {
  coin: string;
  available: bigint;
  hold: bigint;
  pendingWithdraw: bigint;
}

export interface Level {
  priceTicks: number;
  lots: number;
}

export interface Depth {
  updateId: number;
  bids: Level[];
  asks: Level[];
}

export interface MarketView {
  config: MarketConfig;
  phase: Phase;
  phaseUntil: number;
  lastPriceTicks: number;
  referencePriceTicks: number;
  updateId: number;
}

const slotOrder = (s: State, slot: number): Order =>
  decodeOrder(s, s.pool.f64, s.pool.u32, slot * CELLS);

/** A live order of the account, or one of the last finished ones. */
export function findOrder(s: State, accountId: number, ref: OrderRef): Order | undefined {
  const account = findAccount(s, accountId);
  if (account === undefined) return undefined;
  const slot = findSlot(s, account, ref);
  return slot === NONE ? undefined : slotOrder(s, slot);
}

/**
 * The event at which the oldest remembered order finished; zero if none is remembered. Every forgotten order had
 * finished by then.
 */
export const rememberedFrom = (s: State): number =>
  s.finished.count === 0 ? 0 : s.finished.seqOf(s.finished.oldest);

/**
 * The orders of a list of the account, by their places, as far as they are remembered; the list is named by
 * its id or by any order of it. Undefined if there is none.
 */
export function findList(s: State, accountId: number, ref: OrderRef): Order[] | undefined {
  const named = findOrder(s, accountId, ref);
  const listId = named?.orderListId ?? ref.orderId ?? 0;
  if (listId === 0) return undefined;
  const legs: Order[] = [];
  for (let place = 0; place < LEGS_MAX; place++) {
    const leg = findOrder(s, accountId, { orderId: listId + place });
    if (leg?.orderListId === listId) legs.push(leg);
  }
  return legs.length === 0 ? undefined : legs;
}

/** Which of an account's live orders: those in a market, those with greater ids, so many of them. */
export interface OpenPage {
  symbol?: string | undefined;
  after?: number | undefined;
  limit?: number | undefined;
}

/** Slots of the account's live orders, oldest first. Reads no more of them than it returns. */
function* openSlots(s: State, accountId: number, page: OpenPage): Generator<number> {
  const { symbol, after = 0, limit = Infinity } = page;
  const account = findAccount(s, accountId);
  const market = symbol === undefined ? undefined : findMarket(s, symbol);
  if (account === undefined || (symbol !== undefined && market === undefined)) return;
  const lists = market === undefined ? account.own : [account.own[market.index]];
  const heads: { slot: number; id: number; rest: Iterator<number, undefined> }[] = [];
  for (const list of lists) {
    const rest = list?.after(s.pool, after);
    const slot = rest?.next().value;
    if (rest !== undefined && slot !== undefined) heads.push({ slot, id: idOf(s, slot), rest });
  }
  for (let count = 0; count < limit && heads.length > 0; count++) {
    // The oldest of all markets. An account trades in few.
    let at = 0;
    for (let i = 1; i < heads.length; i++) if (heads[i]!.id < heads[at]!.id) at = i;
    const head = heads[at]!;
    yield head.slot;
    const next = head.rest.next().value;
    if (next === undefined) heads.splice(at, 1);
    else {
      head.slot = next;
      head.id = idOf(s, next);
    }
  }
}

const idOf = (s: State, slot: number): number => s.pool.f64[slot * CELLS + ID]!;

/** The account's live orders, oldest first. */
export function listOpenOrders(s: State, accountId: number, page: OpenPage = {}): Order[] {
  return Array.from(openSlots(s, accountId, page), (slot) => slotOrder(s, slot));
}

/** The same, copied onto a tape as they are in memory, to be decoded elsewhere. */
export function writeOpenOrders(s: State, accountId: number, page: OpenPage, tape: Tape): void {
  const { f64 } = s.pool;
  for (const slot of openSlots(s, accountId, page)) {
    const at = tape.begin(ORDER, PUBLIC_CELLS);
    const cell = slot * CELLS;
    for (let i = 0; i < PUBLIC_CELLS; i++) tape.f64[at + i] = f64[cell + i]!;
  }
}

/** The orders that `writeOpenOrders` wrote. */
export function readOpenOrders(names: Directory, tape: Tape): Order[] {
  const orders: Order[] = [];
  for (let cell = 0; cell < tape.length; cell += 1 + PUBLIC_CELLS) {
    orders.push(decodeOrder(names, tape.f64, tape.u32, cell + 1));
  }
  return orders;
}

function balancesOf(s: State, account: Account, from = 0, limit = Infinity): Balance[] {
  const balances: Balance[] = [];
  const until = Math.min(s.coins.length, from + limit);
  for (let index = from; index < until; index++) {
    balances.push({
      coin: s.coins[index]!.name,
      available: balanceOf(s, account, index, 'available'),
      hold: balanceOf(s, account, index, 'hold'),
      pendingWithdraw: balanceOf(s, account, index, 'pendingWithdraw'),
    });
  }
  return balances;
}

/** Balances in the listed coins, in the order of their listing: all of them, or so many from one on. */
export function listBalances(
  s: State,
  accountId: number,
  from?: number,
  limit?: number,
): Balance[] {
  const account = findAccount(s, accountId);
  return account === undefined ? [] : balancesOf(s, account, from, limit);
}

/** What the venue itself owns, by account name; custody is negative by what the chain must hold. */
export function listVenueBalances(
  s: State,
): Array<{ owner: string; coin: string; amount: bigint }> {
  const rows: Array<{ owner: string; coin: string; amount: bigint }> = [];
  for (const account of [s.fees, s.suspense, s.adjustments, s.capital]) {
    for (const { coin, available } of balancesOf(s, account)) {
      rows.push({ owner: account.name, coin, amount: available });
    }
  }
  for (const [n, balances] of s.custody.entries()) {
    for (const [c, amount] of balances.entries()) {
      rows.push({ owner: `custody:${s.networks[n]!}`, coin: s.coins[c]!.name, amount });
    }
  }
  return rows;
}

function levels(book: BookSide, limit: number): Level[] {
  const list: Level[] = [];
  for (let i = book.count - 1; i >= 0 && list.length < limit; i--) {
    list.push({ priceTicks: book.priceAt(i), lots: book.lotsOf(book.levelAt(i)) });
  }
  return list;
}

/**
 * The visible book as pairs of cells, price and lots: at most `limit` bids, best first, then as many asks. Gives
 * how many of each there are; `cells` has room for all.
 */
export function writeDepth(
  s: State,
  symbol: string,
  limit: number,
  cells: Float64Array,
): { updateId: number; bids: number; asks: number } | undefined {
  const market = findMarket(s, symbol);
  if (market === undefined) return undefined;
  const bids = writeLevels(market.bids, limit, cells, 0);
  const asks = writeLevels(market.asks, limit, cells, bids * 2);
  return { updateId: market.updateId, bids, asks };
}

function writeLevels(book: BookSide, limit: number, cells: Float64Array, from: number): number {
  const count = Math.min(book.count, limit);
  for (let i = 0; i < count; i++) {
    const position = book.count - 1 - i;
    cells[from + i * 2] = book.priceAt(position);
    cells[from + i * 2 + 1] = book.lotsOf(book.levelAt(position));
  }
  return count;
}

/** The visible book, best first. */
export function findDepth(s: State, symbol: string, limit: number = Infinity): Depth | undefined {
  const market = findMarket(s, symbol);
  if (market === undefined) return undefined;
  return {
    updateId: market.updateId,
    bids: levels(market.bids, limit),
    asks: levels(market.asks, limit),
  };
}

/** The markets in the order of their creation: all of them, or so many from one on. */
export function listMarkets(s: State, from = 0, limit = Infinity): MarketView[] {
  return s.markets.slice(from, from + limit).map((market) => viewMarket(s, market));
}

export function findMarketView(s: State, symbol: string): MarketView | undefined {
  const market = findMarket(s, symbol);
  return market && viewMarket(s, market);
}

const viewMarket = (s: State, market: Market): MarketView => ({
  config: market.config,
  phase: market.phase,
  phaseUntil: s.phaseEnds.dueOf(market.index),
  lastPriceTicks: market.lastPrice,
  referencePriceTicks: referencePrice(market),
  updateId: market.updateId,
});
