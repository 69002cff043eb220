// Authenticates the caller: passes the parts of the request to the verifier of trading keys.
import type { FastifyRequest } from 'fastify';
import type { Permission, TradingAccount } from '../../accounts/trading-keys/key.ts';
import type { ParameterPair } from '../../accounts/trading-keys/parameters.ts';
import type { Verifier } from '../../accounts/trading-keys/verify.ts';
import type { Admission } from '../../platform/windows/windows.ts';
import { refuse, SUSPENDED } from './errors.ts';
import type { Limits } from './limits.ts';

export interface PublicCaller {
  readonly address: string;
  /** When the request was admitted; the only time it uses. */
  readonly nowMs: number;
}

export interface PrivateCaller extends PublicCaller {
  readonly keyId: string;
  readonly permissions: readonly Permission[];
  /** Empty: every market. */
  readonly markets: readonly string[];
  readonly account: TradingAccount;
  /** When the request was signed, and for how long after that it may be acted upon. */
  readonly signedMs: number;
  readonly windowMs: number;
  readonly admissions: Readonly<Record<'address' | 'account', Admission>>;
}

const NO_BODY = Buffer.alloc(0);

/**
 * Authenticates the caller, checks the permission and the account's status, and counts for the
 * account.
 */
export async function authenticate(
  request: FastifyRequest,
  route: { path: string; access: 'key' | Permission; whileSuspended: boolean; isRead: boolean },
  { verifier, limits, nowMs }: { verifier: Verifier; limits: Limits; nowMs: number },
): Promise<{ caller: PrivateCaller; pairs: readonly ParameterPair[] }> {
  const { headers } = request;
  const { key, pairs, signedMs, windowMs } = await verifier.verify({
    method: request.method,
    path: route.path,
    isRead: route.isRead,
    query: queryOf(request),
    hasBody: hasBody(request),
    body: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
    mediaType: mediaTypeOf(headers['content-type']),
    keyId: single(headers['x-svc-apikey']),
    signature: single(headers['x-svc-signature']),
    signatureVersion: single(headers['x-svc-signature-version']),
    address: request.caller,
    nowMs,
  });
  const { access } = route;
  if (access !== 'key' && !key.permissions.includes(access)) {
    throw refuse('PERMISSION_DENIED', `The key lacks the permission '${access}'.`, {
      permission: access,
    });
  }
  if (key.account.isSuspended && !route.whileSuspended) {
    throw refuse('ACCOUNT_SUSPENDED', SUSPENDED);
  }
  const address = request.admission as Admission;
  const account = await limits.admitAccount(request, key.account.id);
  const { keyId, permissions, markets } = key;
  const admissions = { address, account };
  return {
    caller: {
      address: request.caller,
      nowMs,
      keyId,
      permissions,
      markets,
      account: key.account,
      signedMs,
      windowMs,
      admissions,
    },
    pairs,
  };
}

/** The query string exactly as it was sent, without the question mark. */
export function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

/** The framework does not read the body of a GET, so its headers have to tell. */
export function hasBody({ body, headers }: FastifyRequest): boolean {
  if (Buffer.isBuffer(body)) return body.length > 0;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

const mediaTypeOf = (header: string | undefined) =>
  (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const single = (header: string | string[] | undefined) =>
  Array.isArray(header) ? header.join(', ') : header;
