import { Type } from 'typebox';
import { tradingRoute } from '../../http/route.ts';
import { Choice } from '../../values.ts';
import { parseOrderName } from '../access.ts';
import { CREATE_ERRORS } from '../errors.ts';
import { REPLAY_HEADER } from '../shapes.ts';
import { ClientOrderId, NewOrder, OrderId } from '../terms.ts';
import { replaceOrder } from './actions.ts';
import { answerReplaced } from './answers.ts';
import { Replacement } from './shapes.ts';

export const postReplacement = tradingRoute({
  name: 'privateOrderReplace',
  method: 'POST',
  path: '/private/order/replace',
  access: 'trade',
  audit: { none: 'own orders' },
  summary:
    'Cancels an order and places another, with nothing in between; what the first one held pays for the second. The order to cancel is named by `orderId` or `cancelClientOrderId`, all other parameters are those of the new order. If only one half was done, the answer is 409 with the code of the half that failed, and `details.canceled` and `details.created` hold both, as in a batch. With a `clientOrderId`, the same call again answers both orders as they are now and cancels nothing (header `X-SVC-IDEMPOTENT-REPLAY: true`).',
  params: Type.Object({
    orderId: Type.Optional(OrderId),
    cancelClientOrderId: Type.Optional(ClientOrderId),
    mode: Type.Optional(
      Choice(
        ['stop_on_failure', 'allow_failure'],
        'Whether the new order is placed although the old one could not be canceled; no when absent.',
      ),
    ),
    ...NewOrder.properties,
  }),
  returns: Replacement,
  headers: [REPLAY_HEADER],
  errors: [...CREATE_ERRORS, 'ORDER_NOT_FOUND', 'ORDER_FINAL'],
  async handle(ctx, caller, { orderId, cancelClientOrderId, mode = 'stop_on_failure', ...asked }) {
    const name = parseOrderName({
      ...(orderId === undefined ? {} : { orderId }),
      ...(cancelClientOrderId === undefined ? {} : { clientOrderId: cancelClientOrderId }),
    });
    return answerReplaced(ctx, await replaceOrder(ctx, caller, name, asked, mode), asked);
  },
});
