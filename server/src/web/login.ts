// Signing a browser in and out by forms, without script. The rest of the API takes the session under /json.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEVICE_COOKIE_SECONDS } from '../accounts/known-places/actions.ts';
import { hasDirectory } from '../accounts/ldap/settings.ts';
import { findSession, type Session } from '../accounts/sessions/access.ts';
import {
  endOwnSessions,
  endSession,
  openSession,
  type OpenedSession,
} from '../accounts/sessions/actions.ts';
import {
  cookieNames,
  csrfCookie,
  deviceCookie,
  expiredCookies,
  isHttps,
  parseCookie,
  sessionCookies,
} from '../accounts/sessions/cookies.ts';
import { createToken, isSameToken, isToken } from '../accounts/sessions/token.ts';
import type { SignInPlace } from '../accounts/sign-in/actions.ts';
import type { User } from '../accounts/user.ts';
import type { ApiContext } from '../platform/context.ts';
import { limitKeyOf } from '../platform/http/address.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { isMailConfigured } from '../platform/mail/transport.ts';
import type { Language } from '../platform/std/language.ts';
import { DAY_SECONDS } from '../platform/std/time.ts';
import { asVisitor, PAGES } from './audit.ts';
import { FORM_PAGE_HEADERS, pageValues } from './front-page.ts';
import { pageLanguageOf } from './language.ts';
import { localPath } from './local-path.ts';
import { renderLogin, renderSignedIn, type LoginProblem } from './login-page.ts';

const FORM_BYTES_MAX = 16 * 1024;
/** A form that was opened yesterday can still be sent. */
export const FORM_LIFE_SECONDS = 7 * DAY_SECONDS;
/** The default target after signing in: the person's own page. */
const HOME = '/';

/** Authenticates by name and password; throws a refusal otherwise. */
export type SignIn = (
  ctx: ApiContext,
  given: { readonly username: string; readonly password: string; readonly place: SignInPlace },
) => Promise<User>;

/** Lets the routes of the scope take forms, and nothing else. */
export function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
}

export async function mountLogin(
  app: FastifyInstance,
  ctx: ApiContext,
  prove: SignIn,
): Promise<void> {
  await app.register(async (scope) => {
    takeForms(scope);
    scope.get('/login/', (request, reply) => showLogin(ctx, request, reply));
    for (const path of ['/login', '/accounts/login/']) {
      scope.get(path, (request, reply) => reply.redirect(`/login/${searchOf(request)}`));
    }
    scope.post('/accounts/login/', (request, reply) => signIn(ctx, request, reply, prove));
    scope.post('/accounts/logout/', (request, reply) => signOut(ctx, request, reply));
  });
}

async function showLogin(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = new URLSearchParams(searchOf(request));
  const form = parseForm(request, query);
  const found = await findSession(ctx, request.headers.cookie);
  if (found.kind !== 'live') return sendForm(ctx, request, reply, form, 200);
  return sendSignedIn(ctx, reply, form, found.session);
}

async function signIn(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  prove: SignIn,
): Promise<FastifyReply> {
  const body = bodyOf(request);
  const form = parseForm(request, body);
  if (!isOwnForm(ctx, request, body)) {
    return sendForm(ctx, request, reply, { ...form, problem: 'expired' }, 403);
  }
  try {
    const opened = await asVisitor(ctx, PAGES.signIn, request, async (own) => {
      const user = await prove(own, {
        username: form.username,
        password: body.get('password') ?? '',
        place: { address: limitKeyOf(request.caller), device: deviceOf(own, request) },
      });
      return signBrowserIn(own, request, user, { name: form.username });
    });
    return reply
      .header('set-cookie', cookiesOf(ctx, opened))
      .header('cache-control', 'no-store')
      .redirect(form.next ?? `${HOME}?lang=${form.language}`);
  } catch (error) {
    const { problem, status } = problemOf(ctx, error);
    // When to try again, for programs that do not parse the page.
    if (error instanceof Refusal) void reply.headers(error.headers);
    return sendForm(ctx, request, reply, { ...form, problem }, status);
  }
}

/**
 * Opens a session for the browser and ends its former one: nothing that was known before signing in is of
 * use after. `name` is what the person signed in by, if it was typed.
 */
export async function signBrowserIn(
  ctx: ApiContext,
  request: FastifyRequest,
  user: User,
  typed: { readonly name?: string } = {},
): Promise<OpenedSession> {
  const before = await findSession(ctx, request.headers.cookie);
  if (before.kind === 'live') await endSession(ctx, before.session);
  const visitor = {
    address: request.caller,
    agent: request.headers['user-agent'] ?? '',
    device: deviceOf(ctx, request),
    ...typed,
  };
  return openSession(ctx, user, visitor, { methods: ['password'], isFresh: true });
}

