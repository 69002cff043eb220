// Everything that a trading program needs to know about a market before it sends an order.
import { ORDER_TYPES, STP_MODES, TIMES_IN_FORCE } from '@rialto/matching';
import { Type, type Static } from 'typebox';
import { AMOUNT_DECIMALS, formatAtLeast, formatFixed, formatRate, parseAmount } from '../amount.ts';
import type { Best } from '../books/replica.ts';
import { toRates, type FeeTier } from '../fees/tier.ts';
import { Choice, Count, Decimal, Millis, toMillis } from '../values.ts';
import { Market, PHASES, referenceOf, toMarket, type MarketDefinition } from './market.ts';

const listOf = <const V extends string>(names: readonly V[], description: string) =>
  Type.Array(Choice(names, description), { description });

export const MarketDetail = Type.Object(
  {
    ...Market.properties,
    phase: Choice(PHASES, 'Phase of the market.'),
    phaseReason: Type.String({
      description:
        'Why the market is halted, takes cancellations only or posts only, in the words of the operator who decided it; otherwise empty.',
      examples: [''],
    }),
    priceStep: Decimal('Step of a price.'),
    volumeStep: Decimal('Step of a volume.'),
    minimumVolume: Decimal('Smallest volume of an order.'),
    maximumVolume: Decimal('Largest volume of an order.'),
    minimumPrice: Decimal('Lowest price of an order.'),
    maximumPrice: Decimal('Highest price of an order.'),
    priceBandPercent: Decimal('How far a limit price may lie beyond the reference price.'),
    marketSlippagePercent: Decimal('How far a market order may walk from the reference price.'),
    referencePrice: Decimal(
      'Last trade; before the first, the mid price, else (and in an auction) the listing price.',
    ),
    makerFee: Decimal('Maker rate of the first tier.'),
    takerFee: Decimal('Taker rate of the first tier.'),
    orderTypes: listOf(ORDER_TYPES, 'Kinds of order that are taken.'),
    timeInForce: listOf(TIMES_IN_FORCE, 'Times in force that are taken.'),
    stpModes: listOf(STP_MODES, 'Ways to keep an account from trading with itself.'),
    defaultStpMode: Choice(STP_MODES, 'The one that is taken when an order names none.'),
    maxOpenOrders: Count('Open orders that an account may have here.'),
    maxConditionalOrders: Count('Waiting conditional orders that an account may have here.'),
    icebergParts: Count('Into how many parts an iceberg order may be cut.'),
    createdAt: Millis('When the market was made.'),
  },
  { title: 'MarketDetail' },
);
export type MarketDetail = Static<typeof MarketDetail>;

/** A percentage from millionths: 200,000 is `20`. */
const percent = (millionths: number): string => formatRate(millionths * 100);

const stepOf = (decimals: number): string => formatFixed(1n, decimals);

export function toMarketDetail(
  market: MarketDefinition,
  best: Best | undefined,
  firstTier: FeeTier,
): MarketDetail {
  const price = (units: bigint) => formatAtLeast(units, market.quotePrecision);
  const volume = (units: bigint) => formatAtLeast(units, market.basePrecision);
  return {
    ...toMarket(market),
    phase: market.phase,
    phaseReason: market.phaseReason,
    priceStep: stepOf(market.quotePrecision),
    volumeStep: stepOf(market.basePrecision),
    minimumVolume: volume(market.minimumVolume),
    maximumVolume: volume(market.maximumVolume),
    minimumPrice: price(market.minimumPrice),
    maximumPrice: price(market.maximumPrice),
    priceBandPercent: percent(market.priceBandMillionths),
    marketSlippagePercent: percent(market.marketSlippageMillionths),
    referencePrice: price(referencePrice(market, best)),
    ...toRates(firstTier),
    orderTypes: [...ORDER_TYPES],
    timeInForce: [...TIMES_IN_FORCE],
    stpModes: [...STP_MODES],
    // The core accepts no other.
    defaultStpMode: market.defaultStpMode as MarketDetail['defaultStpMode'],
    maxOpenOrders: String(market.maxOpenOrders),
    maxConditionalOrders: String(market.maxConditionalOrders),
    icebergParts: String(market.icebergParts),
    createdAt: toMillis(market.createdAt),
  };
}

/** The same choice as the engine's: a mid price between two ticks is rounded down. */
function referencePrice(market: MarketDefinition, best: Best | undefined): bigint {
  if (market.lastPrice > 0n || market.phase === 'auction') return referenceOf(market);
  const bid = parseAmount(best?.bid?.price ?? '');
  const ask = parseAmount(best?.ask?.price ?? '');
  // What gathered in an auction may cross.
  if (bid === undefined || ask === undefined || bid >= ask) return market.listingPrice;
  const tick = 10n ** BigInt(AMOUNT_DECIMALS - market.quotePrecision);
  return ((bid + ask) / 2n / tick) * tick;
}
