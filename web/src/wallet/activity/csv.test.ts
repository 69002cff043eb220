import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it('has a line for each entry, exact, and nothing that a spreadsheet would run', () => {
  const text = csvOf([
    {
      entryId: '7',
      coin: 'btc',
      kind: 'trade',
      direction: 'in',
      amount: '0.000000000000000001',
      balanceBefore: '0',
      balanceAfter: '0.000000000000000001',
      referenceType: 'trade',
      referenceId: '=1,2"',
      fee: '0',
      time: '1759276800123',
    },
  ]);
  expect(text.split('\r\n')).toEqual([
    'time,coin,kind,direction,amount,balanceBefore,balanceAfter,entryId,referenceType,referenceId',
    `2025-10-01T00:00:00.123Z,btc,trade,in,0.000000000000000001,0,0.000000000000000001,7,trade,"'=1,2"""`,
    '',
  ]);
});
