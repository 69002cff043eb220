// What owners hear of their coins on networks, by the event queue and by the channel `wallet`. An event leaves in the
// transaction of the change that it tells.
import { Type, type Static } from 'typebox';
import type { Tx } from '../../platform/db/transaction.ts';
import { Deposit } from './deposits/shapes.ts';
import { Withdrawal } from './withdrawals/shapes.ts';

const closed = { additionalProperties: false };
const accountId = Type.String({ description: 'The account: one of those that register named.' });

export const DepositChanged = Type.Object(
  {
    type: Type.Literal('deposit'),
    op: Type.Literal('update'),
    accountId,
    deposit: Deposit,
  },
  {
    ...closed,
    description:
      'A deposit came, or something of it changed but the count of its confirmations: it is told once for each change of its status, its reason or its block.',
  },
);

export const WithdrawalChanged = Type.Object(
  {
    type: Type.Literal('withdrawal'),
    op: Type.Literal('update'),
    accountId,
    withdrawal: Withdrawal,
  },
  {
    ...closed,
    description:
      'A withdrawal was asked for, or its status, its reason or its transaction changed.',
  },
);

export type WalletEvent = Static<typeof DepositChanged> | Static<typeof WithdrawalChanged>;

const TYPES: ReadonlySet<string> = new Set([
  'deposit',
  'withdrawal',
] satisfies WalletEvent['type'][]);

/** Whether an event of the log is one of these. */
export const isWalletEvent = (type: string): boolean => TYPES.has(type);

export const parseWalletEvent = (payload: string): WalletEvent =>
  JSON.parse(payload) as WalletEvent;

/** To the person whose account it is, and to nobody else. */
export const tell = (tx: Tx, userId: number, event: WalletEvent): void =>
  tx.emit(event, { users: [userId] });
