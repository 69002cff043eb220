import { expect, it } from 'vitest';
import { watchStaleFiles } from './stale-files.ts';

function open({ isOnline = true, isForgetful = false } = {}) {
  const stored = new Map<string, string>();
  const done: string[] = [];
  const listeners = new Map<string, () => void>();
  let nowMs = 1_000_000;
  const page = {
    addEventListener: (type: string, listener: () => void) => void listeners.set(type, listener),
    navigator: { onLine: isOnline },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem(key: string, value: string) {
        if (isForgetful) throw new Error('There is no storage.');
        stored.set(key, value);
      },
    },
    location: { reload: () => void done.push('reload') },
  };
  const start = () =>
    watchStaleFiles(
      page,
      () => done.push('save'),
      () => nowMs,
    );
  start();
  return {
    done,
    start,
    fail: () => listeners.get('vite:preloadError')?.(),
    leave: () => listeners.get('beforeunload')?.(),
    pass: (ms: number) => (nowMs += ms),
  };
}

it('saves what is being written, and loads the page again', () => {
  const { done, fail } = open();
  fail();
  expect(done).toEqual(['save', 'reload']);
});

it('does it once, also in the page that was loaded again, and not without end', () => {
  const { done, fail, start, pass } = open();
  fail();
  fail();
  start();
  fail();
  pass(59 * 60_000);
  fail();
  expect(done).toEqual(['save', 'reload']);
  // The next build may come the next day.
  pass(60_000);
  fail();
  expect(done).toHaveLength(4);
});

it('leaves the page alone without a network, and where nobody can remember', () => {
  for (const one of [open({ isOnline: false }), open({ isForgetful: true })]) {
    one.fail();
    expect(one.done).toEqual([]);
  }
});

it('does not hold somebody who follows a link, whatever ends then', () => {
  const { done, fail, leave, pass } = open();
  leave();
  fail();
  pass(14_000);
  fail();
  expect(done).toEqual([]);
  // The link was a file to be saved, and they are still here.
  pass(1000);
  fail();
  expect(done).toEqual(['save', 'reload']);
});
