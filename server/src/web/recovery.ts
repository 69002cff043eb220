// The mailed links of a recovery: the one that opens an account again, and those that cancel it.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { WeakPassword } from '../accounts/passwords/rules.ts';
import {
  acceptCancelLink,
  acceptRecoveryLink,
  findCancelLink,
  findRecoveryLink,
} from '../accounts/recoveries/actions.ts';
import { expiredCookies, isHttps, linkCookie } from '../accounts/sessions/cookies.ts';
import { renewChatKeyIn } from '../chat/administration/keys/actions.ts';
import type { ApiContext } from '../platform/context.ts';
import { asPerson, PAGES } from './audit.ts';
import { isOwnForm } from './login.ts';
import {
  CANCEL_PATH,
  CANCEL_USE_PATH,
  RECOVERY_PATH,
  RECOVERY_USE_PATH,
  renderCancel,
  renderRecovery,
  renderRecoverySaid,
  type RecoveryPage,
  type RecoverySaid,
} from './recovery-page.ts';
import { followLink, HEADERS, keyOf, mountForms, pageOf, send, type PageVisit } from './visit.ts';

export const mountRecovery = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(RECOVERY_USE_PATH, on(show));
      scope.post(RECOVERY_USE_PATH, on(use));
      scope.get(CANCEL_USE_PATH, on(showCancel));
      scope.post(CANCEL_USE_PATH, on(cancel));
      const follow = on((visit) => followLink(visit, RECOVERY_USE_PATH));
      const followCancel = on((visit) => followLink(visit, CANCEL_USE_PATH));
      for (const slash of ['', '/']) {
        scope.get(`${RECOVERY_PATH}:key${slash}`, follow);
        scope.get(`${CANCEL_PATH}:key${slash}`, followCancel);
      }
    },
    failed: (visit, status) => say(visit, status, 'busy'),
  });

async function show(visit: PageVisit): Promise<FastifyReply> {
  const owner = await findRecoveryLink(visit.ctx, keyOf(visit));
  return owner === undefined ? say(visit, 404, 'over') : sendForm(visit, 200, owner);
}

async function use(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, reply, body, language } = visit;
  const key = keyOf(visit);
  const owner = await findRecoveryLink(ctx, key);
  if (owner === undefined) return say(visit, 404, 'over');
  const again = (status: number, more: Partial<RecoveryPage>) =>
    sendForm(visit, status, { email: owner.email, ...more });
  if (!isOwnForm(ctx, request, body)) return again(403, { said: 'expired' });
  const password = body.get('password') ?? '';
  if (password !== body.get('again')) return again(400, { said: 'differ' });
  const given = { key, password, caller: request.caller };
  try {
    const isDone = await asPerson(
      ctx,
      PAGES.useRecovery,
      request,
      { user: owner, via: 'link' },
      (own) =>
        acceptRecoveryLink(own, owner, given, (tx, user) => renewChatKeyIn(own, tx, user, 'all')),
    );
    if (!isDone) return await say(visit, 404, 'over');
  } catch (error) {
    if (!(error instanceof WeakPassword)) throw error;
    return again(400, { said: 'weak', reason: error.reason });
  }
  const secure = isHttps(ctx.config);
  // The browser stays unknown: the person who was let in proves everything anew.
  return reply
    .headers(HEADERS)
    .header('set-cookie', [linkCookie('', { secure, maxAgeSeconds: 0 }), ...expiredCookies(secure)])
    .redirect(`/login/?lang=${language}&password=set`, 303);
}

async function showCancel(visit: PageVisit): Promise<FastifyReply> {
  const owner = await findCancelLink(visit.ctx, keyOf(visit));
  if (owner === undefined) return say(visit, 404, 'over');
  return send(visit, 200, renderCancel(visit.values, pageOf(visit)));
}

async function cancel(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, body, values } = visit;
  const key = keyOf(visit);
  const user = await findCancelLink(ctx, key);
  if (user === undefined) return say(visit, 404, 'over');
  if (!isOwnForm(ctx, request, body)) {
    return send(visit, 403, renderCancel(values, { ...pageOf(visit), said: 'expired' }));
  }
  const isDone = await asPerson(ctx, PAGES.cancelRecovery, request, { user, via: 'link' }, (own) =>
    acceptCancelLink(own, user, key),
  );
  return isDone ? say(visit, 200, 'canceled') : say(visit, 404, 'over');
}

const sendForm = (
  visit: PageVisit,
  status: number,
  { email, said, reason }: Pick<RecoveryPage, 'email'> & Partial<RecoveryPage>,
): FastifyReply =>
  send(visit, status, renderRecovery(visit.values, { ...pageOf(visit), email, said, reason }));

const say = (visit: PageVisit, status: number, said: RecoverySaid): FastifyReply =>
  send(visit, status, renderRecoverySaid(visit.values, pageOf(visit), said));
