import { expect, it } from 'vitest';
import { keptBy } from './journal.ts';

it('rows are kept from one on, or of so many days', () => {
  expect(keptBy({ below: '1000001' })).toEqual({ fromSeq: 1_000_001 });
  expect(keptBy({ keepDays: '90' })).toEqual({ days: 90 });
});

it('nothing else is understood', () => {
  for (const said of [{}, { below: '5', keepDays: '5' }]) {
    expect(() => keptBy(said)).toThrow('either --below ROW or --keep-days DAYS');
  }
  for (const below of ['0', '-1', '1.5', '1e6', '', 'all', '9'.repeat(16)]) {
    expect(() => keptBy({ below })).toThrow('--below must be');
  }
  for (const keepDays of ['0', '-1', '1.5', '', 'all', '36501']) {
    expect(() => keptBy({ keepDays })).toThrow('--keep-days must be 1 to 36500');
  }
});
