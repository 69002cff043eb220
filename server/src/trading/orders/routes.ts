import { LIMITS, ORDER_STATUSES, ORDER_TYPES, SIDES } from '@rialto/matching';
import { Type } from 'typebox';
import { answerLive, ENGINE_SEQ_HEADER } from '../engine/live.ts';
import { COMPLETE_HEADER } from '../projections/access.ts';
import { Answer, RenderedJson } from '../http/envelope.ts';
import { tradingRoute } from '../http/route.ts';
import { Page, PAGE_PARAMS } from '../pages.ts';
import { Choice, MarketSymbol } from '../values.ts';
import {
  getOrder as findOwnOrder,
  listOpenOrders,
  listTradesOf,
  pageOrders,
  pageTrades,
  parseOrderName,
  parseOrderNames,
} from './access.ts';
import { amendOrder } from './actions/amend.ts';
import { cancelAll, cancelAllAfter, cancelOrder, cancelOrders } from './actions/cancel.ts';
import { placeBatch, placeOrder } from './actions/place.ts';
import { afterActing } from './actions/submit.ts';
import { testOrder } from './actions/test.ts';
import { answerBatch, answerCanceled, answerPlaced, REPLAYED } from './answers.ts';
import { CREATE_ERRORS, ENGINE_ERRORS, PLACE_ERRORS, TERMS_ERRORS } from './errors.ts';
import { AmendedOrder, Order, OrderWithTrades, printOrder, toOrder } from './order.ts';
import { getPair } from './pairs.ts';
import {
  CanceledAll,
  CanceledItem,
  PlacedItem,
  PlacedOrder,
  REPLAY_HEADER,
  TestedOrder,
  Timer,
} from './shapes.ts';
import { ClientOrderId, DecimalText, NewOrder, OrderId } from './terms.ts';
import { MyTrade, toMyTrade } from './trade.ts';

const NAME = {
  orderId: Type.Optional(OrderId),
  clientOrderId: Type.Optional(ClientOrderId),
};

export const postOrder = tradingRoute({
  name: 'privateOrderCreate',
  method: 'POST',
  path: '/private/order/create',
  access: 'trade',
  audit: { none: 'own orders' },
  summary:
    'Places an order. The same `clientOrderId` with the same parameters answers the existing order as it is now, with the header `X-SVC-IDEMPOTENT-REPLAY: true`; a caller that lost an answer simply repeats the call.',
  params: NewOrder,
  returns: PlacedOrder,
  headers: [REPLAY_HEADER],
  errors: CREATE_ERRORS,
  handle: async (ctx, caller, asked) =>
    answerPlaced(ctx, await placeOrder(ctx, caller, asked), asked),
});

export const postTestOrder = tradingRoute({
  name: 'privateOrderTest',
  method: 'POST',
  path: '/private/order/test',
  access: 'trade',
  audit: { none: 'own orders' },
  isRead: true,
  summary: 'Checks an order as a placement would, and places nothing.',
  params: NewOrder,
  returns: TestedOrder,
  errors: PLACE_ERRORS,
  handle: testOrder,
});

export const postOrderBatch = tradingRoute({
  name: 'privateOrderCreateBatch',
  method: 'POST',
  path: '/private/order/create_batch',
  access: 'trade',
  audit: { none: 'own orders' },
  summary:
    'Places several orders in one step of the limit; the answer has an entry for each, in the order asked. In the mode `all_or_none` either all are accepted or the first refusal is the answer, with its place in `details.index`.',
  params: Type.Object({
    orders: Type.Array(NewOrder, {
      minItems: 1,
      maxItems: LIMITS.batchPlaceMax,
      description: 'The orders, each with the parameters of a single one.',
    }),
    mode: Type.Optional(
      Choice(['independent', 'all_or_none'], 'Whether one refusal refuses all; no when absent.'),
    ),
  }),
  returns: Type.Array(PlacedItem),
  errors: CREATE_ERRORS,
  handle: async (ctx, caller, { orders, mode = 'independent' }) =>
    answerBatch(ctx, await placeBatch(ctx, caller, orders, mode), orders),
});

