// Signing a browser in and out by forms, without script. The rest of the API takes the session under /json.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEVICE_COOKIE_SECONDS } from '../accounts/known-places/actions.ts';
import { hasDirectory } from '../accounts/ldap/settings.ts';
import { endSessionUrl } from '../accounts/oidc/client.ts';
import { findProvider, type Provider } from '../accounts/oidc/settings.ts';
import { relyingPartyOf } from '../accounts/passkeys/relying-party.ts';
import { findSession, type Session } from '../accounts/sessions/access.ts';
import { findProviderSession } from '../accounts/sessions/provider.ts';
import {
  endOwnSessions,
  endSession,
  openSession,
  type OpenedSession,
  type Visitor,
} from '../accounts/sessions/actions.ts';
import {
  cookieNames,
  csrfCookie,
  deviceCookie,
  expiredCookies,
  isHttps,
  parseCookie,
  sessionCookies,
  signInCookie,
} from '../accounts/sessions/cookies.ts';
import { createToken, isSameToken, isToken } from '../accounts/sessions/token.ts';
import type { SignInPlace } from '../accounts/sign-in/actions.ts';
import { SIGN_IN_COOKIE_SECONDS, takeProof, type Stage } from '../accounts/sign-in/stages.ts';
import type { User } from '../accounts/user.ts';
import type { ApiContext } from '../platform/context.ts';
import { limitKeyOf } from '../platform/http/address.ts';
import { helpLink } from '../platform/http/help.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { isMailConfigured } from '../platform/mail/transport.ts';
import type { Language } from '../platform/std/language.ts';
import { DAY_SECONDS } from '../platform/std/time.ts';
import { asVisitor, PAGES } from './audit.ts';
import { FORM_PAGE_HEADERS, pageValues } from './front-page.ts';
import { pageLanguageOf } from './language.ts';
import { localPath } from './local-path.ts';
import { aloneForm, REFUSED, SCRIPT_PAGE_HEADERS } from './passkey-form.ts';
import { renderLogin, renderSignedIn, type LoginForm, type LoginProblem } from './login-page.ts';
import { waysOf } from './login-ways.ts';
import { renderSignedOut } from './oidc-page.ts';

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
    if (wantsJson(request)) return sendRefusal(reply, notOwnForm());
    return sendForm(ctx, request, reply, { ...form, problem: 'expired' }, 403);
  }
  try {
    const stage = await asVisitor(ctx, PAGES.signIn, request, async (own) => {
      const user = await prove(own, {
        username: form.username,
        password: body.get('password') ?? '',
        place: { address: limitKeyOf(request.caller), device: deviceOf(own, request) },
      });
      const visitor = { ...(await visitorOf(own, request)), name: form.username };
      const proof = { user, methods: ['password'], isStrong: false, next: form.next } as const;
      return takeProof(own, visitor, proof);
    });
    return sendStage(ctx, request, reply, stage, form.language);
  } catch (error) {
    const { problem, status } = problemOf(ctx, error);
    // When to try again, for programs that do not parse the page.
    if (error instanceof Refusal) void reply.headers(error.headers);
    if (wantsJson(request)) return sendRefusal(reply, error);
    return sendForm(ctx, request, reply, { ...form, problem }, status);
  }
}

/** Who asks, for the stages of signing in. */
export async function visitorOf(ctx: ApiContext, request: FastifyRequest): Promise<Visitor> {
  const found = await findSession(ctx, request.headers.cookie);
  return {
    address: request.caller,
    agent: request.headers['user-agent'] ?? '',
    device: deviceOf(ctx, request),
    former: found.kind === 'live' ? found.session : undefined,
  };
}

/** Signs the owner of a new account in. Nothing but the password can be asked of them yet. */
export const signBrowserIn = async (
  ctx: ApiContext,
  request: FastifyRequest,
  user: User,
): Promise<OpenedSession> =>
  openSession(ctx, user, await visitorOf(ctx, request), { methods: ['password'], isFresh: true });

const STAGE_PATHS = {
  factor: '/accounts/login/factor/',
  enrol: '/accounts/login/enrol/',
} as const;

/** Leads the browser to the next stage of signing in. Programs read which one it is. */
export function sendStage(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  stage: Stage,
  language: Language,
): FastifyReply {
  void reply
    .header('cache-control', 'no-store')
    .header('set-cookie', stageCookies(ctx, request, stage));
  const target = nextOf(stage, language);
  if (!wantsJson(request)) return reply.redirect(target, stage.stage === 'done' ? 302 : 303);
  const { stage: name } = stage;
  const more = name === 'factor' ? { methods: stage.methods } : {};
  return reply.send({ result: 'success', msg: '', stage: name, next: target, ...more });
}

/** Where the next stage is, or the place to which the person wanted to go. */
export const nextOf = (stage: Stage, language: Language): string =>
  stage.stage === 'done'
    ? (stage.next ?? `${HOME}?lang=${language}`)
    : `${STAGE_PATHS[stage.stage]}?lang=${language}`;

