// Runs a request to an audited route: its transactions know the caller, what it did is checked
// against the route's declaration, and refusals for lack of a right are recorded as well.
import { createCause, type Cause } from '../../platform/cause.ts';
import { withCause, type Context } from '../../platform/context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { HOUR_MS } from '../../platform/std/time.ts';
import type { User } from '../user.ts';
import { appendAudit } from './actions.ts';
import { actsOf, type AuditDeclaration } from './acts.ts';

export interface AuditedRoute {
  readonly name: string;
  readonly audit?: AuditDeclaration | undefined;
}

/** The caller and the request, as the product's pipeline knows them. */
export interface Asker extends Omit<Cause, 'noted'> {
  /** The person responsible for the caller: the owner of a bot, otherwise the caller. */
  readonly keeperId: number | null;
  /** The method and the path, without a query. */
  readonly asks: string;
}

export function askerOf(
  request: { readonly id: string; readonly caller: string; readonly url: string },
  method: string,
  actor: Pick<User, 'id' | 'email' | 'botOwnerId'> | undefined,
  via: 'key' | 'session',
): Asker {
  const [path = ''] = request.url.split('?', 1);
  return {
    userId: actor?.id ?? null,
    keeperId: actor?.botOwnerId ?? actor?.id ?? null,
    email: actor?.email ?? '',
    via: actor === undefined ? 'stranger' : via,
    from: request.caller,
    requestId: request.id,
    asks: `${method} ${path.slice(0, PATH_CHARACTERS_MAX)}`,
  };
}

const PATH_CHARACTERS_MAX = 200;

/** Runs the handler of a route. A route without audit entries runs unchanged. */
export function runAudited<C extends Context, T>(
  ctx: C,
  route: AuditedRoute,
  asker: Asker,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  return actsOf(route.audit).length === 0 ? work(ctx) : runWithActs(ctx, route, asker, work);
}

async function runWithActs<C extends Context, T>(
  ctx: C,
  route: AuditedRoute,
  asker: Asker,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  const acts: readonly string[] = actsOf(route.audit);
  const cause = createCause(asker);
  const result = await orNoteDenied(ctx, route, asker, () => work(withCause(ctx, cause)));
  const { noted } = cause;
  const undeclared = noted.acts.filter((act) => !acts.includes(act));
  const isForgotten = noted.acts.length === 0 && !noted.isSettled;
  if (isForgotten || undeclared.length > 0) {
    ctx.metrics.auditForgotten(route.name);
    ctx.log.error(
      { route: route.name, requestId: asker.requestId, undeclared },
      isForgotten
        ? 'A request changed something and left no entry in the audit log. This is a bug.'
        : 'A request left entries in the audit log that its route does not declare. This is a bug.',
    );
  }
  return result;
}

/** Limits the entries that a stranger can cause. */
const DENIED_PER_HOUR = 20;

/**
 * Runs `work`; if it is refused because the caller lacks the right, that is in the log before the
 * answer is given.
 */
export async function orNoteDenied<T>(
  ctx: Context,
  route: AuditedRoute,
  asker: Asker,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && isDenial(error)) await noteDenied(ctx, route, asker, error);
    throw error;
  }
}

const DENIALS: readonly RegExp[] = [
  /^Insufficient permission/,
  /^Must be an organization /,
  /^Not allowed for guest users/,
  /^You do not have permission /,
];

/**
 * Chat clients recognise a refusal for lack of a right by its text; there is no single code for it.
 */
const isDenial = ({ code, message }: Refusal): boolean =>
  code === 'UNAUTHORIZED_PRINCIPAL' || DENIALS.some((pattern) => pattern.test(message));

async function noteDenied(
  ctx: Context,
  { audit }: AuditedRoute,
  { userId, keeperId, email, via, from, requestId, asks }: Asker,
  { code, message }: Refusal,
): Promise<void> {
  const [act] = actsOf(audit);
  if (act === undefined || keeperId === null) return;
  try {
    const rule = { limit: DENIED_PER_HOUR, windowMs: HOUR_MS };
    const { admitted } = await ctx.windows.admit(`audit:denied:${keeperId}`, rule);
    if (!admitted) return ctx.metrics.auditDeniedUnwritten();
    await ctx.inTransaction((tx) =>
      appendAudit(tx, Date.now(), {
        operator: email,
        act,
        subject: asks,
        details: { refusal: code, message, by: userId, via, from, request: requestId },
        outcome: 'denied',
      }),
    );
  } catch (error) {
    // The caller is refused all the same.
    ctx.log.error({ err: error, requestId }, 'A denied request could not be written down.');
  }
}
