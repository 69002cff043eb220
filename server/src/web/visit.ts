// One request to a page with a form, and what every such page needs. Forms are sent back to this server, without
// script.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEVICE_COOKIE_SECONDS } from '../accounts/known-places/actions.ts';
import {
  cookieNames,
  deviceCookie,
  isHttps,
  linkCookie,
  parseCookie,
} from '../accounts/sessions/cookies.ts';
import { admitAddress } from '../chat/http/limits.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { isLinkKey } from '../platform/secrets/link-key.ts';
import type { Language } from '../platform/std/language.ts';
import { FORM_PAGE_HEADERS, pageValues } from './front-page.ts';
import type { LoginPage } from './login-page.ts';
import { pageLanguageOf } from './language.ts';
import { bodyOf, csrfTokenOf, takeForms } from './login.ts';
import type { PageValues } from './page.ts';

/** How long the page of an opened link may stay open. */
const LINK_COOKIE_SECONDS = 15 * 60;
/** These pages must not be indexed. */
export const HEADERS = { ...FORM_PAGE_HEADERS, 'x-robots-tag': 'noindex' } as const;

export interface PageVisit {
  readonly ctx: ApiContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: URLSearchParams;
  readonly language: Language;
  readonly values: PageValues;
}

type Handle<V extends PageVisit = PageVisit> = (visit: V) => FastifyReply | Promise<FastifyReply>;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export interface Pages<V extends PageVisit> {
  open(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<V>;
  /** Declares the pages. `on` makes a handler. */
  mount(scope: FastifyInstance, on: (work: Handle<V>) => Handler): void;
  /** Answers when `work` throws. */
  failed(visit: V, error: unknown): FastifyReply | Promise<FastifyReply>;
}

/** Mounts pages with forms. Each request is counted for its address before anything else. */
export async function mountPages<V extends PageVisit>(
  app: FastifyInstance,
  ctx: ApiContext,
  pages: Pages<V>,
): Promise<void> {
  await app.register(async (scope) => {
    takeForms(scope);
    pages.mount(scope, (work) => async (request, reply) => {
      const visit = await pages.open(ctx, request, reply);
      try {
        await admitAddress(ctx, reply, request.caller);
        return await work(visit);
      } catch (error) {
        return pages.failed(visit, error);
      }
    });
  });
}

export interface Forms {
  /** Declares the pages. `on` makes a handler. */
  mount(scope: FastifyInstance, on: (work: Handle) => Handler): void;
  /** The error page, with its status. */
  failed(visit: PageVisit, status: number): FastifyReply | Promise<FastifyReply>;
}

/** Mounts pages with forms that need no more of a request than every page does. */
export const mountForms = (
  app: FastifyInstance,
  ctx: ApiContext,
  { mount, failed }: Forms,
): Promise<void> =>
  mountPages(app, ctx, {
    open,
    mount,
    failed(visit, error) {
      if (error instanceof Refusal) void visit.reply.headers(error.headers);
      else ctx.log.error({ err: error }, 'A page could not be shown.');
      return failed(visit, error instanceof Refusal ? error.status : 503);
    },
  });

/** The pages of a link that is mailed: asking for one, opening it, using it. */
export interface LinkPages {
  readonly askPath: string;
  /** Where an opened link leads: an address without its key. */
  readonly usePath: string;
  readonly ask: Handle;
  readonly show: Handle;
  readonly use: Handle;
  sendAsk(visit: PageVisit, status: number, problem?: 'busy'): FastifyReply;
}

export const mountLinkPages = (
  app: FastifyInstance,
  ctx: ApiContext,
  { askPath, usePath, ask, show, use, sendAsk }: LinkPages,
): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(
        askPath,
        on((visit) => sendAsk(visit, 200)),
      );
      scope.post(askPath, on(ask));
      scope.get(usePath, on(show));
      scope.post(usePath, on(use));
      const follow = on((visit) => followLink(visit, usePath));
      for (const slash of ['', '/']) scope.get(`${askPath}:key${slash}`, follow);
    },
    failed: (visit, status) => sendAsk(visit, status, 'busy'),
  });

async function open(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PageVisit> {
  const body = bodyOf(request);
  const { lang } = request.query as { readonly lang?: unknown };
  const asked = body.get('lang') ?? (typeof lang === 'string' ? lang : null);
  const language = pageLanguageOf(asked, request.headers['accept-language']);
  return { ctx, request, reply, body, language, values: await pageValues(ctx) };
}

export const pageOf = ({ ctx, request, reply, language }: PageVisit): LoginPage => ({
  language,
  csrfToken: csrfTokenOf(ctx, request, reply),
  next: undefined,
});

/**
 * Stores the key of an opened link in a cookie and redirects to an address without it. The link is not used up.
 */
export function followLink(
  { ctx, request, reply, language }: PageVisit,
  path: string,
): FastifyReply {
  const { key = '' } = request.params as { readonly key?: string };
  const secure = isHttps(ctx.config);
  if (isLinkKey(key)) {
    void reply.header(
      'set-cookie',
      linkCookie(key, { secure, maxAgeSeconds: LINK_COOKIE_SECONDS }),
    );
  }
  return reply.headers(HEADERS).redirect(`${path}?lang=${language}`, 303);
}

/** Makes the browser known, forgets the key of its link, and goes to sign in, which says what was `done`. */
export function finishLink(
  { ctx, reply, language }: PageVisit,
  deviceToken: string,
  done: string,
  otherCookies: readonly string[] = [],
): FastifyReply {
  const secure = isHttps(ctx.config);
  return reply
    .headers(HEADERS)
    .header('set-cookie', [
      deviceCookie(deviceToken, { secure, maxAgeSeconds: DEVICE_COOKIE_SECONDS }),
      linkCookie('', { secure, maxAgeSeconds: 0 }),
      ...otherCookies,
    ])
    .redirect(`/login/?lang=${language}&${done}`, 303);
}

/** The key of the link that was opened in this browser. */
export const keyOf = ({ ctx, request }: PageVisit): string =>
  parseCookie(request.headers.cookie, cookieNames(isHttps(ctx.config)).link) ?? '';

export const emailIn = ({ body }: PageVisit): string =>
  (body.get('email') ?? '').trim().slice(0, 255);

export const send = ({ reply }: PageVisit, status: number, html: string): FastifyReply =>
  reply.code(status).headers(HEADERS).send(html);
