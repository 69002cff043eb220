// The mailed link that makes a browser known: asking for it, opening it, saying yes to it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEVICE_COOKIE_SECONDS } from '../accounts/known-places/actions.ts';
import {
  cookieNames,
  csrfCookie,
  deviceCookie,
  isHttps,
  linkCookie,
  readCookie,
} from '../accounts/sessions/cookies.ts';
import { createToken } from '../accounts/sessions/token.ts';
import { admitAddress } from '../chat/http/limits.ts';
import { acceptDeviceLink, askDeviceLink, isDeviceLinkOpen } from '../chat/keys/device-link.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { isMailConfigured } from '../platform/mail/transport.ts';
import { isLinkKey } from '../platform/secrets/link-key.ts';
import {
  DEVICE_PATH,
  renderAsk,
  renderSent,
  renderUse,
  USE_PATH,
  type DeviceProblem,
} from './device-link-page.ts';
import { asVisitor, PAGES } from './audit.ts';
import { FORM_PAGE_HEADERS, pageValues } from './front-page.ts';
import type { Language } from './login-page.ts';
import {
  bodyOf,
  csrfCookieOf,
  deviceOf,
  FORM_LIFE_SECONDS,
  isOwnForm,
  languageOf,
} from './login.ts';

const FORM_BYTES_MAX = 16 * 1024;
/** How long somebody may look at the page that an opened link leads to. */
const LINK_COOKIE_SECONDS = 15 * 60;
/** Nobody is to find these pages by searching. */
const HEADERS = { ...FORM_PAGE_HEADERS, 'x-robots-tag': 'noindex' } as const;

export async function mountDeviceLink(app: FastifyInstance, ctx: ApiContext): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    const on = (work: (visit: Visit) => FastifyReply | Promise<FastifyReply>) => {
      return async (request: FastifyRequest, reply: FastifyReply) => {
        const visit = open(ctx, request, reply);
        try {
          await admitAddress(ctx, reply, request.caller);
          return await work(visit);
        } catch (error) {
          if (!(error instanceof Refusal)) {
            ctx.log.error({ err: error }, 'A page of a mailed link failed.');
          }
          if (error instanceof Refusal) void reply.headers(error.headers);
          return sendAsk(visit, error instanceof Refusal ? error.status : 503, 'busy');
        }
      };
    };
    scope.get(
      DEVICE_PATH,
      on((visit) => sendAsk(visit, 200)),
    );
    scope.post(DEVICE_PATH, on(ask));
    scope.get(USE_PATH, on(show));
    scope.post(USE_PATH, on(use));
    for (const slash of ['', '/']) scope.get(`${DEVICE_PATH}:key${slash}`, on(follow));
  });
}

/** One request, and what every page of it needs. */
interface Visit {
  readonly ctx: ApiContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: URLSearchParams;
  readonly language: Language;
}

function open(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Visit {
  const body = bodyOf(request);
  const { lang } = request.query as { readonly lang?: unknown };
  const asked = body.get('lang') ?? (typeof lang === 'string' ? lang : null);
  const language = languageOf(asked, request.headers['accept-language']);
  return { ctx, request, reply, body, language };
}

async function ask(visit: Visit): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  if (!isOwnForm(ctx, request, body)) return sendAsk(visit, 403, 'expired');
  if (!isMailConfigured(ctx.config)) return sendAsk(visit, 503, 'shut');
  await askDeviceLink(ctx, { email: emailIn(visit), caller: request.caller });
  return send(visit, 200, renderSent(pageValues(ctx), pageOf(visit)));
}

/** Remembers the key in a cookie and goes where the address does not hold it. Nothing is consumed. */
function follow({ ctx, request, reply, language }: Visit): FastifyReply {
  const { key = '' } = request.params as { readonly key?: string };
  const secure = isHttps(ctx.config);
  if (isLinkKey(key)) {
    void reply.header(
      'set-cookie',
      linkCookie(key, { secure, maxAgeSeconds: LINK_COOKIE_SECONDS }),
    );
  }
  return reply.headers(HEADERS).redirect(`${USE_PATH}?lang=${language}`, 303);
}

async function show(visit: Visit): Promise<FastifyReply> {
  const { ctx } = visit;
  if (!(await isDeviceLinkOpen(ctx, keyOf(visit)))) return sendAsk(visit, 404, 'over');
  return send(visit, 200, renderUse(pageValues(ctx), pageOf(visit)));
}

async function use(visit: Visit): Promise<FastifyReply> {
  const { ctx, request, reply, body, language } = visit;
  if (!isOwnForm(ctx, request, body)) return sendAsk(visit, 403, 'expired');
  const token = await asVisitor(ctx, PAGES.useDeviceLink, request, (own) =>
    acceptDeviceLink(own, {
      key: keyOf(visit),
      device: deviceOf(ctx, request),
      caller: request.caller,
    }),
  );
  if (token === undefined) return sendAsk(visit, 404, 'over');
  const secure = isHttps(ctx.config);
  return reply
    .headers(HEADERS)
    .header('set-cookie', [
      deviceCookie(token, { secure, maxAgeSeconds: DEVICE_COOKIE_SECONDS }),
      linkCookie('', { secure, maxAgeSeconds: 0 }),
    ])
    .redirect(`/login/?lang=${language}&device=known`, 303);
}

const keyOf = ({ ctx, request }: Visit): string =>
  readCookie(request.headers.cookie, cookieNames(isHttps(ctx.config)).link) ?? '';

const emailIn = ({ body }: Visit): string => (body.get('email') ?? '').trim().slice(0, 255);

/** The same token for every tab, so that opening a second form does not spoil the first. */
function pageOf({ ctx, request, reply, language }: Visit) {
  const known = csrfCookieOf(ctx, request);
  const csrfToken = known ?? createToken();
  if (known === undefined) {
    const secure = isHttps(ctx.config);
    void reply.header(
      'set-cookie',
      csrfCookie(csrfToken, { secure, maxAgeSeconds: FORM_LIFE_SECONDS }),
    );
  }
  return { language, csrfToken, next: undefined };
}

function sendAsk(visit: Visit, status: number, problem?: DeviceProblem): FastifyReply {
  const { ctx } = visit;
  const isShut = !isMailConfigured(ctx.config);
  const page = {
    ...pageOf(visit),
    email: emailIn(visit),
    problem: isShut ? ('shut' as const) : problem,
  };
  return send(visit, isShut ? 503 : status, renderAsk(pageValues(ctx), page));
}

const send = ({ reply }: Visit, status: number, html: string): FastifyReply =>
  reply.code(status).headers(HEADERS).send(html);
