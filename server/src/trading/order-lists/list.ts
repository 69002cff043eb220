// An order list as its owner sees it.
import { SIDES, type ListKind, type Order as EngineOrder } from '@rialto/matching';
import { Type, type Static } from 'typebox';
import { assert } from '../../platform/std/assert.ts';
import { Order, toOrder } from '../orders/order.ts';
import { isLive } from '../order-tables.ts';
import type { MarketPair } from '../orders/pairs.ts';
import { Choice, Millis } from '../values.ts';

export const OrderListId = Type.String({
  pattern: '^[0-9]{1,16}$',
  description: 'The venue’s id of the list, which is the order id of its first leg.',
  examples: ['1048601'],
});

export const OrderList = Type.Object(
  {
    orderListId: OrderListId,
    kind: Choice(
      ['oco', 'bracket'],
      '`oco`: a limit order and a stop, of which at most one trades. `bracket`: an entry, and an OCO of the other side that begins when the entry has ended.',
    ),
    symbol: Type.String({ description: 'Market symbol.', examples: ['btcusdt'] }),
    side: Choice(SIDES, 'Which side: of both legs, or of the entry.'),
    status: Choice(['executing', 'done'], '`done` when every leg has ended.'),
    orders: Type.Array(Order, {
      description:
        'Its legs: the limit order and the stop; of a bracket the entry, the exit that takes the profit and the exit that limits the loss.',
    }),
    createdAt: Millis('When it was taken.'),
    updatedAt: Millis('When a leg last changed.'),
  },
  { title: 'OrderList' },
);
export type OrderList = Static<typeof OrderList>;

export const LEG_COUNTS: Readonly<Record<ListKind, number>> = { oco: 2, bracket: 3 };

/** The legs of one list, by position. At least one is known, and so is the kind of the list. */
export function toOrderList(legs: readonly EngineOrder[], pair: MarketPair): OrderList {
  const [first] = legs;
  assert(first !== undefined && first.orderListKind !== '', 'a list has legs');
  return {
    orderListId: String(first.orderListId),
    kind: first.orderListKind,
    symbol: first.symbol,
    side: first.side,
    status: legs.some(isLive) ? 'executing' : 'done',
    orders: legs.map((leg) => toOrder(leg, pair)),
    createdAt: String(first.createdAt),
    updatedAt: String(Math.max(...legs.map(({ updatedAt }) => updatedAt))),
  };
}
