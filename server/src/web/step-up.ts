// The page on which a person who is signed in proves again that they are there, and then goes on to what asked for it.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { directoryProof } from '../accounts/ldap/actions.ts';
import { placeOf } from '../accounts/second-factors/act.ts';
import { readStepUp, stepUp, type StepUpAnswer } from '../accounts/second-factors/step-up.ts';
import type { Session } from '../accounts/sessions/access.ts';
import { createPerson } from '../chat/administration/users/actions.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { asPerson, PAGES } from './audit.ts';
import { localPath } from './local-path.ts';
import { asSignedIn, isSessionForm, sendNothing, toSignIn } from './signed-in.ts';
import { renderStepUp, STEP_UP_PATH, type StepUpProblem } from './step-up-page.ts';
import { factorForm, SCRIPT_PAGE_HEADERS, STEP_UP_OPTIONS_PATH } from './passkey-form.ts';
import { HEADERS, mountForms, type PageVisit } from './visit.ts';

export const mountStepUp = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(STEP_UP_PATH, on(asSignedIn(STEP_UP_PATH, show)));
      scope.post(STEP_UP_PATH, on(asSignedIn(STEP_UP_PATH, take)));
    },
    failed: sendNothing,
  });

/** Leads to this page, and back to `path` in the same language afterwards. */
export function toStepUp({ reply, language }: PageVisit, path: string): FastifyReply {
  const next = encodeURIComponent(`${path}?lang=${language}`);
  return reply.headers(HEADERS).redirect(`${STEP_UP_PATH}?lang=${language}&next=${next}`, 303);
}

const show = (visit: PageVisit, session: Session): Promise<FastifyReply> =>
  sendForm(visit, session, 200);

async function take(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { ctx, request, reply, body, language } = visit;
  const { user } = session;
  if (!isSessionForm(visit, session)) return sendForm(visit, session, 403, 'expired');
  const answer = answerIn(body);
  if (answer === undefined) return sendForm(visit, session, 400, 'wrong');
  try {
    await asPerson(ctx, PAGES.stepUp, request, { user, via: 'session' }, (own) =>
      stepUp(own, session, answer, placeOf(ctx.config, request), directoryProof(own, createPerson)),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'SESSION_INVALID') return toSignIn(visit, nextOf(visit) ?? '/');
    void reply.headers(error.headers);
    return sendForm(visit, session, error.status, problemOf(error));
  }
  return reply.headers(HEADERS).redirect(nextOf(visit) ?? `/?lang=${language}`, 303);
}

function answerIn(body: URLSearchParams): StepUpAnswer | undefined {
  const code = body.get('code');
  if (code !== null) return { kind: 'totp', code: code.replaceAll(/\s/g, '').slice(0, 20) };
  const assertion = body.get('assertion');
  if (assertion !== null) return { kind: 'passkey', assertion };
  const password = body.get('password');
  return password === null ? undefined : { kind: 'password', password };
}

function problemOf({ status }: Refusal): StepUpProblem {
  if (status >= 500) return 'unavailable';
  return status === 429 ? 'too-many' : 'wrong';
}

/** Where to go afterwards, on this server. */
function nextOf({ request, body }: PageVisit): string | undefined {
  const { next } = request.query as { readonly next?: unknown };
  return localPath(body.get('next') ?? (typeof next === 'string' ? next : undefined));
}

async function sendForm(
  visit: PageVisit,
  session: Session,
  status: number,
  problem?: StepUpProblem,
): Promise<FastifyReply> {
  const { ctx, language, values } = visit;
  const { methods } = await readStepUp(ctx, session);
  const { csrfToken, user } = session;
  const page = { language, csrfToken, next: nextOf(visit), email: user.email, methods, problem };
  const asked = { action: STEP_UP_PATH, options: STEP_UP_OPTIONS_PATH };
  const isMain = !methods.includes('totp');
  const passkey = methods.includes('passkey') ? factorForm(page, { ...asked, isMain }) : '';
  return visit.reply
    .code(status)
    .headers(passkey === '' ? HEADERS : SCRIPT_PAGE_HEADERS)
    .send(renderStepUp(values, { ...page, passkey }));
}
