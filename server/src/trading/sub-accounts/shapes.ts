// What the API answers about sub-accounts and about transfers between the accounts of a family.
import { Type, type Static } from 'typebox';
import type { FamilyMember } from '../../accounts/trading-keys/access.ts';
import { formatAmount } from '../amount.ts';
import { Choice, Count, Decimal, MaybeMillis, Millis, toMillis } from '../values.ts';

export const AccountId = Type.String({
  pattern: '^[1-9][0-9]{0,15}$',
  description: 'Account id.',
  examples: ['1002'],
});

/** No control characters, and no space at either end: what is shown is what was typed. */
export const LABEL_PATTERN = '^[^\\s\\p{C}]([^\\p{C}]{0,62}[^\\s\\p{C}])?$';

export const Label = Type.String({
  pattern: LABEL_PATTERN,
  maxLength: 64,
  description: 'What you call it, 1 to 64 characters; unique among your open sub-accounts.',
  examples: ['market maker'],
});

export const ClientTransferId = Type.String({
  pattern: '^[A-Za-z0-9._:/-]{1,36}$',
  description:
    'An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`, which makes the transfer happen once.',
  examples: ['topup-17'],
});

export const SubAccount = Type.Object(
  {
    accountId: Type.String({ description: 'Account id.' }),
    parentAccountId: Type.String({ description: 'The main account that it belongs to.' }),
    label: Type.String({ description: 'What its owner calls it.' }),
    feeTier: Count('Fee tier; the whole family has the same.'),
    canTrade: Type.Boolean({ description: 'Whether orders are taken from the account.' }),
    createdAt: Millis('When it was opened.'),
    closedAt: MaybeMillis('When it was closed; may be empty.'),
  },
  { title: 'SubAccount' },
);
export type SubAccount = Static<typeof SubAccount>;

export const toSubAccount = (row: FamilyMember): SubAccount => ({
  accountId: String(row.id),
  parentAccountId: row.parentAccountId === null ? '' : String(row.parentAccountId),
  label: row.label,
  feeTier: String(row.feeTier),
  canTrade: !row.isSuspended && row.closedAt === null,
  createdAt: toMillis(row.createdAt),
  closedAt: row.closedAt === null ? '' : toMillis(row.closedAt),
});

export const TRANSFER_STATUSES = ['pending', 'completed'] as const;

export const Transfer = Type.Object(
  {
    transferId: Type.String({
      description: 'The venue’s id; `referenceId` of its two ledger entries.',
    }),
    clientTransferId: Type.String({ description: 'Your id.' }),
    fromAccountId: Type.String({ description: 'The account that gave.' }),
    toAccountId: Type.String({ description: 'The account that got.' }),
    coin: Type.String({ description: 'Coin symbol.', examples: ['usdt'] }),
    amount: Decimal('How much.'),
    status: Choice(TRANSFER_STATUSES, 'Whether the engine has made it.'),
    createdAt: Millis('When it was asked for.'),
    completedAt: MaybeMillis('When it was made; empty until then.'),
  },
  { title: 'Transfer' },
);
export type Transfer = Static<typeof Transfer>;

export interface TransferTerms {
  readonly fromAccountId: bigint;
  readonly toAccountId: bigint;
  readonly coin: string;
  /** Units of 10^-18. */
  readonly amount: bigint;
}

export interface TransferRow extends TransferTerms {
  readonly transferId: bigint;
  readonly clientTransferId: string;
  readonly commandId: bigint;
  readonly createdAt: Date;
  /** Null until the engine has made it. */
  readonly completedAt: Date | null;
}

/** The name of the movement in the ledger. */
export const movementOf = (transferId: bigint): string => `T${transferId}`;

export const toTransfer = (row: TransferRow): Transfer => ({
  transferId: movementOf(row.transferId),
  clientTransferId: row.clientTransferId,
  fromAccountId: String(row.fromAccountId),
  toAccountId: String(row.toAccountId),
  coin: row.coin,
  amount: formatAmount(row.amount),
  status: row.completedAt === null ? 'pending' : 'completed',
  createdAt: toMillis(row.createdAt),
  completedAt: row.completedAt === null ? '' : toMillis(row.completedAt),
});
