// How often a caller may come: per user with credentials, per address without. Some calls have their own
// budget: polls, so that receiving events does not use up the right to send; and calls that cost the server much.
import type { FastifyReply } from 'fastify';
import type { User } from '../../accounts/user.ts';
import { limitKeyOf } from '../../platform/http/address.ts';
import type { Config } from '../../platform/config/schema.ts';
import type { Context } from '../../platform/context.ts';
import type { Admission } from '../../platform/windows/windows.ts';
import { rateLimitHit } from './errors.ts';

/** How a call is counted: as an ordinary call, or as a poll, which has its own limit. */
export type CallBudget = 'calls' | 'polls';

/** A second limit for a call that costs more than others. */
export type Cost = 'search' | 'register' | 'history' | 'push';

const WINDOW_MS = 60_000;

/** The share of a user's calls that may be of each kind: of 200 a minute, 60 searches, and so on. */
const SHARES: Readonly<Record<Cost, number>> = {
  search: 0.3,
  register: 0.3,
  history: 0.15,
  push: 0.05,
};

/** A page with this many messages or more counts as history. */
export const HISTORY_MESSAGES = 1000;

type Caller = Pick<User, 'id' | 'botType' | 'botOwnerId'>;

/**
 * Counts a call of a user. A bot counts twice: for itself, and for all bots of its owner together. Otherwise an owner
 * would have as many budgets as bots.
 */
export async function admitUser(
  ctx: Context,
  reply: FastifyReply,
  user: Caller,
  kind: CallBudget | Cost = 'calls',
): Promise<void> {
  const limit = limitOf(ctx.config, kind);
  const own = { scope: kind === 'calls' ? 'user' : kind, key: `chat:${kind}:${user.id}`, limit };
  const admission = await ask(ctx, own);
  if (admission.admitted && user.botType !== null && user.botOwnerId !== null) {
    const shared = {
      scope: 'bots',
      key: `chat:bots:${kind}:${user.botOwnerId}`,
      limit: limit * ctx.config.CHAT_BOTS_LIMIT_FACTOR,
    };
    const together = await ask(ctx, shared);
    if (!together.admitted) ctx.windows.release(own.key, admission.token);
    if (together.remaining < admission.remaining) return settle(ctx, reply, shared, together);
  }
  return settle(ctx, reply, own, admission);
}

export async function admitAddress(
  ctx: Context,
  reply: FastifyReply,
  caller: string,
): Promise<void> {
  const rule = {
    scope: 'address',
    key: `chat:address:${limitKeyOf(caller)}`,
    limit: ctx.config.CHAT_RATE_LIMIT_ANONYMOUS,
  };
  settle(ctx, reply, rule, await ask(ctx, rule));
}

function limitOf(config: Config, kind: CallBudget | Cost): number {
  if (kind === 'calls') return config.CHAT_RATE_LIMIT;
  if (kind === 'polls') return config.CHAT_RATE_LIMIT_POLLS;
  return Math.max(1, Math.floor(config.CHAT_RATE_LIMIT * SHARES[kind]));
}

interface Bucket {
  readonly scope: string;
  readonly key: string;
  readonly limit: number;
}

const ask = (ctx: Context, { key, limit }: Bucket): Admission | Promise<Admission> =>
  ctx.windows.admit(key, { limit, windowMs: WINDOW_MS });

/** Sets the headers with the state of the bucket, and refuses a call that it did not admit. */
function settle(
  ctx: Context,
  reply: FastifyReply,
  { scope, limit }: Bucket,
  { admitted, atMs, remaining, resetMs }: Admission,
): void {
  reply.headers({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetMs / 1000)),
  });
  if (admitted) return;
  ctx.metrics.refused('chat', scope);
  throw rateLimitHit(Math.max(0.001, Math.round(resetMs - atMs) / 1000));
}
