// The home of the chat: everything that waits to be read.
import {
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { fold } from '../../i18n/fold.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CHANNELS_HREF } from '../place/address.ts';
import { directNames } from '../place/names.ts';
import { MarkNotice, useMarking } from '../place/marking.tsx';
import { texts as placeTexts } from '../place/texts.ts';
import { useClosed } from './closed.ts';
import { deriveInbox } from './derive.ts';
import { Row } from './row.tsx';
import { keepFocus, layoutRows, pressKey, type InboxRow, type RowKey } from './rows.ts';
import { texts } from './texts.ts';

export interface InboxProps {
  /** What is typed into the filter; it belongs to the address of the view. */
  readonly filter: string | undefined;
  readonly onFilter: (filter: string | undefined) => void;
}

export function Inbox({ filter: typed = '', onFilter }: InboxProps) {
  const t = useTexts(texts);
  const names = useTexts(placeTexts);
  const { direction } = useLocale();
  const store = useStore();
  const inbox = useSelect(store, deriveInbox);
  const hasMore = useSelect(store, (state) => state.hasMoreUnreads);
  const setTyped = (text: string) => onFilter(text === '' ? undefined : text);
  const wanted = fold(useDeferredValue(typed));
  const [closed, toggle] = useClosed();
  const rows = useMemo(
    () =>
      layoutRows(inbox, {
        closed,
        fits: wanted === '' ? undefined : (text) => fold(text).includes(wanted),
        namesOf: (userIds) => directNames(store.state, userIds, names).join(' '),
      }),
    [inbox, closed, wanted, store, names],
  );
  const [current, setCurrent] = useCurrent(rows);
  const marking = useMarking();
  const grid = useRef<HTMLDivElement>(null);

  const focusRow = (key: string) => {
    setCurrent(key);
    grid.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  };
  const press = (pressed: RowKey) => {
    const result = pressKey(rows, current, pressed);
    if (result?.act === 'focus') focusRow(result.key);
    else if (result !== undefined) toggle(result.key);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (!(target instanceof HTMLElement) || target.role !== 'row') return;
    const pressed = keyNamed(event.key, direction);
    if (pressed !== undefined) press(pressed);
    else if (event.key === 'Enter' || event.key === ' ') {
      const link = target.querySelector('a');
      if (link !== null) link.click();
      else if (current !== undefined) toggle(current);
    } else return;
    event.preventDefault();
  };
  const { mark } = marking;
  const onMarkRead = useCallback((row: InboxRow) => void mark(row.keys), [mark]);
  const shown = rows.filter(({ level }) => level === 1).flatMap(({ keys }) => keys);

  return (
    <section
      aria-labelledby="inbox-title"
      className="mx-auto flex w-full max-w-4xl flex-col px-4 pb-12"
    >
      <header className="sticky top-0 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 bg-background py-3">
        <h1 id="inbox-title" className="text-heading font-semibold">
          {t.title}
        </h1>
        <TextField
          label={t.filter}
          isLabelHidden
          placeholder={t.filter}
          value={typed}
          onChange={setTyped}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && typed !== '') setTyped('');
            else if (event.key === 'ArrowDown' && rows[0] !== undefined) focusRow(rows[0].key);
            else event.continuePropagation();
          }}
          start={<Icon name="filter" className="size-4" />}
          end={
            typed !== '' && (
              <IconButton
                icon="close"
                size="small"
                label={t.clearFilter}
                onPress={() => setTyped('')}
                className="-me-2"
              />
            )
          }
          className="ms-auto w-64 max-tablet:order-1 max-tablet:w-full"
        />
        {shown.length > 0 && (
          <Button icon="check" onPress={() => void mark(shown)} className="max-tablet:ms-auto">
            {t.markAll}
          </Button>
        )}
      </header>
      <MarkNotice marking={marking} />
      {rows.length > 0 && (
        <div ref={grid} role="treegrid" aria-labelledby="inbox-title" onKeyDown={onKeyDown}>
          {rows.map((row) => (
            <Row
              key={row.key}
              row={row}
              isCurrent={row.key === current}
              isAlone={inbox.sections.length === 1}
              onToggle={toggle}
              onMarkRead={onMarkRead}
              onFocus={setCurrent}
            />
          ))}
        </div>
      )}
      {(inbox.leftOut > 0 || hasMore) && (
        <p className="px-2 pt-4 text-small text-muted">
          {inbox.leftOut > 0 ? t.leftOut({ count: inbox.leftOut }) : t.hasMore}
        </p>
      )}
      {rows.length === 0 &&
        (wanted === '' ? (
          <EmptyState
            icon="inbox"
            action={<LinkButton href={CHANNELS_HREF}>{t.browse}</LinkButton>}
          >
            {t.empty}
          </EmptyState>
        ) : (
          <EmptyState
            icon="filter"
            action={<Button onPress={() => setTyped('')}>{t.clearFilter}</Button>}
          >
            {t.nothingFits({ text: typed.trim() })}
          </EmptyState>
        ))}
    </section>
  );
}

/** The current row, kept when its own is gone. */
function useCurrent(rows: readonly InboxRow[]): [string | undefined, (key: string) => void] {
  const [wanted, setWanted] = useState<string>();
  const before = useRef(rows);
  const current = keepFocus(before.current, rows, wanted) ?? rows[0]?.key;
  before.current = rows;
  return [current, setWanted];
}

const KEYS: Readonly<Record<string, RowKey>> = {
  ArrowUp: 'up',
  k: 'up',
  ArrowDown: 'down',
  j: 'down',
  Home: 'home',
  End: 'end',
  ArrowRight: 'inward',
  ArrowLeft: 'outward',
};

function keyNamed(key: string, direction: 'ltr' | 'rtl'): RowKey | undefined {
  const named = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (direction === 'ltr') return named;
  return named === 'inward' ? 'outward' : named === 'outward' ? 'inward' : named;
}
