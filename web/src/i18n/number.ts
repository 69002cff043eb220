// Writes exact decimals for people. A value comes as a decimal string and never becomes a float: `Intl` takes strings.
import { tagOf, type Locale } from './locale.tsx';

// One for each locale and number of decimals: a few dozen at most, and making one is slow.
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(locale: Locale, decimals: number): Intl.NumberFormat {
  const key = `${tagOf(locale)} ${decimals}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(tagOf(locale), {
    useGrouping: 'always',
    minimumFractionDigits: 0,
    maximumFractionDigits: decimals,
    roundingMode: 'trunc',
  });
  formats.set(key, made);
  return made;
}

/** A number in pieces, in the order in which they are written, from left to right in every language. */
export interface NumberParts {
  /** A true minus, a plus, or nothing. */
  readonly sign: '−' | '+' | '';
  /** The digits before the point, in groups of three. */
  readonly groups: readonly string[];
  /** What stands between the groups. */
  readonly separator: string;
  /** The decimal point, or nothing where no digits follow. */
  readonly point: string;
  readonly fraction: string;
  /** Zeros that only fill up to the market's decimals: shown dim. */
  readonly padding: string;
}

export interface NumberStyle {
  /** Exactly so many decimals: fewer are filled up with zeros, more are cut off, never rounded. Without it, all. */
  readonly decimals?: number | undefined;
  /** A change carries its sign always, an amount only when it is negative. Nought has none. */
  readonly isChange?: boolean | undefined;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/u;

/** Where a number of one locale puts what, found once. */
function signsOf(format: Intl.NumberFormat): { separator: string; point: string } {
  const parts = format.formatToParts('1000.5');
  const find = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return { separator: find('group'), point: find('decimal') };
}

const signs = new Map<string, { separator: string; point: string }>();

export function partsOf(value: string, locale: Locale, style: NumberStyle = {}): NumberParts {
  const [, minus, whole, given = ''] = DECIMAL.exec(value) ?? [];
  if (whole === undefined)
    throw new RangeError(`A decimal such as "-64210.50" was expected, "${value}" came.`);
  const decimals = style.decimals ?? given.length;
  const fraction = given.slice(0, decimals).replace(/0+$/u, '');
  const tag = tagOf(locale);
  const known = signs.get(tag) ?? signsOf(formatOf(locale, 1));
  signs.set(tag, known);

  const parts = formatOf(locale, 100).formatToParts(`${whole}.${fraction}1` as `${number}`);
  const digits = parts.find((part) => part.type === 'fraction')?.value ?? '';
  const isNought = !/[1-9]/u.test(value);
  return {
    sign: isNought ? '' : minus === '-' ? '−' : style.isChange === true ? '+' : '',
    groups: parts.filter((part) => part.type === 'integer').map((part) => part.value),
    separator: known.separator,
    point: decimals === 0 ? '' : known.point,
    // The 1 at the end kept the zeros inside; it goes again.
    fraction: digits.slice(0, -1),
    padding: formatOf(locale, 0)
      .format(0)
      .repeat(Math.max(0, decimals - fraction.length)),
  };
}

/** The number as one text, for labels and messages. */
export function writeDecimal(value: string, locale: Locale, style?: NumberStyle): string {
  const { sign, groups, separator, point, fraction, padding } = partsOf(value, locale, style);
  return `${sign}${groups.join(separator)}${point}${fraction}${padding}`;
}

/** The number without groups, in the reader's digits: for a field that is being edited. */
export function writePlain(value: string, locale: Locale): string {
  const { sign, groups, point, fraction, padding } = partsOf(value, locale);
  return `${sign === '−' ? '-' : ''}${groups.join('')}${point}${fraction}${padding}`;
}

/** The sign of hundredths, as the digits beside it have it. */
export function percentSign(locale: Locale): string {
  return locale.digits === 'persian' ? '٪' : '%';
}

/** A count of things, grouped and in the digits of the reader. */
export function writeCount(count: number, locale: Locale): string {
  return formatOf(locale, 0).format(count);
}
