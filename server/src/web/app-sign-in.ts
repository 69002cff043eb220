// Signing an app in through the browser. The app gives a one-time pad; once its owner has signed in and said yes, the
// browser hands the app a key of its own, encrypted with the pad. A live session alone hands out nothing: somebody who sends
// somebody a link has chosen the pad, so a person has to agree on a page that says what happens.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { noteNothing } from '../accounts/audit/actions.ts';
import { makeAppKey } from '../accounts/chat-keys/manage.ts';
import { LABEL_CHARACTERS_MAX } from '../accounts/chat-keys/terms.ts';
import { findSession, type Session } from '../accounts/sessions/access.ts';
import { endSession } from '../accounts/sessions/actions.ts';
import {
  cookieNames,
  expiredCookies,
  isHttps,
  parseCookie,
  waitingCookie,
} from '../accounts/sessions/cookies.ts';
import { deviceText } from '../accounts/sessions/device.ts';
import { createToken, isSameToken, isToken } from '../accounts/sessions/token.ts';
import {
  consumeStarted,
  findStarted,
  insertStarted,
  SIGN_IN_MINUTES,
} from '../accounts/sign-in/started.ts';
import type { ApiContext } from '../platform/context.ts';
import { APP_PATH, renderAppForm, renderAppOver, type AppProblem } from './app-sign-in-page.ts';
import { asPerson, PAGES } from './audit.ts';
import { isFresh } from './fresh.ts';
import { formPageHeaders } from './front-page.ts';
import { encryptForApp, isPad } from './pad.ts';
import { HEADERS, mountForms, pageOf, type PageVisit } from './visit.ts';

/** The place of a provider in the row of a sign-in. No provider can have this name. */
const APP = 'app:';
/** After the form, the browser has to open the app. */
const FORM_HEADERS = { ...HEADERS, ...formPageHeaders("'self' zulip:") } as const;

interface Waiting {
  readonly pad: string;
  /** Whether the browser was signed in before: then it stays so. */
  readonly hadSession: boolean;
}

export const mountAppSignIn = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get('/accounts/login/web/', on(begin));
      scope.get(APP_PATH, on(asSignedIn(show)));
      scope.post(APP_PATH, on(asSignedIn(give)));
      scope.post(`${APP_PATH}again/`, on(asSignedIn(again)));
    },
    failed: (visit, status) => sendOver(visit, status, status === 429 ? 'too-many' : 'unavailable'),
  });

/**
 * Keeps the pad of an app that asks to be signed in: where to go after signing in, and what the browser keeps.
 * Undefined if no app asks.
 */
export async function startAppSignIn({
  ctx,
  request,
}: PageVisit): Promise<{ next: string; cookies: string[] } | 'bad' | undefined> {
  const { mobile_flow_otp: pad } = request.query as { readonly mobile_flow_otp?: unknown };
  if (pad === undefined) return undefined;
  if (typeof pad !== 'string' || !isPad(pad)) return 'bad';
  const token = createToken();
  const hadSession = (await findSession(ctx, request.headers.cookie)).kind === 'live';
  const secret: Waiting = { pad, hadSession };
  await ctx.inTransaction((tx) => insertStarted(tx, ctx, { token, provider: APP, secret }));
  const options = { secure: isHttps(ctx.config), maxAgeSeconds: SIGN_IN_MINUTES * 60 };
  return { next: APP_PATH, cookies: [waitingCookie('app', token, options)] };
}

/** The ordinary way to sign in, for apps. */
async function begin(visit: PageVisit): Promise<FastifyReply> {
  const { reply, language } = visit;
  const app = await startAppSignIn(visit);
  if (app === 'bad') return sendOver(visit, 400, 'bad');
  if (app === undefined) return reply.headers(HEADERS).redirect(`/login/?lang=${language}`, 303);
  void reply.header('set-cookie', app.cookies);
  return toSignIn(visit);
}

/** The page asks for consent itself, so somebody with a session need not pass through the form of passwords. */
const toSignIn = ({ reply, language }: PageVisit): FastifyReply =>
  reply
    .headers(HEADERS)
    .redirect(`/login/?lang=${language}&next=${encodeURIComponent(APP_PATH)}`, 303);

