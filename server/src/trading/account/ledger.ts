// A line of the account's ledger: what changed its total in one coin, and why.
import { Type, type Static } from 'typebox';
import { formatAmount } from '../amount.ts';
import type { LedgerLine } from '../projections/access.ts';
import { Choice, Decimal, Millis } from '../values.ts';

export const LEDGER_KINDS = [
  'deposit',
  'withdrawal',
  'withdrawal_fee',
  'trade',
  'trade_fee',
  'transfer',
  'rebate',
  'adjustment',
] as const;

export const LedgerEntry = Type.Object(
  {
    entryId: Type.String({ description: 'Grows with every entry.', examples: ['880017'] }),
    coin: Type.String({ description: 'Coin symbol.', examples: ['usdt'] }),
    kind: Choice(LEDGER_KINDS, 'What it was.'),
    direction: Choice(['in', 'out'], 'Whether the total grew.'),
    amount: Decimal('By how much; never below zero.'),
    balanceBefore: Decimal('Total of the account in the coin before.'),
    balanceAfter: Decimal('And after.'),
    referenceType: Type.String({ description: 'What it refers to.', examples: ['trade'] }),
    referenceId: Type.String({ description: 'The id of that.', examples: ['5550001'] }),
    fee: Type.Literal('0', { description: 'Always 0: fees are entries of their own.' }),
    time: Millis('When it happened.'),
  },
  { title: 'LedgerEntry' },
);
export type LedgerEntry = Static<typeof LedgerEntry>;

export const toLedgerEntry = (row: LedgerLine): LedgerEntry => ({
  entryId: String(row.entryId),
  coin: row.coin,
  // The projections know no others.
  kind: row.kind as LedgerEntry['kind'],
  direction: row.direction as LedgerEntry['direction'],
  amount: formatAmount(row.amount),
  balanceBefore: formatAmount(row.balanceBefore),
  balanceAfter: formatAmount(row.balanceAfter),
  referenceType: row.referenceType,
  referenceId: row.referenceId,
  fee: '0',
  time: String(row.timeMs),
});
