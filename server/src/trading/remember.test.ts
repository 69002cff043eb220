import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { remember } from './remember.ts';

it('loads once for callers that come together, and again when the value is too old', async () => {
  let loads = 0;
  const get = remember(50, async () => {
    loads += 1;
    await delay(5);
    return loads;
  });
  expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
  expect(get()).toBe(1);
  await delay(60);
  expect(await get()).toBe(2);
});

it('does not keep a failure', async () => {
  let isBroken = true;
  const get = remember(1000, async () => {
    if (isBroken) throw new Error('away');
    return 'here';
  });
  await expect(get()).rejects.toThrow('away');
  isBroken = false;
  expect(await get()).toBe('here');
});
