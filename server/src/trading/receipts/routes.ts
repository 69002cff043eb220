import { Type } from 'typebox';
import { tradingRoute } from '../http/route.ts';
import { getOrder, parseOrderName } from '../orders/access.ts';
import { ClientOrderId, OrderId } from '../orders/terms.ts';
import { getSigner, recallReceipt } from './access.ts';
import { OrderReceipt } from './receipt.ts';

export const getReceipt = tradingRoute({
  name: 'privateOrderReceipt',
  method: 'GET',
  path: '/private/order/receipt',
  access: 'read',
  whileSuspended: true,
  summary:
    'The receipt of an order with a `clientOrderId`: the venue’s signature that it took the order, with which terms, as which engine event and when. `npx rialto verify-receipt` checks it, and its place in the public log.',
  params: Type.Object({
    orderId: Type.Optional(OrderId),
    clientOrderId: Type.Optional(ClientOrderId),
  }),
  returns: OrderReceipt,
  errors: [
    'TIMEOUT',
    'PARAMETER_MISSING',
    'PARAMETER_CONFLICT',
    'NOT_SUPPORTED',
    'ORDER_NOT_FOUND',
  ],
  async handle(ctx, { account }, name) {
    getSigner(ctx);
    return recallReceipt(ctx, await getOrder(ctx, account.id, parseOrderName(name)));
  },
});
