// The page on which a person sees and changes their second factors. It asks to prove again who is there before it changes
// anything.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { providersOf } from '../accounts/oidc/settings.ts';
import { findFactors } from '../accounts/second-factors/access.ts';
import { readFactorDue } from '../accounts/second-factors/policy.ts';
import { readStepUp } from '../accounts/second-factors/step-up.ts';
import type { Session } from '../accounts/sessions/access.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { asPerson, PAGES } from './audit.ts';
import { renderSecurity, SECURITY_PATH, type SecurityProblem } from './security-page.ts';
import { changeTotp, offerAgain, type Shown } from './security-totp.ts';
import { asSignedIn, isSessionForm, sendNothing } from './signed-in.ts';
import { toStepUp } from './step-up.ts';
import { mountForms, send, type PageVisit } from './visit.ts';

export const mountSecurity = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(SECURITY_PATH, on(asSignedIn(SECURITY_PATH, show)));
      scope.post(SECURITY_PATH, on(asSignedIn(SECURITY_PATH, change)));
    },
    failed: sendNothing,
  });

const show = (visit: PageVisit, session: Session): Promise<FastifyReply> =>
  sendPage(visit, session, 200);

async function change(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  const { user } = session;
  if (!isSessionForm(visit, session)) return sendPage(visit, session, 403, { problem: 'expired' });
  if ((await readStepUp(ctx, session)).freshUntilMs === undefined) {
    return toStepUp(visit, SECURITY_PATH);
  }
  try {
    const shown = await asPerson(ctx, PAGES.security, request, { user, via: 'session' }, (own) =>
      changeTotp(own, session, body, request.caller),
    );
    return await sendPage(visit, session, 200, shown);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    void visit.reply.headers(error.headers);
    const offer = await offerAgain(ctx, session, error);
    return sendPage(visit, session, error.status, { problem: problemOf(error), offer });
  }
}

function problemOf({ code, status }: Refusal): SecurityProblem {
  if (code === 'FACTOR_REQUIRED') return 'required';
  if (code === 'WRONG_FACTOR') return 'wrong';
  return status >= 500 ? 'unavailable' : 'over';
}

async function sendPage(
  visit: PageVisit,
  { user, csrfToken }: Session,
  status: number,
  shown: Shown & { readonly problem?: SecurityProblem } = {},
): Promise<FastifyReply> {
  const { ctx, language, values } = visit;
  const factors = await findFactors(ctx.db, user.id);
  const due = await readFactorDue(ctx.db, user);
  const hasProviders = providersOf(ctx.config).length > 0;
  const page = { language, csrfToken, next: undefined, factors, due, hasProviders, ...shown };
  return send(visit, status, renderSecurity(values, page));
}
