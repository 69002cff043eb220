// Which view is shown: the browser's history, and what each of its entries remembers.
import {
  isSamePlace,
  matchPlace,
  overOf,
  canonical,
  printPlace,
  withOver,
  withQuery,
  type Place,
} from './addresses.ts';

export interface Route {
  readonly place: Place;
  /** What lies over the view, such as `shortcuts`. */
  readonly over: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** Of the entry in the history: the same again after Back. */
  readonly key: string;
}

/** The parts of a window that the router needs. */
export interface Browser {
  readonly location: Pick<Location, 'pathname' | 'search' | 'hash'>;
  readonly history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'back'>;
  addEventListener(type: 'popstate', listener: () => void): void;
  removeEventListener(type: 'popstate', listener: () => void): void;
}

interface EntryState {
  readonly key: string;
  /** Whether Back closes what lies over the view, because we put it there. */
  readonly isOver: boolean;
  readonly kept: Readonly<Record<string, unknown>>;
}

export interface Router {
  current(): Route;
  subscribe(listener: () => void): () => void;
  /** Goes to a view; going to the one that is shown only takes away what lies over it. */
  go(place: Place, options?: { readonly replace?: boolean }): void;
  open(over: string): void;
  close(): void;
  setQuery(name: string, value: string | undefined): void;
  /** Keeps a value with the entry, such as where the reader was; it survives Back and a reload. */
  keep(name: string, value: unknown): void;
  kept(name: string): unknown;
  dispose(): void;
}

export function createRouter(browser: Browser): Router {
  const { history, location } = browser;
  const listeners = new Set<() => void>();
  let route: Route;

  const write = (address: string, isReplaced: boolean, state: EntryState): void => {
    if (isReplaced) history.replaceState(state, '', address);
    else history.pushState(state, '', address);
    read();
  };
  const read = (): void => {
    const state = stateOf(history.state) ?? newEntry();
    // A link of another client gets the address that the view has here.
    if (history.state !== state || location.hash !== '') {
      history.replaceState(state, '', canonical(location));
    }
    route = {
      place: matchPlace(location),
      over: overOf(location),
      query: Object.fromEntries(new URLSearchParams(location.search)),
      key: state.key,
    };
    for (const listener of listeners) listener();
  };
  const here = (): string => `${location.pathname}${location.search}${location.hash}`;
  const state = (): EntryState => stateOf(history.state) ?? newEntry();

  read();
  browser.addEventListener('popstate', read);
  const close = (): void => {
    if (overOf(location) === undefined) return;
    if (state().isOver) history.back();
    else write(withOver(location, undefined), true, state());
  };
  return {
    current: () => route,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    go(place, { replace = false } = {}) {
      if (!isSamePlace(place, route.place)) write(printPlace(place), replace, newEntry());
      else close();
    },
    open(over) {
      if (overOf(location) === over) return;
      const isReplaced = overOf(location) !== undefined;
      const { isOver } = state();
      const entry = { ...newEntry(), isOver: isReplaced ? isOver : true };
      write(withOver(location, over), isReplaced, entry);
    },
    close,
    setQuery: (name, value) => write(withQuery(location, name, value), true, state()),
    keep(name, value) {
      const now = state();
      history.replaceState({ ...now, kept: { ...now.kept, [name]: value } }, '', here());
    },
    kept: (name) => state().kept[name],
    dispose: () => browser.removeEventListener('popstate', read),
  };
}

const newEntry = (): EntryState => ({ key: crypto.randomUUID(), isOver: false, kept: {} });

/** Entries that a link of a message made, or another program, have no state of ours. */
function stateOf(given: unknown): EntryState | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  return 'key' in given && 'isOver' in given && 'kept' in given ? (given as EntryState) : undefined;
}
