// What operators decide about coins on networks: withdrawals that wait for them, and deposits that are undone. Each decision
// takes a factor of its own, and nobody decides about their own money.
import { Type } from 'typebox';
import { assert } from '../../platform/std/assert.ts';
import { describeAwaiting, type DescribedWithdrawal } from '../custody/operators/awaiting.ts';
import {
  approveWithdrawal,
  listAwaiting,
  rejectWithdrawal,
  type AwaitingWithdrawal,
} from '../custody/withdrawals/approvals.ts';
import {
  toWithdrawal,
  Withdrawal,
  withdrawalIdOf,
  WithdrawId,
} from '../custody/withdrawals/shapes.ts';
import { requestReversal } from '../custody/deposits/reverse.ts';
import type { TradingContext } from '../context.ts';
import { WAITS } from '../custody/withdrawals/rules.ts';
import { Choice, Count, MaybeDecimal, MaybeMillis, Millis, toMillis } from '../values.ts';
import { adminRoute } from './route.ts';
import { answerAct, Reason, Requested } from './shapes.ts';

const Awaiting = Type.Object(
  {
    accountId: Type.String({ description: 'The account that asked.' }),
    accountLabel: Type.String({ description: 'What its owner calls a sub-account; else empty.' }),
    ownerEmail: Type.String({ description: 'Whose account it is.' }),
    ownerName: Type.String({ description: 'Their name.' }),
    requestedBy: Type.String({ description: 'The key that signed, or the session.' }),
    approvals: Count('Operators who have approved it.'),
    approvalsNeeded: Count('Operators who must.'),
    approvedBy: Type.Array(
      Type.Object({
        email: Type.String({ description: 'The operator.' }),
        at: Millis('When they approved it.'),
      }),
      { description: 'Who has approved it, the first one first.' },
    ),
    because: Type.Array(Choice(WAITS, 'Why it waits for operators.'), {
      description:
        'not_in_book: the address is not in the book of the owner; amount: above automaticMax; large_amount: above oneOperatorMax; screening: who is asked about its parties holds it.',
    }),
    automaticMax: MaybeDecimal('Up to this nobody is asked, in coins; empty where none is set.'),
    oneOperatorMax: MaybeDecimal('Up to this one operator is asked, above it two.'),
    address: Type.Object({
      state: Choice(
        ['present', 'removed', 'altered', 'absent'],
        'Of the entry in the book. removed: by its owner, since; altered: the row is not as it was written, so do not pay.',
      ),
      label: Type.String({ description: 'What the owner calls it; may be empty.' }),
      addedAt: MaybeMillis('Since when it is in the book; may be empty.'),
      usableAt: MaybeMillis('Since when coins may go there; may be empty.'),
    }),
    withdrawal: Withdrawal,
  },
  { title: 'AwaitingWithdrawal' },
);

const toAwaiting = ({ row, approvals, owner, entry, limits, ...known }: DescribedWithdrawal) => ({
  accountId: String(row.accountId),
  accountLabel: known.accountLabel,
  ownerEmail: owner.email,
  ownerName: owner.name,
  requestedBy: row.requestedBy,
  approvals: String(approvals),
  approvalsNeeded: String(row.approvalsNeeded),
  approvedBy: known.approvedBy.map(({ email, at }) => ({ email, at: toMillis(at) })),
  because: [...known.because],
  automaticMax: limits?.automaticMax ?? '',
  oneOperatorMax: limits?.oneOperatorMax ?? '',
  address: {
    state: entry?.state ?? ('absent' as const),
    label: entry?.label ?? '',
    addedAt: entry === undefined ? '' : toMillis(entry.createdAt),
    usableAt: entry === undefined ? '' : toMillis(entry.usableAt),
  },
  withdrawal: toWithdrawal(row),
});

const describe = async (ctx: TradingContext, awaiting: readonly AwaitingWithdrawal[]) =>
  (await describeAwaiting(ctx, awaiting)).map(toAwaiting);

/** The same after a decision. */
async function describeOne(ctx: TradingContext, awaiting: AwaitingWithdrawal) {
  const [described] = await describe(ctx, [awaiting]);
  assert(described !== undefined, 'what is described is as long as what was given');
  return described;
}

export const getAwaitingWithdrawals = adminRoute({
  name: 'adminWithdrawals',
  method: 'GET',
  path: '/withdrawals',
  grant: 'look',
  stepUp: 'fresh',
  summary: 'Withdrawals that wait for an operator, the oldest first.',
  params: Type.Object({}),
  returns: Type.Array(Awaiting),
  async handle(ctx) {
    return describe(ctx, await listAwaiting(ctx));
  },
});

export const postWithdrawApprove = adminRoute({
  name: 'adminWithdrawApprove',
  method: 'POST',
  path: '/withdraw/approve',
  grant: 'treasury',
  stepUp: 'each',
  audit: ['withdrawal approve'],
  summary: 'Approves a withdrawal. It leaves with the last approval that it needs.',
  params: Type.Object({ withdrawId: WithdrawId }),
  returns: Awaiting,
  errors: ['WITHDRAWAL_UNKNOWN', 'SAME_PERSON', 'NOT_AWAITING'],
  async handle(ctx, { operator }, { withdrawId }) {
    const awaiting = await approveWithdrawal(ctx, operator, withdrawalIdOf(withdrawId));
    return describeOne(ctx, awaiting);
  },
});

export const postWithdrawReject = adminRoute({
  name: 'adminWithdrawReject',
  method: 'POST',
  path: '/withdraw/reject',
  grant: 'treasury',
  stepUp: 'each',
  audit: ['withdrawal reject'],
  summary: 'Rejects a withdrawal that is not signed yet: the amount goes back to its account.',
  params: Type.Object({ withdrawId: WithdrawId, reason: Reason }),
  returns: Awaiting,
  errors: ['WITHDRAWAL_UNKNOWN', 'SAME_PERSON', 'NOT_AWAITING'],
  async handle(ctx, { operator }, { withdrawId, reason }) {
    const awaiting = await rejectWithdrawal(ctx, operator, withdrawalIdOf(withdrawId), reason);
    return describeOne(ctx, awaiting);
  },
});

export const postDepositReverse = adminRoute({
  name: 'adminDepositReverse',
  method: 'POST',
  path: '/deposit/reverse',
  grant: 'treasury',
  stepUp: 'each',
  audit: ['ledger reverse'],
  summary:
    'Asks to take back a deposit that its chain has undone; a second operator must approve. The ledger takes what the account still has, and with `cover` the rest from adjustments.',
  params: Type.Object({
    depositId: Type.String({
      pattern: '^D[1-9][0-9]{0,17}$',
      description: 'The deposit, as its owner and the log name it.',
      examples: ['D10021'],
    }),
    cover: Type.Optional(
      Type.Boolean({ description: 'Whether adjustments pay what is missing. False when absent.' }),
    ),
    reason: Reason,
  }),
  returns: Requested,
  errors: ['ACT_REFUSED'],
  handle: (ctx, { operator }, { depositId, cover = false, reason }) =>
    answerAct(ctx, requestReversal(ctx, operator, BigInt(depositId.slice(1)), { cover, reason })),
});
