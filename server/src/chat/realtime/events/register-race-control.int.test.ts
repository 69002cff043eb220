// The same race with the transaction check taken out. It must fail, or the race proves nothing.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

// Test files of a worker share their modules, so this one loads its own, and removes them afterwards.
beforeAll(() => {
  vi.resetModules();
  vi.doMock(import('../../../platform/db/snapshot.ts'), async (original) => ({
    ...(await original()),
    isVisibleIn: () => false,
  }));
});
afterAll(() => {
  vi.doUnmock('../../platform/db/snapshot.ts');
  vi.resetModules();
});

it('without the transaction check, register is not exact', async () => {
  const { raceRegisters } = await import('../../../testing/register-race.ts');
  const result = await raceRegisters(40);
  console.log('register race without the check:', JSON.stringify(result));
  expect(result.violations).toBeGreaterThan(0);
}, 120_000);
