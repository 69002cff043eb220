// What the recorder reads off the orders and markets of the core.
import type { MarketConfig, Order } from '@rialto/matching';
import type { RemoveReason } from './events.ts';
import type { MarketBook, Place } from './queues.ts';

export const FINAL: ReadonlySet<string> = new Set(['filled', 'canceled', 'expired', 'rejected']);

/** What an order shows when it joins its level. */
export const sliceOf = (visible: number, remaining: number): number =>
  visible !== 0 && visible < remaining ? visible : remaining;

/** An amendment loses the place, unless it does nothing but lower the volume. */
export const losesPlace = (order: Order, { price, hidden }: Place): boolean =>
  order.price !== price || order.visibleVolume !== hidden!.visible || order.volume > hidden!.volume;

export function removeReason({ status, statusReason }: Order): RemoveReason {
  if (status === 'canceled') return 'canceled';
  return statusReason === 'stp' ? 'prevented' : 'expired';
}

/** The market as the log has it. */
export const termsOf = (config: MarketConfig): MarketBook['terms'] => ({
  symbol: config.symbol,
  base: config.base,
  quote: config.quote,
  basePrecision: config.basePrecision,
  quotePrecision: config.quotePrecision,
  listingPrice: config.listingPriceTicks,
});
