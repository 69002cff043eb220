// The private pushes of a row of the journal: how many each account gets, and what they say. Pure, so that every
// process numbers them alike, and so does a replay of the journal. A row gives an account, step by step, one push for
// each order that changed and one for each of its trades; then, if money moved, one with the balances that changed.
import type { Order, Step } from '@rialto/matching';
import { assert } from '../../platform/std/assert.ts';
import type { AccountBalance } from '../engine/balances.ts';
import type { MarketCoins } from '../orders/pairs.ts';
import { listChanges, type OwnTrade } from './changes.ts';

interface PushBase {
  readonly timeMs: number;
  /** Of the step, or for balances of the row's last step. */
  readonly engineSeq: number;
}

export type Push = PushBase &
  (
    | {
        readonly channel: 'orders';
        readonly order: Order;
        /** Its last trade in the step, if it traded. */
        readonly fill: OwnTrade | undefined;
        readonly pair: MarketCoins;
      }
    | {
        readonly channel: 'my_trades';
        readonly own: OwnTrade;
        readonly order: Order;
        readonly pair: MarketCoins;
      }
    | { readonly channel: 'balances'; readonly balances: readonly AccountBalance[] }
  );

/** A part of a row: one event of the log. */
export interface RowPart {
  readonly steps: readonly Step[];
  /** The row's last engine event. */
  readonly engineSeq: number;
  readonly balances: readonly AccountBalance[];
  /** Of every market that it names. */
  readonly pairs: ReadonlyMap<string, MarketCoins>;
}

/** What one part of a row counts for an account. */
interface Tally {
  /** Pushes about orders and trades. */
  count: number;
  /** Whether it moved money of the account. */
  isPosted: boolean;
}

/** The accounts that a part of a row concerns, and what it counts for each. */
export function tallyPart(steps: Iterable<Step>): Map<number, Tally> {
  const tallies = new Map<number, Tally>();
  const of = (account: number): Tally => {
    let tally = tallies.get(account);
    if (tally === undefined) tallies.set(account, (tally = { count: 0, isPosted: false }));
    return tally;
  };
  for (const step of steps) {
    const { orders } = step;
    if (orders.length === 1) of((orders[0] as Order).account).count += 1;
    else if (orders.length > 1) {
      for (const order of distinct(orders)) of(order.account).count += 1;
    }
    for (const { buyer, seller } of step.trades) {
      of(buyer.account).count += 1;
      of(seller.account).count += 1;
    }
    for (const { postings } of step.journals) {
      for (const { owner } of postings) {
        if (typeof owner === 'number') of(owner).isPosted = true;
      }
    }
  }
  return tallies;
}

const distinct = (orders: readonly Order[]): Iterable<Order> =>
  new Map(orders.map((order) => [order.orderId, order])).values();

/** The pushes of one account in a row. `parts` are those that concern the account, in order. */
export function listPushes(parts: readonly RowPart[], account: number): Push[] {
  const pushes: Push[] = [];
  const changed = new Map<string, AccountBalance>();
  let isPosted = false;
  let timeMs = 0;
  for (const { steps, balances, pairs } of parts) {
    for (const step of steps) {
      const isOwn = isPostedTo(step, account);
      if (isOwn) isPosted = true;
      const change = listChanges(step).find((one) => one.account === account);
      if (isOwn) timeMs = step.time;
      if (change === undefined) continue;
      const { engineSeq } = change;
      const orders = new Map(change.orders.map((order) => [order.orderId, order]));
      for (const order of change.orders) {
        const fill = change.trades.findLast(({ own }) => own.orderId === order.orderId);
        const pair = pairOf(pairs, order);
        pushes.push({ channel: 'orders', timeMs: step.time, engineSeq, order, fill, pair });
      }
      for (const own of change.trades) {
        const order = orders.get(own.own.orderId);
        assert(order !== undefined, 'a trade changes the orders of its two sides');
        const pair = pairOf(pairs, order);
        pushes.push({ channel: 'my_trades', timeMs: step.time, engineSeq, own, order, pair });
      }
    }
    for (const balance of balances) {
      if (balance.account === account) changed.set(balance.coin, balance);
    }
  }
  const engineSeq = parts.at(-1)?.engineSeq ?? 0;
  if (isPosted) {
    pushes.push({ channel: 'balances', timeMs, engineSeq, balances: [...changed.values()] });
  }
  return pushes;
}

function pairOf(pairs: ReadonlyMap<string, MarketCoins>, { symbol }: Order): MarketCoins {
  const pair = pairs.get(symbol);
  assert(pair !== undefined, 'a batch names the markets of its orders', { symbol });
  return pair;
}

const isPostedTo = ({ journals }: Step, account: number): boolean =>
  journals.some(({ postings }) => postings.some(({ owner }) => owner === account));
