// The page on which a person who is signed in finds their API key and a ready zuliprc. A session alone does not
// give it: the password is asked for again, and counted like any other.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { showChatKey } from '../accounts/chat-keys/actions.ts';
import { directoryProof } from '../accounts/ldap/actions.ts';
import { confirmPassword } from '../accounts/passwords/actions.ts';
import { findSession, type Session } from '../accounts/sessions/access.ts';
import { isSameToken } from '../accounts/sessions/token.ts';
import { renewChatKeyIn } from '../chat/administration/keys/actions.ts';
import { createPerson } from '../chat/administration/users/actions.ts';
import type { ApiContext } from '../platform/context.ts';
import { limitKeyOf } from '../platform/http/address.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { asPerson, PAGES } from './audit.ts';
import { KEY_PATH, renderKey, renderKeyForm, type KeyProblem } from './key-page.ts';
import { HEADERS, mountForms, send, type PageVisit } from './visit.ts';
import { zuliprcOf } from './zuliprc.ts';

export const mountKey = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(KEY_PATH, on(asSignedIn(show)));
      scope.post(KEY_PATH, on(asSignedIn(give)));
    },
    failed: (visit, status) => toSignIn(visit, status),
  });

/** A visitor who is not signed in does that first, and comes back. */
const asSignedIn =
  (work: (visit: PageVisit, session: Session) => FastifyReply | Promise<FastifyReply>) =>
  async (visit: PageVisit): Promise<FastifyReply> => {
    const found = await findSession(visit.ctx, visit.request.headers.cookie);
    return found.kind === 'live' ? work(visit, found.session) : toSignIn(visit, 303);
  };

function toSignIn({ reply, language }: PageVisit, status: number): FastifyReply {
  const next = encodeURIComponent(`${KEY_PATH}?lang=${language}`);
  // A page that cannot be shown at all says so by its status.
  if (status >= 400) return reply.code(status).headers(HEADERS).send('');
  return reply.headers(HEADERS).redirect(`/login/?lang=${language}&next=${next}`, 303);
}

const show = (visit: PageVisit, session: Session): FastifyReply => sendForm(visit, session, 200);

async function give(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  const { user, csrfToken } = session;
  // Another site's page may not ask in this person's name.
  if (!isSameToken(body.get('csrfmiddlewaretoken') ?? '', csrfToken)) {
    return sendForm(visit, session, 403, 'expired');
  }
  try {
    const key = await asPerson(ctx, PAGES.showKey, request, { user, via: 'session' }, (own) =>
      prove(own, visit, session),
    );
    return sendKey(visit, session, key);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    void visit.reply.headers(error.headers);
    return sendForm(visit, session, error.status, problemOf(error));
  }
}

async function prove(
  ctx: ApiContext,
  { request, body }: PageVisit,
  { id, user }: Session,
): Promise<string> {
  const confirmation = {
    password: body.get('password') ?? '',
    address: limitKeyOf(request.caller),
    sessionId: id,
  };
  await confirmPassword(ctx, user, confirmation, directoryProof(ctx, createPerson));
  return ctx.inTransaction((tx) =>
    body.get('do') === 'renew' ? renewChatKeyIn(ctx, tx, user) : showChatKey(ctx, tx, user),
  );
}

function problemOf({ status }: Refusal): KeyProblem {
  if (status >= 500) return 'unavailable';
  return status === 429 ? 'too-many' : 'wrong';
}

function sendForm(
  visit: PageVisit,
  { user, csrfToken }: Session,
  status: number,
  problem?: KeyProblem,
): FastifyReply {
  const { language, values } = visit;
  const page = { language, csrfToken, next: undefined, email: user.email, problem };
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
