// Signing in with a provider: the way there, the way back, and the logout that a provider announces.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { askerOf, runAudited } from '../accounts/audit/call.ts';
import { finishSignIn, startSignIn, type Hands, type Returned } from '../accounts/oidc/actions.ts';
import { OidcRefusal } from '../accounts/oidc/errors.ts';
import { obeyLogout } from '../accounts/oidc/logout.ts';
import { findProvider, loginPathOf, type Provider } from '../accounts/oidc/settings.ts';
import { cookieNames, isHttps, parseCookie, waitingCookie } from '../accounts/sessions/cookies.ts';
import { SIGN_IN_MINUTES } from '../accounts/sign-in/started.ts';
import { createPerson } from '../chat/administration/users/actions.ts';
import { applyRules } from '../chat/administration/users/by-rules.ts';
import { Refusal } from '../platform/http/refusal.ts';
import type { ApiContext } from '../platform/context.ts';
import { startAppSignIn } from './app-sign-in.ts';
import { asVisitor, PAGES, PROVIDER_RETURN } from './audit.ts';
import { IDENTITIES_PATH } from './identities-page.ts';
import { localPath } from './local-path.ts';
import { sendStage, visitorOf, wantsJson } from './login.ts';
import { renderProviderProblem, textOfProblem, type ProviderProblem } from './oidc-page.ts';
import { HEADERS, mountForms, pageOf, send, type PageVisit } from './visit.ts';

const COOKIE_SECONDS = SIGN_IN_MINUTES * 60;

export const mountOidc = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get('/accounts/login/oidc/:id/', on(asked(start)));
      scope.get('/accounts/login/oidc/:id/callback/', on(asked(comeBack)));
      scope.post('/accounts/oidc/:id/backchannel/', on(announce));
    },
    failed: (visit, status) =>
      sendProblem(visit, status, status === 429 ? 'too-many' : 'away', undefined),
  });

const providerOf = ({ ctx, request }: PageVisit): Provider | undefined => {
  const { id = '' } = request.params as { readonly id?: string };
  return findProvider(ctx.config, id);
};

/** Shows a refusal on the page of its provider. */
const asked =
  (work: (visit: PageVisit, provider: Provider) => Promise<FastifyReply>) =>
  async (visit: PageVisit): Promise<FastifyReply> => {
    const provider = providerOf(visit);
    if (provider === undefined) return sendProblem(visit, 404, 'no-provider', undefined);
    try {
      return await work(visit, provider);
    } catch (error) {
      if (!(error instanceof OidcRefusal)) throw error;
      void visit.reply.headers(error.headers);
      return sendProblem(visit, error.status, error.problem, provider);
    }
  };

function sendProblem(
  visit: PageVisit,
  status: number,
  problem: ProviderProblem,
  provider: Provider | undefined,
): FastifyReply {
  if (wantsJson(visit.request)) {
    const code = `IDENTITY_${problem.replace('-', '_').toUpperCase()}`;
    return visit.reply
      .code(status)
      .header('cache-control', 'no-store')
      .send({ result: 'error', msg: textOfProblem('en', problem), code });
  }
  return send(
    visit,
    status,
    renderProviderProblem(visit.values, { ...pageOf(visit), problem, provider }),
  );
}

const queryOf = ({ request }: PageVisit): URLSearchParams => new URLSearchParams(searchOf(request));

function searchOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark);
}

/** Sends the browser to the provider. It is a link: nothing is changed here but what this browser waits for. */
async function start(visit: PageVisit, provider: Provider): Promise<FastifyReply> {
  const { ctx, reply } = visit;
  const query = queryOf(visit);
  const app = await startAppSignIn(visit);
  if (app === 'bad') return sendProblem(visit, 400, 'bad-app', undefined);
  const next = app?.next ?? localPath(query.get('next') ?? undefined);
  const { url, token } = await startSignIn(ctx, provider, {
    origin: ctx.publicUrl(),
    next,
    isAgain: query.get('again') === 'true',
  });
  const options = { secure: isHttps(ctx.config), maxAgeSeconds: COOKIE_SECONDS };
  return reply
    .headers(HEADERS)
    .header('set-cookie', [waitingCookie('provider', token, options), ...(app?.cookies ?? [])])
    .redirect(url, 302);
}

/** What the chat does for people who come from a provider. */
const HANDS: Hands = { create: createPerson, applyRules };

async function comeBack(visit: PageVisit, provider: Provider): Promise<FastifyReply> {
  const { ctx, request, reply, language } = visit;
  const visitor = await visitorOf(ctx, request);
  const secure = isHttps(ctx.config);
  const token = parseCookie(request.headers.cookie, cookieNames(secure).provider);
  // Spent with the answer, whatever it is.
  void reply.header('set-cookie', [waitingCookie('provider', '', { secure, maxAgeSeconds: 0 })]);
  const asker = askerOf(request, 'GET', undefined, 'session');
  const returned: Returned = await runAudited(ctx, PROVIDER_RETURN, asker, (own) =>
    finishSignIn(
      own,
      provider,
      {
        origin: ctx.publicUrl(),
        search: searchOf(request),
        token,
        session: visitor.former,
        visitor,
      },
      HANDS,
    ),
  );
  if (returned.kind === 'signed in') {
    return sendStage(ctx, request, reply.headers(HEADERS), returned.stage, language);
  }
  const { next } = returned;
  if (returned.kind === 'linked') {
    return reply.headers(HEADERS).redirect(next ?? `${IDENTITIES_PATH}?lang=${language}`, 303);
  }
  const query = new URLSearchParams({ lang: language, ...(next !== undefined && { next }) });
  return reply.headers(HEADERS).redirect(`${loginPathOf(provider)}?${query.toString()}`, 303);
}

/** A provider's own request. Its token is all that is believed. */
async function announce(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, reply, body } = visit;
  void reply.header('cache-control', 'no-store');
  const provider = providerOf(visit);
  try {
    if (provider === undefined) throw new OidcRefusal('refused');
    await asVisitor(ctx, PAGES.providerLogout, request, (own) =>
      obeyLogout(own, provider, body.get('logout_token') ?? ''),
    );
    return reply.code(200).send();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return reply
      .code(error.status >= 500 ? 503 : 400)
      .send({ error: 'invalid_request', error_description: error.message });
  }
}
