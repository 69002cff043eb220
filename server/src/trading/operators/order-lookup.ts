// An order of any account, for an operator: what it is, who placed it, what it did, and its row in
// the journal.
import { getAccountWithOwner } from '../../accounts/trading-keys/access.ts';
import { findJournalSeq } from '../engine/journal-search.ts';
import { findOrderOfAnybody, listProjectedTrades } from '../orders/access.ts';
import { toOrder, type Order } from '../orders/order.ts';
import { toMyTrade, type MyTrade } from '../orders/trade.ts';
import type { History } from '../projections/access.ts';
import { noSuchOrder } from './errors.ts';
import { getPair } from './store.ts';

export type OrderKey =
  { readonly orderId: bigint } | { readonly accountId: bigint; readonly clientOrderId: string };

export interface OrderDescription {
  readonly account: number;
  readonly owner: string;
  /** Whether the owner is active, or deactivated. */
  readonly person: string;
  readonly order: Order;
  readonly fills: readonly MyTrade[];
  /** The row of the journal with its last change; null when it is no longer there. */
  readonly journalSeq: number | null;
}

/** As the projections have it: they lag behind the engine by seconds at most. */
export async function describeOrder(history: History, key: OrderKey): Promise<OrderDescription> {
  const { db } = history;
  const found = await findOrderOfAnybody(history, key);
  if (found === undefined) throw noSuchOrder(nameOf(key));
  const pair = await getPair(db, found.symbol);
  const owner = await getAccountWithOwner(db, BigInt(found.account));
  const trades = await listProjectedTrades(history, found);
  return {
    account: found.account,
    owner: owner.email,
    person: owner.isActive ? 'active' : 'deactivated',
    order: toOrder(found, pair),
    fills: trades.map((trade) => toMyTrade(trade, pair)),
    journalSeq: (await findJournalSeq(db, found.engineSeq)) ?? null,
  };
}

const nameOf = (key: OrderKey): string =>
  'orderId' in key ? `${key.orderId}` : `"${key.clientOrderId}" of account ${key.accountId}`;
