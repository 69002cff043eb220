import { Type } from 'typebox';
import type { TradingContext } from '../context.ts';
import { Answer } from '../http/envelope.ts';
import type { ErrorName } from '../http/errors.ts';
import { tradingRoute } from '../http/route.ts';
import { afterActing } from '../orders/actions/submit.ts';
import { CREATE_ERRORS, ENGINE_ERRORS } from '../orders/errors.ts';
import { getPair } from '../orders/pairs.ts';
import { REPLAY_HEADER } from '../orders/shapes.ts';
import { MarketSymbol } from '../values.ts';
import { getLegs, listOpenLists, OPEN_LISTS_MAX, parseListId } from './access.ts';
import { cancelList } from './actions/cancel.ts';
import { placeList, type PlacedList } from './actions/place.ts';
import { OrderList, OrderListId, toOrderList } from './list.ts';
import { NewBracket, NewOco, toBracketTerms, toOcoTerms } from './terms.ts';

const NAMED = Type.Object({ orderListId: OrderListId });
const NAMED_ERRORS: readonly ErrorName[] = [...ENGINE_ERRORS, 'ORDER_NOT_FOUND'];

const answerPlaced = ({ legs, pair, isReplay }: PlacedList): OrderList | Answer<OrderList> => {
  const list = toOrderList(legs, pair);
  return isReplay ? new Answer(list, { [REPLAY_HEADER]: 'true' }) : list;
};

export const postOco = tradingRoute({
  name: 'privateOrderListCreateOco',
  method: 'POST',
  path: '/private/order_list/create_oco',
  access: 'trade',
  audit: { none: 'own orders' },
  summary:
    'Places a limit order and a stop of which at most one trades. They share one hold. As soon as one trades or triggers, the other is canceled, with the reason `list_sibling`. The same client ids with the same parameters answer the existing list, with the header `X-SVC-IDEMPOTENT-REPLAY: true`.',
  params: NewOco,
  returns: OrderList,
  headers: [REPLAY_HEADER],
  errors: CREATE_ERRORS,
  handle: async (ctx, caller, asked) =>
    answerPlaced(await placeList(ctx, caller, asked.symbol, (pair) => toOcoTerms(asked, pair))),
});

export const postBracket = tradingRoute({
  name: 'privateOrderListCreateBracket',
  method: 'POST',
  path: '/private/order_list/create_bracket',
  access: 'trade',
  audit: { none: 'own orders' },
  summary:
    'Places an entry with two exits of the other side. The exits wait until the entry has ended, and are then an OCO for what it filled; if it filled nothing, they are canceled. If the market takes no orders at that moment, for instance because the fill has halted it, they are canceled with the reason `market_closed`. The same client ids with the same parameters answer the existing list, with the header `X-SVC-IDEMPOTENT-REPLAY: true`.',
  params: NewBracket,
  returns: OrderList,
  headers: [REPLAY_HEADER],
  errors: CREATE_ERRORS,
  handle: async (ctx, caller, asked) =>
    answerPlaced(await placeList(ctx, caller, asked.symbol, (pair) => toBracketTerms(asked, pair))),
});

export const deleteOrderList = tradingRoute({
  name: 'privateOrderListCancel',
  method: 'DELETE',
  path: '/private/order_list/cancel',
  access: 'trade',
  audit: { none: 'own orders' },
  whileSuspended: true,
  summary: 'Cancels every leg of a list that is live.',
  params: NAMED,
  returns: OrderList,
  errors: [...NAMED_ERRORS, 'ORDER_FINAL'],
  async handle(ctx, caller, { orderListId }) {
    const legs = await cancelList(ctx, caller, parseListId(orderListId));
    return afterActing(ctx, async () => printList(ctx, legs));
  },
});

export const getOrderList = tradingRoute({
  name: 'privateOrderListGet',
  method: 'GET',
  path: '/private/order_list/get',
  access: 'read',
  whileSuspended: true,
  summary: 'One list as it is now.',
  params: NAMED,
  returns: OrderList,
  errors: NAMED_ERRORS,
  handle: async (ctx, { account }, { orderListId }) =>
    printList(ctx, await getLegs(ctx, account.id, parseListId(orderListId))),
});

export const getOpenOrderLists = tradingRoute({
  name: 'privateOrderListOpen',
  method: 'GET',
  path: '/private/order_list/open',
  access: 'read',
  whileSuspended: true,
  summary: `Lists with a live leg as they are now, oldest first; at most ${OPEN_LISTS_MAX}.`,
  params: Type.Object({ symbol: Type.Optional(MarketSymbol) }),
  returns: Type.Array(OrderList),
  errors: [...ENGINE_ERRORS, 'UNKNOWN_SYMBOL'],
  handle: (ctx, caller, { symbol }) => listOpenLists(ctx, caller, symbol),
});

const printList = async (
  ctx: TradingContext,
  legs: Awaited<ReturnType<typeof getLegs>>,
): Promise<OrderList> => toOrderList(legs, await getPair(ctx, legs[0]?.symbol ?? ''));
