// Pages that only people who are signed in can use. Others sign in first, and come back.
import type { FastifyReply } from 'fastify';
import { findSession, type Session } from '../accounts/sessions/access.ts';
import { isSameToken } from '../accounts/sessions/token.ts';
import { HEADERS, type PageVisit } from './visit.ts';

type Work = (visit: PageVisit, session: Session) => FastifyReply | Promise<FastifyReply>;

/** Runs `work` for the person of the session; `path` is where the visitor comes back to. */
export const asSignedIn =
  (path: string, work: Work) =>
  async (visit: PageVisit): Promise<FastifyReply> => {
    const found = await findSession(visit.ctx, visit.request.headers.cookie);
    return found.kind === 'live' ? work(visit, found.session) : toSignIn(visit, path);
  };

export function toSignIn({ reply, language }: PageVisit, path: string): FastifyReply {
  const mark = path.includes('?') ? '&' : '?';
  const next = encodeURIComponent(`${path}${mark}lang=${language}`);
  return reply.headers(HEADERS).redirect(`/login/?lang=${language}&next=${next}`, 303);
}

/** For `failed`: a page that cannot be shown at all says so by its status. */
export const sendNothing = ({ reply }: PageVisit, status: number): FastifyReply =>
  reply.code(status).headers(HEADERS).send('');

/** Whether the form is our own page's: another site's page may not ask in this person's name. */
export const isSessionForm = ({ body }: PageVisit, { csrfToken }: Session): boolean =>
  isSameToken(body.get('csrfmiddlewaretoken') ?? '', csrfToken);
