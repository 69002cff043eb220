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

/** All of them. */
const termsOf = ({ order, asked }: ClientOrderRow): Terms => ({
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

/** All of them, for a live order, whose own terms may still change. */
export const printAsked = (row: ClientOrderRow): string => JSON.stringify(termsOf(row));

/** Those that are not the order's own, when it has ended; empty if there are none. `asked` is what was printed of them. */
export const shortenAsked = (order: Order, asked: ClientOrderRow | string): string =>
  shorten(order, typeof asked === 'string' ? (JSON.parse(asked) as Terms) : termsOf(asked));

function shorten(order: Order, asked: Terms): string {
  const own = ownTerms(order);
  const names = Object.keys(asked).filter((name) => asked[name] !== own[name]);
  return names.length === 0
    ? ''
    : JSON.stringify(Object.fromEntries(names.map((name) => [name, asked[name]])));
}
