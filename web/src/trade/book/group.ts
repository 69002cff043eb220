// A side of the book in rows: prices that lie close together become one, and each row knows what it takes to sweep the
// book up to it. Whole numbers alone, so nothing is rounded but the prices of rows: bids down, asks up. Pure.

export interface Level {
  readonly price: string;
  readonly volume: string;
}

export type BookSide = 'bids' | 'asks';

export interface Scale {
  /** Decimals of a price. */
  readonly price: number;
  /** Decimals of a volume. */
  readonly volume: number;
}

export interface BookRow {
  /** In units of the last decimal of a price. */
  readonly ticks: bigint;
  readonly price: string;
  readonly volume: string;
  /** From the best price to this row, in the base currency. */
  readonly total: string;
  /** The same, in units of the last decimal of a volume. */
  readonly totalUnits: bigint;
  /** From the best price to this row: the sum of price times volume, in the quote currency. */
  readonly value: string;
}

/** A decimal as a whole number of its last decimals. */
export function unitsOf(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > decimals && /[1-9]/u.test(fraction.slice(decimals))) {
    throw new RangeError(`${text} has more than ${decimals} decimals.`);
  }
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

export function textOf(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString();
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The price of the row that a price belongs to. */
export function groupOf(ticks: bigint, side: BookSide, step: bigint): bigint {
  const below = (ticks / step) * step;
  return side === 'bids' || below === ticks ? below : below + step;
}

/** The best `max` rows. `levels` are sorted, best first; `step` is in ticks. */
export function groupLevels(
  levels: readonly Level[],
  side: BookSide,
  step: bigint,
  scale: Scale,
  max: number,
): readonly BookRow[] {
  const rows: BookRow[] = [];
  let [ticks, volume, total, value] = [-1n, 0n, 0n, 0n];
  const end = (): void => {
    if (ticks < 0n) return;
    rows.push({
      ticks,
      price: textOf(ticks, scale.price),
      volume: textOf(volume, scale.volume),
      total: textOf(total, scale.volume),
      totalUnits: total,
      value: textOf(value, scale.price + scale.volume),
    });
  };
  for (const level of levels) {
    const price = unitsOf(level.price, scale.price);
    const group = groupOf(price, side, step);
    if (group !== ticks) {
      end();
      if (rows.length >= max) return rows;
      [ticks, volume] = [group, 0n];
    }
    const units = unitsOf(level.volume, scale.volume);
    volume += units;
    total += units;
    value += price * units;
  }
  end();
  return rows;
}

const FACTORS = [1n, 10n, 100n, 1000n, 10_000n] as const;
/** A row of more than a twentieth of the price tells nothing. */
const ROWS_MIN = 20n;

/** How far apart rows may be, the finest first; as decimals in the quote currency. */
export function stepsOf(priceStep: string, price: string, decimals: number): readonly string[] {
  const finest = unitsOf(priceStep, decimals);
  const top = unitsOf(price, decimals);
  return FACTORS.map((factor) => finest * factor)
    .filter((step, at) => at === 0 || step * ROWS_MIN <= top)
    .map((step) => shorten(textOf(step, decimals)));
}

/** Without zeros at the end. */
const shorten = (text: string): string =>
  text.includes('.') ? text.replace(/(?<!0)0+$/u, '').replace(/\.$/u, '') : text;

/** How many decimals the prices of rows need. */
export const decimalsOf = (step: string): number => step.split('.')[1]?.length ?? 0;

/** One's own open volume by the price of the row it falls into. `own` has `buy:64210.50` or `sell:…` as keys. */
export function groupOwn(
  own: ReadonlyMap<string, string>,
  side: BookSide,
  step: bigint,
  scale: Scale,
): ReadonlyMap<bigint, string> {
  const prefix = side === 'bids' ? 'buy:' : 'sell:';
  const units = new Map<bigint, bigint>();
  for (const [key, volume] of own) {
    if (!key.startsWith(prefix)) continue;
    const group = groupOf(unitsOf(key.slice(prefix.length), scale.price), side, step);
    units.set(group, (units.get(group) ?? 0n) + unitsOf(volume, scale.volume));
  }
  return new Map(
    [...units].map(([group, volume]) => [group, shorten(textOf(volume, scale.volume))]),
  );
}
