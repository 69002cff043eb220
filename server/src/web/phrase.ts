// The page on which a signed-in person chooses the phrase that heads emails to them. The password is asked for again.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { directoryProof } from '../accounts/ldap/actions.ts';
import { confirmPassword } from '../accounts/passwords/actions.ts';
import { changePhrase, showPhrase } from '../accounts/phrases/actions.ts';
import { checkPhrase } from '../accounts/phrases/phrase.ts';
import { findSession, type Session } from '../accounts/sessions/access.ts';
import { isSameToken } from '../accounts/sessions/token.ts';
import { createPerson } from '../chat/administration/users/actions.ts';
import type { ApiContext } from '../platform/context.ts';
import { limitKeyOf } from '../platform/http/address.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { asPerson, PAGES } from './audit.ts';
import { PHRASE_PATH, renderPhrase, type PhraseSaid } from './phrase-page.ts';
import { HEADERS, mountForms, send, type PageVisit } from './visit.ts';

export const mountPhrase = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(PHRASE_PATH, on(asSignedIn((visit, session) => sendPhrase(visit, session, 200))));
      scope.post(PHRASE_PATH, on(asSignedIn(change)));
    },
    failed: ({ reply }, status) => reply.code(status).headers(HEADERS).send(''),
  });

/** A visitor who is not signed in does that first, and comes back. */
const asSignedIn =
  (work: (visit: PageVisit, session: Session) => Promise<FastifyReply>) =>
  async (visit: PageVisit): Promise<FastifyReply> => {
    const { ctx, request, reply, language } = visit;
    const found = await findSession(ctx, request.headers.cookie);
    if (found.kind === 'live') return work(visit, found.session);
    const next = encodeURIComponent(`${PHRASE_PATH}?lang=${language}`);
    return reply.headers(HEADERS).redirect(`/login/?lang=${language}&next=${next}`, 303);
  };

async function change(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  const { id: sessionId, user, csrfToken } = session;
  if (!isSameToken(body.get('csrfmiddlewaretoken') ?? '', csrfToken)) {
    return sendPhrase(visit, session, 403, 'expired');
  }
  const phrase = body.get('phrase') ?? '';
  const password = body.get('password') ?? '';
  const address = limitKeyOf(request.caller);
  try {
    checkPhrase(phrase);
  } catch {
    return sendPhrase(visit, session, 400, 'bad');
  }
  try {
    await asPerson(ctx, PAGES.changePhrase, request, { user, via: 'session' }, async (own) => {
      const proof = directoryProof(own, createPerson);
      await confirmPassword(own, user, { password, address, sessionId }, proof);
      await changePhrase(own, user, phrase);
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    void visit.reply.headers(error.headers);
    return sendPhrase(visit, session, error.status, error.status >= 429 ? 'busy' : 'wrong');
  }
  return sendPhrase(visit, session, 200, 'saved');
}

async function sendPhrase(
  visit: PageVisit,
  { user, csrfToken }: Session,
  status: number,
  said?: PhraseSaid,
): Promise<FastifyReply> {
  const { ctx, language, values } = visit;
  const phrase = await showPhrase(ctx.db, ctx, user);
  return send(
    visit,
    status,
    renderPhrase(values, { language, csrfToken, next: undefined, phrase, said }),
  );
}
