// One contract, tested on both implementations of the sliding window.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startRedis } from '../engines/redis.ts';
import { systemClock } from '../std/clock.ts';
import { createInProcessWindows } from './in-process.ts';
import { createRedisWindows } from './redis.ts';
import type { Admission, Windows } from './windows.ts';
import { MEASURED } from '../../testing/measured.ts';

const implementations: Record<string, () => Promise<Windows>> = {
  'in process': async () => createInProcessWindows(systemClock),
  Redis: () =>
    createRedisWindows({
      url: inject('redisUrl'),
      prefix: `contract${Math.random()}`,
      clock: systemClock,
      sharers: () => 1,
      onError: () => {},
      onFallback: () => {},
    }),
};

const rule = { limit: 5, windowMs: 200 };

describe.each(Object.keys(implementations))('the windows %s', (name) => {
  let windows: Windows;
  let keys = 0;
  const fresh = () => `key${(keys += 1)}`;

  beforeAll(async () => {
    windows = await (implementations[name] as () => Promise<Windows>)();
    await windows.admit('warm-up', rule);
  });
  afterAll(() => windows.close());

  it('admits the limit and no more, and counts what is left', async () => {
    const key = fresh();
    const decisions: Admission[] = [];
    for (let index = 0; index < 7; index += 1) decisions.push(await windows.admit(key, rule));
    expect(decisions.map((d) => d.admitted)).toEqual([true, true, true, true, true, false, false]);
    expect(decisions.map((d) => d.remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
  });

  it('says when one more slot frees, and frees it then', async () => {
    const key = fresh();
    let last = await windows.admit(key, rule);
    const firstAt = last.atMs;
    while (last.admitted) last = await windows.admit(key, rule);
    expect(last.resetMs).toBeCloseTo(firstAt + rule.windowMs, 0);
    await sleep(last.resetMs - last.atMs + 2);
    expect((await windows.admit(key, rule)).admitted).toBe(true);
  });

  it('leaves no trace of refusals: the wait does not grow', async () => {
    const key = fresh();
    while ((await windows.admit(key, rule)).admitted);
    for (let index = 0; index < 50; index += 1) await windows.admit(key, rule);
    const { resetMs, atMs } = await windows.admit(key, rule);
    expect(resetMs - atMs).toBeLessThanOrEqual(rule.windowMs);
  });

  it('admits the limit and no more of what is asked at once, in the order of the questions', async () => {
    const [one, other] = [fresh(), fresh()];
    const wide = { limit: 130, windowMs: 60_000 };
    const decisions = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => ({
        ofOne: index % 2 === 0,
        ...(await windows.admit(index % 2 === 0 ? one : other, index % 2 === 0 ? wide : rule)),
      })),
    );
    const ofOne = decisions.filter((d) => d.ofOne);
    expect(ofOne.map((d) => d.admitted)).toEqual(ofOne.map((_, index) => index < 130));
    expect(ofOne.map((d) => d.remaining)).toEqual(
      ofOne.map((_, index) => Math.max(0, 129 - index)),
    );
    expect(decisions.filter((d) => !d.ofOne && d.admitted)).toHaveLength(rule.limit);
  });

  it('keeps callers apart', async () => {
    const [one, other] = [fresh(), fresh()];
    while ((await windows.admit(one, rule)).admitted);
    expect((await windows.admit(other, rule)).admitted).toBe(true);
  });

  it('gives a released slot back, once', async () => {
    const key = fresh();
    const first = await windows.admit(key, rule);
    while ((await windows.admit(key, rule)).admitted);
    windows.release(key, first.token);
    await sleep(20);
    expect((await windows.admit(key, rule)).admitted).toBe(true);
    expect((await windows.admit(key, rule)).admitted).toBe(false);
  });

  it('never holds more than the limit in any interval of the window, under random bursts', async () => {
    const key = fresh();
    const admitted: number[] = [];
    const endMs = performance.now() + 3000;
    while (performance.now() < endMs) {
      const burst = Array.from({ length: 8 }, async () => windows.admit(key, rule));
      for (const decision of await Promise.all(burst)) {
        if (decision.admitted) admitted.push(decision.atMs);
      }
      await sleep(Math.random() * 90);
    }
    admitted.sort((a, b) => a - b);
    for (let index = rule.limit; index < admitted.length; index += 1) {
      const span = (admitted[index] as number) - (admitted[index - rule.limit] as number);
      expect(span).toBeGreaterThan(rule.windowMs - 0.001);
    }
    // It slides: a caller who always asks gets nearly all of the limit, window after window.
    expect(admitted.length).toBeGreaterThan(((3000 / rule.windowMs) * rule.limit) / 2);
  });
});

