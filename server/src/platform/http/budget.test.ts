import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerTooLarge, budgetOf, writeJson } from './budget.ts';

describe('JSON within a number of bytes', () => {
  it('equals JSON.stringify', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.nat(60), async (value, times) => {
        for (const one of [value, Array.from({ length: times }, () => value)]) {
          expect((await writeJson(one, budgetOf(1e9))).join('')).toBe(JSON.stringify(one));
        }
        const keyed = Object.fromEntries(
          Array.from({ length: times }, (_none, n) => [`k${n}`, n % 7 === 0 ? undefined : value]),
        );
        expect((await writeJson(keyed, budgetOf(1e9))).join('')).toBe(JSON.stringify(keyed));
      }),
    );
  });

  it('ends at the first entries that do not fit, long before the last', async () => {
    let written = 0;
    const entry = {
      toJSON: () => {
        written += 1;
        return 'x'.repeat(1000);
      },
    };
    const many = Array.from({ length: 100_000 }, () => entry);
    await expect(writeJson(many, budgetOf(50_000))).rejects.toThrow(AnswerTooLarge);
    expect(written).toBeLessThan(100);
  });

  it('counts bytes, not characters', async () => {
    const text = '€'.repeat(100);
    expect(await writeJson(text, budgetOf(302))).toEqual([`"${text}"`]);
    expect(() => writeJson(text, budgetOf(301))).toThrow(AnswerTooLarge);
  });

  it('yields to other requests while a long list is written', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    await writeJson(
      Array.from({ length: 3000 }, () => 'y'.repeat(10_000)),
      budgetOf(1e9),
    );
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });
});
