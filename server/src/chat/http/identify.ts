// Identifies the caller from the headers alone, before any body is read. Routes without authentication are counted by
// address instead, and only little of a body is read.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyScope } from '../../accounts/chat-keys/scope.ts';
import type { Lookup } from '../../accounts/chat-keys/verify.ts';
import type { Session } from '../../accounts/sessions/access.ts';
import { isTokenDue } from '../../accounts/sessions/csrf.ts';
import type { User } from '../../accounts/user.ts';
import type { ApiContext } from '../../platform/context.ts';
import type { RememberedCaller } from '../../platform/facts/caller.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import {
  authenticateKey,
  authenticateSession,
  checkSessionToken,
  prefersHtml,
} from './authenticate.ts';
import { methodNotAllowed } from './errors.ts';
import { admitAddress } from './limits.ts';
import type { ChatRoute } from './route.ts';

/** How callers authenticate: with a key, or with a browser's session. */
export type Door = 'key' | 'session';

export interface Caller {
  /** Undefined on routes without authentication. */
  readonly user: User | undefined;
  readonly session: Session | undefined;
  /** Of the key, if the caller came with one that has a scope. */
  readonly scope: KeyScope | undefined;
  /** The session's token, if the form still has to be checked for it. */
  readonly tokenDue: string | undefined;
  /** What the caller was remembered by, if nothing has checked it yet. */
  readonly unchecked: RememberedCaller | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of the chat API; null until identified. */
    chatCaller: Caller | null;
  }
}

const NOBODY: Caller = {
  user: undefined,
  session: undefined,
  scope: undefined,
  tokenDue: undefined,
  unchecked: undefined,
};

/** Whether a path is open to everybody: for all its methods or for none, because a form may name another method. */
export function isOpen(routes: readonly ChatRoute[]): boolean {
  const open = routes.filter(({ allow }) => allow === 'anyone');
  if (open.length === 0) return false;
  if (open.length === routes.length) return true;
  throw new Error(
    `The path ${routes[0]?.path} is open with some methods only; give them paths of their own.`,
  );
}

export function allowedMethods(routes: readonly ChatRoute[]): string[] {
  return [...new Set(routes.map(({ method }) => method))].sort();
}

/** Stores the caller on the request, or answers with a refusal. Runs before the body is read. */
export function meetCaller(ctx: ApiContext, routes: readonly ChatRoute[], door: Door) {
  const open = isOpen(routes);
  const allowed = allowedMethods(routes);
  const streams = routes.some(({ streamsFiles }) => streamsFiles === true);
  const takesFiles = streams || routes.some(({ fileBytesMax }) => fileBytesMax !== undefined);
  const how = routes.some(({ checksCaller }) => checksCaller) ? 'unchecked' : 'checked';
  const prove = (request: FastifyRequest) =>
    door === 'key' ? byKey(ctx, request, how) : bySession(ctx, request, takesFiles);

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    if (request.method === 'OPTIONS') return undefined;
    if (open) {
      await admitAddress(ctx, reply, request.caller);
      request.chatCaller = NOBODY;
      return undefined;
    }
    try {
      checkMethod(request.method, allowed);
      if (door === 'key' && sendsToLogin(request)) {
        await admitAddress(ctx, reply, request.caller);
        return reply.redirect(`/login/?next=${encodeURIComponent(request.url)}`);
      }
      request.chatCaller = await prove(request);
    } catch (error) {
      // Callers who fail to authenticate are counted by address.
      if (error instanceof Refusal && error.status !== 429) {
        await admitAddress(ctx, reply, request.caller);
      }
      throw error;
    }
    return undefined;
  };
}

/** A form may name another method for a POST; all other methods are as sent. */
function checkMethod(method: string, allowed: readonly string[]): void {
  const meant = method === 'HEAD' ? 'GET' : method;
  if (meant !== 'POST' && !allowed.includes(meant)) throw methodNotAllowed(allowed);
}

const sendsToLogin = ({ headers }: FastifyRequest): boolean =>
  headers.authorization === undefined && prefersHtml(headers.accept);

async function byKey(
  ctx: ApiContext,
  { headers, caller }: FastifyRequest,
  how: Lookup,
): Promise<Caller> {
  const { holder, unchecked } = await authenticateKey(ctx, headers.authorization, caller, how);
  const { user, scope, basis } = holder;
  return {
    ...NOBODY,
    user,
    scope,
    unchecked: unchecked === undefined ? undefined : { key: unchecked, basis },
  };
}

/** After a remembered caller turned out to be out of date: by the database alone. */
export async function meetAgain(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  try {
    return await byKey(ctx, request, 'read');
  } catch (error) {
    if (error instanceof Refusal) await admitAddress(ctx, reply, request.caller);
    throw error;
  }
}

/** The CSRF token may come in a form that fits into memory; on paths that take files it must come in a header. */
async function bySession(
  ctx: ApiContext,
  request: FastifyRequest,
  takesFiles: boolean,
): Promise<Caller> {
  const session = await authenticateSession(ctx, request);
  const { user, csrfToken } = session;
  const isDue = isTokenDue(request);
  if (isDue && takesFiles) checkSessionToken(undefined, csrfToken);
  return { ...NOBODY, user, session, tokenDue: isDue ? csrfToken : undefined };
}
