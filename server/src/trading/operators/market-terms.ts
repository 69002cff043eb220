// A market's configuration: as an operator writes it, in decimals and per cent, and as the core
// stores it, in ticks, lots and millionths. Nothing is rounded: a value that does not fit is
// refused, with the parameter's name.
import { LIMITS, STP_MODES, type MarketConfig, type StpMode } from '@rialto/matching';
import { AMOUNT_DECIMALS, formatAmount, formatFixed, parseAmount } from '../amount.ts';
import { termRefused } from './errors.ts';

/**
 * Decimal texts, in the units that the name says; the fields of /public/markets have the same
 * names.
 */
export interface MarketTerms {
  readonly base: string;
  readonly quote: string;
  readonly basePrecision: number;
  readonly quotePrecision: number;
  readonly minimumQuoteSize: string;
  readonly maxMarketOrderAsk: string;
  readonly maxMarketOrderBid: string;
  /** The reference price before the first trade. */
  readonly listingPrice: string;
  readonly minimumVolume?: string;
  readonly maximumVolume?: string;
  readonly minimumPrice?: string;
  readonly maximumPrice?: string;
  readonly priceBandPercent?: string;
  readonly marketSlippagePercent?: string;
  /** 0 switches the automatic halt off. */
  readonly haltPercent?: string;
  readonly haltMinutes?: number;
  readonly defaultStpMode?: StpMode;
  readonly maxOpenOrders?: number;
  readonly maxConditionalOrders?: number;
  readonly icebergParts?: number;
  /** How long the auction after an automatic halt lasts; 0: none follows. */
  readonly auctionSeconds?: number;
}

const DEFAULTS = {
  priceBandPercent: '20',
  marketSlippagePercent: '5',
  haltPercent: '15',
  haltMinutes: 5,
  defaultStpMode: 'expire_taker',
  maxOpenOrders: 200,
  maxConditionalOrders: 50,
  icebergParts: 20,
  auctionSeconds: 0,
} as const;
/** Defaults: multiples of the listing price, and of the largest market order. */
const PRICE_FACTOR = 1000;
const VOLUME_FACTOR = 100;

/** A per cent has 10,000 millionths, hence four decimals. */
const PERCENT_DECIMALS = 4;

export function toMarketConfig(given: MarketTerms): MarketConfig {
  const terms = { ...DEFAULTS, ...given };
  const basePrecision = whole('basePrecision', terms.basePrecision, 0, AMOUNT_DECIMALS);
  const quotePrecision = whole(
    'quotePrecision',
    terms.quotePrecision,
    0,
    AMOUNT_DECIMALS - basePrecision,
  );
  const lots = (name: string, text: string) => steps(name, text, basePrecision, LIMITS.lotsMax);
  const ticks = (name: string, text: string) => steps(name, text, quotePrecision, LIMITS.ticksMax);
  const percent = (name: string, text: string) =>
    steps(name, text, PERCENT_DECIMALS, LIMITS.ppmMax);

  const listingPriceTicks = ticks('listingPrice', terms.listingPrice);
  const maxMarketOrderAskLots = lots('maxMarketOrderAsk', terms.maxMarketOrderAsk);
  const { minimumVolume, maximumVolume, minimumPrice, maximumPrice } = terms;
  const auctionSeconds = whole(
    'auctionSeconds',
    terms.auctionSeconds,
    0,
    LIMITS.auctionMaxMs / 1000,
  );
  return {
    symbol: terms.base + terms.quote,
    base: terms.base,
    quote: terms.quote,
    basePrecision,
    quotePrecision,
    minimumQuoteSize: amount('minimumQuoteSize', terms.minimumQuoteSize),
    maxMarketOrderAskLots,
    maxMarketOrderBid: amount('maxMarketOrderBid', terms.maxMarketOrderBid),
    minimumVolumeLots: minimumVolume === undefined ? 1 : lots('minimumVolume', minimumVolume),
    maximumVolumeLots:
      maximumVolume === undefined
        ? Math.min(maxMarketOrderAskLots * VOLUME_FACTOR, LIMITS.lotsMax)
        : lots('maximumVolume', maximumVolume),
    minimumPriceTicks: minimumPrice === undefined ? 1 : ticks('minimumPrice', minimumPrice),
    maximumPriceTicks:
      maximumPrice === undefined
        ? Math.min(listingPriceTicks * PRICE_FACTOR, LIMITS.ticksMax)
        : ticks('maximumPrice', maximumPrice),
    listingPriceTicks,
    priceBandPpm: percent('priceBandPercent', terms.priceBandPercent),
    marketSlippagePpm: percent('marketSlippagePercent', terms.marketSlippagePercent),
    haltPpm: percent('haltPercent', terms.haltPercent),
    haltMinutes: whole('haltMinutes', terms.haltMinutes, 1, 1440),
    defaultStpMode: oneOf('defaultStpMode', terms.defaultStpMode, STP_MODES),
    maxOpenOrders: whole('maxOpenOrders', terms.maxOpenOrders, 1, 1_000_000),
    maxConditionalOrders: whole('maxConditionalOrders', terms.maxConditionalOrders, 0, 1_000_000),
    icebergParts: whole('icebergParts', terms.icebergParts, 1, 1000),
    ...(auctionSeconds > 0 ? { auctionSeconds } : {}),
  };
}

