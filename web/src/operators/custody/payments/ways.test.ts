import { expect, it } from 'vitest';
import type { CustodyPayment } from '../../../api/custody.ts';
import { isBumpable, waysOf } from './ways.ts';

const payment = (changes: Partial<CustodyPayment>): CustodyPayment => ({
  paymentId: 'P1',
  network: 'LTC',
  kind: 'payout',
  state: 'signing',
  reason: '',
  txid: '',
  withdrawIds: ['W1'],
  signatures: '0',
  decisions: [],
  createdAt: '1760000000000',
  updatedAt: '1760000000000',
  ...changes,
});

it('only what was sent can cost more', () => {
  expect(
    ['signing', 'broadcasting', 'confirming', 'needs_operator'].map((state) =>
      isBumpable(payment({ state })),
    ),
  ).toEqual([false, true, true, false]);
});

it('what was never signed is dropped, what may be mined is voided, and only payouts pay somebody else', () => {
  expect(waysOf(payment({ state: 'needs_operator' }))).toEqual(['retry', 'void', 'drop']);
  expect(waysOf(payment({ state: 'needs_operator', txid: 'ab' }))).toEqual(['retry', 'void']);
  expect(waysOf(payment({ state: 'signing' }))).toEqual(['retry', 'void']);
  expect(waysOf(payment({ state: 'confirming', txid: 'ab' }))).toEqual(['void']);
  expect(waysOf(payment({ kind: 'sweep', state: 'confirming', txid: 'ab' }))).toEqual([]);
});
