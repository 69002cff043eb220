import { expect, it } from 'vitest';
import { hashPassword, TooManyHashes, verifyPassword } from './hash.ts';
import { MEASURED } from '../../testing/measured.ts';

it('a person from a known place does not wait behind strangers', MEASURED, async () => {
  const stored = await hashPassword('the right one');
  let strangersDone = 0;
  const strangers = Array.from({ length: 40 }, async () => {
    await verifyPassword(stored, 'wrong', 'stranger');
    strangersDone += 1;
  });
  const known: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const before = strangersDone;
    expect(await verifyPassword(stored, 'the right one', 'known')).toBe(true);
    known.push(strangersDone - before);
  }
  // Both slots are busy with work of equal length, so meanwhile a stranger or two finish; forty
  // were waiting.
  expect(Math.max(...known)).toBeLessThanOrEqual(5);
  expect(strangersDone).toBeLessThan(40);
  await Promise.all(strangers);
  expect(strangersDone).toBe(40);
});

it('strangers beyond the queue are refused, and known places are not', async () => {
  const stored = await hashPassword('the right one');
  const crowd = Array.from({ length: 250 }, () => verifyPassword(stored, 'wrong', 'stranger'));
  const outcomes = Promise.allSettled(crowd);
  expect(await verifyPassword(stored, 'the right one', 'known')).toBe(true);
  const refused = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(49);
  for (const outcome of refused) {
    expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(TooManyHashes);
  }
});

const best = async (storedHash: string | null): Promise<number> => {
  let bestMs = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const startedMs = performance.now();
    expect(await verifyPassword(storedHash, 'a guess', 'known')).toBe(false);
    bestMs = Math.min(bestMs, performance.now() - startedMs);
  }
  return bestMs;
};

it('a name without a password costs what a wrong password costs', MEASURED, async () => {
  const unknownMs = await best(null);
  const knownMs = await best(await hashPassword('another'));
  expect(unknownMs).toBeGreaterThan(knownMs * 0.5);
  expect(unknownMs).toBeLessThan(knownMs * 2);
});