export function stageCookies(ctx: ApiContext, request: FastifyRequest, stage: Stage): string[] {
  const secure = isHttps(ctx.config);
  if (stage.stage !== 'done') {
    return [signInCookie(stage.token, { secure, maxAgeSeconds: SIGN_IN_COOKIE_SECONDS })];
  }
  const isOver = parseCookie(request.headers.cookie, cookieNames(secure).signIn) !== undefined;
  return [
    ...cookiesOf(ctx, stage.opened),
    ...(isOver ? [signInCookie('', { secure, maxAgeSeconds: 0 })] : []),
  ];
}

export const wantsJson = ({ headers }: FastifyRequest): boolean =>
  /\bapplication\/json\b/i.test(headers.accept ?? '');

/** The answer to a program. A failure that is no refusal has been logged. */
export function sendRefusal(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, code, message, fields, headers } =
    error instanceof Refusal ? error : signInUnavailable();
  return reply
    .code(status)
    .headers({ ...headers, 'cache-control': 'no-store', link: helpLink(code) })
    .send({ result: 'error', msg: message, code, ...fields });
}

const signInUnavailable = () =>
  new Refusal({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Signing in is not possible at the moment. Try again shortly.',
    status: 503,
  });

export const notOwnForm = () =>
  new Refusal({
    code: 'CSRF_FAILED',
    message:
      'The form has to repeat the value of the csrftoken cookie as csrfmiddlewaretoken or X-CSRFToken. Open /login/ first.',
    status: 403,
  });

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
  let elsewhere: Elsewhere | undefined;
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
    elsewhere = await findElsewhere(ctx, session);
  }
  void reply
    .header('set-cookie', expiredCookies(isHttps(ctx.config)))
    .header('cache-control', 'no-store');
  if (elsewhere === undefined) return reply.redirect(`/login/?lang=${form.language}`);
  // A form may not lead to another site, so this is a page with a link.
  const page = { language: form.language, csrfToken: '', next: undefined, ...elsewhere };
  return reply.headers(FORM_PAGE_HEADERS).send(renderSignedOut(await pageValues(ctx), page));
}

interface Elsewhere {
  readonly provider: Provider;
  readonly url: string;
}

/** Where a person who came from a provider can sign out there too. The session here has ended in any case. */
async function findElsewhere(ctx: ApiContext, { id }: Session): Promise<Elsewhere | undefined> {
  try {
    const vouched = await findProviderSession(ctx, id);
    const provider = vouched && findProvider(ctx.config, vouched.id);
    if (vouched === undefined || provider === undefined) return undefined;
    const returnTo = `${ctx.publicUrl()}/login/`;
    const url = await endSessionUrl(provider, { idToken: vouched.idToken, returnTo });
    return url === undefined ? undefined : { provider, url };
  } catch (error) {
    ctx.log.warn({ err: error }, 'Nobody could say where to sign out at a provider.');
    return undefined;
  }
}

interface FormState {
  readonly language: Language;
  readonly next: string | undefined;
  readonly username: string;
  readonly problem: LoginProblem | undefined;
  readonly done: LoginForm['done'];
}

function parseForm(request: FastifyRequest, values: URLSearchParams): FormState {
  return {
    language: pageLanguageOf(values.get('lang'), request.headers['accept-language']),
    next: localPath(values.get('next') ?? undefined),
    username: values.get('username')?.slice(0, 254) ?? '',
    problem: REFUSED.get(request.method === 'GET' ? (values.get('passkey') ?? '') : ''),
    done: request.method === 'GET' ? doneIn(values) : undefined,
  };
}

function doneIn(values: URLSearchParams): FormState['done'] {
  if (values.get('password') === 'set') return 'passwordSet';
  if (values.get('stage') === 'over') return 'stageOver';
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
  const { 'x-csrftoken': header } = request.headers;
  const given = body.get('csrfmiddlewaretoken') ?? (typeof header === 'string' ? header : '');
  return expected !== undefined && isSameToken(given, expected);
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
  const hasPasskeys = relyingPartyOf(ctx) !== undefined;
  const secure = isHttps(ctx.config);
  return reply
    .code(status)
    .headers(hasPasskeys ? SCRIPT_PAGE_HEADERS : FORM_PAGE_HEADERS)
    .header('set-cookie', csrfCookie(csrfToken, { secure, maxAgeSeconds: FORM_LIFE_SECONDS }))
    .send(
      renderLogin(values, {
        ...form,
        csrfToken,
        takesNames: hasDirectory(ctx.config),
        offersLink: isMailConfigured(ctx.config),
        ...(await waysOf(ctx)),
        passkey: hasPasskeys ? aloneForm({ ...form, csrfToken }) : '',
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
  if (error.code === 'PASSWORD_AUTH_DISABLED') return { problem: 'off', status: 401 };
  const isGone = error.code === 'USER_DEACTIVATED';
  return { problem: isGone ? 'deactivated' : 'wrong', status: 401 };
}

function searchOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark);
}

export const bodyOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();
