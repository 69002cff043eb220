// A route of the trading API, declared once: validation, types, the OpenAPI document and the
// reference page come from the declaration. Limits, signatures, envelope and errors are handled
// here for all.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { runAudited, type Asker } from '../../accounts/audit/call.ts';
import { actsOf, type Audited, type AuditDeclaration } from '../../accounts/audit/acts.ts';
import type { StepUp } from '../../accounts/second-factors/factor.ts';
import type { Session } from '../../accounts/sessions/access.ts';
import { queryToText, parsePairs } from '../../accounts/trading-keys/parameters.ts';
import type { MountedRoute } from '../../platform/http/mount.ts';
import type { TradingContext } from '../context.ts';
import {
  hasBody,
  queryOf,
  toHook,
  type Door,
  type PrivateAccess,
  type PrivateCaller,
  type PublicCaller,
  type SessionCaller,
} from './authenticate.ts';
import { BODY_BYTES_MAX } from './bodies.ts';
import {
  serverTimeOf,
  type Answer,
  type Envelope,
  type FileContent,
  type RenderedJson,
} from './envelope.ts';
import { refuse, type ErrorName } from './errors.ts';
import { toActParameter } from './act.ts';
import { compileParams } from './params.ts';

/** Who may call. A session of the account's owner may call everything that is not public. */
export type Access = 'public' | PrivateAccess;

/** What the rest of the code knows of a route, independent of its parameters. */
export interface TradingRoute {
  /** The operationId of the OpenAPI document. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the versioned root. */
  readonly path: string;
  readonly access: Access;
  readonly audit?: AuditDeclaration;
  /** What a session must prove again before it may call. */
  readonly stepUp?: StepUp;
  readonly summary: string;
  readonly params: TObject;
  readonly returns: TSchema;
  /** Errors of this route besides those that every route of its kind has. */
  readonly errors: readonly ErrorName[];
  /** Headers that a success may carry besides those of every answer. */
  readonly headers: readonly string[];
  /** It changes nothing: every GET, and a POST that only checks. Reads may share a signature. */
  readonly isRead: boolean;
  /** Whether a suspended account may still call it: to look, and to reduce its risk. */
  readonly whileSuspended: boolean;
  /** The answer is a separate document, without the envelope. */
  readonly isBare: boolean;
  /** Media types that a success may have besides JSON. */
  readonly alsoSends: readonly string[];
  handle(ctx: TradingContext, caller: never, params: never): unknown;
}

type CallerOf<A extends Access> = A extends 'public'
  ? PublicCaller
  : A extends 'session'
    ? SessionCaller
    : PrivateCaller;

type Method = TradingRoute['method'];

export type RouteDeclaration<
  P extends TObject,
  R extends TSchema,
  A extends Access,
  M extends Method = Method,
> = Declared<P, R, A, M> &
  /** Its place in the audit log: which acts it may write, or why none. */
  Audited<M>;

interface Declared<P extends TObject, R extends TSchema, A extends Access, M extends Method> {
  name: string;
  method: M;
  path: string;
  access: A;
  stepUp?: StepUp;
  summary: string;
  params: P;
  returns: R;
  errors?: readonly ErrorName[];
  headers?: readonly string[];
  isRead?: boolean;
  whileSuspended?: boolean;
  isBare?: boolean;
  alsoSends?: readonly string[];
  handle(ctx: TradingContext, caller: CallerOf<A>, params: Static<P>): Given<R> | Promise<Given<R>>;
}

type Given<R extends TSchema> =
  Static<R> | Answer<Static<R>> | RenderedJson | Answer<RenderedJson> | Answer<FileContent>;

export function tradingRoute<
  P extends TObject,
  R extends TSchema,
  const A extends Access,
  const M extends Method,
>(declared: RouteDeclaration<P, R, A, M>): TradingRoute {
  return {
    errors: [],
    headers: [],
    isRead: declared.method === 'GET',
    whileSuspended: false,
    isBare: false,
    alsoSends: [],
    ...declared,
  };
}

