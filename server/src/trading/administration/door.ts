// The door of the administration: a browser's session of a person with the grant, who proves again that it is them.
import type { FastifyRequest } from 'fastify';
import { accessGranted } from '../../accounts/operators/access.ts';
import type { Grant } from '../../accounts/operators/grants.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import { actOf } from '../../accounts/second-factors/act.ts';
import type { StepUp } from '../../accounts/second-factors/factor.ts';
import { requireStepUp } from '../../accounts/second-factors/step-up.ts';
import { findSession, type Session } from '../../accounts/sessions/access.ts';
import { findForgery, isTokenDue } from '../../accounts/sessions/csrf.ts';
import type { ParameterPair } from '../../accounts/trading-keys/parameters.ts';
import type { ApiContext } from '../../platform/context.ts';
import { toActParameter } from '../http/act.ts';
import { refuse } from '../http/errors.ts';
import { forged } from '../http/session.ts';

export async function requireSession(ctx: ApiContext, request: FastifyRequest): Promise<Session> {
  const found = await findSession(ctx, request.headers.cookie);
  if (found.kind !== 'live' || found.session.kind !== 'browser') {
    throw refuse('SESSION_INVALID', 'There is no session, or it has ended. Sign in at /login/.');
  }
  checkOrigin(ctx, request, found.session);
  return found.session;
}

/** The token comes in the header here; there are no forms. */
function checkOrigin(ctx: ApiContext, request: FastifyRequest, { csrfToken }: Session): void {
  const missing = isTokenDue(request) ? 'CSRF token missing.' : undefined;
  const forgery = findForgery(ctx.config, request, csrfToken) ?? missing;
  if (forgery !== undefined) throw forged(forgery);
}

export const requireGrant = (ctx: ApiContext, session: Session, needed: Grant): Promise<Operator> =>
  accessGranted(ctx.db, session.user.id, 'session', needed);

/** A factor of the last minutes, or one for this very act with these parameters. */
export const requireProof = (
  ctx: ApiContext,
  request: FastifyRequest,
  session: Session,
  level: StepUp,
  pairs: readonly ParameterPair[],
): Promise<void> => {
  const params = pairs.map(toActParameter);
  return requireStepUp(ctx, session, level, actOf(ctx.config, request, request.method, params));
};
