// The first market of a new venue: terms that fit a price, so that nobody needs to know them all on the first day.
// `rialto admin market configure` changes each of them later.
import type { MarketTerms } from '../../trading/operators/market-terms.ts';
import { CommandError } from '../trouble.ts';

interface KnownCoin {
  readonly nameEn: string;
  readonly nameFa: string;
  /** As a quote coin: the smallest order, in units of it. */
  readonly smallestOrder?: string;
}

/** Coins that need no definition first. They have no network until an operator adds one. */
export const KNOWN_COINS: Readonly<Record<string, KnownCoin>> = {
  btc: { nameEn: 'Bitcoin', nameFa: 'بیت‌کوین', smallestOrder: '0.0001' },
  eth: { nameEn: 'Ethereum', nameFa: 'اتریوم', smallestOrder: '0.002' },
  usdt: { nameEn: 'Tether', nameFa: 'تتر', smallestOrder: '5' },
  usdc: { nameEn: 'USD Coin', nameFa: 'یو‌اس‌دی کوین', smallestOrder: '5' },
  irt: { nameEn: 'Iranian toman', nameFa: 'تومان', smallestOrder: '300000' },
  xrp: { nameEn: 'XRP', nameFa: 'ریپل' },
  sol: { nameEn: 'Solana', nameFa: 'سولانا' },
  ton: { nameEn: 'Toncoin', nameFa: 'تون‌کوین' },
  trx: { nameEn: 'TRON', nameFa: 'ترون' },
  doge: { nameEn: 'Dogecoin', nameFa: 'دوج‌کوین' },
  ltc: { nameEn: 'Litecoin', nameFa: 'لایت‌کوین' },
};

/** The largest market order is this many of the smallest. */
const LARGEST_FACTOR = 200_000;
const PRECISION_MAX = 8;
const PRICE_MAX = 1e12;

export interface CoinPair {
  readonly base: string;
  readonly quote: string;
}

/** Parses btcusdt, BTC/USDT or btc-usdt. */
export function parsePair(text: string): CoinPair {
  const name = text.trim().toLowerCase();
  const parts = name.split(/[/_-]/);
  const quotes = Object.keys(KNOWN_COINS).filter(
    (coin) => KNOWN_COINS[coin]?.smallestOrder !== undefined,
  );
  const quote = parts.length === 2 ? parts[1] : quotes.find((coin) => name.endsWith(coin));
  const base = parts.length === 2 ? parts[0] : name.slice(0, -(quote?.length ?? 0));
  const isKnown = (coin: string | undefined, among: readonly string[]): coin is string =>
    coin !== undefined && among.includes(coin);
  if (!isKnown(quote, quotes) || !isKnown(base, Object.keys(KNOWN_COINS)) || base === quote) {
    throw new CommandError(
      `--market must be a coin and what it is priced in, such as btcusdt, not "${text}". Known coins are ` +
        `${Object.keys(KNOWN_COINS).join(', ')}, priced in ${quotes.join(', ')}. ` +
        'For any other market use `rialto admin coin add` and `rialto admin market create`.',
    );
  }
  return { base, quote };
}

/** Prices in millionths of the listing price, volumes in steps worth cents, sizes by the quote coin. */
export function firstMarketTerms({ base, quote }: CoinPair, priceText: string): MarketTerms {
  const price = Number(priceText);
  if (!/^\d{1,12}(\.\d{1,8})?$/.test(priceText) || price <= 0 || price > PRICE_MAX) {
    throw new CommandError(
      `--price must be what one ${base} costs in ${quote}, a decimal number such as 64000 or 0.25, not "${priceText}".`,
    );
  }
  const magnitude = Math.floor(Math.log10(price));
  const clamp = (decimals: number) => Math.min(PRECISION_MAX, Math.max(0, decimals));
  const decimals = decimalsOf(priceText);
  const quotePrecision = clamp(Math.max(6 - magnitude, decimals));
  const smallest = KNOWN_COINS[quote]?.smallestOrder ?? '1';
  const largest = Math.ceil(Number(smallest) * LARGEST_FACTOR);
  const basePrecision = clamp(magnitude + 2);
  return {
    base,
    quote,
    basePrecision,
    quotePrecision,
    minimumQuoteSize: smallest,
    maxMarketOrderBid: String(largest),
    maxMarketOrderAsk: powerOfTen(largest / price, basePrecision),
    listingPrice: priceText,
  };
}

/** Without trailing zeros. */
function decimalsOf(text: string): number {
  const [, decimals = ''] = text.split('.');
  let count = decimals.length;
  while (decimals[count - 1] === '0') count -= 1;
  return count;
}

/** The engine's maximum, in whole coins. */
const EXPONENT_MAX = 12;

/** The power of ten below `value`, and at least one step. */
function powerOfTen(value: number, decimals: number): string {
  const exponent = Math.min(EXPONENT_MAX, Math.max(-decimals, Math.floor(Math.log10(value))));
  return exponent >= 0 ? `1${'0'.repeat(exponent)}` : (10 ** exponent).toFixed(-exponent);
}

/** Simulated money for the first orders: as much as the largest market order moves. */
export function simulatedFunds(
  terms: Pick<MarketTerms, 'base' | 'quote' | 'maxMarketOrderAsk' | 'maxMarketOrderBid'>,
): readonly { readonly coin: string; readonly amount: string }[] {
  return [
    { coin: terms.base, amount: terms.maxMarketOrderAsk },
    { coin: terms.quote, amount: terms.maxMarketOrderBid },
  ];
}
