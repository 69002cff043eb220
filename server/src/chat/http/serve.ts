// Serves every chat request, in these steps: credentials, form, method, limit, permission, parameters, step-up,
// handler, envelope.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { askerOf, orNoteDenied, runAudited, type Asker } from '../../accounts/audit/call.ts';
import { actsOf } from '../../accounts/audit/acts.ts';
import type { KeyScope } from '../../accounts/chat-keys/scope.ts';
import { hasAtLeast, ROLE } from '../../accounts/roles.ts';
import { actOf } from '../../accounts/second-factors/act.ts';
import type { StepUp } from '../../accounts/second-factors/factor.ts';
import { requireKeyStepUp, requireStepUp } from '../../accounts/second-factors/step-up.ts';
import type { Session } from '../../accounts/sessions/access.ts';
import type { User } from '../../accounts/user.ts';
import { withPool, type ApiContext } from '../../platform/context.ts';
import { relyOnCaller, type RememberedCaller } from '../../platform/facts/caller.ts';
import { stillHolds } from '../../platform/facts/check.ts';
import { FactsChanged } from '../../platform/facts/memory.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { CSRF_FIELD } from '../../accounts/sessions/csrf.ts';
import { checkSessionToken } from './authenticate.ts';
import { RequestCall } from './call.ts';
import { sendSuccess, type AnswerFields } from './envelope.ts';
import { checkKeyScope } from './key-scope.ts';
import { badRequest, bodyNotRead, methodNotAllowed, unauthorized } from './errors.ts';
import { merge, readForm, streamForm, type Form, type FormValues } from './form.ts';
import { allowedMethods, isOpen, meetAgain, type Caller } from './identify.ts';
import { admitAddress, admitUser, type Cost } from './limits.ts';
import { parseParams } from './params.ts';
import { answerLimits, type ChatRoute } from './route.ts';

const INCOMING_WEBHOOK_BOT = 2;

/** Serves one path for an identified caller; `routes` are the routes of the path. */
export function servePath(ctx: ApiContext, routes: readonly ChatRoute[]) {
  const byMethod = new Map<string, ChatRoute>(routes.map((route) => [route.method, route]));
  const allowed = allowedMethods(routes);
  const fileBytesMax = Math.max(...routes.map((route) => route.fileBytesMax ?? 0));
  const limits = { fileBytesMax, isFromStranger: isOpen(routes) };
  const streaming = routes.find(({ streamsFiles }) => streamsFiles);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (request.method === 'OPTIONS') {
      return reply.code(204).header('allow', allowed.join(', ')).send();
    }
    if (streaming !== undefined && request.method === 'POST') {
      return serveStream(ctx, streaming, request, reply);
    }
    // Thousands of polls wait at once: what need not be awaited is not, so that each has fewer promises.
    const read = readForm(request, limits);
    const form = read instanceof Promise ? await read : read;
    const { method, isOverridden } = methodOf(request, form);
    const route = byMethod.get(method);
    if (route === undefined) throw methodNotAllowed(allowed);
    const met = await admitCaller(ctx, request, reply, route, form.body);
    const work = { route, method, form, isOverridden };
    const { fields, ignored } = await asCaller(ctx, request, reply, route, met, (own, caller) =>
      answer(own, request, reply, caller, work),
    );
    return sendSuccess(reply, fields, ignored, answerLimits(ctx.config, route));
  };
}

interface Work {
  readonly route: ChatRoute;
  readonly method: string;
  readonly form: Form;
  readonly isOverridden: boolean;
}

interface Answered {
  readonly fields: AnswerFields;
  readonly ignored: readonly string[];
}