/** The token of the browser's forms. It is the same for every tab: opening a second form does not spoil the first. */
export function csrfTokenOf(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): string {
  const known = csrfCookieOf(ctx, request);
  if (known !== undefined) return known;
  const token = createToken();
  const secure = isHttps(ctx.config);
  void reply.header('set-cookie', csrfCookie(token, { secure, maxAgeSeconds: FORM_LIFE_SECONDS }));
  return token;
}

/** The browser's session, and its device token. */
export function cookiesOf(ctx: ApiContext, opened: OpenedSession): string[] {
  const secure = isHttps(ctx.config);
  return [
    ...sessionCookies(opened, { secure, maxAgeSeconds: opened.maxAgeSeconds }),
    deviceCookie(opened.deviceToken, { secure, maxAgeSeconds: DEVICE_COOKIE_SECONDS }),
  ];
}

export const deviceOf = (ctx: ApiContext, { headers }: FastifyRequest): string | undefined =>
  parseCookie(headers.cookie, cookieNames(isHttps(ctx.config)).device);

async function signOut(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = bodyOf(request);
  const form = parseForm(request, body);
  const found = await findSession(ctx, request.headers.cookie);
  if (found.kind === 'live') {
    const { session } = found;
    if (!isSameToken(body.get('csrfmiddlewaretoken') ?? '', session.csrfToken)) {
      // Another site's page may not sign anybody out; ours shows the button again.
      return sendSignedIn(ctx, reply.code(403), form, session);
    }
    await asVisitor(ctx, PAGES.signOut, request, (own) =>
      body.get('everywhere') === 'true'
        ? endOwnSessions(own, session.user)
        : endSession(own, session),
    );
  }
  return reply
    .header('set-cookie', expiredCookies(isHttps(ctx.config)))
    .header('cache-control', 'no-store')
    .redirect(`/login/?lang=${form.language}`);
}

interface FormState {
  readonly language: Language;
  readonly next: string | undefined;
  readonly username: string;
  readonly problem: LoginProblem | undefined;
  readonly done: 'known' | 'passwordSet' | undefined;
}

function parseForm(request: FastifyRequest, values: URLSearchParams): FormState {
  return {
    language: pageLanguageOf(values.get('lang'), request.headers['accept-language']),
    next: localPath(values.get('next') ?? undefined),
    username: values.get('username')?.slice(0, 254) ?? '',
    problem: undefined,
    done: request.method === 'GET' ? doneIn(values) : undefined,
  };
}

function doneIn(values: URLSearchParams): FormState['done'] {
  if (values.get('password') === 'set') return 'passwordSet';
  return values.get('device') === 'known' ? 'known' : undefined;
}

/**
 * Whether the form came from our page: it repeats the cookie's value, which other sites can neither read nor set.
 * Otherwise a person could be signed in as another without noticing.
 */
export function isOwnForm(
  ctx: ApiContext,
  request: FastifyRequest,
  body: URLSearchParams,
): boolean {
  const expected = csrfCookieOf(ctx, request);
  return expected !== undefined && isSameToken(body.get('csrfmiddlewaretoken') ?? '', expected);
}

export function csrfCookieOf(ctx: ApiContext, { headers }: FastifyRequest): string | undefined {
  const value = parseCookie(headers.cookie, cookieNames(isHttps(ctx.config)).csrf);
  return value !== undefined && isToken(value) ? value : undefined;
}

async function sendForm(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  form: FormState,
  status: number,
): Promise<FastifyReply> {
  const values = await pageValues(ctx);
  // The same for every tab, so that opening a second form does not invalidate the first.
  const csrfToken = csrfCookieOf(ctx, request) ?? createToken();
  const secure = isHttps(ctx.config);
  return reply
    .code(status)
    .headers(FORM_PAGE_HEADERS)
    .header('set-cookie', csrfCookie(csrfToken, { secure, maxAgeSeconds: FORM_LIFE_SECONDS }))
    .send(
      renderLogin(values, {
        ...form,
        csrfToken,
        takesNames: hasDirectory(ctx.config),
        offersLink: isMailConfigured(ctx.config),
      }),
    );
}

async function sendSignedIn(
  ctx: ApiContext,
  reply: FastifyReply,
  form: FormState,
  { user, csrfToken }: Session,
): Promise<FastifyReply> {
  const values = await pageValues(ctx);
  return reply
    .headers(FORM_PAGE_HEADERS)
    .send(renderSignedIn(values, { ...form, csrfToken }, user));
}

function problemOf(ctx: ApiContext, error: unknown): { problem: LoginProblem; status: number } {
  if (!(error instanceof Refusal)) {
    ctx.log.error({ err: error }, 'Somebody could not be signed in.');
    return { problem: 'unavailable', status: 503 };
  }
  if (error.status >= 500) return { problem: 'unavailable', status: 503 };
  if (error.status === 429) return { problem: 'too-many', status: 429 };
  // An invalid address reveals nothing about anybody, but is answered like any wrong one.
  const isGone = error.code === 'USER_DEACTIVATED';
  return { problem: isGone ? 'deactivated' : 'wrong', status: 401 };
}

function searchOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark);
}

export const bodyOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();
