// Registering while others write loses and repeats nothing.
import { expect, it } from 'vitest';
import { raceRegisters } from '../../../testing/register-race.ts';

it('register is exact: state plus events equals a fresh state, in 200 races with 8 writers', async () => {
  const result = await raceRegisters(200);
  console.log('register race:', JSON.stringify(result));
  expect(result.violations).toBe(0);
  expect(result.withOpenTransaction).toBeGreaterThanOrEqual(150);
  expect(result.withUnnumberedEvent).toBeGreaterThan(0);
}, 180_000);