/** The same market as an operator writes it; `toMarketConfig` converts it back. */
export function toMarketTerms(config: MarketConfig): Required<MarketTerms> {
  const { basePrecision, quotePrecision } = config;
  const volume = (lots: number) => plain(lots, basePrecision);
  const price = (ticks: number) => plain(ticks, quotePrecision);
  const percent = (ppm: number) => plain(ppm, PERCENT_DECIMALS);
  return {
    base: config.base,
    quote: config.quote,
    basePrecision,
    quotePrecision,
    minimumQuoteSize: formatAmount(config.minimumQuoteSize),
    maxMarketOrderAsk: volume(config.maxMarketOrderAskLots),
    maxMarketOrderBid: formatAmount(config.maxMarketOrderBid),
    listingPrice: price(config.listingPriceTicks),
    minimumVolume: volume(config.minimumVolumeLots),
    maximumVolume: volume(config.maximumVolumeLots),
    minimumPrice: price(config.minimumPriceTicks),
    maximumPrice: price(config.maximumPriceTicks),
    priceBandPercent: percent(config.priceBandPpm),
    marketSlippagePercent: percent(config.marketSlippagePpm),
    haltPercent: percent(config.haltPpm),
    haltMinutes: config.haltMinutes,
    defaultStpMode: config.defaultStpMode,
    maxOpenOrders: config.maxOpenOrders,
    maxConditionalOrders: config.maxConditionalOrders,
    icebergParts: config.icebergParts,
    auctionSeconds: config.auctionSeconds ?? 0,
  };
}

function plain(count: number, decimals: number): string {
  const text = formatFixed(BigInt(count), decimals);
  return text.includes('.') ? text.replace(/\.0*$|(?<!0)0+$/, '') : text;
}

function amount(name: string, text: string): bigint {
  const units = parseAmount(text);
  if (units === undefined) throw termRefused(name, 'a decimal number such as 12.5', text);
  return units;
}

/** A decimal as a whole number of 10^-decimals, which must be exact. */
function steps(name: string, text: string, decimals: number, max: number): number {
  const units = amount(name, text);
  const size = 10n ** BigInt(AMOUNT_DECIMALS - decimals);
  if (units % size !== 0n) {
    throw termRefused(name, `a decimal number with at most ${decimals} decimals`, text);
  }
  const count = units / size;
  if (count > BigInt(max)) {
    throw termRefused(name, `at most ${formatFixed(BigInt(max), decimals)}`, text);
  }
  return Number(count);
}

function whole(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw termRefused(name, `a whole number from ${min} to ${max}`, String(value));
}

function oneOf<T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw termRefused(name, `one of ${known.join(', ')}`, value);
  return found;
}