describe('when Redis is down', () => {
  it('decides alone, with a share of the limit, and quickly', MEASURED, async () => {
    let fallbacks = 0;
    const windows = await createRedisWindows({
      url: 'redis://127.0.0.1:1',
      prefix: 'away',
      clock: systemClock,
      sharers: () => 3,
      onError: () => {},
      onFallback: () => {
        fallbacks += 1;
      },
    });
    const startedMs = performance.now();
    const decisions: Admission[] = [];
    for (let index = 0; index < 5; index += 1) {
      decisions.push(await windows.admit('key', { limit: 10, windowMs: 1000 }));
    }
    expect(decisions.map((d) => d.admitted)).toEqual([true, true, true, false, false]);
    expect(fallbacks).toBe(5);
    expect(performance.now() - startedMs).toBeLessThan(1000);
    await windows.close();
  });
});

describe('windows on one Redis', () => {
  it('are apart by their prefix, also for a release', async () => {
    const open = (prefix: string) =>
      createRedisWindows({
        url: inject('redisUrl'),
        prefix,
        clock: systemClock,
        sharers: () => 1,
        onError: () => {},
        onFallback: () => {},
      });
    const unique = Math.random();
    const [one, other] = [await open(`one${unique}`), await open(`other${unique}`)];
    const single = { limit: 1, windowMs: 60_000 };
    expect((await one.admit('key', single)).admitted).toBe(true);
    const { admitted, token } = await other.admit('key', single);
    expect(admitted).toBe(true);
    other.release('key', token);
    expect((await one.admit('key', single)).admitted).toBe(false);
    expect((await other.admit('key', single)).admitted).toBe(true);
    await one.close();
    await other.close();
  });
});

describe('calls of Redis', () => {
  it('are one for all that is asked in a turn, up to a hundred', async () => {
    const redis = await startRedis();
    const windows = await createRedisWindows({
      url: redis.url,
      prefix: 'turns',
      clock: systemClock,
      sharers: () => 1,
      onError: () => {},
      onFallback: () => {},
    });
    const client = await createClient({ url: redis.url }).connect();
    const calls = async () => {
      const stats = await client.info('commandstats');
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
    };
    await windows.admit('first', rule);
    const askAtOnce = async (count: number) => {
      const before = await calls();
      await Promise.all(Array.from({ length: count }, async (_, n) => windows.admit(`${n}`, rule)));
      return (await calls()) - before;
    };
    expect(await askAtOnce(1)).toBe(1);
    expect(await askAtOnce(60)).toBe(1);
    expect(await askAtOnce(250)).toBe(3);
    client.destroy();
    await windows.close();
    await redis.remove();
  });
});

describe('when Redis hangs', () => {
  it('decides each that was asked, once, at the deadline', MEASURED, async () => {
    const redis = await startRedis();
    let fallbacks = 0;
    const windows = await createRedisWindows({
      url: redis.url,
      prefix: 'hangs',
      clock: systemClock,
      sharers: () => 2,
      onError: () => {},
      onFallback: () => {
        fallbacks += 1;
      },
    });
    const rule = { limit: 10, windowMs: 60_000 };
    await windows.admit('warm-up', rule);
    redis.kill('SIGSTOP');
    const startedMs = performance.now();
    const ask = (count: number) =>
      Array.from({ length: count }, async () => windows.admit('key', rule));
    const early = ask(120);
    await sleep(100);
    const decisions = await Promise.all([...early, ...ask(30)]);
    const tookMs = performance.now() - startedMs;
    redis.kill('SIGCONT');
    await sleep(50);
    expect(decisions.filter((d) => d.admitted)).toHaveLength(5);
    expect(fallbacks).toBe(150);
    expect(tookMs).toBeGreaterThan(340);
    expect(tookMs).toBeLessThan(1000);
    await windows.close();
    await redis.remove();
  });

  it('one caller waits for the deadline, the others do not, and all return to Redis when it answers promptly', async () => {
    const redis = await startRedis();
    let fallbacks = 0;
    const windows = await createRedisWindows({
      url: redis.url,
      prefix: 'hangs',
      clock: systemClock,
      sharers: () => 1,
      onError: () => {},
      onFallback: () => {
        fallbacks += 1;
      },
    });
    const rule = { limit: 1000, windowMs: 1000 };
    expect((await windows.admit('key', rule)).admitted).toBe(true);
    redis.kill('SIGSTOP');
    await windows.admit('key', rule);
    const startedMs = performance.now();
    for (let index = 0; index < 100; index += 1) await windows.admit('key', rule);
    expect(performance.now() - startedMs).toBeLessThan(100);
    expect(fallbacks).toBe(101);
    redis.kill('SIGCONT');
    await expect
      .poll(async () => {
        const before = fallbacks;
        await windows.admit('key', rule);
        return fallbacks === before;
      })
      .toBe(true);
    await windows.close();
    await redis.remove();
  });
});
