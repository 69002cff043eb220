// Writes rows into the fixed elements of the book, outside of React: a text is touched only when it changes.
import type { Locale } from '../../i18n/locale.tsx';
import { partsOf, writeDecimal } from '../../i18n/number.ts';
import type { BookRow, BookSide } from './group.ts';

export interface PaintStyle {
  readonly locale: Locale;
  readonly priceDecimals: number;
  readonly volumeDecimals: number;
  /** What is said of own orders. */
  readonly own: (volume: string) => string;
}

/** The elements of one row. See row.tsx, which makes them. */
interface RowElements {
  readonly root: HTMLElement;
  readonly bar: HTMLElement;
  readonly dot: HTMLElement;
  readonly price: Text;
  readonly own: Text;
  readonly volume: readonly [Text, Text];
  readonly total: readonly [Text, Text];
}

export interface PaintRow extends BookRow {
  /** One's own volume there. */
  readonly own: string | undefined;
}

export interface Painter {
  /** `rows` are best first; `longest` is the total that fills the whole width. */
  paint(side: BookSide, rows: readonly PaintRow[], longest: bigint, style: PaintStyle): void;
}

/** `root` holds the rows; the best of each side is number 0. */
export function createPainter(root: HTMLElement): Painter {
  const found: Record<BookSide, RowElements[]> = { bids: [], asks: [] };
  for (const row of root.querySelectorAll<HTMLElement>('[data-row]')) {
    const side = row.dataset['side'] === 'asks' ? 'asks' : 'bids';
    found[side][Number(row.dataset['row'])] = elementsOf(row);
  }
  return {
    paint(side, rows, longest, style) {
      found[side].forEach((elements, at) => paintRow(elements, rows[at], longest, style));
    },
  };
}

function elementsOf(root: HTMLElement): RowElements {
  const find = (name: string): HTMLElement => {
    const element = root.querySelector<HTMLElement>(`[data-part="${name}"]`);
    if (element === null) throw new Error(`A row of the book has no ${name}.`);
    return element;
  };
  const textIn = (name: string): Text => {
    const element = find(name);
    const { firstChild } = element;
    if (firstChild instanceof Text) return firstChild;
    const text = document.createTextNode('');
    element.append(text);
    return text;
  };
  return {
    root,
    bar: find('bar'),
    dot: find('dot'),
    price: textIn('price'),
    own: textIn('own'),
    volume: [textIn('volume'), textIn('volume-zeros')],
    total: [textIn('total'), textIn('total-zeros')],
  };
}

function paintRow(
  { root, bar, dot, price, own, volume, total }: RowElements,
  row: PaintRow | undefined,
  longest: bigint,
  { locale, priceDecimals, volumeDecimals, own: sayOwn }: PaintStyle,
): void {
  if (root.hidden !== (row === undefined)) root.hidden = row === undefined;
  if (row === undefined) return;
  write(price, writeDecimal(row.price, locale, { decimals: priceDecimals }));
  writeDimmed(volume, row.volume, locale, volumeDecimals);
  writeDimmed(total, row.total, locale, volumeDecimals);
  if (dot.hidden !== (row.own === undefined)) dot.hidden = row.own === undefined;
  write(own, row.own === undefined ? '' : sayOwn(writeDecimal(row.own, locale)));
  // A share of the width in thousandths: a place on the screen, no amount.
  const share = longest === 0n ? 0 : Number((row.totalUnits * 1000n) / longest) / 1000;
  const transform = `scaleX(${share})`;
  if (bar.style.transform !== transform) bar.style.setProperty('transform', transform);
}

/** Zeros that only fill up are dim. */
function writeDimmed(
  [main, zeros]: readonly [Text, Text],
  value: string,
  locale: Locale,
  decimals: number,
): void {
  const { groups, separator, point, fraction, padding } = partsOf(value, locale, { decimals });
  const isFilled = fraction === '' && padding !== '';
  write(main, `${groups.join(separator)}${isFilled ? '' : point}${fraction}`);
  write(zeros, `${isFilled ? point : ''}${padding}`);
}

function write(text: Text, next: string): void {
  if (text.data !== next) text.data = next;
}
