// The one market of the run, and how an order in it is built.
import type { OrderTerms } from '@rialto/matching';
import type { ClientCommand } from '../../server/src/trading/engine/command.ts';

export const SYMBOL = 'btcusdt';
export const PRICE_DECIMALS = 2;
export const VOLUME_DECIMALS = 6;
/**
 * The middle of the traders' prices, in ticks; the orders that rest from the start are well away
 * from it.
 */
export const MIDDLE = 6_400_000;

/** The market that is opened by one auction after another. */
export const AUCTION_SYMBOL = 'btcirt';

export type ListCommand = Extract<ClientCommand, { type: 'place_list' }>;
export type PlaceCommand = Extract<ClientCommand, { type: 'place' }>;

export function place(
  account: number,
  terms: Pick<OrderTerms, 'side' | 'price' | 'volume' | 'clientOrderId' | 'timeInForce'>,
): PlaceCommand {
  return {
    type: 'place',
    account,
    // Nothing is forgotten in a run this short.
    checkpoint: Number.MAX_SAFE_INTEGER,
    order: {
      symbol: SYMBOL,
      type: 'limit',
      priceDecimals: PRICE_DECIMALS,
      volumeDecimals: VOLUME_DECIMALS,
      ...terms,
    },
  };
}
