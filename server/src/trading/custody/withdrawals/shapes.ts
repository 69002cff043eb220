import { Type, type Static } from 'typebox';
import { formatAmount } from '../../amount.ts';
import { Choice, Count, Decimal, MaybeMillis, Millis, toMillis } from '../../values.ts';
import { CHECKS } from './rules.ts';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from './status.ts';

export const WithdrawId = Type.String({
  pattern: '^W[1-9][0-9]{0,17}$',
  description: 'The id of a withdrawal.',
  examples: ['W20031'],
});

/** The number behind an id of this form. */
export const withdrawalIdOf = (withdrawId: string): bigint => BigInt(withdrawId.slice(1));

/** The name of the movement in the ledger, and the id that callers see. */
export const movementOf = (withdrawId: bigint): string => `W${withdrawId}`;

export const ClientWithdrawId = Type.String({
  pattern: '^[A-Za-z0-9._:/-]{1,36}$',
  description:
    'An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`, which makes the withdrawal happen once.',
  examples: ['rent-05'],
});

export const Withdrawal = Type.Object(
  {
    withdrawId: Type.String({ description: 'Its id; `referenceId` of its ledger entries.' }),
    clientWithdrawId: Type.String({ description: 'Your id; may be empty.' }),
    coin: Type.String({ description: 'Coin symbol.', examples: ['ltc'] }),
    network: Type.String({ description: 'Network symbol.', examples: ['LTC'] }),
    amount: Decimal('What leaves the account; the fee is inside it.'),
    fee: Decimal('The part of it that the venue keeps for the network.'),
    netAmount: Decimal('What the recipient gets.'),
    address: Type.String({ description: 'Where it goes.' }),
    memo: Type.String({ description: 'The memo or tag; may be empty.' }),
    txid: Type.String({ description: 'The transaction on the network; empty until there is one.' }),
    confirmations: Count('Blocks that confirm the transaction.'),
    status: Choice(
      WITHDRAWAL_STATUSES,
      'awaiting_confirmation: its owner confirms it with a second factor; awaiting_approval: operators look at it; queued, signing, broadcasting, confirming: on its way; completed: paid; canceled, rejected, failed: the amount is back.',
    ),
    statusReason: Type.String({ description: 'Why it waits or ended; may be empty.' }),
    isInternal: Type.Boolean({ description: 'Whether it goes to another account of the venue.' }),
    note: Type.String({ description: 'What you wrote for yourself; may be empty.' }),
    createdAt: Millis('When it was asked for.'),
    updatedAt: Millis('When its status last changed.'),
    completedAt: MaybeMillis('When it was completed; empty until then.'),
  },
  { title: 'Withdrawal' },
);
export type Withdrawal = Static<typeof Withdrawal>;

export interface WithdrawalTerms {
  readonly accountId: bigint;
  readonly familyId: bigint;
  readonly clientWithdrawId: string;
  readonly coin: string;
  readonly network: string;
  /** Units of 10^-18. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly address: string;
  readonly memo: string;
  readonly addressId: bigint | null;
  readonly note: string;
  readonly toAccountId: bigint | null;
  readonly needsConfirmation: boolean;
  readonly confirmBy: Date;
  readonly approvalsNeeded: number;
  readonly requestedBy: string;
  readonly createdAt: Date;
}

export interface WithdrawalRow extends WithdrawalTerms {
  readonly withdrawId: bigint;
  readonly status: WithdrawalStatus;
  readonly statusReason: string;
  readonly commandId: bigint;
  readonly isBooked: boolean;
  /** What was said about its parties; empty until somebody was asked. */
  readonly screening: string;
  readonly txid: string;
  /** Of its transaction; lists know it. */
  readonly confirmations: number;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
}

export const toWithdrawal = (row: WithdrawalRow): Withdrawal => ({
  withdrawId: movementOf(row.withdrawId),
  clientWithdrawId: row.clientWithdrawId,
  coin: row.coin,
  network: row.network,
  amount: formatAmount(row.amount),
  fee: formatAmount(row.fee),
  netAmount: formatAmount(row.amount - row.fee),
  address: row.address,
  memo: row.memo,
  txid: row.txid,
  confirmations: String(row.confirmations),
  // Clients know it by the first status that it will have; the reason tells the difference.
  status: row.status === 'requested' ? 'awaiting_confirmation' : row.status,
  statusReason: row.status === 'requested' ? 'requested' : row.statusReason,
  isInternal: row.toAccountId !== null,
  note: row.note,
  createdAt: toMillis(row.createdAt),
  updatedAt: toMillis(row.updatedAt),
  completedAt: row.completedAt === null ? '' : toMillis(row.completedAt),
});

export const WithdrawQuote = Type.Object(
  {
    coin: Type.String({ description: 'Coin symbol.', examples: ['ltc'] }),
    network: Type.String({ description: 'Network symbol.', examples: ['LTC'] }),
    amount: Decimal('What would leave the account.'),
    fee: Decimal('The part of it that the venue would keep.'),
    netAmount: Decimal('What the recipient would get; 0 when the fee eats it.'),
    minimumWithdraw: Decimal('Less than this is refused.'),
    dailyLeft: Decimal('What the account and its family may still withdraw within 24 hours.'),
    approvalsNeeded: Count('Operators who would have to approve it.'),
    availableAt: MaybeMillis(
      'When the checks that fail now will pass; empty when all pass, or when waiting does not help.',
    ),
    checks: Type.Array(
      Type.Object({
        name: Choice(CHECKS, 'What was checked.'),
        ok: Type.Boolean({ description: 'Whether it passes.' }),
        availableAt: MaybeMillis('When it will pass; may be empty.'),
      }),
    ),
  },
  { title: 'WithdrawQuote' },
);
export type WithdrawQuote = Static<typeof WithdrawQuote>;
