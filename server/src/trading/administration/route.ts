// A route of the administration, declared once: who may call it, its parameters, its answer, its acts in the audit log.
// The door, the envelope and the errors are handled here for all.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { AuditDeclaration, Audited } from '../../accounts/audit/acts.ts';
import { askerOf, orNoteDenied, runAudited } from '../../accounts/audit/call.ts';
import type { Grant } from '../../accounts/operators/grants.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import type { StepUp } from '../../accounts/second-factors/factor.ts';
import type { Session } from '../../accounts/sessions/access.ts';
import { parseMembers } from '../../accounts/trading-keys/json.ts';
import {
  parsePairs,
  queryToText,
  type ParameterPair,
} from '../../accounts/trading-keys/parameters.ts';
import type { MountedRoute } from '../../platform/http/mount.ts';
import type { TradingContext } from '../context.ts';
import { hasBody, queryOf } from '../http/authenticate.ts';
import { BODY_BYTES_MAX } from '../http/bodies.ts';
import type { Envelope, RenderedJson } from '../http/envelope.ts';
import { refuse, type ErrorName, type OperatorErrorName } from '../http/errors.ts';
import { compileParams } from '../http/params.ts';
import { requireGrant, requireProof, requireSession } from './door.ts';
import { toCatalogue } from './errors.ts';

export interface AdminCaller {
  readonly operator: Operator;
  readonly session: Session;
  readonly address: string;
}

export interface AdminRoute {
  /** The operationId of the document. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Below /json/v1/admin. */
  readonly path: string;
  /** What the caller must have. An approval also takes the grant of what it approves. */
  readonly grant: Grant;
  /** What the session must prove again. */
  readonly stepUp: StepUp;
  readonly audit?: AuditDeclaration;
  readonly summary: string;
  readonly params: TObject;
  readonly returns: TSchema;
  readonly errors: readonly (ErrorName | OperatorErrorName)[];
  handle(ctx: TradingContext, caller: AdminCaller, params: never): unknown;
}

type Declared<P extends TObject, R extends TSchema, M extends AdminRoute['method']> = Audited<M> & {
  name: string;
  method: M;
  path: string;
  grant: Grant;
  stepUp: StepUp;
  summary: string;
  params: P;
  returns: R;
  errors?: AdminRoute['errors'];
  handle(
    ctx: TradingContext,
    caller: AdminCaller,
    params: Static<P>,
  ): Static<R> | RenderedJson | Promise<Static<R> | RenderedJson>;
};

export const adminRoute = <
  P extends TObject,
  R extends TSchema,
  const M extends AdminRoute['method'],
>(
  declared: Declared<P, R, M>,
): AdminRoute => ({ errors: [], ...declared });

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator of a request to the administration; null until they are known. */
    adminCaller: AdminCaller | null;
  }
}

type AnyHandle = (ctx: TradingContext, caller: AdminCaller, params: unknown) => Promise<unknown>;

export interface AdminServices {
  readonly ctx: TradingContext;
  readonly envelope: Envelope;
  readonly prefix: string;
}

export function toMounted(
  route: AdminRoute,
  { ctx, envelope, prefix }: AdminServices,
): MountedRoute {
  const { method, path, grant, stepUp } = route;
  const parseParams = compileParams(route.params, { unknownNames: 'refused', reserved: [] });
  const handle = route.handle as AnyHandle;
  const askedBy = (request: FastifyRequest, session: Session) =>
    askerOf(
      { id: request.id, caller: request.caller, url: prefix + path },
      method,
      session.user,
      'session',
    );

  return {
    method,
    path,
    bodyLimit: BODY_BYTES_MAX,
    /** Who asks is known before a body is read. */
    onRequest: async (request: FastifyRequest) => {
      const session = await requireSession(ctx, request);
      const operator = await orNoteDenied(ctx, route, askedBy(request, session), () =>
        requireGrant(ctx, session, grant),
      ).catch((error: unknown) => {
        throw toCatalogue(error);
      });
      request.adminCaller = { operator, session, address: request.caller };
    },
    handle: async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = request.adminCaller;
      if (caller === null) throw new Error('A request reached its route before its operator.');
      try {
        const pairs = pairsOf(request);
        const params = parseParams(pairs);
        // After the parameters, so that a typing error costs no code.
        await requireProof(ctx, request, caller.session, stepUp, pairs);
        request.isActing = method !== 'GET';
        const result = await runAudited(ctx, route, askedBy(request, caller.session), (own) =>
          handle(own, caller, params),
        );
        envelope.succeed(request, reply, result);
      } catch (error) {
        throw toCatalogue(error);
      }
    },
  };
}

/** Parameters of a GET stand in the query string, those of a POST in the body. */
function pairsOf(request: FastifyRequest): readonly ParameterPair[] {
  const { body, headers, method } = request;
  if (method !== 'POST') {
    if (hasBody(request)) throw refuse('PARAMETER_PLACE', `A ${method} request has no body.`);
    return parsePairs(queryToText(queryOf(request)));
  }
  if (queryOf(request) !== '') throw refuse('PARAMETER_PLACE', 'Parameters stand in the body.');
  if (!Buffer.isBuffer(body) || body.length === 0) return [];
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';', 1);
  switch (mediaType.trim().toLowerCase()) {
    case 'application/json':
      return parseMembers(body);
    case 'application/x-www-form-urlencoded':
      return parsePairs(body.toString('utf8'));
    default:
      throw refuse(
        'UNSUPPORTED_MEDIA_TYPE',
        'The body must be application/json or application/x-www-form-urlencoded.',
      );
  }
}
