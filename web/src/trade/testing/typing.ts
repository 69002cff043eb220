// Numbers as people type and paste them, with what they mean; and a slow twin of the form that computes in whole numbers.
import fc from 'fast-check';
import type { MarketDetail } from '@rialto/sdk';
import type { Available } from '../form/derive.ts';
import { shapeOf, type Draft, type Driver, type Field } from '../form/draft.ts';

/** What a typed text means: a number as a count of 10^-SCALE, nothing, or something that is no number. */
export type Meaning = bigint | 'empty' | 'none';

export interface Typed {
  readonly text: string;
  readonly meaning: Meaning;
}

const SCALE = 60;
const ONE = 10n ** BigInt(SCALE);

const PERSIAN = '۰۱۲۳۴۵۶۷۸۹';
const ARABIC = '٠١٢٣٤٥٦٧٨٩';

const inDigits = (text: string, digits: string): string =>
  text.replace(/\d/gu, (digit) => digits[Number(digit)] ?? digit);

const grouped = (whole: string, separator: string): string =>
  whole.replace(/\B(?=(\d{3})+$)/gu, separator);

type Style = (whole: string, fraction: string) => string;

const joined = (whole: string, fraction: string, point = '.'): string =>
  fraction === '' ? whole : `${whole}${point}${fraction}`;

/** Each writes the same number. Groups need a point or a second group, or a comma would be a question. */
const STYLES: readonly Style[] = [
  joined,
  (whole, fraction) => inDigits(joined(whole, fraction, '٫'), PERSIAN),
  (whole, fraction) => inDigits(joined(whole, fraction, '٫'), ARABIC),
  (whole, fraction) => inDigits(joined(grouped(whole, '٬'), fraction, '٫'), PERSIAN),
  (whole, fraction) => joined(grouped(whole, ' '), fraction),
  (whole, fraction) => joined(grouped(whole, '’'), fraction),
  (whole, fraction) =>
    fraction === '' && whole.length < 7 ? whole : joined(grouped(whole, ','), fraction),
  (whole, fraction) => `\u200e${joined(whole, fraction)}\u200f`,
  (whole, fraction) => `  +${joined(`00${whole}`, fraction)} `,
  (whole, fraction) => joined(whole, `${fraction}000`),
];

const REFUSED = ['1e5', '2.5E-3', 'ten', '12,34,5', '1 23', '1,5', '12.5k', '1.2.3', '--1', '0x10'];

const number = fc
  .tuple(
    fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: 99_999 }), fc.nat({ max: 2_000_000_000 })),
    fc.stringMatching(/^[0-9]{0,10}$/u),
  )
  .map(([whole, fraction]) => [String(whole), fraction] as const);

const meaningOf = (whole: string, fraction: string): bigint =>
  BigInt(whole + fraction) * 10n ** BigInt(SCALE - fraction.length);

/** `unit` may be pasted along. */
export const typed = (unit: string): fc.Arbitrary<Typed> =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .tuple(
          number,
          fc.constantFrom(...STYLES),
          fc.constantFrom('', ` ${unit}`, unit.toUpperCase()),
        )
        .map(([[whole, fraction], style, end]) => ({
          text: style(whole, fraction) + end,
          meaning: meaningOf(whole, fraction),
        })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...REFUSED).map((text): Typed => ({ text, meaning: 'none' })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '  ').map((text): Typed => ({ text, meaning: 'empty' })),
    },
  );

/** What the twin remembers of the same typing. */
export interface TwinState {
  readonly meanings: Readonly<Record<Field, Meaning>>;
  readonly driver: Driver;
  readonly percent: bigint;
}

interface Twin {
  readonly amount: bigint | undefined;
  readonly total: bigint | undefined;
  readonly sent: { readonly name: 'volume' | 'total'; readonly value: bigint } | undefined;
}

const parse = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return meaningOf(whole, fraction);
};

const floor = (value: bigint, decimals: number): bigint => {
  const unit = 10n ** BigInt(SCALE - decimals);
  return value - (value % unit);
};

/** The form by whole numbers alone. */
export function twinOf(
  draft: Draft,
  { meanings, driver: wanted, percent }: TwinState,
  market: MarketDetail,
  available: Available,
): Twin {
  const { isMarket, sizes } = shapeOf(draft);
  const base = Number(market.basePrecision);
  const driver = wanted === 'percent' || sizes === 'both' ? wanted : sizes;
  const above = (field: Field): bigint | undefined => {
    const meaning = meanings[field];
    return typeof meaning === 'bigint' && meaning > 0n ? meaning : undefined;
  };
  let price = isMarket ? undefined : above('price');
  if (draft.kind === 'oco' && draft.side === 'buy' && price !== undefined) {
    const limit = above('stopLimit');
    price = limit === undefined ? undefined : limit > price ? limit : price;
  }
  const pays = (money: bigint): bigint | undefined =>
    price === undefined ? undefined : floor((money * ONE) / price, base);
  const result = (amount: bigint | undefined, total: bigint | undefined, isTotal = false): Twin => {
    const value = isTotal ? total : amount;
    const isSent = value !== undefined && value > 0n;
    const name = isTotal ? 'total' : 'volume';
    return { amount, total, sent: isSent ? { name, value } : undefined };
  };
  const worth = (amount: bigint | undefined): bigint | undefined =>
    amount === undefined || price === undefined ? undefined : (amount * price) / ONE;

  if (driver === 'percent') {
    const share =
      (parse(available[draft.side === 'buy' ? 'quote' : 'base'] ?? '0') * percent) / 100n;
    if (draft.side === 'buy' && isMarket)
      return result(undefined, floor(share, base + Number(market.quotePrecision)), true);
    const amount = draft.side === 'sell' ? floor(share, base) : pays(share);
    return result(amount, worth(amount));
  }
  if (driver === 'amount') return result(above('amount'), worth(above('amount')));
  const total = above('total');
  if (isMarket) return result(undefined, total, true);
  return result(total === undefined ? undefined : pays(total), total);
}

/** As the form writes it. */
export function printUnits(value: bigint): string {
  const digits = value.toString().padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0+$/u, '');
  const whole = digits.slice(0, -SCALE);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
