import { expect, it } from 'vitest';
import { startClock } from './clock.ts';

it('counts by itself: setting the clock of the machine, either way, changes nothing', () => {
  let wall = 1_760_000_000_000;
  let elapsed = 5000;
  const clock = startClock(
    () => wall,
    () => elapsed,
  );
  expect(clock()).toBe(1_760_000_000_000);
  wall -= 86_400_000;
  elapsed += 1000;
  expect(clock()).toBe(1_760_000_001_000);
  wall += 10 * 86_400_000;
  elapsed += 1000;
  expect(clock()).toBe(1_760_000_002_000);
});
