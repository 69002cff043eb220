// Keeps the rows of the book painted: at most ten times a second, and not while somebody points into them.
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useMarket, useMarketFeed } from '../venue/react.ts';
import { decimalsOf, groupLevels, groupOwn, unitsOf, type BookSide } from './group.ts';
import { createPainter, type PaintRow, type Painter } from './painter.ts';
import { texts } from './texts.ts';

type Shown = Readonly<Record<BookSide, readonly PaintRow[]>>;

const NOTHING: Shown = { bids: [], asks: [] };

/** Between the best prices on the screen. */
export interface Spread {
  readonly amount: string;
  readonly ask: string;
}

export interface Ladder {
  /** What is on the screen now. */
  readonly rowAt: (side: BookSide, at: number) => PaintRow | undefined;
  /** Which sides have nothing; undefined before the first book. */
  readonly empty: { readonly bids: boolean; readonly asks: boolean } | undefined;
  /** It stands still together with the rows. */
  readonly spread: Spread | undefined;
  /** Changes wait, because somebody points into the rows. */
  readonly isHeld: boolean;
  readonly hold: (isHeld: boolean) => void;
}

export function useLadder(
  root: RefObject<HTMLElement | null>,
  { count, step, own }: { count: number; step: string; own: ReadonlyMap<string, string> },
): Ladder {
  const t = useTexts(texts);
  const locale = useLocale();
  const { quotePrecision, basePrecision } = useMarket();
  const { book, onBook } = useMarketFeed();
  const shown = useRef(NOTHING);
  const isHolding = useRef(false);
  const [isHeld, setHeld] = useState(false);
  const [spread, setSpread] = useState<Spread>();
  const [empty, setEmpty] = useState<Ladder['empty']>();
  const scale = useMemo(
    () => ({ price: Number(quotePrecision), volume: Number(basePrecision) }),
    [quotePrecision, basePrecision],
  );

  const paint = useCallback(
    (painter: Painter) => {
      if (book.updateId === '') return;
      const ticks = unitsOf(step, scale.price);
      const rowsOf = (side: BookSide): readonly PaintRow[] => {
        const mine = groupOwn(own, side, ticks, scale);
        return groupLevels(book[side], side, ticks, scale, count).map((row) => ({
          ...row,
          own: mine.get(row.ticks),
        }));
      };
      const next: Shown = { bids: rowsOf('bids'), asks: rowsOf('asks') };
      const ends = [next.bids.at(-1), next.asks.at(-1)].map((row) => row?.totalUnits ?? 0n);
      const longest = ends.reduce((a, b) => (a > b ? a : b));
      const style = {
        locale,
        priceDecimals: decimalsOf(step),
        volumeDecimals: scale.volume,
        own: (volume: string) => t.own({ volume }),
      };
      painter.paint('bids', next.bids, longest, style);
      painter.paint('asks', next.asks, longest, style);
      shown.current = next;
      const [amount, ask] = [book.spread, book.bestAsk?.price];
      setSpread((before) => {
        if (amount === undefined || ask === undefined) return undefined;
        return before?.amount === amount && before.ask === ask ? before : { amount, ask };
      });
      setEmpty((before) => {
        const now = { bids: next.bids.length === 0, asks: next.asks.length === 0 };
        return before?.bids === now.bids && before.asks === now.asks ? before : now;
      });
    },
    [book, step, scale, own, count, locale, t],
  );

  const repaint = useRef<() => void>(() => undefined);
  useEffect(() => {
    if (root.current === null) return;
    const painter = createPainter(root.current);
    repaint.current = () => paint(painter);
    paint(painter);
    return onBook(() => {
      if (!isHolding.current) paint(painter);
      else setHeld(true);
    });
  }, [root, paint, onBook]);

  const hold = useCallback((next: boolean) => {
    if (isHolding.current === next) return;
    isHolding.current = next;
    if (next) return;
    setHeld(false);
    repaint.current();
  }, []);
  const rowAt = useCallback((side: BookSide, at: number) => shown.current[side][at], []);
  return { rowAt, empty, spread, isHeld, hold };
}
