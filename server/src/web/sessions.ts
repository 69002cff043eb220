// The page on which a person sees where they are signed in, and ends sessions.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Session } from '../accounts/sessions/access.ts';
import { endOwnSessions, endSessionOf, listOwnSessions } from '../accounts/sessions/actions.ts';
import type { ApiContext } from '../platform/context.ts';
import { asPerson, PAGES } from './audit.ts';
import { renderSessions, SESSIONS_PATH, type SessionsProblem } from './sessions-page.ts';
import { asSignedIn, isSessionForm, sendNothing } from './signed-in.ts';
import { HEADERS, mountForms, send, type PageVisit } from './visit.ts';

export const mountSessions = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(
        SESSIONS_PATH,
        on(asSignedIn(SESSIONS_PATH, (visit, session) => sendList(visit, session, 200))),
      );
      scope.post(SESSIONS_PATH, on(asSignedIn(SESSIONS_PATH, end)));
    },
    failed: sendNothing,
  });

const SESSION_ID = /^[1-9]\d{0,17}$/;

/** Ends the session that the button names, or all but this one. */
async function end(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { ctx, request, reply, body, language } = visit;
  const { user } = session;
  if (!isSessionForm(visit, session)) return sendList(visit, session, 403, 'expired');
  const wish = body.get('end') ?? '';
  if (wish !== 'others' && !SESSION_ID.test(wish)) return sendList(visit, session, 400, 'gone');
  const isDone = await asPerson(ctx, PAGES.endSessions, request, { user, via: 'session' }, (own) =>
    wish === 'others'
      ? endOwnSessions(own, user, session.id).then(() => true)
      : endSessionOf(own, user, BigInt(wish)),
  );
  if (!isDone) return sendList(visit, session, 404, 'gone');
  return reply.headers(HEADERS).redirect(`${SESSIONS_PATH}?lang=${language}`, 303);
}

async function sendList(
  visit: PageVisit,
  { id, user, csrfToken }: Session,
  status: number,
  problem?: SessionsProblem,
): Promise<FastifyReply> {
  const { ctx, request, language, values } = visit;
  const sessions = await listOwnSessions(ctx, user, request.caller);
  const page = { language, csrfToken, next: undefined, sessions, currentId: id, problem };
  return send(visit, status, renderSessions(values, page));
}
