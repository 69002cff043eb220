import { describe, expect, it } from 'vitest';
import { PREPARED_MAX, StatementNames } from './prepared.ts';

describe('names of statements', () => {
  const text = (n: number) => `SELECT something_long_enough FROM somewhere WHERE x = ${n}`;

  it('are given at the third use, and stay', () => {
    const names = new StatementNames();
    expect([names.nameOf(text(1)), names.nameOf(text(1))]).toEqual([undefined, undefined]);
    const name = names.nameOf(text(1));
    expect(name).toMatch(/^[\w-]{22}$/);
    expect(names.nameOf(text(1))).toBe(name);
  });

  it('are never given to short statements or to those that are planned each time', () => {
    const names = new StatementNames();
    const marked = `${text(1)} /* planned each time */`;
    for (let use = 0; use < 5; use += 1) {
      expect([names.nameOf('commit'), names.nameOf(marked)]).toEqual([undefined, undefined]);
    }
  });

  it('are bounded, however many texts there are', () => {
    const names = new StatementNames();
    const given = new Set<string | undefined>();
    for (let n = 0; n < 2 * PREPARED_MAX; n += 1) {
      for (let use = 0; use < 5; use += 1) given.add(names.nameOf(text(n)));
    }
    given.delete(undefined);
    expect(given.size).toBe(PREPARED_MAX);
  });
});
