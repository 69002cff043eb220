import { expect, it } from 'vitest';
import { composeEvm, raiseEvm } from './evm.ts';

const TRANSFER = {
  path: 'm',
  chainId: '1',
  nonce: 7n,
  to: '0xaa',
  value: 5n,
  gas: 21_000n,
  rate: 100n,
  tip: 3n,
};
const pricesOf = (unsigned = '{}') => {
  const fields = JSON.parse(unsigned) as Record<string, string>;
  return [fields['maxFeePerGas'], fields['maxPriorityFeePerGas']];
};

it('pays a tip beside what the block asks for, and never more than the whole', () => {
  expect(JSON.parse(composeEvm(TRANSFER))).toEqual({
    path: 'm',
    chainId: '1',
    nonce: '7',
    to: '0xaa',
    value: '5',
    data: '0x',
    gas: '21000',
    maxFeePerGas: '100',
    maxPriorityFeePerGas: '3',
  });
  expect(pricesOf(composeEvm({ ...TRANSFER, tip: 500n }))).toEqual(['100', '100']);
  expect(composeEvm({ ...TRANSFER, data: Uint8Array.of(1, 255) })).toContain('"data":"0x01ff"');
});

it('is raised only above what it pays, and then by an eighth at least, in both parts', () => {
  const unsigned = composeEvm(TRANSFER);
  expect(raiseEvm(unsigned, { rate: 100n, tip: 50n })).toBeUndefined();
  const little = raiseEvm(unsigned, { rate: 101n, tip: 3n });
  expect([little?.rate, ...pricesOf(little?.unsigned)]).toEqual([113n, '113', '4']);
  const much = raiseEvm(unsigned, { rate: 400n, tip: 9n });
  expect([much?.rate, ...pricesOf(much?.unsigned)]).toEqual([400n, '400', '9']);
  expect(JSON.parse(much?.unsigned ?? '')).toMatchObject({ nonce: '7', to: '0xaa', value: '5' });
});
