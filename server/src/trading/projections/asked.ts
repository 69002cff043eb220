// The terms of an order as they were asked for, which amendments leave alone: a repeated request is compared with them. Most
// orders end with the terms that they began with, so a final order keeps only the others.
import type { Order } from '@rialto/matching';
import type { ClientOrderRow } from './rows.ts';

type Terms = Readonly<Record<string, string | number>>;

const ownTerms = (order: Order): Terms => ({
  stpMode: '',
  priceDecimals: order.priceDecimals,
  volumeDecimals: order.volumeDecimals,
  price: order.price,
  stopPrice: order.stopPrice,
  volume: order.volume,
  visibleVolume: order.visibleVolume,
  total: String(order.total),
  expireMs: order.expireTime,
});

/** All of them, for a live order, whose own terms may still change. */
export const printAsked = ({ order, asked }: ClientOrderRow): string =>
  JSON.stringify({
    stpMode: asked.stpMode,
    priceDecimals: asked.priceDecimals,
    volumeDecimals: asked.volumeDecimals,
    price: asked.price,
    stopPrice: asked.stopPrice,
    volume: asked.volume,
    visibleVolume: asked.visibleVolume,
    total: String(asked.total),
    expireMs: order.expireTime,
  });

/** Those that are not the order's own, when it has ended; empty if there are none. */
export function shortenAsked(order: Order, text: string): string {
  const own = ownTerms(order);
  const others = Object.entries(JSON.parse(text) as Terms).filter(
    ([name, value]) => value !== own[name],
  );
  return others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others));
}