const tokenOf = ({ ctx, request }: PageVisit): string | undefined => {
  const token = parseCookie(request.headers.cookie, cookieNames(isHttps(ctx.config)).app);
  return token !== undefined && isToken(token) ? token : undefined;
};

const asSignedIn =
  (work: (visit: PageVisit, session: Session, token: string) => Promise<FastifyReply>) =>
  async (visit: PageVisit): Promise<FastifyReply> => {
    const { ctx, request, body } = visit;
    const token = tokenOf(visit);
    const waiting =
      token === undefined ? undefined : await findStarted(ctx.db, ctx, { token, provider: APP });
    if (token === undefined || waiting === undefined) return sendOver(visit, 400, 'expired');
    const found = await findSession(ctx, request.headers.cookie);
    if (found.kind !== 'live') return toSignIn(visit);
    const { session } = found;
    // Another site's page may not agree in this person's name.
    const isOwn = isSameToken(body.get('csrfmiddlewaretoken') ?? '', session.csrfToken);
    if (request.method === 'POST' && !isOwn) return sendForm(visit, session, 403, 'form');
    return work(visit, session, token);
  };

const show = async (visit: PageVisit, session: Session): Promise<FastifyReply> =>
  sendForm(visit, session, 200);

async function give(visit: PageVisit, session: Session, token: string): Promise<FastifyReply> {
  const { ctx, request, reply } = visit;
  if (!(await isFresh(ctx, session))) return sendForm(visit, session, 403);
  const { user } = session;
  const given = await asPerson(ctx, PAGES.signAppIn, request, { user, via: 'session' }, (own) =>
    own.inTransaction(async (tx) => {
      // The pad is good once, and is spent with the key.
      const row = await consumeStarted(tx, own, { tokens: [token], provider: APP });
      if (row === undefined) {
        noteNothing(tx);
        return undefined;
      }
      const device = deviceText(request.headers['user-agent'] ?? '');
      const label = device === '' ? 'App' : `App, ${device}`.slice(0, LABEL_CHARACTERS_MAX);
      const { key } = await makeAppKey(own, tx, user, label);
      return { key, waiting: row.secret as Waiting };
    }),
  );
  if (given === undefined) return sendOver(visit, 400, 'expired');
  const { key, waiting } = given;
  const secure = isHttps(ctx.config);
  const cookies = [waitingCookie('app', '', { secure, maxAgeSeconds: 0 })];
  if (!waiting.hadSession) {
    // The person signed in for the app alone.
    await asPerson(ctx, PAGES.signAppIn, request, { user, via: 'session' }, (own) =>
      endSession(own, session),
    );
    cookies.push(...expiredCookies(secure));
  }
  const query = new URLSearchParams({
    realm: ctx.publicUrl(),
    email: user.email,
    user_id: String(user.id),
    otp_encrypted_api_key: encryptForApp(key, waiting.pad),
  });
  return reply
    .headers(FORM_HEADERS)
    .header('set-cookie', cookies)
    .redirect(`zulip://login?${query.toString()}`, 302);
}

/** Signs out, so that the person signs in anew, in whichever way they have. */
async function again(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { ctx, request, reply } = visit;
  const { user } = session;
  await asPerson(ctx, PAGES.signAppInAgain, request, { user, via: 'session' }, (own) =>
    endSession(own, session),
  );
  void reply.header('set-cookie', expiredCookies(isHttps(ctx.config)));
  return toSignIn(visit);
}

async function sendForm(
  { ctx, reply, language, values }: PageVisit,
  session: Session,
  status: number,
  problem?: 'form',
): Promise<FastifyReply> {
  const { user, csrfToken } = session;
  const page = {
    language,
    csrfToken,
    next: undefined,
    user,
    isFresh: await isFresh(ctx, session),
    problem,
  };
  return reply.code(status).headers(FORM_HEADERS).send(renderAppForm(values, page));
}

const sendOver = (visit: PageVisit, status: number, problem: AppProblem): FastifyReply =>
  visit.reply
    .code(status)
    .headers(HEADERS)
    .send(renderAppOver(visit.values, { ...pageOf(visit), problem }));
