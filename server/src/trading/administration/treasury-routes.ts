// Money by hand, and what two operators decide. Every one of these takes a factor of its own.
import type { OwnerRef } from '@rialto/matching';
import { Type } from 'typebox';
import {
  approveGrant,
  askGrant,
  parseRequestId,
  rejectGrant,
  revokeGrant,
} from '../../accounts/operators/grant-actions.ts';
import { GRANTS } from '../../accounts/operators/grants.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import { randomHex } from '../../platform/std/ids.ts';
import { formatAmount } from '../amount.ts';
import { findInsolvent, readSolvency } from '../audit/solvency.ts';
import type { TradingContext } from '../context.ts';
import { refuse } from '../http/errors.ts';
import { accessAccount, getCommand } from '../operators/access.ts';
import { approveCommand, awaitCommand, requestAct, withdrawCommand } from '../operators/actions.ts';
import { adjustLedger } from '../operators/acts.ts';
import { parseCommandId } from '../operators/pending.ts';
import { Choice, CoinSymbol, Decimal } from '../values.ts';
import { adminRoute } from './route.ts';
import { answerAct, Email, Reason, Requested } from './shapes.ts';

const EACH = { method: 'POST', stepUp: 'each' } as const;

const VENUE_OWNERS = ['adjustments', 'capital', 'fees', 'suspense'] as const;
const Owner = Type.String({
  maxLength: 320,
  description: `${VENUE_OWNERS.join(', ')}, an account's number or its owner's email address.`,
});

const ownerOf = async (ctx: TradingContext, text: string): Promise<OwnerRef> =>
  VENUE_OWNERS.find((owner) => owner === text) ?? (await accessAccount(ctx.db, text));

export const postAdjust = adminRoute({
  ...EACH,
  name: 'adminLedgerAdjust',
  path: '/ledger/adjust',
  grant: 'treasury',
  audit: ['ledger credit'],
  summary: 'Asks to move money from a funded account to another; a second operator must approve.',
  params: Type.Object({
    from: Type.Optional(Owner),
    to: Owner,
    coin: CoinSymbol,
    amount: Decimal('How much, in whole coins.'),
    reason: Reason,
    id: Type.Optional(
      Type.String({ maxLength: 64, description: 'The same id never moves money twice.' }),
    ),
  }),
  returns: Requested,
  errors: ['ACCOUNT_UNKNOWN', 'PERSON_UNKNOWN'],
  async handle(ctx, { operator }, { coin, amount, reason, ...given }) {
    const from = await ownerOf(ctx, given.from ?? 'adjustments');
    const to = await ownerOf(ctx, given.to);
    const id = given.id ?? `adj-${randomHex(8)}`;
    const act = adjustLedger({ id, from, to, coin, amount, reason });
    return answerAct(ctx, requestAct(ctx, operator, act));
  },
});

export const postReconcile = adminRoute({
  ...EACH,
  name: 'adminReconcile',
  path: '/reconcile',
  grant: 'treasury',
  audit: { none: 'nothing' },
  summary: 'Compares what the ledger owes with the evidence for it, coin by coin, now.',
  params: Type.Object({}),
  returns: Type.Object({
    isCovered: Type.Boolean(),
    coins: Type.Array(
      Type.Object({
        coin: Type.String(),
        assets: Decimal('What there is evidence for.'),
        liabilities: Decimal('What accounts and the venue have.'),
      }),
    ),
  }),
  async handle(ctx) {
    const coins = await readSolvency(ctx.database.pool);
    return {
      isCovered: findInsolvent(coins).length === 0,
      coins: coins.map(({ coin, assets, liabilities }) => ({
        coin,
        assets: formatAmount(assets),
        liabilities: formatAmount(liabilities),
      })),
    };
  },
});

const GrantName = Choice(GRANTS, 'The grant.');

