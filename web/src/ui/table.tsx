import { useId, type ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useTexts } from '../i18n/texts.ts';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import { texts } from './texts.ts';

export interface Column<Row, C extends string = string> {
  readonly id: C;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the end of their column, so that the points are below each other. */
  readonly isNumber?: boolean;
  readonly isSortable?: boolean;
  /** Its cells name their rows. */
  readonly isRowTitle?: boolean;
}

export interface Sorting<C extends string> {
  readonly column: C;
  readonly isDescending: boolean;
}

export interface TableProps<Row, C extends string> {
  /** What the rows are. */
  label: string;
  columns: readonly Column<Row, C>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  sorting?: Sorting<C> | undefined;
  onSort?: ((sorting: Sorting<C>) => void) | undefined;
  /** Rows that the page is about: the one that a link led to. */
  isMarked?: ((row: Row) => boolean) | undefined;
  /** Shown in the place of the rows when there are none. */
  empty?: ReactNode;
  className?: string | undefined;
}

/** A plain table that readers know how to read. Where it is wider than its place, it scrolls inside its own box. */
export function Table<Row, C extends string>(props: TableProps<Row, C>) {
  const { label, columns, rows, keyOf, sorting, onSort, empty, className, isMarked } = props;
  const t = useTexts(texts);
  const id = useId();
  return (
    <div
      role="region"
      aria-labelledby={id}
      // The keyboard must be able to scroll it.
      tabIndex={0}
      className={classes(
        'relative overflow-x-auto rounded-panel border border-line bg-panel',
        className,
      )}
    >
      <table className="w-full border-collapse text-base">
        <caption id={id} className="sr-only">
          {label}
        </caption>
        <thead>
          <tr className="border-b border-line">
            {columns.map((column) => {
              const isSorted = sorting?.column === column.id;
              return (
                <th
                  key={column.id}
                  scope="col"
                  {...(isSorted
                    ? { 'aria-sort': sorting.isDescending ? 'descending' : 'ascending' }
                    : {})}
                  className={classes(
                    'px-3 text-small font-medium whitespace-nowrap text-muted',
                    column.isNumber === true ? 'text-end' : 'text-start',
                  )}
                >
                  {column.isSortable === true && onSort !== undefined ? (
                    <AriaButton
                      onPress={() =>
                        onSort({
                          column: column.id,
                          isDescending: isSorted ? !sorting.isDescending : column.isNumber === true,
                        })
                      }
                      className={classes(
                        'inline-flex min-h-row cursor-default items-center gap-1 rounded-small data-hovered:text-text',
                        // The title of numbers ends where they end.
                        column.isNumber === true && 'flex-row-reverse',
                      )}
                    >
                      {column.title}
                      <Icon
                        name={isSorted && !sorting.isDescending ? 'chevronUp' : 'chevronDown'}
                        className={classes('size-3.5', !isSorted && 'opacity-0')}
                      />
                      <span className="sr-only">{t.sort}</span>
                    </AriaButton>
                  ) : (
                    <span className="inline-flex min-h-row items-center">{column.title}</span>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              {...(isMarked?.(row) === true ? { 'aria-current': 'true' as const } : {})}
              className="border-b border-line transition-colors duration-100 last:border-0 hover:bg-hover aria-[current=true]:bg-selected"
            >
              {columns.map((column) => {
                const Cell = column.isRowTitle === true ? 'th' : 'td';
                return (
                  <Cell
                    key={column.id}
                    {...(column.isRowTitle === true ? { scope: 'row' } : {})}
                    className={classes(
                      'h-(--size-row) px-3 font-normal whitespace-nowrap',
                      column.isNumber === true ? 'figures text-end' : 'text-start',
                    )}
                  >
                    {column.cell(row)}
                  </Cell>
                );
              })}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length}>{empty}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
