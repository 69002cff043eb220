// The second stage of signing in: a code, a recovery code or a passkey after the password. The browser has a token in its
// sign-in cookie; without it, or when it is over, signing in starts again.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { signInOver, wrongAnswer } from '../accounts/second-factors/errors.ts';
import type { FactorAnswer } from '../accounts/second-factors/factor.ts';
import { cookieNames, isHttps, parseCookie } from '../accounts/sessions/cookies.ts';
import { findUnderWay, takeFactor, type UnderWay } from '../accounts/sign-in/stages.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { isMailConfigured } from '../platform/mail/transport.ts';
import { asVisitor, PAGES } from './audit.ts';
import { FACTOR_PATH, renderFactor, type FactorProblem } from './login-factor-page.ts';
import { isOwnForm, notOwnForm, sendRefusal, sendStage, visitorOf, wantsJson } from './login.ts';
import {
  FACTOR_OPTIONS_PATH,
  factorForm,
  passkeyNote,
  SCRIPT_PAGE_HEADERS,
} from './passkey-form.ts';
import { HEADERS, mountForms, pageOf, type PageVisit } from './visit.ts';

export const mountLoginFactor = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(FACTOR_PATH, on(show));
      scope.post(FACTOR_PATH, on(take));
    },
    failed: (visit, status) => startAgain(visit, status),
  });

/** The sign-in that this browser has begun, if it is not over. */
export const underWayOf = ({ ctx, request }: PageVisit): Promise<UnderWay | undefined> =>
  findUnderWay(ctx, parseCookie(request.headers.cookie, cookieNames(isHttps(ctx.config)).signIn));

async function show(visit: PageVisit): Promise<FastifyReply> {
  const underWay = await underWayOf(visit);
  return underWay?.stage === 'factor' ? sendForm(visit, underWay, 200) : startAgain(visit, 303);
}

async function take(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, reply, body, language } = visit;
  const underWay = await underWayOf(visit);
  if (underWay?.stage !== 'factor') return refuse(visit, underWay, signInOver());
  if (!isOwnForm(ctx, request, body)) return refuse(visit, underWay, notOwnForm());
  try {
    const answer = answerIn(body);
    if (answer === undefined) throw wrongAnswer();
    const stage = await asVisitor(ctx, PAGES.signInFactor, request, async (own) =>
      takeFactor(own, await visitorOf(own, request), underWay, answer),
    );
    return sendStage(ctx, request, reply, stage, language);
  } catch (error) {
    if (!(error instanceof Refusal)) ctx.log.error({ err: error }, 'A factor was not checked.');
    return refuse(visit, underWay, error);
  }
}

/** The first of the three that is filled in. */
export function answerIn(body: URLSearchParams): FactorAnswer | undefined {
  const filled = (name: string) => body.get(name)?.trim() || undefined;
  const code = filled('code');
  if (code !== undefined) return { kind: 'totp', code };
  const recovery = filled('recovery_code');
  if (recovery !== undefined) return { kind: 'recovery', code: recovery };
  const assertion = parse(filled('assertion'));
  return assertion === undefined ? undefined : { kind: 'passkey', assertion };
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

function refuse(visit: PageVisit, underWay: UnderWay | undefined, error: unknown): FastifyReply {
  const { request, reply } = visit;
  if (wantsJson(request)) return sendRefusal(reply, error);
  if (error instanceof Refusal) void reply.headers(error.headers);
  const { problem, status } = problemOf(error);
  if (underWay === undefined || problem === 'over') return startAgain(visit, status);
  return sendForm(visit, underWay, status, problem);
}

function problemOf(error: unknown): { problem: FactorProblem | 'over'; status: number } {
  if (!(error instanceof Refusal)) return { problem: 'unavailable', status: 503 };
  const { status } = error;
  if (error.code === wrongAnswer().code) return { problem: 'wrong', status };
  if (error.code === notOwnForm().code) return { problem: 'expired', status };
  if (status === 429) return { problem: 'too-many', status };
  return status >= 500 ? { problem: 'unavailable', status: 503 } : { problem: 'over', status };
}

/** A redirect for a visitor who came without a sign-in under way; a program gets the reason. */
export function startAgain({ request, reply, language }: PageVisit, status: number): FastifyReply {
  if (wantsJson(request)) return sendRefusal(reply, signInOver());
  if (status >= 429) return reply.code(status).headers(HEADERS).send('');
  return reply.headers(HEADERS).redirect(`/login/?lang=${language}&stage=over`, 303);
}

function sendForm(
  visit: PageVisit,
  { methods, user }: UnderWay,
  status: number,
  problem?: FactorProblem,
): FastifyReply {
  const offersLink = isMailConfigured(visit.ctx.config);
  const page = pageOf(visit);
  const asked = { action: FACTOR_PATH, options: FACTOR_OPTIONS_PATH };
  const isMain = !methods.includes('totp');
  // Without script a passkey is of no use, and the page has to say so if it is all there is.
  const note = isMain ? passkeyNote(page.language) : '';
  const passkey = methods.includes('passkey') ? factorForm(page, { ...asked, isMain }) + note : '';
  const form = { ...page, methods, email: user.email, problem, offersLink, passkey };
  return visit.reply
    .code(status)
    .headers(passkey === '' ? HEADERS : SCRIPT_PAGE_HEADERS)
    .send(renderFactor(visit.values, form));
}