async function answer(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { user: actor, session, scope }: Caller,
  { route, method, form, isOverridden }: Work,
): Promise<Answered> {
  const asker = askerOf(request, method, actor, session === undefined ? 'key' : 'session');
  const denied = enter(ctx, reply, route, actor, asker);
  if (denied !== undefined) await denied;
  if (form.unreadType !== undefined) throw bodyNotRead(form.unreadType);
  let values = isOverridden ? without(merge(form), 'method') : merge(form);
  if (session !== undefined) values = without(values, CSRF_FIELD);
  const { values: params, ignored } = parseParams(route.params, values);
  const asked = { ...params, ...parsePath(route, request) };
  if (scope !== undefined) checkKeyScope(route, scope, asked);
  const cost = route.costOf(params);
  if (cost !== undefined) await admitCost(ctx, reply, actor, cost);
  const level = route.stepUpOf(params);
  if (level !== undefined) {
    await stepUp(ctx, request, { route, actor, session, scope, level, values });
  }
  const came = { files: form.files, session, scope, client: values.get('client') };
  const call = new RequestCall(ctx.config, request, reply, came);
  const pooled = route.pool === undefined ? ctx : withPool(ctx, route.pool);
  const fields = await runAudited(pooled, route, asker, (own) =>
    route.handle(own, actor, asked, call),
  );
  return { fields, ignored };
}

/**
 * Serves a remembered caller if they are still who they were. If not, or if the call is refused, their key is looked up
 * again: nothing was written, and nothing is refused by memory alone.
 */
function asCaller<T>(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  route: ChatRoute,
  caller: Caller,
  serve: (ctx: ApiContext, caller: Caller) => Promise<T>,
): Promise<T> {
  const { unchecked } = caller;
  if (unchecked === undefined) return serve(ctx, caller);
  return asRemembered(ctx, request, reply, route, caller, unchecked, serve);
}

async function asRemembered<T>(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  route: ChatRoute,
  caller: Caller,
  unchecked: RememberedCaller,
  serve: (ctx: ApiContext, caller: Caller) => Promise<T>,
): Promise<T> {
  const facts = relyOnCaller(ctx.facts, unchecked, (basis) => stillHolds(ctx.database.pool, basis));
  try {
    if (route.checksCaller !== true) await facts.confirm();
    try {
      const answered = await serve({ ...ctx, facts }, caller);
      facts.requireChecked();
      return answered;
    } catch (error) {
      if (error instanceof Refusal) await facts.confirm();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof FactsChanged)) throw error;
  }
  return serve(ctx, await meetAgain(ctx, request, reply));
}

/** For bodies that do not fit into memory: they are read while the handler runs. */
async function serveStream(
  ctx: ApiContext,
  route: ChatRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = streamForm(request);
  const { user: actor, session, scope } = await admitCaller(ctx, request, reply, route, new Map());
  const asker = askerOf(request, route.method, actor, session === undefined ? 'key' : 'session');
  await enter(ctx, reply, route, actor, asker);
  const { values: params } = parseParams(route.params, form.query);
  const asked = { ...params, ...parsePath(route, request) };
  if (scope !== undefined) checkKeyScope(route, scope, asked);
  const cost = route.costOf(params);
  if (cost !== undefined) await admitCost(ctx, reply, actor, cost);
  const level = route.stepUpOf(params);
  if (level !== undefined) {
    await stepUp(ctx, request, { route, actor, session, scope, level, values: form.query });
  }
  const client = form.query.get('client');
  const came = { incoming: form.files, session, scope, client };
  const call = new RequestCall(ctx.config, request, reply, came);
  const fields = await runAudited(ctx, route, asker, (own) =>
    route.handle(own, actor, asked, call),
  );
  const { ignored } = parseParams(route.params, merge(form));
  return sendSuccess(reply, fields, ignored, answerLimits(ctx.config, route));
}

/** HEAD is GET without the body; a form field of a POST may name another method. */
function methodOf(request: FastifyRequest, form: Form): { method: string; isOverridden: boolean } {
  const override = request.method === 'POST' ? form.body.get('method') : undefined;
  if (override !== undefined) return { method: override, isOverridden: true };
  return { method: request.method === 'HEAD' ? 'GET' : request.method, isOverridden: false };
}

function without(values: FormValues, name: string): FormValues {
  return new Map([...values].filter(([key]) => key !== name));
}

