// How often a caller may come: per user with credentials, per address without.
import type { FastifyReply } from 'fastify';
import { limitKeyOf } from '../../platform/http/address.ts';
import type { Context } from '../../platform/context.ts';
import { rateLimitHit } from './errors.ts';

const WINDOW_MS = 60_000;

export function admitUser(ctx: Context, reply: FastifyReply, userId: number): Promise<void> {
  return admit(ctx, reply, 'user', `chat:user:${userId}`, ctx.config.CHAT_RATE_LIMIT);
}

export function admitAddress(ctx: Context, reply: FastifyReply, caller: string): Promise<void> {
  const key = `chat:address:${limitKeyOf(caller)}`;
  return admit(ctx, reply, 'address', key, ctx.config.CHAT_RATE_LIMIT_ANONYMOUS);
}

async function admit(
  ctx: Context,
  reply: FastifyReply,
  scope: string,
  key: string,
  limit: number,
): Promise<void> {
  const { admitted, atMs, remaining, resetMs } = await ctx.windows.admit(key, {
    limit,
    windowMs: WINDOW_MS,
  });
  reply.headers({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetMs / 1000)),
  });
  if (admitted) return;
  ctx.metrics.refused('chat', scope);
  throw rateLimitHit(Math.max(0.001, Math.round(resetMs - atMs) / 1000));
}
