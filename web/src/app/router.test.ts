import { expect, test, vi } from 'vitest';
import { createRouter, type Browser } from './router.ts';

interface Entry {
  readonly state: unknown;
  readonly url: URL;
}

/** A browser's history, with an entry for each push. */
function fakeBrowser(
  start: string,
): Browser & { readonly length: number; visit(to: string): void } {
  const resolve = (to: string, from: URL) => new URL(to, from);
  let entries: Entry[] = [{ state: null, url: new URL(start, 'https://venue.example') }];
  let at = 0;
  const listeners = new Set<() => void>();
  const now = (): Entry => {
    const entry = entries[at];
    if (entry === undefined) throw new Error('The history is empty.');
    return entry;
  };
  const push = (state: unknown, to: string) => {
    entries = [...entries.slice(0, at + 1), { state, url: resolve(to, now().url) }];
    at += 1;
  };
  return {
    location: {
      get pathname() {
        return now().url.pathname;
      },
      get search() {
        return now().url.search;
      },
      get hash() {
        return now().url.hash;
      },
    },
    history: {
      get state() {
        return now().state;
      },
      pushState: (state: unknown, _title: string, to: string) => push(structuredClone(state), to),
      replaceState: (state: unknown, _title: string, to: string) => {
        entries[at] = { state: structuredClone(state), url: resolve(to, now().url) };
      },
      back() {
        at -= 1;
        for (const listener of listeners) listener();
      },
    },
    addEventListener: (_type, listener) => listeners.add(listener),
    removeEventListener: (_type, listener) => listeners.delete(listener),
    get length() {
      return entries.length;
    },
    visit(to) {
      push(null, to);
      for (const listener of listeners) listener();
    },
  };
}

test('goes, tells, and comes back to what the entry kept', () => {
  const browser = fakeBrowser('/inbox');
  const router = createRouter(browser);
  const heard = vi.fn();
  router.subscribe(heard);
  router.keep('anchor', { messageId: 41, px: -12 });
  const { key } = router.current();
  router.go({ view: 'narrow', hash: '#narrow/dm/9' });
  expect(heard).toHaveBeenCalledTimes(1);
  expect(router.current().place).toEqual({ view: 'narrow', hash: '#narrow/dm/9' });
  expect(router.kept('anchor')).toBeUndefined();
  browser.history.back();
  expect(router.current()).toMatchObject({ place: { view: 'inbox' }, key });
  expect(router.kept('anchor')).toEqual({ messageId: 41, px: -12 });
});

test('going where one is adds no entry', () => {
  const browser = fakeBrowser('/inbox');
  const router = createRouter(browser);
  router.go({ view: 'inbox' });
  expect(browser.length).toBe(1);
});

test('Back closes what lies over a view, and closing goes back', () => {
  const browser = fakeBrowser('/#narrow/dm/9');
  const router = createRouter(browser);
  router.open('shortcuts');
  expect(router.current()).toMatchObject({ over: 'shortcuts', place: { view: 'narrow' } });
  router.close();
  expect(router.current().over).toBeUndefined();
  router.open('shortcuts');
  router.open('tour');
  expect(router.current().over).toBe('tour');
  browser.history.back();
  expect(router.current().over).toBeUndefined();
});

test('an address with something over it, opened from elsewhere, closes in place', () => {
  const browser = fakeBrowser('/inbox?over=tour');
  const router = createRouter(browser);
  expect(router.current().over).toBe('tour');
  router.close();
  expect(router.current()).toMatchObject({ over: undefined, place: { view: 'inbox' } });
  expect(browser.length).toBe(1);
});

test('a plain link to a narrow is followed', () => {
  const browser = fakeBrowser('/inbox');
  const router = createRouter(browser);
  browser.visit('#narrow/channel/7/topic/x');
  expect(router.current().place).toEqual({ view: 'narrow', hash: '#narrow/channel/7/topic/x' });
  router.go({ view: 'inbox' });
  expect(router.current().place).toEqual({ view: 'inbox' });
});

test('keeps filters in the address without adding entries', () => {
  const browser = fakeBrowser('/recent');
  const router = createRouter(browser);
  router.setQuery('filter', 'unread');
  expect(router.current().query).toEqual({ filter: 'unread' });
  router.setQuery('filter', undefined);
  expect(browser.length).toBe(1);
});