/** Checks the session's token and counts the call; returns the caller. */
async function admitCaller(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  route: ChatRoute,
  body: FormValues,
): Promise<Caller> {
  const caller = request.chatCaller;
  if (caller === null)
    throw new Error('A chat request reached its route before its caller was identified.');
  const { user, tokenDue } = caller;
  if (user === undefined) return caller;
  try {
    if (tokenDue !== undefined) checkSessionToken(body.get(CSRF_FIELD), tokenDue);
    if (user.botType === INCOMING_WEBHOOK_BOT && route.name !== 'send-message') {
      throw unauthorized('This API is not available to incoming webhook bots.');
    }
  } catch (error) {
    await admitAddress(ctx, reply, request.caller);
    throw error;
  }
  await admitUser(ctx, reply, user, route.budget);
  return caller;
}

/** Counts a costly call against its second limit, now that the parameters are known. */
async function admitCost(
  ctx: ApiContext,
  reply: FastifyReply,
  actor: User | undefined,
  cost: Cost,
): Promise<void> {
  if (actor !== undefined) await admitUser(ctx, reply, actor, cost);
}

interface Stepping {
  readonly route: ChatRoute;
  readonly actor: User | undefined;
  readonly session: Session | undefined;
  readonly scope: KeyScope | undefined;
  readonly level: StepUp;
  readonly values: FormValues;
}

/** Acts that could do harm ask for one more proof. */
async function stepUp(
  ctx: ApiContext,
  request: FastifyRequest,
  { route, actor, session, scope, level, values }: Stepping,
): Promise<void> {
  if (actor === undefined) return;
  if (session === undefined) {
    return requireKeyStepUp(ctx, actor, level, scope?.can.includes('admin') === true);
  }
  const act = actOf(ctx.config, request, route.method, [...values]);
  await requireStepUp(ctx, session, level, act);
}

/**
 * Checks the permission; gives a promise only if a refusal has to be noted. Routes with audit acts also answer the request's
 * id, which their audit entries have.
 */
function enter(
  ctx: ApiContext,
  reply: FastifyReply,
  route: ChatRoute,
  actor: User | undefined,
  asker: Asker,
): Promise<void> | undefined {
  if (actsOf(route.audit).length > 0) reply.header('x-request-id', asker.requestId);
  if (actor === undefined) return undefined;
  try {
    checkAllowed(route, actor);
    return undefined;
  } catch (error) {
    return orNoteDenied(ctx, route, asker, () => {
      throw error;
    });
  }
}

/** Permission failures are 400 in this API, never 403. */
function checkAllowed({ allow, bots }: ChatRoute, actor: User): void {
  if (allow === 'administrator' || allow === 'owner') {
    if (!hasAtLeast(actor.role, allow)) throw mustBe(allow);
  } else if (allow !== 'anyone' && !hasAtLeast(actor.role, allow)) {
    throw badRequest(
      actor.role === ROLE.guest ? 'Not allowed for guest users' : 'Insufficient permission',
    );
  }
  if (!bots && actor.botType !== null) {
    throw badRequest('This endpoint does not accept bot requests.');
  }
}

const mustBe = (role: 'administrator' | 'owner') =>
  new Refusal({
    code: 'UNAUTHORIZED_PRINCIPAL',
    message: `Must be an organization ${role}`,
    status: 400,
  });

const INTEGER_PART = /\{(\w+):int\}/g;
const PATH_PART = /\{(\w+):path\}$/;
const NO_PARTS: Record<string, unknown> = {};

function parsePath(route: ChatRoute, request: FastifyRequest): Record<string, unknown> {
  if (!route.path.includes('{')) return NO_PARTS;
  const { '*': rest, ...named } = request.params as Record<string, string>;
  const parts: Record<string, unknown> = { ...named };
  const last = PATH_PART.exec(route.path)?.[1];
  if (last !== undefined) parts[last] = rest;
  for (const [, name = ''] of route.path.matchAll(INTEGER_PART)) parts[name] = Number(parts[name]);
  return parts;
}
