// What of the navigation is open, kept in this browser.
import { useCallback, useState } from 'react';

export interface NavOpen {
  readonly closedSections: ReadonlySet<string>;
  readonly openChannels: ReadonlySet<number>;
}

export const NAV_KEY = 'rialto.nav';
/** More than anybody opens; the oldest are forgotten. */
const KEPT_MAX = 200;

export function parseOpen(text: string | null): NavOpen {
  try {
    const { closed, open } = JSON.parse(text ?? '{}') as { closed?: unknown; open?: unknown };
    return {
      closedSections: new Set(itemsOf(closed).filter((one) => typeof one === 'string')),
      openChannels: new Set(itemsOf(open).filter((one) => Number.isSafeInteger(one)) as number[]),
    };
  } catch {
    return { closedSections: new Set(), openChannels: new Set() };
  }
}

const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(-KEPT_MAX) : [];

export const printOpen = ({ closedSections, openChannels }: NavOpen): string =>
  JSON.stringify({
    closed: [...closedSections].slice(-KEPT_MAX),
    open: [...openChannels].slice(-KEPT_MAX),
  });

export interface NavOpenState {
  readonly open: NavOpen;
  toggleSection(this: void, key: string): void;
  toggleChannel(this: void, id: number): void;
}

export function useNavOpen(): NavOpenState {
  const [open, setOpen] = useState(() => parseOpen(stored()));
  const change = useCallback((next: (before: NavOpen) => NavOpen) => {
    setOpen((before) => {
      const after = next(before);
      store(printOpen(after));
      return after;
    });
  }, []);
  return {
    open,
    toggleSection: useCallback(
      (key) => change((now) => ({ ...now, closedSections: toggled(now.closedSections, key) })),
      [change],
    ),
    toggleChannel: useCallback(
      (id) => change((now) => ({ ...now, openChannels: toggled(now.openChannels, id) })),
      [change],
    ),
  };
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

function stored(): string | null {
  try {
    return localStorage.getItem(NAV_KEY);
  } catch {
    return null;
  }
}

function store(text: string): void {
  try {
    localStorage.setItem(NAV_KEY, text);
  } catch {
    // Without storage it lasts as long as the page.
  }
}
