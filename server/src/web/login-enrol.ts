// The stage of signing in for people of whom the organization asks a second factor, and whose time to add one is over:
// they add it here, and are signed in with it.
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  beginTotp,
  confirmTotp,
  findTotpOffer,
  type TotpOffer,
} from '../accounts/second-factors/actions.ts';
import { signInOver } from '../accounts/second-factors/errors.ts';
import { qrSvg } from '../accounts/second-factors/qr.ts';
import { finishSignIn, type UnderWay } from '../accounts/sign-in/stages.ts';
import { renewChatKeyIn } from '../chat/administration/keys/actions.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { asPerson, PAGES } from './audit.ts';
import { ENROL_PATH, renderEnrol, renderEnrolled, type EnrolProblem } from './login-enrol-page.ts';
import { startAgain, underWayOf } from './login-factor.ts';
import {
  isOwnForm,
  nextOf,
  notOwnForm,
  sendRefusal,
  stageCookies,
  visitorOf,
  wantsJson,
} from './login.ts';
import { mountForms, pageOf, send, type PageVisit } from './visit.ts';

export const mountLoginEnrol = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(ENROL_PATH, on(show));
      scope.post(ENROL_PATH, on(take));
    },
    failed: (visit, status) => startAgain(visit, status),
  });

async function show(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, reply } = visit;
  const underWay = await underWayOf(visit);
  if (underWay?.stage !== 'enrol') return startAgain(visit, 303);
  if (!wantsJson(request)) return sendForm(visit, underWay, 200);
  const { secret, uri } = await offerTo(ctx, underWay);
  return reply
    .header('cache-control', 'no-store')
    .send({ result: 'success', msg: '', stage: 'enrol', secret, uri, qr_svg: qrSvg(uri) });
}

async function take(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  const underWay = await underWayOf(visit);
  if (underWay?.stage !== 'enrol') return refuse(visit, undefined, signInOver());
  if (!isOwnForm(ctx, request, body)) return refuse(visit, underWay, notOwnForm());
  try {
    // The password was right, so the log can say who it is.
    const who = { user: underWay.user, via: 'session' } as const;
    return await asPerson(ctx, PAGES.signInEnrol, request, who, (own) =>
      enrol(own, visit, underWay),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) ctx.log.error({ err: error }, 'A factor was not added.');
    return refuse(visit, underWay, error);
  }
}

async function enrol(ctx: ApiContext, visit: PageVisit, underWay: UnderWay): Promise<FastifyReply> {
  const { request, reply, body, language, values } = visit;
  const { user } = underWay;
  const codes = await confirmTotp(ctx, user, {
    code: body.get('code') ?? '',
    address: request.caller,
    replaceKey: body.get('keep_key') === 'true' ? undefined : (tx) => renewChatKeyIn(ctx, tx, user),
  });
  const stage = await finishSignIn(ctx, await visitorOf(ctx, request), underWay, 'totp');
  void reply
    .header('set-cookie', stageCookies(ctx, request, stage))
    .header('cache-control', 'no-store');
  const next = nextOf(stage, language);
  if (wantsJson(request)) {
    const answer = { result: 'success', msg: '', stage: stage.stage, next };
    return reply.send({ ...answer, recovery_codes: codes });
  }
  return send(visit, 200, renderEnrolled(values, { language, csrfToken: '', next }, codes));
}

function refuse(
  visit: PageVisit,
  underWay: UnderWay | undefined,
  error: unknown,
): FastifyReply | Promise<FastifyReply> {
  const { request, reply } = visit;
  if (wantsJson(request)) return sendRefusal(reply, error);
  if (underWay === undefined) return startAgain(visit, 303);
  const { status, code } = error instanceof Refusal ? error : { status: 503, code: '' };
  if (code === signInOver().code) return startAgain(visit, 303);
  const problem = code === notOwnForm().code ? 'expired' : status < 500 ? 'wrong' : 'unavailable';
  return sendForm(visit, underWay, status, problem);
}

async function sendForm(
  visit: PageVisit,
  underWay: UnderWay,
  status: number,
  problem?: EnrolProblem,
): Promise<FastifyReply> {
  const offer = await offerTo(visit.ctx, underWay);
  const page = { ...pageOf(visit), offer, email: underWay.user.email, problem };
  return send(visit, status, renderEnrol(visit.values, page));
}

/** The same secret again, so that a page that is opened twice does not spoil what was scanned. */
const offerTo = async (ctx: ApiContext, { user }: UnderWay): Promise<TotpOffer> =>
  (await findTotpOffer(ctx, user)) ?? beginTotp(ctx, user);