export const deleteOrder = tradingRoute({
  name: 'privateOrderCancel',
  method: 'DELETE',
  path: '/private/order/cancel',
  access: 'trade',
  audit: { none: 'own orders' },
  whileSuspended: true,
  summary: 'Cancels an order, named by one of its ids.',
  params: Type.Object({
    ...NAME,
    symbol: Type.Optional(MarketSymbol),
    onlyIf: Type.Optional(
      Choice(['open', 'partially_filled'], 'Cancels only if this is its status now.'),
    ),
  }),
  returns: Order,
  errors: [
    ...ENGINE_ERRORS,
    'PARAMETER_MISSING',
    'PARAMETER_CONFLICT',
    'UNKNOWN_SYMBOL',
    'ORDER_NOT_FOUND',
    'ORDER_FINAL',
  ],
  async handle(ctx, caller, { symbol, onlyIf, ...name }) {
    const order = await cancelOrder(ctx, caller, parseOrderName(name), {
      ...(symbol === undefined ? {} : { symbol }),
      ...(onlyIf === undefined ? {} : { onlyIf }),
    });
    return afterActing(
      ctx,
      async () => new RenderedJson(printOrder(order, await getPair(ctx, order.symbol))),
    );
  },
});

export const postCancelBatch = tradingRoute({
  name: 'privateOrderCancelBatch',
  method: 'POST',
  path: '/private/order/cancel_batch',
  access: 'trade',
  audit: { none: 'own orders' },
  whileSuspended: true,
  summary: `Cancels up to ${LIMITS.batchCancelMax} orders in one step; the answer has an entry for each, first those named by \`orderIds\`, then those by \`clientOrderIds\`.`,
  params: Type.Object({
    orderIds: Type.Optional(
      Type.Array(OrderId, {
        minItems: 1,
        maxItems: LIMITS.batchCancelMax,
        description: 'Ids of the venue’s.',
      }),
    ),
    clientOrderIds: Type.Optional(
      Type.Array(ClientOrderId, {
        minItems: 1,
        maxItems: LIMITS.batchCancelMax,
        description: 'Ids of yours.',
      }),
    ),
  }),
  returns: Type.Array(CanceledItem),
  errors: [...ENGINE_ERRORS, 'PARAMETER_MISSING'],
  handle: async (ctx, caller, params) =>
    answerCanceled(ctx, await cancelOrders(ctx, caller, parseOrderNames(params))),
});

export const deleteAllOrders = tradingRoute({
  name: 'privateOrderCancelAll',
  method: 'DELETE',
  path: '/private/order/cancel_all',
  access: 'trade',
  audit: { none: 'own orders' },
  whileSuspended: true,
  summary:
    'Cancels all open and pending orders, of one market or one side if named. A key that is bound to markets cancels in those.',
  params: Type.Object({
    symbol: Type.Optional(MarketSymbol),
    side: Type.Optional(Choice(SIDES, 'Only this side.')),
  }),
  returns: CanceledAll,
  errors: [...ENGINE_ERRORS, 'UNKNOWN_SYMBOL'],
  async handle(ctx, caller, { symbol, side }) {
    const orderIds = await cancelAll(ctx, caller, {
      ...(symbol === undefined ? {} : { symbol }),
      ...(side === undefined ? {} : { side }),
    });
    return { canceledCount: String(orderIds.length), orderIds: orderIds.map(String) };
  },
});

export const postCancelAllAfter = tradingRoute({
  name: 'privateOrderCancelAllAfter',
  method: 'POST',
  path: '/private/order/cancel_all_after',
  access: 'trade',
  audit: { none: 'own orders' },
  whileSuspended: true,
  summary:
    'Arms the account’s timer: unless it is set again before, all open and pending orders are canceled when it runs out, also across a restart of the service.',
  params: Type.Object({
    timeout: Type.Integer({
      minimum: 0,
      maximum: LIMITS.timerMaxMs,
      description: `Milliseconds, ${LIMITS.timerMinMs} to ${LIMITS.timerMaxMs}; 0 disarms.`,
      examples: ['30000'],
    }),
  }),
  returns: Timer,
  errors: ENGINE_ERRORS,
  async handle(ctx, caller, { timeout }) {
    const dueMs = await cancelAllAfter(ctx, caller, timeout);
    return { triggerTime: dueMs === 0 ? '' : String(dueMs) };
  },
});

