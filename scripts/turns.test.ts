import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './tests.ts';
import { EVERY_DAY, listByTurns, othersTurn, SLOW, TURNS } from './turns.ts';

const turns = Array.from({ length: TURNS }, (_one, turn) => String(turn));

describe('the turns of the gate', () => {
  it('name files that exist', () => {
    expect([...EVERY_DAY, ...SLOW].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it.each([
    ['end-to-end', listByTurns()],
    ['integration', SLOW],
  ])('run each slow %s test exactly once in all turns', (_kind, files) => {
    expect(files.length).toBeGreaterThan(TURNS);
    const ran = turns.flatMap((turn) => {
      const left = new Set(othersTurn(files, turn));
      return files.filter((file) => !left.has(file));
    });
    expect(ran.sort()).toEqual([...files].sort());
  });

  it('leave nothing out without a turn, and refuse a turn that is none', () => {
    expect(othersTurn(SLOW, undefined)).toEqual([]);
    expect(() => othersTurn(SLOW, '7')).toThrow('from 0 to 6');
    expect(() => othersTurn(SLOW, 'today')).toThrow('not "today"');
  });
});
