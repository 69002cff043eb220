import { expect, it } from 'vitest';
import { pause } from '../../platform/std/wait.ts';
import { BindTimes } from './times.ts';

it('draws from measured times, and knows none at first', async () => {
  const times = new BindTimes();
  expect(times.draw()).toBe(0);
  expect(await times.measure(() => pause(30).then(() => 'done'))).toBe('done');
  expect(times.draw()).toBeGreaterThan(25);
});

it('keeps only the last ones, so that it follows a directory that became faster', async () => {
  const times = new BindTimes();
  await times.measure(() => pause(40));
  for (let count = 0; count < 64; count += 1) await times.measure(async () => {});
  expect(times.draw(() => 0)).toBeLessThan(30);
  expect(times.draw(() => 0.999)).toBeLessThan(30);
});
