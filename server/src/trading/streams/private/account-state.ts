// The state of the account as its channel tells it: what the account may do, its fees, and the terms of the own key.
import { readAccountInfo } from '../../account/access.ts';
import type { TradingContext } from '../../context.ts';
import type { Identity } from '../identity.ts';

/** As JSON text; equal texts are equal states. */
export async function printAccount(ctx: TradingContext, identity: Identity): Promise<string> {
  const { account, permissions, markets, keyId } = identity;
  const nowMs = Math.floor(ctx.clock.now());
  const { volume30d: _, ...info } = await readAccountInfo(ctx, { account, permissions, nowMs });
  return JSON.stringify({ ...info, keyId, markets });
}
