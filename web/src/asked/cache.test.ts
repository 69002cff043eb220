import { describe, expect, it, vi } from 'vitest';
import { AskedCache } from './cache.ts';

/** A question whose answer the test gives. */
function question<T>() {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const signals: AbortSignal[] = [];
  const fetcher = vi.fn((signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  });
  return { fetcher, resolve, reject, signals };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
const nobody = () => undefined;

describe('what is asked once', () => {
  it('is asked once for two who look, and both are told', async () => {
    const cache = new AskedCache();
    const { fetcher, resolve } = question<string>();
    const [first, second] = [vi.fn(), vi.fn()];
    cache.observe('people', fetcher, first);
    cache.observe('people', fetcher, second);
    expect(cache.read('people')).toEqual({ state: 'asking' });
    resolve('mia');
    await settle();
    expect(fetcher).toHaveBeenCalledOnce();
    expect(first).toHaveBeenCalled();
    expect(second).toHaveBeenCalled();
    expect(cache.read('people')).toEqual({ state: 'known', value: 'mia', isRefreshing: false });
  });

  it('is given up when the last one leaves, and asked anew by the next', async () => {
    const cache = new AskedCache();
    const first = question<string>();
    const leave = cache.observe('people', first.fetcher, nobody);
    leave();
    expect(first.signals[0]?.aborted).toBe(true);
    first.resolve('late');
    await settle();
    expect(cache.read('people')).toEqual({ state: 'asking' });
    const second = question<string>();
    cache.observe('people', second.fetcher, nobody);
    expect(second.fetcher).toHaveBeenCalledOnce();
  });

  it('is found at once when somebody comes back, and asked again only when it is old', async () => {
    let nowMs = 0;
    const cache = new AskedCache(() => nowMs);
    const fetcher = vi.fn(() => Promise.resolve('mia'));
    cache.observe('people', fetcher, nobody)();
    cache.observe('people', fetcher, nobody);
    await settle();
    fetcher.mockClear();
    nowMs = 10_000;
    cache.observe('people', fetcher, nobody);
    expect(fetcher).not.toHaveBeenCalled();
    nowMs = 60_000;
    cache.observe('people', fetcher, nobody);
    expect(fetcher).toHaveBeenCalledOnce();
    expect(cache.read('people')).toEqual({ state: 'known', value: 'mia', isRefreshing: true });
  });

  it('keeps the error, and asks again when told', async () => {
    const cache = new AskedCache();
    const failing = question<string>();
    cache.observe('people', failing.fetcher, nobody);
    const error = new Error('no');
    failing.reject(error);
    await settle();
    expect(cache.read('people')).toEqual({ state: 'failed', error });
    cache.ask('people', () => Promise.resolve('mia'));
    expect(cache.read('people')).toEqual({ state: 'asking' });
    await settle();
    expect(cache.read('people')).toMatchObject({ state: 'known', value: 'mia' });
  });

  it('takes the result of an act, and not an older answer that comes later', async () => {
    const cache = new AskedCache();
    cache.observe('people', () => Promise.resolve(['mia']), nobody);
    await settle();
    const slow = question<string[]>();
    cache.ask('people', slow.fetcher);
    cache.set<string[]>('people', (people) => [...people, 'sara']);
    slow.resolve(['mia']);
    await settle();
    expect(cache.read('people')).toMatchObject({ value: ['mia', 'sara'], isRefreshing: false });
  });

  it('is bounded: the oldest that nobody looks at is forgotten', async () => {
    const cache = new AskedCache();
    cache.observe('seen', () => Promise.resolve(0), nobody);
    for (let n = 0; n < 200; n++) {
      const leave = cache.observe(`page ${n}`, () => Promise.resolve(n), nobody);
      await Promise.resolve();
      leave();
    }
    expect(cache.size).toBe(40);
    await settle();
    expect(cache.read('seen')).toMatchObject({ state: 'known' });
  });
});
