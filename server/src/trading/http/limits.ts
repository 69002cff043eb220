// The global limit: a number of requests in any window, counted per address for every request and,
// for private ones, per account as well. Both must admit; a request that the account refuses does
// not count for the address.
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { limitKeyOf } from '../../platform/http/address.ts';
import type { Refusal } from '../../platform/http/refusal.ts';
import type { Admission, WindowRule } from '../../platform/windows/windows.ts';
import { refuse } from './errors.ts';

export type LimitScope = 'address' | 'account';

export interface Limits {
  readonly rule: WindowRule;
  admitAddress(request: FastifyRequest): Admission | Promise<Admission>;
  /** Admits the request for its account, or throws; stores the stricter of both on the request. */
  admitAccount(request: FastifyRequest, accountId: bigint): Promise<Admission>;
  /** The same without a request, for an operation on a connection. */
  countAccount(accountId: bigint): Promise<Admission>;
  refusal(scope: LimitScope, admission: Admission): Refusal;
}

export function createLimits(ctx: Context): Limits {
  const rule: WindowRule = {
    limit: ctx.config.TRADING_RATE_LIMIT,
    windowMs: ctx.config.TRADING_RATE_WINDOW_MS,
  };
  const period = rule.windowMs === 1000 ? 'one second' : `${rule.windowMs} milliseconds`;
  const addressKey = (request: FastifyRequest) => `trading:address:${limitKeyOf(request.caller)}`;

  function refusal(scope: LimitScope, { atMs, resetMs }: Admission): Refusal {
    ctx.metrics.refused('trading', scope);
    const retryAfterMs = Math.max(1, Math.ceil(resetMs - atMs));
    return refuse(
      'RATE_LIMITED',
      `More than ${rule.limit} requests in ${period}.`,
      {
        scope,
        limit: String(rule.limit),
        windowMs: String(rule.windowMs),
        retryAfterMs: String(retryAfterMs),
      },
      { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
    );
  }

  const accountKey = (accountId: bigint) => `trading:account:${accountId}`;

  return {
    rule,
    refusal,
    admitAddress: (request) => ctx.windows.admit(addressKey(request), rule),
    async countAccount(accountId) {
      const account = await ctx.windows.admit(accountKey(accountId), rule);
      if (!account.admitted) throw refusal('account', account);
      return account;
    },
    async admitAccount(request, accountId) {
      const address = request.admission;
      const account = await ctx.windows.admit(accountKey(accountId), rule);
      if (address !== null) {
        if (!account.admitted) ctx.windows.release(addressKey(request), address.token);
        // The request keeps its one reading of the clock, whichever window is reported.
        request.admission = { ...stricter(address, account), atMs: address.atMs };
      }
      if (!account.admitted) throw refusal('account', account);
      return account;
    },
  };
}

function stricter(a: Admission, b: Admission): Admission {
  if (a.remaining !== b.remaining) return a.remaining < b.remaining ? a : b;
  return a.resetMs > b.resetMs ? a : b;
}
