import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseExactly } from './rpc.ts';
import { toLedgerUnits } from './units.ts';

it('units of a chain become units of the ledger without rounding, or nothing', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 256n), fc.integer({ min: 0, max: 30 }), (units, decimals) => {
      const amount = toLedgerUnits(units, decimals);
      // amount / 10^18 = units / 10^decimals, or there is no such whole amount.
      if (amount !== undefined) expect(amount * 10n ** BigInt(decimals)).toBe(units * 10n ** 18n);
      else expect((units * 10n ** 18n) % 10n ** BigInt(decimals)).not.toBe(0n);
    }),
  );
});

it('numbers of a node keep every digit', () => {
  expect(parseExactly('{"a":[9007199254740993,0.10,1e-8],"b":"7","c":null}')).toEqual({
    a: ['9007199254740993', '0.10', '1e-8'],
    b: '7',
    c: null,
  });
});
