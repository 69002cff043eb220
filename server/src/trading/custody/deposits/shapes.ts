import { Type, type Static } from 'typebox';
import { formatAmount } from '../../amount.ts';
import { Choice, Count, Decimal, MaybeMillis, Millis, toMillis } from '../../values.ts';

export const DEPOSIT_STATUSES = [
  'detected',
  'confirming',
  'credited',
  'below_minimum',
  'held',
  'orphaned',
  'rejected',
  'reversed',
] as const;

export const Deposit = Type.Object(
  {
    depositId: Type.String({ pattern: '^D[0-9]+$', description: 'Its id.', examples: ['D10021'] }),
    coin: Type.String({ description: 'Coin symbol.', examples: ['ltc'] }),
    network: Type.String({ description: 'Network symbol.', examples: ['LTC'] }),
    amount: Decimal('What came in.'),
    fee: Decimal('The part of it that the venue keeps.'),
    address: Type.String({ description: 'The address of the account that it came to.' }),
    memo: Type.String({ description: 'The memo or tag that it had; may be empty.' }),
    txid: Type.String({ description: 'The transaction on the network.' }),
    outputIndex: Type.String({
      description:
        'Where in the transaction: the number of the output; or `n` for its own value, `l` and the number of a log, `t` and the path of an inner call.',
      examples: ['1'],
    }),
    confirmations: Count('Blocks that confirm it; 0 while it is in none.'),
    requiredConfirmations: Count('With so many it is credited.'),
    blockHash: Type.String({ description: 'Its block; empty while it is in none.' }),
    status: Choice(
      DEPOSIT_STATUSES,
      'detected, confirming, credited; below_minimum: kept until the sum reaches the minimum; held: somebody has to look, or the network is paused; orphaned: its block left the chain, and it has not come back; reversed: taken back after that.',
    ),
    statusReason: Type.String({ description: 'Why it is held; may be empty.' }),
    isInternal: Type.Boolean({ description: 'Whether it came from another account of the venue.' }),
    detectedAt: Millis('When it was first seen.'),
    creditedAt: MaybeMillis('When it was credited; may be empty.'),
    updatedAt: Millis('When its status last changed.'),
  },
  { title: 'Deposit' },
);
export type Deposit = Static<typeof Deposit>;

export interface DepositRow {
  readonly depositId: bigint;
  readonly coin: string;
  readonly network: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly address: string;
  readonly memo: string;
  readonly txid: string;
  readonly place: string;
  readonly height: number | null;
  readonly blockHash: string | null;
  readonly needed: number;
  readonly status: string;
  readonly statusReason: string;
  readonly isInternal: boolean;
  readonly detectedAt: Date;
  readonly creditedAt: Date | null;
  readonly updatedAt: Date;
  /** How far the network was read. */
  readonly scannedHeight: number;
}

export const toDeposit = (row: DepositRow): Deposit => ({
  depositId: `D${row.depositId}`,
  coin: row.coin,
  network: row.network,
  amount: formatAmount(row.amount),
  fee: formatAmount(row.fee),
  address: row.address,
  memo: row.memo,
  txid: row.txid,
  outputIndex: row.place,
  confirmations: String(row.height === null ? 0 : row.scannedHeight - row.height + 1),
  requiredConfirmations: String(row.needed),
  blockHash: row.blockHash ?? '',
  // The table's check constraint guarantees the names.
  status: row.status as Deposit['status'],
  statusReason: row.statusReason,
  isInternal: row.isInternal,
  detectedAt: toMillis(row.detectedAt),
  creditedAt: row.creditedAt === null ? '' : toMillis(row.creditedAt),
  updatedAt: toMillis(row.updatedAt),
});
