// The rows as a grid: arrows move, Enter and a click take a price or a size, and pointing holds them still.
import { memo, useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { classes } from '../../ui/classes.ts';
import { pairOf } from '../pair.ts';
import { useMarket } from '../venue/react.ts';
import { Between } from './between.tsx';
import type { Pick } from '../pick.ts';
import type { BookSide } from './group.ts';
import { cellAfter } from './keys.ts';
import type { PaintRow } from './painter.ts';
import { COLUMNS, Row } from './row.tsx';
import { texts } from './texts.ts';
import type { Ladder } from './use-ladder.ts';

export interface GridProps {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly count: number;
  readonly ladder: Ladder;
  readonly isStale: boolean;
  /** Where it stands what the row that is pointed at means. */
  readonly describedBy: string;
  readonly onPoint: (row: PaintRow | undefined) => void;
  readonly onPick: (pick: Pick) => void;
}

const cellOf = (target: EventTarget): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('[data-cell]')) || undefined;

export function Grid({ ref, count, ladder, isStale, describedBy, onPoint, onPick }: GridProps) {
  const t = useTexts(texts);
  const { direction } = useLocale();
  const market = useMarket();
  const { rowAt, hold, empty, spread } = ladder;
  const isPointing = useRef(false);
  const isFocused = useRef(false);
  const settle = () => hold(isPointing.current || isFocused.current);
  const rowOf = (target: EventTarget): PaintRow | undefined => {
    const row = target instanceof Element && target.closest<HTMLElement>('[data-row]');
    if (!row) return undefined;
    const side: BookSide = row.dataset['side'] === 'asks' ? 'asks' : 'bids';
    return rowAt(side, Number(row.dataset['row']));
  };
  const pick = (target: EventTarget) => {
    const row = rowOf(target);
    const cell = cellOf(target);
    if (row === undefined || cell === undefined) return;
    const { price, total } = row;
    onPick(cell.dataset['cell'] === 'volume' ? { price, volume: total } : { price });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = cellOf(event.target);
    if (cell === undefined) return;
    if (event.key === 'Enter' || event.key === ' ') pick(cell);
    else {
      const next = cellAfter(event.currentTarget, cell, event.key, direction === 'rtl');
      if (next === undefined) return;
      next.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  };
  useEntry(ref, count);
  return (
    <div
      ref={ref}
      role="grid"
      aria-label={t.grid({ market: pairOf(market) })}
      aria-describedby={`${describedBy}-hint`}
      className={classes('flex min-h-max flex-1 flex-col', isStale && 'grayscale')}
      onClick={(event) => pick(event.target)}
      onKeyDown={onKeyDown}
      onPointerEnter={({ pointerType }) => {
        isPointing.current = pointerType === 'mouse';
        settle();
      }}
      onPointerLeave={() => {
        isPointing.current = false;
        if (!isFocused.current) onPoint(undefined);
        settle();
      }}
      onPointerOver={({ target }) => onPoint(rowOf(target))}
      onFocus={({ target }) => {
        // A click leaves the focus behind it; only keys stay inside.
        isFocused.current = target.matches(':focus-visible');
        target.setAttribute('aria-describedby', describedBy);
        enter(ref.current, target);
        onPoint(rowOf(target));
        settle();
      }}
      onBlur={({ target }) => {
        isFocused.current = false;
        target.removeAttribute('aria-describedby');
        if (!isPointing.current) onPoint(undefined);
        settle();
      }}
    >
      <p id={`${describedBy}-hint`} className="sr-only">
        {t.hint}
      </p>
      <div
        role="row"
        className={classes(COLUMNS, 'h-6 shrink-0 items-center text-tiny text-muted')}
      >
        {[
          t.price({ unit: market.quote.toUpperCase() }),
          t.size({ unit: market.base.toUpperCase() }),
          t.total({ unit: market.base.toUpperCase() }),
        ].map((name) => (
          <span key={name} role="columnheader" className="truncate text-end rtl:text-start">
            {name}
          </span>
        ))}
      </div>
      <Side side="asks" count={count} note={empty?.asks === true ? t.noAsks : undefined} />
      <div role="row">
        <div role="gridcell" aria-colspan={3}>
          <Between spread={spread} />
        </div>
      </div>
      <Side side="bids" count={count} note={empty?.bids === true ? t.noBids : undefined} />
    </div>
  );
}

const Side = memo(function Side({
  side,
  count,
  note,
}: {
  readonly side: BookSide;
  readonly count: number;
  /** What is said instead of rows. */
  readonly note: string | undefined;
}) {
  const places = Array.from({ length: count }, (_value, at) => at);
  return (
    <div
      role="rowgroup"
      className={classes('flex flex-1 flex-col', side === 'asks' && 'justify-end')}
    >
      {note !== undefined && (
        <div role="row">
          <div role="gridcell" aria-colspan={3} className="px-4 py-3 text-muted">
            {note}
          </div>
        </div>
      )}
      {(side === 'asks' ? places.reverse() : places).map((at) => (
        <Row key={at} side={side} at={at} />
      ))}
    </div>
  );
});

/** Tab leads to one cell alone, the one that had the focus last. */
function enter(grid: HTMLElement | null, cell: Element): void {
  for (const other of grid?.querySelectorAll('[data-cell][tabindex="0"]') ?? []) {
    other.setAttribute('tabindex', '-1');
  }
  cell.setAttribute('tabindex', '0');
}

/** At first it is the best bid; also when the cell that had it is gone. */
function useEntry(ref: RefObject<HTMLElement | null>, count: number): void {
  useEffect(() => {
    const grid = ref.current;
    if (grid === null || grid.querySelector('[data-cell][tabindex="0"]') !== null) return;
    const best = grid.querySelector('[data-side="bids"][data-row="0"] [data-cell]');
    if (best !== null) enter(grid, best);
  }, [ref, count]);
}
