// What operators decide about coins on networks: withdrawals that wait for them, and deposits that are undone. Each decision
// takes a factor of its own, and nobody decides about their own money.
import { Type } from 'typebox';
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
import { Count } from '../values.ts';
import { adminRoute } from './route.ts';
import { answerAct, Reason, Requested } from './shapes.ts';

const Awaiting = Type.Object(
  {
    accountId: Type.String({ description: 'The account that asked.' }),
    requestedBy: Type.String({ description: 'The key that signed, or the session.' }),
    approvals: Count('Operators who have approved it.'),
    approvalsNeeded: Count('Operators who must.'),
    withdrawal: Withdrawal,
  },
  { title: 'AwaitingWithdrawal' },
);

const toAwaiting = ({ row, approvals }: AwaitingWithdrawal) => ({
  accountId: String(row.accountId),
  requestedBy: row.requestedBy,
  approvals: String(approvals),
  approvalsNeeded: String(row.approvalsNeeded),
  withdrawal: toWithdrawal(row),
});

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
    return (await listAwaiting(ctx)).map(toAwaiting);
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
    return toAwaiting(await approveWithdrawal(ctx, operator, withdrawalIdOf(withdrawId)));
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
    return toAwaiting(await rejectWithdrawal(ctx, operator, withdrawalIdOf(withdrawId), reason));
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
