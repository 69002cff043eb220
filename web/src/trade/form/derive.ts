// From what was entered to what will be sent, exactly. The driver gives the size: an amount gives its total, a total gives
// the amount that it pays for, floored to the lot, and a percentage is of what is available.
import { decimal, type MarketDetail } from '@rialto/sdk';
import { driverOf, shapeOf, type Draft, type Driver, type Field, type Shape } from './draft.ts';

export interface Sized {
  readonly shape: Shape;
  readonly driver: Driver;
  /** In the fields of size; empty where nothing is known, or only an estimate. */
  readonly amount: string;
  readonly total: string;
  /** Which of them the venue gets; undefined until it is known. */
  readonly sent:
    | { readonly name: 'volume'; readonly value: string }
    | { readonly name: 'total'; readonly value: string }
    | undefined;
  /** What the order costs exactly: price times amount, or the total of a market buy. Empty where only the book knows. */
  readonly cost: string;
}

export type Available = Readonly<Record<'base' | 'quote', string | undefined>>;

/** The number of a field without zeros at its end; undefined unless it is one above nought. */
export function numberOf({ fields }: Pick<Draft, 'fields'>, field: Field): string | undefined {
  const reading = fields[field];
  if (reading.kind !== 'number') return undefined;
  const value = decimal.add(reading.value, '0');
  return decimal.compare(value, '0') > 0 ? value : undefined;
}

/** Decimals beyond which a total makes no difference: those of a price times a volume. */
export const totalDecimals = (market: MarketDetail): number =>
  Math.min(18, Number(market.basePrecision) + Number(market.quotePrecision));

export const floorTo = (value: string, decimals: number): string =>
  decimal.divide(value, '1', decimals);

/** The price by which the order is paid: its limit; of an OCO that buys, the dearer leg. */
export function paidPrice(draft: Draft, shape: Shape): string | undefined {
  if (shape.isMarket) return undefined;
  const price = numberOf(draft, 'price');
  if (draft.kind !== 'oco' || draft.side === 'sell' || price === undefined) return price;
  const limit = numberOf(draft, 'stopLimit');
  return limit === undefined ? undefined : decimal.max(price, limit);
}

export function size(draft: Draft, market: MarketDetail, available: Available): Sized {
  const shape = shapeOf(draft);
  const driver = driverOf(draft, shape);
  const base = { shape, driver };
  const price = paidPrice(draft, shape);
  const lots = Number(market.basePrecision);
  const amountOf = (total: string | undefined): string =>
    total === undefined || price === undefined ? '' : decimal.divide(total, price, lots);

  const byAmount = (amount: string, typedTotal = ''): Sized => {
    const cost = amount === '' || price === undefined ? '' : decimal.multiply(price, amount);
    return {
      ...base,
      amount,
      total: driver === 'total' ? typedTotal : cost,
      sent: isPositive(amount) ? { name: 'volume', value: amount } : undefined,
      cost,
    };
  };
  const byTotal = (total: string): Sized => ({
    ...base,
    amount: '',
    total,
    sent: isPositive(total) ? { name: 'total', value: total } : undefined,
    cost: total,
  });

  if (driver === 'percent') {
    const share = shareOf(available[draft.side === 'buy' ? 'quote' : 'base'], draft.percent);
    if (draft.side === 'sell') return byAmount(share === undefined ? '' : floorTo(share, lots));
    if (!shape.isMarket) return byAmount(amountOf(share));
    return byTotal(share === undefined ? '' : floorTo(share, totalDecimals(market)));
  }
  if (driver === 'amount') return byAmount(numberOf(draft, 'amount') ?? '');
  const total = numberOf(draft, 'total') ?? '';
  if (shape.isMarket) return byTotal(total);
  return byAmount(total === '' ? '' : amountOf(total), total);
}

const isPositive = (value: string): boolean => value !== '' && decimal.compare(value, '0') > 0;

/** So many percent of an exact amount, exactly. */
function shareOf(available: string | undefined, percent: string): string | undefined {
  if (available === undefined || percent === '') return undefined;
  return decimal.divide(decimal.multiply(available, percent), '100', 24);
}
