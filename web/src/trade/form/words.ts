// Findings and sizes in sentences.
import type { MarketDetail } from '@rialto/sdk';
import type { Locale } from '../../i18n/locale.tsx';
import { percentSign, writeDecimal } from '../../i18n/number.ts';
import { textsFor, type TextsOf } from '../../i18n/texts.ts';
import type { Problem, Spot } from './checks.ts';
import type { Draft, Shape } from './draft.ts';
import type { Guard } from './guards.ts';
import type { Placement } from './params.ts';
import { texts } from './texts.ts';

type FormTexts = TextsOf<(typeof texts)['en']>;

/** An exact amount with its coin. Of the quote coin at least the decimals of the market, and never fewer than it has. */
export function writeMoney(
  value: string,
  unit: 'base' | 'quote',
  market: MarketDetail,
  locale: Locale,
): string {
  const has = (value.split('.')[1] ?? '').replace(/0+$/u, '').length;
  const least = unit === 'base' ? 0 : Number(market.quotePrecision);
  const number = writeDecimal(value, locale, { decimals: Math.max(has, least) });
  return `\u2068${number}\u00a0${market[unit].toUpperCase()}\u2069`;
}

/** The name of a field, which depends on the kind of order. */
export function labelOf(t: FormTexts, spot: Spot, { kind }: Draft, shape: Shape): string {
  switch (spot) {
    case 'price':
      if (kind === 'oco') return t.limitPrice;
      return kind === 'trailing_stop' ? t.trailingLimit : t.price;
    case 'stopPrice':
      if (kind === 'trailing_stop') return t.activation;
      return kind === 'bracket' ? t.stopLoss : t.stopPrice;
    case 'stopLimit':
      return shape.stopLimit === 'optional' ? t.optionalStopLimit : t.stopLimit;
    default:
      return t[spot];
  }
}

export function problemText(
  problem: Problem,
  label: string,
  market: MarketDetail,
  locale: Locale,
): string {
  const t = textsFor(texts, locale);
  const field = label.replace(/ \(.*\)$/u, '');
  const quote = (value: string) => writeMoney(value, 'quote', market, locale);
  const base = (value: string) => writeMoney(value, 'base', market, locale);
  switch (problem.code) {
    case 'missing':
    case 'unread':
    case 'positive':
      return t[problem.code]({ field });
    case 'decimals':
      return t.decimals({ field, has: problem.has, allowed: problem.allowed });
    case 'least':
    case 'most':
      return t[problem.code]({
        field,
        bound: writeMoney(problem.bound, problem.unit, market, locale),
      });
    case 'value':
      return t.value({ least: quote(problem.least), yours: quote(problem.yours) });
    case 'valueMost':
      return t.valueMost({ most: quote(problem.most), yours: quote(problem.yours) });
    case 'funds':
      return t.funds({
        need: writeMoney(problem.need, problem.unit, market, locale),
        have: writeMoney(problem.have, problem.unit, market, locale),
      });
    case 'apart':
      return t.apart({
        field,
        isAbove: problem.mustBe === 'above',
        isLast: problem.than === 'last',
        price: quote(problem.price),
      });
    case 'visible':
      return t.visibleRange({ least: base(problem.least), most: base(problem.most) });
    case 'delta':
      return t.deltaRange;
    case 'expires':
      return t.expiresRange;
    case 'noBook':
      return t.noBook;
    case 'wouldTake':
      return t.wouldTake({ best: quote(problem.best) });
  }
}

export const guardText = ({ kind, percent }: Guard, t: FormTexts, locale: Locale): string =>
  t[kind]({ percent: `\u2068${writeDecimal(percent, locale)}${percentSign(locale)}\u2069` });

/** The size of what will be placed: "0.5 BTC", or "BTC for 100.00 USDT". */
export function sizeText({ params }: Placement, market: MarketDetail, locale: Locale): string {
  if (params.volume !== undefined) return writeMoney(params.volume, 'base', market, locale);
  const total = 'total' in params ? (params.total ?? '0') : '0';
  const t = textsFor(texts, locale);
  return t.for({
    coin: market.base.toUpperCase(),
    total: writeMoney(total, 'quote', market, locale),
  });
}
