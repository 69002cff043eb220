// The page on which a person links providers to their account and unlinks them.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { accessProvider, listLinkedProviders } from '../accounts/oidc/access.ts';
import { removeIdentity, startLink } from '../accounts/oidc/actions.ts';
import { findSession, type Session } from '../accounts/sessions/access.ts';
import { isSameToken } from '../accounts/sessions/token.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { asPerson, PAGES } from './audit.ts';
import { isFresh } from './fresh.ts';
import {
  IDENTITIES_PATH,
  renderGoOn,
  renderIdentities,
  type IdentitiesProblem,
} from './identities-page.ts';
import { HEADERS, mountForms, send, type PageVisit } from './visit.ts';

export const mountIdentities = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(IDENTITIES_PATH, on(asSignedIn((visit, session) => sendList(visit, session, 200))));
      scope.post(`${IDENTITIES_PATH}:id/`, on(asSignedIn(change)));
    },
    failed: ({ reply }, status) => reply.code(status).headers(HEADERS).send(''),
  });

const asSignedIn =
  (work: (visit: PageVisit, session: Session) => Promise<FastifyReply>) =>
  async (visit: PageVisit): Promise<FastifyReply> => {
    const { ctx, request, reply, language } = visit;
    const found = await findSession(ctx, request.headers.cookie);
    if (found.kind === 'live') return work(visit, found.session);
    const next = encodeURIComponent(`${IDENTITIES_PATH}?lang=${language}`);
    return reply.headers(HEADERS).redirect(`/login/?lang=${language}&next=${next}`, 303);
  };

async function change(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  if (!isSameToken(body.get('csrfmiddlewaretoken') ?? '', session.csrfToken)) {
    return sendList(visit, session, 403, 'expired');
  }
  if (!(await isFresh(ctx, session))) return sendList(visit, session, 403, 'again');
  const { id = '' } = request.params as { readonly id?: string };
  try {
    const provider = accessProvider(ctx, id);
    if (body.get('do') !== 'remove') return await sendGoOn(visit, session, id);
    const { user } = session;
    await asPerson(ctx, PAGES.changeIdentity, request, { user, via: 'session' }, (own) =>
      removeIdentity(own, user, provider),
    );
    return await sendList(visit, session, 200);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendList(visit, session, error.status, problemOf(error));
  }
}

function problemOf({ status, code }: Refusal): IdentitiesProblem {
  if (code === 'ONLY_WAY_IN') return 'only';
  if (code === 'IDENTITY_AWAY') return 'away';
  return status >= 500 ? 'unavailable' : 'unknown';
}

async function sendGoOn(visit: PageVisit, session: Session, id: string): Promise<FastifyReply> {
  const { ctx, language, values } = visit;
  const provider = accessProvider(ctx, id);
  const url = await startLink(ctx, provider, {
    origin: ctx.publicUrl(),
    user: session.user,
    sessionId: session.id,
    next: `${IDENTITIES_PATH}?lang=${language}`,
  });
  const page = {
    language,
    csrfToken: session.csrfToken,
    next: undefined,
    name: provider.name,
    url,
  };
  return send(visit, 200, renderGoOn(values, page));
}

async function sendList(
  visit: PageVisit,
  { user, csrfToken }: Session,
  status: number,
  problem?: IdentitiesProblem,
): Promise<FastifyReply> {
  const { ctx, language, values } = visit;
  const providers = await listLinkedProviders(ctx, user.id);
  const page = { language, csrfToken, next: undefined, providers, problem };
  return send(visit, status, renderIdentities(values, page));
}
