// The page on which a person who is signed in finds their API key and a ready zuliprc. A session alone does not
// give it: a second factor is asked for, or the password, which is counted like any other.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { showChatKey } from '../accounts/chat-keys/actions.ts';
import { readStepUp } from '../accounts/second-factors/step-up.ts';
import type { Session } from '../accounts/sessions/access.ts';
import { renewChatKeyIn } from '../chat/administration/keys/actions.ts';
import { proveForKey } from '../chat/administration/keys/prove.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { asPerson, PAGES } from './audit.ts';
import { KEY_PATH, renderKey, renderKeyForm, type KeyProblem } from './key-page.ts';
import { asSignedIn, isSessionForm, sendNothing } from './signed-in.ts';
import { toStepUp } from './step-up.ts';
import { HEADERS, mountForms, send, type PageVisit } from './visit.ts';
import { zuliprcOf } from './zuliprc.ts';

export const mountKey = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(KEY_PATH, on(asSignedIn(KEY_PATH, show)));
      scope.post(KEY_PATH, on(asSignedIn(KEY_PATH, give)));
    },
    failed: sendNothing,
  });

/** Somebody with a second factor shows it first, and needs no password then. */
async function show(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { methods, freshUntilMs } = await readStepUp(visit.ctx, session);
  const isDue = freshUntilMs === undefined && !methods.includes('password');
  return isDue ? toStepUp(visit, KEY_PATH) : sendForm(visit, session, 200);
}

async function give(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { ctx, request } = visit;
  const { user } = session;
  if (!isSessionForm(visit, session)) return sendForm(visit, session, 403, 'expired');
  try {
    const key = await asPerson(ctx, PAGES.showKey, request, { user, via: 'session' }, (own) =>
      prove(own, visit, session),
    );
    return sendKey(visit, session, key);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'SECOND_FACTOR_REQUIRED') return toStepUp(visit, KEY_PATH);
    void visit.reply.headers(error.headers);
    return sendForm(visit, session, error.status, problemOf(error));
  }
}

async function prove(
  ctx: ApiContext,
  { request, body }: PageVisit,
  session: Session,
): Promise<string> {
  const { user } = session;
  await proveForKey(ctx, session, body.get('password') ?? '', request.caller);
  return ctx.inTransaction((tx) =>
    body.get('do') === 'renew' ? renewChatKeyIn(ctx, tx, user) : showChatKey(ctx, tx, user),
  );
}

function problemOf({ status }: Refusal): KeyProblem {
  if (status >= 500) return 'unavailable';
  return status === 429 ? 'too-many' : 'wrong';
}

async function sendForm(
  visit: PageVisit,
  session: Session,
  status: number,
  problem?: KeyProblem,
): Promise<FastifyReply> {
  const { ctx, language, values } = visit;
  const { user, csrfToken } = session;
  const { methods } = await readStepUp(ctx, session);
  const asksPassword = methods.includes('password');
  const page = { language, csrfToken, next: undefined, email: user.email, asksPassword, problem };
  return send(visit, status, renderKeyForm(values, page));
}

function sendKey(visit: PageVisit, { user, csrfToken }: Session, key: string): FastifyReply {
  const { language, values, body, reply } = visit;
  const file = zuliprcOf({ email: user.email, key, origin: values.origin });
  const wish = body.get('do');
  if (wish === 'download') {
    return reply
      .headers({
        ...HEADERS,
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': 'attachment; filename="zuliprc"',
      })
      .send(file);
  }
  const page = { language, csrfToken, next: undefined, key, file, isNew: wish === 'renew' };
  return send(visit, 200, renderKey(values, page));
}
