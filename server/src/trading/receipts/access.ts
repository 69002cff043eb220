// Signs receipts: of an order that was just taken, and of one that was taken before.
import type { KeyObject } from 'node:crypto';
import type { Order as EngineOrder } from '@rialto/matching';
import type { TradingContext } from '../context.ts';
import { refuse } from '../http/errors.ts';
import { recallClientOrders } from '../orders/access.ts';
import { awaitProjection } from '../projections/access.ts';
import { makeReceipt, termsOfKept, type OrderReceipt } from './receipt.ts';

/** The venue's key. Refuses where there is none, before anything is done. */
export function getSigner({ signingKey }: Pick<TradingContext, 'signingKey'>): KeyObject {
  if (signingKey !== undefined) return signingKey;
  throw refuse(
    'NOT_SUPPORTED',
    'This venue signs no receipts, because its operators have set no PUBLIC_SIGNING_KEY. Leave out `receipt`, and the order can be placed.',
    { parameter: 'receipt' },
  );
}

/** The receipt of an order that was taken before; the same as the first, but for the key if it has changed. */
export async function recallReceipt(
  ctx: TradingContext,
  order: EngineOrder,
): Promise<OrderReceipt> {
  const key = getSigner(ctx);
  const { clientOrderId } = order;
  if (clientOrderId === '') {
    throw refuse(
      'NOT_SUPPORTED',
      'The order has no clientOrderId, so the terms that were asked for are not kept beyond its first answer. Ask for the receipt when placing it (`receipt=true`), or give the order a clientOrderId.',
      { orderId: String(order.orderId) },
    );
  }
  // Its last event is not before the one that took it. Half a history would say that it has no receipt.
  await awaitProjection(ctx, { through: order.engineSeq, patienceMs: 5000, orElse: 'refuse' });
  const accountId = BigInt(order.account);
  const { known } = await recallClientOrders(ctx, { accountId, clientOrderIds: [clientOrderId] });
  const kept = known.find(({ orderId }) => orderId === BigInt(order.orderId));
  if (kept === undefined || kept.acceptedSeq === 0n) {
    throw refuse(
      'NOT_SUPPORTED',
      'The order is older than the receipts of this venue. Its operators can run `rialto admin rebuild-projections`; then it has one.',
      { orderId: String(order.orderId) },
    );
  }
  const taken = { order, acceptedSeq: Number(kept.acceptedSeq) };
  return makeReceipt(key, taken, termsOfKept(kept));
}
