// One row of the book, without its texts: the painter writes them. React draws it once.
import { memo } from 'react';
import { classes } from '../../ui/classes.ts';
import type { BookSide } from './group.ts';

/** Columns of the heads, the rows and the row between the sides. */
export const COLUMNS = 'grid grid-cols-3 gap-x-2 ps-4 pe-3';

export const Row = memo(function Row({
  side,
  at,
}: {
  readonly side: BookSide;
  readonly at: number;
}) {
  const cell =
    'figures relative -mx-1 cursor-default truncate rounded-small px-1 text-end -outline-offset-2! hover:bg-hover';
  return (
    <div
      role="row"
      data-row={at}
      data-side={side}
      hidden
      className={classes(COLUMNS, 'relative h-6 items-center text-small max-tablet:h-11')}
    >
      <span
        aria-hidden
        data-part="bar"
        className={classes(
          'absolute inset-y-px end-0 w-full origin-right rtl:origin-left',
          side === 'bids' ? 'bg-up-tint' : 'bg-down-tint',
        )}
      />
      <span
        aria-hidden
        data-part="dot"
        hidden
        className="absolute start-1.5 top-1/2 size-1.5 -translate-y-1/2 rounded-full bg-accent"
      />
      <div
        role="gridcell"
        dir="ltr"
        tabIndex={-1}
        data-cell="price"
        className={classes(cell, side === 'bids' ? 'text-up' : 'text-down')}
      >
        <span data-part="price" />
        <span data-part="own" className="sr-only" />
      </div>
      <div role="gridcell" dir="ltr" tabIndex={-1} data-cell="volume" className={cell}>
        <span data-part="volume" />
        <span data-part="volume-zeros" className="text-muted" />
      </div>
      <div role="gridcell" dir="ltr" className="figures relative truncate text-end">
        <span data-part="total" />
        <span data-part="total-zeros" className="text-muted" />
      </div>
    </div>
  );
});
