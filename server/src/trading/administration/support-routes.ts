// Accounts and people. All of them take the grant `support`.
import { Type } from 'typebox';
import {
  endSessionsOf,
  revokeChatKeyOf,
  revokeTradingKey,
} from '../../accounts/operators/people.ts';
import { clearName } from '../../accounts/sign-in/operators.ts';
import { accessAccount } from '../operators/access.ts';
import { requestAct } from '../operators/actions.ts';
import { cancelOrdersOf, resumeAccount, suspendAccount } from '../operators/acts.ts';
import { Count, MarketSymbol } from '../values.ts';
import { adminRoute } from './route.ts';
import { Account, answerAct, Email, Reason, Requested } from './shapes.ts';

const SUPPORT = { method: 'POST', grant: 'support', stepUp: 'fresh' } as const;

export const postSuspend = adminRoute({
  ...SUPPORT,
  name: 'adminAccountSuspend',
  path: '/account/suspend',
  audit: ['account suspend'],
  summary: 'Refuses new orders, transfers and withdrawals of an account.',
  params: Type.Object({
    account: Account,
    keepOrders: Type.Optional(
      Type.Boolean({ description: 'Leaves its open orders; else they are canceled.' }),
    ),
    reason: Reason,
  }),
  returns: Requested,
  errors: ['ACCOUNT_UNKNOWN', 'PERSON_UNKNOWN'],
  async handle(ctx, { operator }, { account, keepOrders = false, reason }) {
    const id = await accessAccount(ctx.db, account);
    return answerAct(ctx, requestAct(ctx, operator, suspendAccount(id, !keepOrders, reason)));
  },
});

export const postResume = adminRoute({
  ...SUPPORT,
  name: 'adminAccountResume',
  path: '/account/resume',
  audit: ['account resume'],
  summary: 'Gives a suspended account its rights back.',
  params: Type.Object({ account: Account, reason: Reason }),
  returns: Requested,
  errors: ['ACCOUNT_UNKNOWN', 'PERSON_UNKNOWN', 'ACT_REFUSED'],
  async handle(ctx, { operator }, { account, reason }) {
    const id = await accessAccount(ctx.db, account);
    return answerAct(ctx, requestAct(ctx, operator, resumeAccount(id, reason)));
  },
});

export const postCancelOrders = adminRoute({
  ...SUPPORT,
  name: 'adminAccountCancelOrders',
  path: '/account/cancel_orders',
  audit: ['account cancel_orders'],
  summary: 'Cancels the open and waiting orders of an account, in one market or in all.',
  params: Type.Object({ account: Account, symbol: Type.Optional(MarketSymbol), reason: Reason }),
  returns: Requested,
  errors: ['ACCOUNT_UNKNOWN', 'PERSON_UNKNOWN'],
  async handle(ctx, { operator }, { account, symbol, reason }) {
    const id = await accessAccount(ctx.db, account);
    return answerAct(ctx, requestAct(ctx, operator, cancelOrdersOf(id, symbol, reason)));
  },
});

export const postEndSessions = adminRoute({
  ...SUPPORT,
  name: 'adminPersonEndSessions',
  path: '/person/end_sessions',
  audit: ['session end'],
  summary: 'Signs a person out everywhere; keys stay.',
  params: Type.Object({ email: Email, reason: Reason }),
  returns: Type.Object({ email: Type.String(), sessions: Count('How many ended.') }),
  errors: ['PERSON_UNKNOWN'],
  async handle(ctx, _caller, params) {
    const { email, sessions } = await endSessionsOf(ctx, params);
    return { email, sessions: String(sessions) };
  },
});

export const postRevokeKey = adminRoute({
  ...SUPPORT,
  name: 'adminPersonRevokeTradingKey',
  path: '/person/revoke_trading_key',
  audit: ['trading_key revoke', 'trading_key delete'],
  summary: 'Takes a trading key away for good; orders that it placed stay.',
  params: Type.Object({
    keyId: Type.String({ maxLength: 64, description: 'The key.' }),
    reason: Reason,
  }),
  returns: Type.Object({ key: Type.String(), owner: Type.String() }),
  errors: ['KEY_UNKNOWN'],
  handle: (ctx, _caller, params) => revokeTradingKey(ctx, params),
});

export const postRevokeChatKey = adminRoute({
  ...SUPPORT,
  name: 'adminPersonRevokeChatKey',
  path: '/person/revoke_chat_key',
  audit: ['chat_key revoke', 'chat_key regenerate'],
  summary: 'Makes the chat key of a person or a bot worthless; its owner gets a new one.',
  params: Type.Object({ email: Email, reason: Reason }),
  returns: Type.Object({ email: Type.String() }),
  errors: ['PERSON_UNKNOWN'],
  handle: (ctx, _caller, params) => revokeChatKeyOf(ctx, params),
});

export const postClearTries = adminRoute({
  ...SUPPORT,
  name: 'adminPersonClearTries',
  path: '/person/clear_tries',
  audit: ['sign_in clear'],
  summary: 'Gives a name all its sign-in attempts back; known browsers stay known.',
  params: Type.Object({ email: Email }),
  returns: Type.Object({ email: Type.String(), cleared: Count('Buckets that were used.') }),
  async handle(ctx, { operator }, { email }) {
    const by = { operator: operator.email, via: operator.via };
    return { email, cleared: String(await clearName(ctx, by, email)) };
  },
});