/** Has a session prove again who it is, for this very act. `params` are as they were sent; throws a refusal. */
export type StepUpCheck = (
  request: FastifyRequest,
  session: Session,
  level: StepUp,
  params: readonly (readonly [name: string, value: string])[],
) => Promise<void>;

export interface RouteServices {
  readonly ctx: TradingContext;
  readonly envelope: Envelope;
  readonly door: Door;
  readonly stepUp?: StepUpCheck | undefined;
}

/** The type of a handler once its declaration has been checked against its types. */
type AnyHandle = (ctx: TradingContext, caller: PublicCaller, params: unknown) => unknown;

export function toMounted(route: TradingRoute, services: RouteServices): MountedRoute {
  const { method, path, access } = route;
  if (access === 'public') return { method, path, handle: publicHandler(route, services) };
  const handle = privateHandler(route, access, services);
  const onRequest = toHook(services.door);
  if (method === 'POST') return { method, path, handle, onRequest, bodyLimit: BODY_BYTES_MAX };
  return { method, path, handle, ...(services.door.guardsAll && { onRequest }) };
}

function publicHandler(route: TradingRoute, { ctx, envelope }: RouteServices) {
  const takesNone = Object.keys(route.params.properties).length === 0;
  const parseParams = compileParams(route.params, { unknownNames: 'ignored' });
  const noParams = takesNone ? parseParams([]) : undefined;
  const handle = route.handle as AnyHandle;
  const send = route.isBare
    ? (request: FastifyRequest, reply: FastifyReply, result: unknown) =>
        envelope.sendBare(request, reply, (result as RenderedJson).json)
    : envelope.succeed;
  return (request: FastifyRequest, reply: FastifyReply) => {
    if (hasBody(request)) throw refuse('PARAMETER_PLACE', 'This request has no body.');
    const params = noParams ?? parseParams(parsePairs(queryToText(queryOf(request))));
    const caller = { address: request.caller, nowMs: serverTimeOf(ctx, request) };
    const result = handle(ctx, caller, params);
    // Most public answers are ready; only a real promise costs a turn of the loop.
    if (!(result instanceof Promise)) return send(request, reply, result);
    return result.then((value: unknown) => send(request, reply, value));
  };
}

function privateHandler(route: TradingRoute, access: PrivateAccess, services: RouteServices) {
  const { ctx, envelope, door, stepUp } = services;
  const parseParams = compileParams(route.params, {
    unknownNames: 'refused',
    reserved: door.reserved,
  });
  const handle = route.handle as AnyHandle;
  const isAudited = actsOf(route.audit).length > 0;
  const { whileSuspended, isRead } = route;
  const guarded = { path: `${door.prefix}${route.path}`, access, whileSuspended, isRead };
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const nowMs = serverTimeOf(ctx, request);
    const { caller, pairs } = await door.authenticate(request, guarded, nowMs);
    const params = parseParams(pairs);
    // Last, so that no code is spent for a request that cannot be served.
    if (route.stepUp !== undefined && caller.session !== undefined) {
      await stepUp?.(request, caller.session, route.stepUp, pairs.map(toActParameter));
    }
    request.isActing = !isRead;
    // Orders come by here: requests without an audit entry skip the longer way.
    const result = isAudited
      ? await runAudited(ctx, route, askerOf(request, caller, guarded.path), async (own) =>
          handle(own, caller, params),
        )
      : await handle(ctx, caller, params);
    envelope.succeed(request, reply, result);
  };
}

/** Of the owner of a key, the audit log adds who they are besides their number. */
function askerOf(
  { id, method }: FastifyRequest,
  { account, keyId, session, address }: PrivateCaller,
  path: string,
): Asker {
  return {
    userId: account.userId,
    keeperId: account.userId,
    email: session?.user.email ?? '',
    // As in the chat: which session it was is not said.
    via: session === undefined ? `trading key ${keyId}` : 'session',
    from: address,
    requestId: id,
    asks: `${method} ${path}`,
  };
}
