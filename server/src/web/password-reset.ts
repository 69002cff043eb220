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
  findPasswordLinkOwner,
} from '../chat/administration/keys/password-link.ts';
import type { ApiContext } from '../platform/context.ts';
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
  try {
    const token = await asPerson(
      ctx,
      PAGES.usePasswordLink,
      request,
      { user: owner, via: 'link' },
      (own) => acceptPasswordLink(own, owner, { key, password, device: deviceOf(ctx, request) }),
    );
    if (token === undefined) return await sendAsk(visit, 404, 'over');
    // The session of this browser may be another person's.
    return finishLink(visit, token, 'password=set', expiredCookies(isHttps(ctx.config)));
  } catch (error) {
    if (!(error instanceof WeakPassword)) throw error;
    return sendChoose(visit, owner, 400, 'weak', error.reason);
  }
}

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

function sendChoose(
  visit: PageVisit,
  { email }: User,
  status: number,
  problem?: ResetProblem,
  reason?: Reason,
): FastifyReply {
  const page = { ...pageOf(visit), email, problem, reason };
  return send(visit, status, renderChoose(visit.values, page));
}
