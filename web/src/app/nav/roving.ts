// Arrow keys in the navigation: up and down move, along the line of reading opens, against it closes. Tab stops only at
// the first row, at the current one and at the last one used, so that a long list is one stop.
import { createContext, use, useState, type FocusEvent, type KeyboardEvent } from 'react';

const LastRow = createContext<string | undefined>(undefined);
export const LastRowProvider = LastRow.Provider;

/** What a row's link needs. */
export function useRow(key: string, isStop: boolean): { 'data-nav-row': string; tabIndex: 0 | -1 } {
  const last = use(LastRow);
  return { 'data-nav-row': key, tabIndex: isStop || last === key ? 0 : -1 };
}

export function useRoving(): {
  readonly last: string | undefined;
  readonly props: {
    onFocus(event: FocusEvent<HTMLElement>): void;
    onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  };
} {
  const [last, setLast] = useState<string>();
  return {
    last,
    props: {
      onFocus: ({ target }) => {
        const key = target.dataset['navRow'];
        if (key !== undefined) setLast(key);
      },
      onKeyDown: (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        if (act(event.currentTarget, event.key)) event.preventDefault();
      },
    },
  };
}

/** Whether the key did something. */
function act(list: HTMLElement, key: string): boolean {
  const row = document.activeElement;
  if (!(row instanceof HTMLElement) || row.dataset['navRow'] === undefined) return false;
  const rows = [...list.querySelectorAll<HTMLElement>('[data-nav-row]')];
  const at = rows.indexOf(row);
  const isRtl = getComputedStyle(list).direction === 'rtl';
  switch (key) {
    case 'ArrowDown':
      return focus(rows[at + 1]);
    case 'ArrowUp':
      return focus(rows[at - 1]);
    case 'Home':
      return focus(rows[0]);
    case 'End':
      return focus(rows.at(-1));
    case 'ArrowRight':
      return toggle(row, !isRtl);
    case 'ArrowLeft':
      return toggle(row, isRtl);
    default:
      return false;
  }
}

function focus(row: HTMLElement | undefined): boolean {
  row?.focus();
  return row !== undefined;
}

function toggle(row: HTMLElement, isOpen: boolean): boolean {
  const button = row
    .closest('[data-nav-item]')
    ?.querySelector<HTMLElement>(
      `:scope > * > [aria-expanded='${String(!isOpen)}'], :scope > [aria-expanded='${String(!isOpen)}']`,
    );
  button?.click();
  return button !== null && button !== undefined;
}
