// Choosing a new password by a link: requesting it by email, opening it, and choosing.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { hasDirectory } from '../accounts/ldap/settings.ts';
import { WeakPassword } from '../accounts/passwords/rules.ts';
import type { Reason } from '../accounts/passwords/reasons.ts';
import { expiredCookies, isHttps } from '../accounts/sessions/cookies.ts';
import type { User } from '../accounts/user.ts';
import {
  acceptPasswordLink,
  askPasswordLink,
  FactorNeeded,
  findPasswordLinkOwner,
  listFactorsOf,
} from '../chat/administration/keys/password-link.ts';
import { REVOKE, type Revoke } from '../chat/administration/keys/actions.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { isMailConfigured } from '../platform/mail/transport.ts';
import { asPerson, PAGES } from './audit.ts';
import { deviceOf, isOwnForm } from './login.ts';
import {
  renderAsk,
  renderChoose,
  renderSent,
  RESET_PATH,
  RESET_USE_PATH,
  type ResetProblem,
} from './password-reset-page.ts';
import {
  emailIn,
  finishLink,
  keyOf,
  mountLinkPages,
  pageOf,
  send,
  type PageVisit,
} from './visit.ts';

/** The longest code is a recovery code with its dashes. */
const OTP_CHARACTERS_MAX = 32;

export const mountPasswordReset = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountLinkPages(app, ctx, {
    askPath: RESET_PATH,
    usePath: RESET_USE_PATH,
    ask,
    show,
    use,
    sendAsk,
  });

async function ask(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, body, values } = visit;
  if (!isOwnForm(ctx, request, body)) return sendAsk(visit, 403, 'expired');
  if (!isMailConfigured(ctx.config)) return sendAsk(visit, 503);
  await askPasswordLink(ctx, { email: emailIn(visit), caller: request.caller });
  return send(visit, 200, renderSent(values, pageOf(visit)));
}

async function show(visit: PageVisit): Promise<FastifyReply> {
  const owner = await findPasswordLinkOwner(visit.ctx, keyOf(visit));
  return owner === undefined ? sendAsk(visit, 404, 'over') : sendChoose(visit, owner, 200);
}

async function use(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  const key = keyOf(visit);
  const owner = await findPasswordLinkOwner(ctx, key);
  if (owner === undefined) return sendAsk(visit, 404, 'over');
  if (!isOwnForm(ctx, request, body)) return sendChoose(visit, owner, 403, 'expired');
  const password = body.get('password') ?? '';
  if (password !== body.get('again')) return sendChoose(visit, owner, 400, 'differ');
  const choice = {
    key,
    password,
    otp: (body.get('otp') ?? '').slice(0, OTP_CHARACTERS_MAX),
    revoke: revokeIn(visit),
    device: deviceOf(ctx, request),
    caller: request.caller,
  };
  try {
    const token = await asPerson(
      ctx,
      PAGES.usePasswordLink,
      request,
      { user: owner, via: 'link' },
      (own) => acceptPasswordLink(own, owner, choice),
    );
    if (token === undefined) return await sendAsk(visit, 404, 'over');
    // The session of this browser may be another person's.
    const gone = expiredCookies(isHttps(ctx.config));
    return finishLink(visit, token, 'password=set', gone);
  } catch (error) {
    if (error instanceof WeakPassword) {
      return sendChoose(visit, owner, 400, 'weak', error.reason);
    }
    if (error instanceof FactorNeeded) {
      return sendChoose(visit, owner, 401, error.wasGiven ? 'wrongFactor' : 'factor');
    }
    if (!(error instanceof Refusal) || error.status !== 429) throw error;
    void visit.reply.headers(error.headers);
    return sendChoose(visit, owner, 429, 'tooMany');
  }
}

/** What the form says, or what it says at first. */
const revokeIn = ({ body }: PageVisit): Revoke =>
  REVOKE.find((known) => known === body.get('revoke')) ?? 'chat';

function sendAsk(visit: PageVisit, status: number, problem?: ResetProblem): FastifyReply {
  const { ctx, values } = visit;
  const isShut = !isMailConfigured(ctx.config) && problem !== 'over';
  const page = {
    ...pageOf(visit),
    email: emailIn(visit),
    problem: isShut ? ('shut' as const) : problem,
    hasDirectory: hasDirectory(ctx.config),
  };
  return send(visit, status, renderAsk(values, page));
}

async function sendChoose(
  visit: PageVisit,
  owner: User,
  status: number,
  problem?: ResetProblem,
  reason?: Reason,
): Promise<FastifyReply> {
  const factors = await listFactorsOf(visit.ctx, owner);
  const page = {
    ...pageOf(visit),
    email: owner.email,
    problem,
    reason,
    asksFactor: factors.length > 0,
    revoke: revokeIn(visit),
  };
  return send(visit, status, renderChoose(visit.values, page));
}
