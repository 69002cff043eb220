// A receipt: the venue's signature that it took an order, with which terms, as which event and when. With the public
// log, an account can prove its place in the queue.
import type { KeyObject } from 'node:crypto';
import { parametersHash, signReceipt, type AskedTerms } from '@rialto/public-log';
import type { Order as EngineOrder } from '@rialto/matching';
import { Type, type Static } from 'typebox';
import { formatAmount, formatFixed } from '../amount.ts';
import type { KeptTerms, NewOrder } from '../orders/terms.ts';
import { Count, Millis } from '../values.ts';

export const OrderReceipt = Type.Object(
  {
    accountId: Type.String({ description: 'Whose order it is.' }),
    clientOrderId: Type.String({ description: 'The id that the caller gave; may be empty.' }),
    orderId: Type.String({ description: 'The venue’s id.', examples: ['1048577'] }),
    engineSeq: Count('The engine event that took it; the public log has the same number.'),
    time: Millis('When it was taken.'),
    parametersHash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the order’s terms as asked, in their canonical text.',
    }),
    keyId: Type.String({ description: 'Which key of `/public/signing_keys` has signed.' }),
    signature: Type.String({
      description: 'Ed25519 in base64, over the JSON of all members before it, in this order.',
    }),
  },
  { title: 'OrderReceipt' },
);
export type OrderReceipt = Static<typeof OrderReceipt>;

/** The order that a receipt is for, and the engine event that took it. */
export interface Taken {
  readonly order: EngineOrder;
  readonly acceptedSeq: number;
}

export function makeReceipt(
  key: KeyObject,
  { order, acceptedSeq }: Taken,
  terms: AskedTerms,
): OrderReceipt {
  return signReceipt(
    {
      accountId: String(order.account),
      clientOrderId: order.clientOrderId,
      orderId: String(order.orderId),
      engineSeq: String(acceptedSeq),
      time: String(order.createdAt),
      parametersHash: parametersHash(terms),
    },
    key,
  );
}

/** The terms of a request. */
export function termsOfRequest(asked: NewOrder): AskedTerms {
  const { timeInForce = defaultTime(asked.type, asked.price ?? '') } = asked;
  return { ...asked, timeInForce };
}

/** A trailing stop with a price becomes a limit order; the other types say it by their name. */
const defaultTime = (type: string, price: string): string =>
  type.endsWith('limit') || (type === 'trailing_stop' && price !== '') ? 'GTC' : '';

/** The same terms, from what is kept of a request. */
export function termsOfKept(kept: KeptTerms): AskedTerms {
  const price = (ticks: bigint) => (ticks === 0n ? '' : formatFixed(ticks, kept.priceDecimals));
  const volume = (lots: bigint) => (lots === 0n ? '' : formatFixed(lots, kept.volumeDecimals));
  return {
    symbol: kept.symbol,
    side: kept.side,
    type: kept.type,
    timeInForce: kept.timeInForce,
    postOnly: kept.postOnly,
    stpMode: kept.stpMode,
    price: price(kept.price),
    stopPrice: price(kept.stopPrice),
    trailingDelta: kept.trailingDelta === 0 ? '' : kept.trailingDelta,
    volume: volume(kept.volume),
    total: kept.total === 0n ? '' : formatAmount(kept.total),
    visibleVolume: volume(kept.visibleVolume),
    expireTime: kept.expireMs === 0n ? '' : String(kept.expireMs),
  };
}
