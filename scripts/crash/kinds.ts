// The orders that clients send beside plain limits: trailing stops, and lists of two exits.
import type { Random } from '../../server/src/testing/random.ts';
import {
  MIDDLE,
  PRICE_DECIMALS,
  SYMBOL,
  VOLUME_DECIMALS,
  type ListCommand,
  type PlaceCommand,
} from './market.ts';

/** Basis points. Prices move by twenty around the middle, so most trails are reached. */
const DELTA_MIN = 10;
const DELTAS = 15;
/** How far the exits of a list are from the middle; half of the limits come closer. */
const EXIT_AWAY = 6_000;
/** What a buy by total spends, in units of 10^-18: ten to a thousand. */
const TOTAL_UNIT = 10n ** 19n;

/** Nothing is forgotten in a run this short. */
const checkpoint = Number.MAX_SAFE_INTEGER;

/** A trailing stop: by total if it buys and by volume if it sells, or with a limit as its result. */
export function trailingStop(account: number, random: Random, clientOrderId: string): PlaceCommand {
  const side = random.pick(['buy', 'sell'] as const);
  const volume = 100 + random.below(2000);
  const isLimit = random.below(3) === 0;
  return {
    type: 'place',
    account,
    checkpoint,
    order: {
      symbol: SYMBOL,
      type: 'trailing_stop',
      side,
      trailingDelta: DELTA_MIN + random.below(DELTAS),
      priceDecimals: PRICE_DECIMALS,
      volumeDecimals: VOLUME_DECIMALS,
      clientOrderId,
      ...(isLimit
        ? { price: MIDDLE + (side === 'buy' ? EXIT_AWAY : -EXIT_AWAY), volume }
        : side === 'buy'
          ? { total: TOTAL_UNIT * BigInt(1 + random.below(100)) }
          : { volume }),
    },
  };
}

/** A list of two exits around the middle. */
export function twoExits(account: number, random: Random, id: string): ListCommand {
  const side = random.pick(['buy', 'sell'] as const);
  const away = EXIT_AWAY + random.below(EXIT_AWAY);
  const outward = side === 'sell' ? 1 : -1;
  const stopPrice = MIDDLE - outward * away;
  const hasLimit = side === 'buy' || random.below(2) === 0;
  return {
    type: 'place_list',
    account,
    checkpoint,
    list: {
      kind: 'oco',
      symbol: SYMBOL,
      side,
      volume: 100 + random.below(2000),
      volumeDecimals: VOLUME_DECIMALS,
      limitPrice: MIDDLE + outward * away,
      stopPrice,
      ...(hasLimit ? { stopLimitPrice: stopPrice - outward * EXIT_AWAY } : {}),
      priceDecimals: PRICE_DECIMALS,
      limitClientOrderId: `${id}-limit`,
      stopClientOrderId: `${id}-stop`,
    },
  };
}
