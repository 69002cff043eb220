// A market: as the venue stores it, and as clients see it.
import { Type, type Static } from 'typebox';
import { formatAmount } from '../amount.ts';
import type { RenderedJson } from '../http/envelope.ts';
import { Count, Decimal } from '../values.ts';

export const PHASES = [
  'pre_open',
  'auction',
  'post_only',
  'continuous',
  'cancel_only',
  'halted',
  'delisted',
] as const;
export type Phase = (typeof PHASES)[number];

export interface MarketDefinition {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly basePrecision: number;
  readonly quotePrecision: number;
  /** Units of 10^-18, like every amount. */
  readonly minimumQuoteSize: bigint;
  readonly maxMarketOrderAsk: bigint;
  readonly maxMarketOrderBid: bigint;
  readonly phase: Phase;
  /** When the phase ends by itself; zero if it does not. */
  readonly phaseUntilMs: number;
  /** Why it stands in this phase, in an operator's words; empty if nobody said so. */
  readonly phaseReason: string;
  readonly minimumVolume: bigint;
  readonly maximumVolume: bigint;
  readonly minimumPrice: bigint;
  readonly maximumPrice: bigint;
  readonly listingPrice: bigint;
  readonly priceBandMillionths: number;
  readonly marketSlippageMillionths: number;
  readonly defaultStpMode: string;
  readonly maxOpenOrders: number;
  readonly maxConditionalOrders: number;
  readonly icebergParts: number;
  /** Price of the last trade; zero before the first. */
  readonly lastPrice: bigint;
  readonly lastTradeMs: number;
  readonly createdAt: Date;
}

/** Exactly these nine fields: a strict client must never meet a tenth. */
export const Market = Type.Object(
  {
    symbol: Type.String({
      description: 'Market symbol: lower-case base symbol followed by quote symbol.',
      examples: ['btcusdt'],
    }),
    base: Type.String({ description: 'Base currency symbol.', examples: ['btc'] }),
    quote: Type.String({ description: 'Quote currency symbol.', examples: ['usdt'] }),
    basePrecision: Count('Decimal places of the base currency; the volume step follows from it.'),
    quotePrecision: Count('Decimal places of the quote currency; the price step follows from it.'),
    minimumQuoteSize: Decimal('Minimum total order value, in quote units.'),
    maxMarketOrderAsk: Decimal('Maximum size of a market sell order, in base units.'),
    maxMarketOrderBid: Decimal('Maximum size of a market buy order, in quote units.'),
    isActive: Type.Boolean({ description: 'Whether the market admits new orders.' }),
  },
  { title: 'Market' },
);
export type Market = Static<typeof Market>;

const ACTIVE: ReadonlySet<Phase> = new Set(['auction', 'post_only', 'continuous']);

export function toMarket(market: MarketDefinition): Market {
  return {
    symbol: market.symbol,
    base: market.base,
    quote: market.quote,
    basePrecision: String(market.basePrecision),
    quotePrecision: String(market.quotePrecision),
    minimumQuoteSize: formatAmount(market.minimumQuoteSize),
    maxMarketOrderAsk: formatAmount(market.maxMarketOrderAsk),
    maxMarketOrderBid: formatAmount(market.maxMarketOrderBid),
    isActive: ACTIVE.has(market.phase),
  };
}

/** What an auction measures its price by: a book that may cross has no mid price. */
export const referenceOf = ({ lastPrice, listingPrice }: MarketDefinition): bigint =>
  lastPrice > 0n ? lastPrice : listingPrice;

/** The listed markets, by symbol and printed. */
export interface MarketList {
  readonly bySymbol: ReadonlyMap<string, MarketDefinition>;
  readonly rendered: RenderedJson;
}
