// Reading the state, for answers about live orders, balances and books. Changes nothing.

import type { MarketConfig, OrderRef, Phase } from './command.ts';
import { findOrder as findSlot } from './core/cancel.ts';
import { referencePrice } from './core/walk.ts';
import { decodeOrder } from './decode.ts';
import type { Order } from './outcome.ts';
import type { BookSide } from './book.ts';
import { CELLS, MARKET, MINE_NEXT, NONE } from './record.ts';
import { balanceOf, findAccount, findMarket } from './state.ts';
import type { Account, State } from './state.ts';

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

/** The account's live orders, oldest first. */
export function listOpenOrders(s: State, accountId: number, symbol?: string): Order[] {
  const account = findAccount(s, accountId);
  const market = symbol === undefined ? undefined : findMarket(s, symbol);
  const orders: Order[] = [];
  if (account === undefined || (symbol !== undefined && market === undefined)) return orders;
  for (let slot = account.head; slot !== NONE; slot = s.pool.i32[slot * CELLS * 2 + MINE_NEXT]!) {
    if (market !== undefined && s.pool.u32[slot * CELLS * 2 + MARKET] !== market.index) continue;
    orders.push(slotOrder(s, slot));
  }
  return orders;
}

function balancesOf(s: State, account: Account): Balance[] {
  const balances: Balance[] = [];
  for (const [index, { name }] of s.coins.entries()) {
    balances.push({
      coin: name,
      available: balanceOf(s, account, index, 'available'),
      hold: balanceOf(s, account, index, 'hold'),
      pendingWithdraw: balanceOf(s, account, index, 'pendingWithdraw'),
    });
  }
  return balances;
}

/** Balances in every listed coin. */
export function listBalances(s: State, accountId: number): Balance[] {
  const account = findAccount(s, accountId);
  return account === undefined ? [] : balancesOf(s, account);
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

export function listMarkets(s: State): MarketView[] {
  return s.markets.map((market) => ({
    config: market.config,
    phase: market.phase,
    phaseUntil: s.phaseEnds.dueOf(market.index),
    lastPriceTicks: market.lastPrice,
    referencePriceTicks: referencePrice(market),
    updateId: market.updateId,
  }));
}
