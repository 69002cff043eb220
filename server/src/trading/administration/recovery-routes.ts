// Letting people in who have lost the password and every factor. It takes two operators with the grant `support`,
// neither of them the person, and a factor of its own for each act.
import { Type } from 'typebox';
import {
  approve,
  askRecovery,
  cancelRecovery,
  listAllRecoveries,
  REASON_CHARACTERS_MAX,
} from '../../accounts/recoveries/actions.ts';
import { Choice, Count, MaybeMillis, Millis, toMillis } from '../values.ts';
import { adminRoute } from './route.ts';
import { Email } from './shapes.ts';

const EACH = { method: 'POST', grant: 'support', stepUp: 'each' } as const;

const Id = Type.String({
  pattern: '^[1-9][0-9]{0,17}$',
  description: 'The recovery, as /recovery/list shows it.',
  examples: ['7'],
});

const Listed = Type.Object(
  {
    id: Count('Names it, for /recovery/approve and /recovery/cancel.'),
    email: Type.String({ description: 'Whose account.' }),
    state: Choice(
      ['asked', 'waiting', 'usable', 'used', 'canceled', 'expired'],
      '`asked`: another operator must approve. `waiting`: the person has time to object. `usable`: they have a link.',
    ),
    reason: Type.String(),
    askedBy: Type.String({ description: 'The email address of who asked.' }),
    askedAt: Millis('When it was asked for.'),
    approvedBy: Type.String({ description: 'Empty until somebody has approved it.' }),
    usableAt: MaybeMillis('When the waiting is over; empty until somebody has approved it.'),
    expiresAt: Millis('When it ends, if nothing more happens.'),
  },
  { title: 'Recovery' },
);

export const getRecoveries = adminRoute({
  method: 'GET',
  grant: 'look',
  stepUp: 'fresh',
  name: 'adminRecoveryList',
  path: '/recovery/list',
  summary: 'Recoveries, those under way first, then the latest. At most 100.',
  params: Type.Object({}),
  returns: Type.Array(Listed),
  async handle(ctx) {
    const recoveries = await listAllRecoveries(ctx);
    return recoveries.map(({ id, email, state, reason, ...one }) => ({
      id: String(id),
      email,
      state,
      reason,
      askedBy: one.askedBy,
      askedAt: toMillis(one.askedAt),
      approvedBy: one.approvedBy,
      usableAt: one.usableAt === null ? '' : toMillis(one.usableAt),
      expiresAt: toMillis(one.expiresAt),
    }));
  },
});

export const postRecoveryAsk = adminRoute({
  ...EACH,
  name: 'adminRecoveryAsk',
  path: '/recovery/ask',
  audit: ['recovery ask'],
  summary:
    'Asks to recover the account of somebody else, as the first operator; they get an email.',
  params: Type.Object({
    email: Email,
    reason: Type.String({
      minLength: 1,
      maxLength: REASON_CHARACTERS_MAX,
      description: 'How you know who the person is. An auditor will read it.',
    }),
  }),
  returns: Type.Object({ id: Count('The recovery.'), state: Choice(['asked'], 'Its state.') }),
  errors: ['SAME_PERSON', 'PERSON_UNKNOWN', 'ACT_REFUSED'],
  async handle(ctx, { operator }, { email, reason }) {
    return { id: String(await askRecovery(ctx, operator, email, reason)), state: 'asked' as const };
  },
});

export const postRecoveryApprove = adminRoute({
  ...EACH,
  name: 'adminRecoveryApprove',
  path: '/recovery/approve',
  audit: ['recovery approve'],
  summary:
    'Approves a recovery, as the second operator. From now on the person has time to object.',
  params: Type.Object({ id: Id }),
  returns: Type.Object({
    id: Count('The recovery.'),
    state: Choice(['waiting'], 'Its state.'),
    usableAt: Millis('When the waiting is over.'),
  }),
  errors: ['SAME_PERSON', 'NOT_AWAITING'],
  async handle(ctx, { operator }, { id }) {
    const usableAt = await approve(ctx, operator, BigInt(id));
    return { id, state: 'waiting' as const, usableAt: toMillis(usableAt) };
  },
});

export const postRecoveryCancel = adminRoute({
  ...EACH,
  name: 'adminRecoveryCancel',
  path: '/recovery/cancel',
  audit: ['recovery cancel'],
  summary: 'Ends a recovery that is under way. One operator is enough.',
  params: Type.Object({ id: Id }),
  returns: Type.Object({ id: Count('The recovery.'), state: Choice(['canceled'], 'Its state.') }),
  errors: ['NOT_AWAITING'],
  async handle(ctx, { operator }, { id }) {
    await cancelRecovery(ctx, operator, BigInt(id));
    return { id, state: 'canceled' as const };
  },
});