const Decided = Type.Object(
  { requestId: Type.String(), status: Type.String(), digest: Type.String() },
  { title: 'Decided' },
);

export const postGrantRequest = adminRoute({
  ...EACH,
  name: 'adminGrantRequest',
  path: '/grant/request',
  grant: 'everything',
  audit: ['operator request'],
  summary: 'Asks for a grant of somebody else; another operator must approve within a day.',
  params: Type.Object({ email: Email, grant: GrantName, reason: Reason }),
  returns: Decided,
  errors: ['SAME_PERSON', 'PERSON_UNKNOWN', 'ACT_REFUSED'],
  async handle(ctx, { operator }, params) {
    const { requestId, digest } = await askGrant(ctx, operator, params);
    return { requestId, status: 'awaiting_approval', digest };
  },
});

export const postGrantRevoke = adminRoute({
  ...EACH,
  name: 'adminGrantRevoke',
  path: '/grant/revoke',
  grant: 'everything',
  audit: ['operator ungrant'],
  summary: 'Takes a grant away, at once. Two people keep `everything`.',
  params: Type.Object({ email: Email, grant: GrantName, reason: Reason }),
  returns: Type.Object({ email: Type.String(), grant: Type.String() }),
  errors: ['LAST_OPERATORS', 'PERSON_UNKNOWN', 'ACT_REFUSED'],
  async handle(ctx, { operator }, params) {
    await revokeGrant(ctx, operator, params);
    return { email: params.email, grant: params.grant };
  },
});

const DECISION = {
  params: Type.Object({
    requestId: Type.String({ maxLength: 40, examples: ['command-17'] }),
    digest: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'As /pending shows it.' }),
  }),
  returns: Decided,
  errors: ['SAME_PERSON', 'NOT_AWAITING', 'DIGEST_CHANGED', 'ACT_REFUSED'],
  // Who may look may come here; what is decided asks for its own grant.
  grant: 'look',
  // The acts of the venue that wait for a second operator, and what is written when a decision is refused.
  audit: [
    'operator decide',
    'operator grant',
    'approve',
    'withdraw',
    'ledger credit',
    'ledger reverse',
    'ledger contribute',
    'ledger take_out',
    'market phase',
  ],
} as const;

/** How long the answer to an approval waits for the engine. */
const ENGINE_MS = 5000;

type Decide = (
  ctx: TradingContext,
  operator: Operator,
  given: { readonly requestId: string; readonly digest: string },
) => Promise<{ requestId: string; status: string; digest: string }>;

const decide =
  (verb: 'approve' | 'reject'): Decide =>
  async (ctx, operator, { requestId, digest }) => {
    const grantId = parseRequestId(requestId);
    if (grantId !== undefined) {
      const act = verb === 'approve' ? approveGrant : rejectGrant;
      const { status } = await act(ctx, operator, { id: grantId, digest });
      return { requestId, status, digest };
    }
    const id = parseCommandId(requestId);
    if (id === undefined) throw refuse('NOT_AWAITING', `There is no request ${requestId}.`);
    if (verb === 'approve') {
      await approveCommand(ctx, operator, id, digest);
      await awaitCommand(ctx, id, ENGINE_MS);
    } else await withdrawCommand(ctx, operator, id, digest);
    const { status } = await getCommand(ctx.db, id);
    return { requestId, status, digest };
  };

const approve = decide('approve');
const reject = decide('reject');

export const postApprove = adminRoute({
  ...EACH,
  ...DECISION,
  name: 'adminApprove',
  path: '/approve',
  summary: 'Approves what another operator asked for, as it was shown.',
  handle: (ctx, { operator }, given) => approve(ctx, operator, given),
});

export const postReject = adminRoute({
  ...EACH,
  ...DECISION,
  name: 'adminReject',
  path: '/reject',
  summary: 'Ends a request. Who asked may take it back in this way.',
  handle: (ctx, { operator }, given) => reject(ctx, operator, given),
});
