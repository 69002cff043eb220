// The door for trading keys: passes the parts of the request to the verifier, and checks what the key may do.
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { SentContent } from '../../accounts/trading-keys/content.ts';
import type { Permission, TradingAccount } from '../../accounts/trading-keys/key.ts';
import type { ParameterPair } from '../../accounts/trading-keys/parameters.ts';
import type { Session } from '../../accounts/sessions/access.ts';
import { RESERVED_NAMES, type Verifier } from '../../accounts/trading-keys/verify.ts';
import type { Admission } from '../../platform/windows/windows.ts';
import { refuse, SUSPENDED } from './errors.ts';
import type { Limits } from './limits.ts';

export interface PublicCaller {
  readonly address: string;
  /** When the request was admitted; the only time it uses. */
  readonly nowMs: number;
}

export interface PrivateCaller extends PublicCaller {
  /** The key that signed, or the session: `session-` and its number. */
  readonly keyId: string;
  /** The browser's session; undefined when a key has signed. */
  readonly session?: Session;
  readonly permissions: readonly Permission[];
  /** Empty: every market. */
  readonly markets: readonly string[];
  readonly account: TradingAccount;
  /** When the request was signed, and for how long after that it may be acted upon. */
  readonly signedMs: number;
  readonly windowMs: number;
  readonly admissions: Readonly<Record<'address' | 'account', Admission>>;
}

/** Who asks, for records: the key, or the session. */
export const signerOf = ({ keyId, session }: PrivateCaller): string =>
  session === undefined ? `trading key ${keyId}` : `session ${session.id}`;

export interface SessionCaller extends PrivateCaller {
  readonly session: Session;
}

/** Who may call a private route: a key with this permission, any key at all, or only a session. */
export type PrivateAccess = 'key' | 'session' | Permission;

/** What a door needs to know of a route. */
export interface GuardedRoute {
  /** With its version prefix. */
  readonly path: string;
  readonly access: PrivateAccess;
  readonly whileSuspended: boolean;
  readonly isRead: boolean;
}

/** How callers of private routes prove who they are: with a trading key, or with a browser's session. */
export interface Door {
  /** The versioned prefix, which signatures of version 2 cover. */
  readonly prefix: string;
  /** Names that every request may carry besides its own parameters. */
  readonly reserved: readonly string[];
  /** Runs before a body is read, and for requests without one only if `guardsAll`. It refuses by throwing. */
  readonly guard: (request: FastifyRequest) => Promise<void> | undefined;
  readonly guardsAll: boolean;
  /** Checks the caller, the permission and the account's status, and counts for the account. */
  authenticate(
    request: FastifyRequest,
    route: GuardedRoute,
    nowMs: number,
  ): Promise<{ caller: PrivateCaller; pairs: readonly ParameterPair[] }>;
}

/** The guard of a door as a hook of the framework; a guard that decides at once costs no turn of the loop. */
export const toHook =
  ({ guard }: Pick<Door, 'guard'>): onRequestHookHandler =>
  (request, _reply, done) => {
    const waiting = guard(request);
    const proceed = () => done();
    if (waiting === undefined) proceed();
    else waiting.then(proceed, done);
  };

const NO_BODY = Buffer.alloc(0);

export interface KeyDoorOptions {
  readonly verifier: Verifier;
  readonly limits: Limits;
  readonly guard: Door['guard'];
  readonly prefix: string;
}

export function createKeyDoor({ verifier, limits, guard, prefix }: KeyDoorOptions): Door {
  return {
    prefix,
    reserved: RESERVED_NAMES,
    guard,
    guardsAll: false,
    async authenticate(request, route, nowMs) {
      const { headers } = request;
      const { key, pairs, signedMs, windowMs } = await verifier.verify({
        ...contentOf(request),
        path: route.path,
        isRead: route.isRead,
        keyId: single(headers['x-svc-apikey']),
        signature: single(headers['x-svc-signature']),
        signatureVersion: single(headers['x-svc-signature-version']),
        address: request.caller,
        nowMs,
      });
      checkAccess(route.access, key.permissions);
      if (key.account.isSuspended && !route.whileSuspended) {
        throw refuse('ACCOUNT_SUSPENDED', SUSPENDED);
      }
      const address = request.admission as Admission;
      const account = await limits.admitAccount(request, key.account.id);
      const { keyId, permissions, markets } = key;
      const caller = {
        address: request.caller,
        nowMs,
        keyId,
        permissions,
        markets,
        account: key.account,
        signedMs,
        windowMs,
        admissions: { address, account },
      };
      return { caller, pairs };
    },
  };
}

/** Throws unless these permissions open the route. */
export function checkAccess(access: PrivateAccess, permissions: readonly Permission[]): void {
  if (access === 'session') {
    throw refuse(
      'SESSION_REQUIRED',
      'No key may do this. Sign in with a browser; the same path under /json/v1 takes its session.',
    );
  }
  if (access === 'key' || permissions.includes(access)) return;
  throw refuse('PERMISSION_DENIED', `The key lacks the permission '${access}'.`, {
    permission: access,
  });
}

/** The parts of a request that hold its parameters. */
export const contentOf = (request: FastifyRequest): SentContent => ({
  method: request.method,
  query: queryOf(request),
  hasBody: hasBody(request),
  body: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
  mediaType: mediaTypeOf(request.headers['content-type']),
});

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
