import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inAnHour, monday, tomorrow } from './later.ts';

test('Later is always to come, tomorrow and Monday at nine.', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(2020, 0), max: new Date(2040, 0), noInvalidDate: true }),
      (now) => {
        for (const at of [inAnHour(now), tomorrow(now), monday(now)]) {
          expect(at.getTime()).toBeGreaterThan(now.getTime());
        }
        expect(monday(now).getDay()).toBe(1);
        expect(monday(now).getHours()).toBe(9);
        expect(monday(now).getTime() - now.getTime()).toBeLessThan(8 * 86_400_000);
      },
    ),
  );
});