export const postAmend = tradingRoute({
  name: 'privateOrderAmend',
  method: 'POST',
  path: '/private/order/amend',
  access: 'trade',
  audit: { none: 'own orders' },
  summary:
    'Changes an order, which keeps its id. Lowering the volume keeps its place in the queue; a volume at or below what is filled cancels the rest. The same `amendId` with the same parameters changes nothing more and answers the order as it is now, with the header `X-SVC-IDEMPOTENT-REPLAY: true`.',
  params: Type.Object({
    ...NAME,
    volume: Type.Optional(DecimalText('New volume, what is filled included.', '0.010000')),
    price: Type.Optional(DecimalText('New limit.', '64200.00')),
    stopPrice: Type.Optional(DecimalText('New trigger, while it waits.', '63000.00')),
    visibleVolume: Type.Optional(DecimalText('New shown part of an iceberg.', '0.001000')),
    amendId: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9._:/-]{1,36}$',
        description: `An id of your own for this amendment, so that it can be repeated. An order remembers the newest ${LIMITS.amendIdsMax}, as long as the engine remembers the order.`,
        examples: ['raise-7'],
      }),
    ),
  }),
  returns: AmendedOrder,
  headers: [REPLAY_HEADER],
  errors: [
    ...TERMS_ERRORS,
    'CLIENT_ID_CONFLICT',
    'PARAMETER_MISSING',
    'ORDER_NOT_FOUND',
    'ORDER_FINAL',
    'AMEND_NO_CHANGE',
  ],
  async handle(ctx, caller, { orderId, clientOrderId, amendId, ...asked }) {
    const name = parseOrderName({
      ...(orderId === undefined ? {} : { orderId }),
      ...(clientOrderId === undefined ? {} : { clientOrderId }),
    });
    const made = await amendOrder(ctx, caller, name, asked, amendId);
    const amended = { ...toOrder(made.order, made.pair), keptPriority: made.keptPriority };
    return made.replay ? new Answer(amended, REPLAYED) : amended;
  },
});

export const getOrder = tradingRoute({
  name: 'privateOrderGet',
  method: 'GET',
  path: '/private/order/get',
  access: 'read',
  whileSuspended: true,
  summary: 'One order as it is now, with its trades.',
  params: Type.Object(NAME),
  returns: OrderWithTrades,
  headers: [ENGINE_SEQ_HEADER, COMPLETE_HEADER],
  errors: [...ENGINE_ERRORS, 'PARAMETER_MISSING', 'PARAMETER_CONFLICT', 'ORDER_NOT_FOUND'],
  async handle(ctx, { account }, name) {
    const { result, headers } = await answerLive(ctx, async () => {
      const order = await findOwnOrder(ctx, account.id, parseOrderName(name));
      const [pair, own] = await Promise.all([getPair(ctx, order.symbol), listTradesOf(ctx, order)]);
      return { order: toOrder(order, pair), pair, ...own };
    });
    const { order, pair, trades, completeTo } = result;
    return new Answer(
      { ...order, trades: trades.map((trade) => toMyTrade(trade, pair)) },
      { ...headers, [COMPLETE_HEADER]: String(completeTo) },
    );
  },
});

export const getOpenOrders = tradingRoute({
  name: 'privateOrderOpen',
  method: 'GET',
  path: '/private/order/open',
  access: 'read',
  whileSuspended: true,
  summary: 'Open and pending orders as they are now, oldest first; at most 1000.',
  params: Type.Object({ symbol: Type.Optional(MarketSymbol) }),
  returns: Type.Array(Order),
  headers: [ENGINE_SEQ_HEADER],
  errors: [...ENGINE_ERRORS, 'UNKNOWN_SYMBOL'],
  handle: (ctx, caller, { symbol }) => answerLive(ctx, () => listOpenOrders(ctx, caller, symbol)),
});

export const getOrderHistory = tradingRoute({
  name: 'privateOrderHistory',
  method: 'GET',
  path: '/private/order/history',
  access: 'read',
  whileSuspended: true,
  summary: 'Every order of the account, by time of creation.',
  params: Type.Object({
    symbol: Type.Optional(MarketSymbol),
    status: Type.Optional(Choice(ORDER_STATUSES, 'Only orders with this status.')),
    side: Type.Optional(Choice(SIDES, 'Only this side.')),
    type: Type.Optional(Choice(ORDER_TYPES, 'Only this type.')),
    ...PAGE_PARAMS,
  }),
  returns: Page(Order),
  headers: [COMPLETE_HEADER],
  errors: ['UNKNOWN_SYMBOL', 'CURSOR_INVALID'],
  handle: (ctx, caller, { symbol, status, side, type, ...page }) =>
    pageOrders(ctx, caller, { symbol, status, side, type }, page),
});

export const getTrades = tradingRoute({
  name: 'privateOrderTrades',
  method: 'GET',
  path: '/private/order/trades',
  access: 'read',
  whileSuspended: true,
  summary: 'The account’s trades, by time.',
  params: Type.Object({
    symbol: Type.Optional(MarketSymbol),
    orderId: Type.Optional(OrderId),
    fromId: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,16}$',
        description:
          'From this trade on, inclusive; then oldest first unless `sort` says otherwise.',
        examples: ['5550001'],
      }),
    ),
    ...PAGE_PARAMS,
  }),
  returns: Page(MyTrade),
  headers: [COMPLETE_HEADER],
  errors: ['UNKNOWN_SYMBOL', 'CURSOR_INVALID'],
  handle: (ctx, caller, { from, to, sort, limit, cursor, ...asked }) =>
    pageTrades(ctx, caller, asked, { from, to, sort, limit, cursor }),
});
