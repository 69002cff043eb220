import { expect, it } from 'vitest';
import { pause } from './wait.ts';
import { endInSteps } from './steps.ts';

const never = () => new Promise<never>(() => {});

it('runs phases one after the other, and the steps of one in parallel', async () => {
  const order: string[] = [];
  const step = (name: string, ms: number) => ({
    name,
    by: 1,
    end: async () => {
      order.push(`${name} begins`);
      await pause(ms);
      order.push(`${name} ends`);
    },
  });
  const failures: string[] = [];
  const ending = endInSteps([[step('api', 1)], [step('slow', 60), step('quick', 1)]], {
    withinMs: 60_000,
    onLate: (name) => failures.push(name),
    onError: (name) => failures.push(name),
  });
  expect(await ending.run()).toEqual([]);
  expect(order).toEqual([
    'api begins',
    'api ends',
    'slow begins',
    'quick begins',
    'quick ends',
    'slow ends',
  ]);
  expect(failures).toEqual([]);
});

it('continues without a step that does not end, and names it', async () => {
  const late: string[] = [];
  const ended: string[] = [];
  const ending = endInSteps(
    [
      [{ name: 'hangs', by: 0.2, end: never }],
      [{ name: 'fails', by: 1, end: () => Promise.reject(new Error('no')) }],
      [{ name: 'ends', by: 1, end: async () => ended.push('ends') }],
    ],
    { withinMs: 500, onLate: (name) => late.push(name), onError: (name) => late.push(`${name}!`) },
  );
  const running = ending.run();
  expect(ending.current()).toEqual(['hangs']);
  expect(await running).toEqual(['hangs', 'fails']);
  expect({ late, ended }).toEqual({ late: ['hangs', 'fails!'], ended: ['ends'] });
  expect(ending.current()).toEqual([]);
});
