// A batch in the words of the API: the orders, trades and balances of an account, printed as the routes print them.
import type { Order as EngineOrder } from '@rialto/matching';
import { assert } from '../../platform/std/assert.ts';
import { toBalance, type Balance } from '../account/shapes.ts';
import type { AccountBalance } from '../engine/balances.ts';
import { toOrder, type Order } from '../orders/order.ts';
import { toMyTrade, toSide, type MyTrade } from '../orders/trade.ts';
import type { Batch } from './batch.ts';
import { listChanges, type OwnTrade, type StepChange } from './changes.ts';

/** What a batch did to one account, in the engine's order. */
export interface PrintedChanges {
  /** An order that several steps changed is in it once for each. */
  readonly orders: readonly Order[];
  readonly trades: readonly MyTrade[];
  /** Each coin that was touched, as it stands after the batch. */
  readonly balances: readonly Balance[];
}

interface AccountWork {
  readonly changes: StepChange[];
  readonly balances: AccountBalance[];
  /** By coin: when it was last touched. */
  readonly touchedMs: Map<string, number>;
}

/** Sorts a batch by account once; an account is printed when somebody asks for it. */
export class BatchPrinter {
  readonly #batch: Batch;
  readonly #byAccount = new Map<number, AccountWork>();

  constructor(batch: Batch) {
    this.#batch = batch;
    for (const step of batch.steps) {
      for (const change of listChanges(step)) this.#of(change.account).changes.push(change);
      for (const { postings } of step.journals) {
        for (const { owner, coin } of postings) {
          if (typeof owner === 'number') this.#of(owner).touchedMs.set(coin, step.time);
        }
      }
    }
    for (const balance of batch.balances) this.#of(balance.account).balances.push(balance);
  }

  print(account: number): PrintedChanges {
    const work = this.#byAccount.get(account);
    if (work === undefined) return { orders: [], trades: [], balances: [] };
    const batch = this.#batch;
    return {
      orders: work.changes.flatMap(({ orders }) =>
        orders.map((order) => toOrder(order, batch.pairOf(order.symbol))),
      ),
      trades: work.changes.flatMap(({ orders, trades }) => {
        const byId = new Map(orders.map((order) => [order.orderId, order]));
        return trades.map((trade) => printTrade(batch, byId, trade));
      }),
      balances: work.balances.flatMap((balance) => {
        // A trade names both coins of its market, also one that it did not move.
        const touchedMs = work.touchedMs.get(balance.coin);
        return touchedMs === undefined ? [] : [printBalance(balance, touchedMs)];
      }),
    };
  }

  #of(account: number): AccountWork {
    let work = this.#byAccount.get(account);
    if (work === undefined) {
      this.#byAccount.set(account, (work = { changes: [], balances: [], touchedMs: new Map() }));
    }
    return work;
  }
}

function printTrade(
  batch: Batch,
  orders: ReadonlyMap<number, EngineOrder>,
  trade: OwnTrade,
): MyTrade {
  const order = orders.get(trade.own.orderId);
  assert(order !== undefined, 'a step changes the orders that it trades', { ...trade.own });
  return toMyTrade(toSide(trade, order), batch.pairOf(order.symbol));
}

/** Nothing announces deposits before they are confirmed yet, so none is pending. */
export const printBalance = (balance: AccountBalance, timeMs: number): Balance =>
  toBalance(balance.coin, balance, { pendingDeposit: 0n, updatedAt: new Date(timeMs) });
