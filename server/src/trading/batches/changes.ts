// What a batch means to each account: pure, and the one place where private streams and event queues learn it, so
// that they cannot tell different stories.
import type { AccountChange, Order, Step, Trade, TradeSide } from '@rialto/matching';

/** One side of a trade, as its account sees it. */
export interface OwnTrade {
  readonly trade: Trade;
  readonly own: TradeSide;
  readonly side: 'buy' | 'sell';
  readonly isMaker: boolean;
  readonly timeMs: number;
  readonly engineSeq: number;
}

/** What one step of the engine did to one account. */
export interface StepChange {
  readonly account: number;
  readonly engineSeq: number;
  readonly timeMs: number;
  /** Each order that changed, as the step left it. */
  readonly orders: readonly Order[];
  readonly trades: readonly OwnTrade[];
  /** Its tier or its suspension, if the step changed them. */
  readonly terms: AccountChange | undefined;
}

/** The changes of a step, by account in the order in which the step first names them. */
export function listChanges(step: Step): StepChange[] {
  const changes = new Map<
    number,
    { orders: Map<number, Order>; trades: OwnTrade[]; terms: AccountChange | undefined }
  >();
  const of = (account: number) => {
    let change = changes.get(account);
    if (change === undefined) {
      changes.set(account, (change = { orders: new Map(), trades: [], terms: undefined }));
    }
    return change;
  };
  const { engineSeq, time: timeMs } = step;
  for (const order of step.orders) of(order.account).orders.set(order.orderId, order);
  for (const trade of step.trades) {
    const { buyer, seller, takerSide } = trade;
    for (const side of ['buy', 'sell'] as const) {
      const own = side === 'buy' ? buyer : seller;
      const isMaker = side !== takerSide;
      of(own.account).trades.push({ trade, own, side, isMaker, timeMs, engineSeq });
    }
  }
  for (const terms of step.accounts) of(terms.account).terms = terms;
  return [...changes].map(([account, { orders, trades, terms }]) => ({
    account,
    engineSeq,
    timeMs,
    orders: [...orders.values()],
    trades,
    terms,
  }));
}
