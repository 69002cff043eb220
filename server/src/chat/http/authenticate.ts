// Authenticates the caller: under /api/v1 by HTTP Basic with the user's address and chat key, under /json by a browser's
// session. A key in a URL is never accepted.
import type { FastifyRequest } from 'fastify';
import { keyScope } from '../../accounts/chat-keys/errors.ts';
import { isLimited } from '../../accounts/chat-keys/scope.ts';
import {
  findChatKeyOwner,
  noteKeyUse,
  type FoundHolder,
  type Lookup,
} from '../../accounts/chat-keys/verify.ts';
import { findSession, type Session } from '../../accounts/sessions/access.ts';
import { checkToken, findForgery, isTokenDue } from '../../accounts/sessions/csrf.ts';
import type { User } from '../../accounts/user.ts';
import type { Context } from '../../platform/context.ts';
import { isInRanges } from '../../platform/http/address.ts';
import { credentialsReaderOf } from './credentials.ts';
import { csrfFailed, noSession, sessionDeactivated, unauthorized } from './errors.ts';

/** Who comes with a key, and with which. */
export async function authenticateKey(
  ctx: Context,
  header: string | undefined,
  address: string,
  how: Lookup = 'checked',
): Promise<FoundHolder> {
  const found = await findHolder(ctx, header, how);
  const { holder } = found;
  if (holder.addresses !== null && !isInRanges(address, holder.addresses)) {
    throw unauthorized('This API key cannot be used from this network address.');
  }
  const noting = noteKeyUse(ctx, holder);
  if (noting !== undefined) await noting;
  return found;
}

/** For doors that give files: a key that reads, and leaves out none of its owner's conversations. */
export async function authenticateReader(
  ctx: Context,
  header: string | undefined,
  address: string,
): Promise<User> {
  const { user, scope } = (await authenticateKey(ctx, header, address)).holder;
  if (scope !== undefined && (isLimited(scope) || !scope.can.includes('read'))) throw keyScope();
  return user;
}

/** For doors that know no scopes: only a key that stands for its owner opens them. */
export async function authenticate(ctx: Context, header: string | undefined): Promise<User> {
  const { user, scope } = (await findHolder(ctx, header, 'checked')).holder;
  if (scope !== undefined) throw keyScope();
  return user;
}

async function findHolder(
  ctx: Context,
  header: string | undefined,
  how: Lookup,
): Promise<FoundHolder> {
  if (header === undefined) {
    throw unauthorized('Not logged in: API authentication or user session required');
  }
  const reader = credentialsReaderOf(ctx.secrets);
  const credentials = reader.read(header);
  const found = await findChatKeyOwner(ctx, credentials, how);
  if (found === undefined) throw unauthorized('Invalid API key');
  if (!found.holder.user.isActive) throw unauthorized('Account is deactivated');
  if (found.unchecked === undefined) reader.remember(credentials);
  return found;
}

type Headers = Pick<FastifyRequest, 'headers' | 'method'>;

/**
 * The person of the browser's session. What is said against the request in its headers is checked here; a token in a form
 * is checked when the form has been read.
 */
export async function authenticateSession(ctx: Context, request: Headers): Promise<Session> {
  const found = await findSession(ctx, request.headers.cookie);
  if (found.kind === 'deactivated') throw sessionDeactivated();
  if (found.kind === 'none') throw noSession();
  const forgery = findForgery(ctx.config, request, found.session.csrfToken);
  if (forgery !== undefined) throw csrfFailed(forgery);
  return found.session;
}

export function checkSessionToken(given: string | undefined, expected: string): void {
  const forgery = checkToken(given, expected);
  if (forgery !== undefined) throw csrfFailed(forgery);
}

/** For the few paths that take both, such as uploads: credentials if there are any, otherwise the session. */
export async function authenticateEither(ctx: Context, request: Headers): Promise<User> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return authenticate(ctx, authorization);
  const session = await authenticateSession(ctx, request);
  if (isTokenDue(request)) checkSessionToken(undefined, session.csrfToken);
  return session.user;
}

/** A browser without credentials gets the login page instead of JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  return (
    accept !== undefined && qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json')
  );
}

/** Whether the client wants a picture; it would show a page of text as a broken picture. */
export const prefersImages = (accept: string | undefined): boolean =>
  accept !== undefined && qualityOf(accept, 'image/png') > qualityOf(accept, 'text/html');

/** How much `accept` wants `type`, from 0 to 1; the most specific range that covers it decides. */
function qualityOf(accept: string, type: string): number {
  const ranges = [type, `${type.split('/', 1)[0] ?? ''}/*`, '*/*'];
  let best = { rank: ranges.length, quality: 0 };
  for (const entry of accept.split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const rank = ranges.indexOf(range);
    if (rank < 0 || rank >= best.rank) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    best = { rank, quality: quality === undefined ? 1 : Number(quality) || 0 };
  }
  return best.quality;
}
