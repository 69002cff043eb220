// Signing in with a passkey: alone, or after the password. The script of the page gets the question here; the form
// brings the answer.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { beginAlone, findByPasskey } from '../accounts/passkeys/alone.ts';
import { createChallenge } from '../accounts/passkeys/challenges.ts';
import { makeOptions } from '../accounts/passkeys/check.ts';
import { signInOver, wrongAnswer } from '../accounts/second-factors/errors.ts';
import { cookieNames, isHttps, parseCookie, signInCookie } from '../accounts/sessions/cookies.ts';
import { putChallenge } from '../accounts/sign-in/challenges.ts';
import { SIGN_IN_COOKIE_SECONDS, takeProof } from '../accounts/sign-in/stages.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { asVisitor, PAGES } from './audit.ts';
import { localPath } from './local-path.ts';
import { underWayOf } from './login-factor.ts';
import { isOwnForm, notOwnForm, sendRefusal, sendStage, visitorOf, wantsJson } from './login.ts';
import {
  ALONE_PATH,
  FACTOR_OPTIONS_PATH,
  PASSKEY_SCRIPT,
  PASSKEY_SCRIPT_PATH,
} from './passkey-form.ts';
import { HEADERS, mountForms, type PageVisit } from './visit.ts';

export async function mountPasskeyLogin(app: FastifyInstance, ctx: ApiContext): Promise<void> {
  app.get(PASSKEY_SCRIPT_PATH, (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
      })
      .send(PASSKEY_SCRIPT),
  );
  await mountForms(app, ctx, {
    mount(scope, on) {
      scope.post(`${ALONE_PATH}options`, on(answerErrors(askAlone)));
      scope.post(ALONE_PATH, on(signIn));
      scope.post(FACTOR_OPTIONS_PATH, on(answerErrors(askFactor)));
    },
    failed: (visit, status) =>
      visit.reply.code(status).headers(HEADERS).send({ result: 'error', msg: '' }),
  });
}

/** For the script, which reads JSON in any case. */
const answerErrors =
  (work: (visit: PageVisit) => Promise<FastifyReply>) =>
  async (visit: PageVisit): Promise<FastifyReply> => {
    const { ctx, request, reply, body } = visit;
    try {
      if (!isOwnForm(ctx, request, body)) throw notOwnForm();
      return await work(visit);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return sendRefusal(reply, error);
    }
  };

const sendOptions = ({ reply }: PageVisit, options: object): FastifyReply =>
  reply.header('cache-control', 'no-store').send({ result: 'success', msg: '', options });

async function askAlone(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, reply } = visit;
  const { token, options } = await beginAlone(ctx);
  const secure = isHttps(ctx.config);
  void reply.header(
    'set-cookie',
    signInCookie(token, { secure, maxAgeSeconds: SIGN_IN_COOKIE_SECONDS }),
  );
  return sendOptions(visit, options);
}

/** After the password: the passkeys of the person whose it was. */
async function askFactor(visit: PageVisit): Promise<FastifyReply> {
  const { ctx } = visit;
  const underWay = await underWayOf(visit);
  if (underWay?.stage !== 'factor') throw signInOver();
  const challenge = createChallenge();
  const options = await makeOptions(ctx, { challenge, user: underWay.user });
  if (!(await putChallenge(ctx.db, underWay.lookup, challenge))) throw signInOver();
  return sendOptions(visit, options);
}

async function signIn(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, reply, body, language } = visit;
  const next = localPath(body.get('next') ?? undefined);
  try {
    if (!isOwnForm(ctx, request, body)) throw notOwnForm();
    const token = parseCookie(request.headers.cookie, cookieNames(isHttps(ctx.config)).signIn);
    const stage = await asVisitor(ctx, PAGES.signInPasskey, request, async (own) => {
      const user = await findByPasskey(own, token, body.get('assertion') ?? '');
      if (user === undefined) throw wrongAnswer();
      const proof = { user, methods: ['passkey'], isStrong: true, next } as const;
      return takeProof(own, await visitorOf(own, request), proof);
    });
    return sendStage(ctx, request, reply, stage, language);
  } catch (error) {
    if (!(error instanceof Refusal)) {
      ctx.log.error({ err: error }, 'Somebody could not be signed in with a passkey.');
    }
    if (wantsJson(request)) return sendRefusal(reply, error);
    return toLogin(visit, next, error);
  }
}

/** The sign-in page says what happened. Which passkey it was, and whose, is not told. */
function toLogin(
  { reply, language }: PageVisit,
  next: string | undefined,
  error: unknown,
): FastifyReply {
  const reason =
    error instanceof Refusal && error.code === 'USER_DEACTIVATED' ? 'deactivated' : 'refused';
  const query = new URLSearchParams({
    lang: language,
    passkey: reason,
    ...(next !== undefined && { next }),
  });
  return reply.headers(HEADERS).redirect(`/login/?${query.toString()}`, 303);
}
