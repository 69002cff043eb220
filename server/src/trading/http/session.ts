// The door for browsers: their session opens every private route, under a path of its own. A session needs no signature,
// so the request must come from our own pages. It is in time when it arrives, unless it states when it was made.
import type { FastifyRequest } from 'fastify';
import { findSession, type Session } from '../../accounts/sessions/access.ts';
import {
  checkToken,
  CSRF_FIELD,
  findForgery,
  isTokenDue,
  type Forgery,
} from '../../accounts/sessions/csrf.ts';
import { accessMainAccount } from '../../accounts/trading-keys/actions.ts';
import { parseContent } from '../../accounts/trading-keys/content.ts';
import { PERMISSIONS } from '../../accounts/trading-keys/key.ts';
import type { ParameterPair } from '../../accounts/trading-keys/parameters.ts';
import { checkStatedWindow } from '../../accounts/trading-keys/verify.ts';
import type { ApiContext } from '../../platform/context.ts';
import type { Admission } from '../../platform/windows/windows.ts';
import { contentOf, type Door } from './authenticate.ts';
import type { BodyCounter } from './bodies.ts';
import { refuse, SUSPENDED } from './errors.ts';
import type { Limits } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The browser's session; null until it is found, and for requests with a key. */
    tradingSession: Session | null;
  }
}

/** Names that every request of a session may carry besides its own parameters. */
const TIMING: readonly string[] = ['timestamp', 'recvWindow'];

export interface SessionDoorOptions {
  readonly ctx: ApiContext;
  readonly limits: Limits;
  readonly countBody: BodyCounter;
  readonly prefix: string;
}

export function createSessionDoor({ ctx, limits, countBody, prefix }: SessionDoorOptions): Door {
  return {
    prefix,
    // `authenticate` takes `timestamp` and `recvWindow` out.
    reserved: [],
    guardsAll: true,
    async guard(request) {
      const session = await requireSession(ctx, request);
      const forgery = findForgery(ctx.config, request, session.csrfToken);
      if (forgery !== undefined) throw forged(forgery);
      countBody(request);
      request.tradingSession = session;
    },
    async authenticate(request, route, nowMs) {
      const session = request.tradingSession;
      if (session === null) throw new Error('A request reached its route before its session.');
      const sent = takeParameters(request, session);
      // A late copy of an order, out of a browser that slept, is refused as that of a program is.
      const window = checkStatedWindow(
        sent.filter(({ name }) => TIMING.includes(name)),
        nowMs,
      );
      const pairs = sent.filter(({ name }) => !TIMING.includes(name));
      const account = await accessMainAccount(ctx, session.user);
      if (account === undefined) throw noAccount();
      if (account.isSuspended && !route.whileSuspended) {
        throw refuse('ACCOUNT_SUSPENDED', SUSPENDED);
      }
      const address = request.admission as Admission;
      const admitted = await limits.admitAccount(request, account.id);
      const caller = {
        address: request.caller,
        nowMs,
        keyId: `session-${session.id}`,
        session,
        permissions: PERMISSIONS,
        markets: [],
        account,
        ...window,
        admissions: { address, account: admitted },
      };
      return { caller, pairs };
    },
  };
}

export const noAccount = () =>
  refuse(
    'PERMISSION_DENIED',
    'Guests have no trading account. Ask an administrator to make you a member.',
  );

async function requireSession(ctx: ApiContext, request: FastifyRequest): Promise<Session> {
  const found = await findSession(ctx, request.headers.cookie);
  if (found.kind === 'live' && found.session.kind === 'browser') return found.session;
  if (found.kind === 'deactivated') {
    throw refuse('SESSION_INVALID', 'Your account is deactivated, and its session has ended.', {
      reason: 'deactivated',
    });
  }
  throw refuse('SESSION_INVALID', 'There is no session, or it has ended. Sign in at /login/.');
}

/** Refuses what another site may have sent. */
export const forged = (reason: Forgery) =>
  refuse(
    'CSRF_FAILED',
    `${reason} Send the session’s token in the header X-CSRFToken, from a page of this server.`,
    { reason },
  );

/** The request's own parameters. The token of a form is checked and left out. */
function takeParameters(request: FastifyRequest, session: Session): readonly ParameterPair[] {
  const content = contentOf(request);
  const { pairs } = parseContent(content);
  // An address is kept in logs and histories, so a token in it counts for nothing.
  const field = content.hasBody ? pairs.find(({ name }) => name === CSRF_FIELD) : undefined;
  if (isTokenDue(request)) {
    const token = typeof field?.value === 'string' ? field.value : undefined;
    const forgery = checkToken(token, session.csrfToken);
    if (forgery !== undefined) throw forged(forgery);
  }
  return field === undefined ? pairs : pairs.filter((pair) => pair !== field);
}
