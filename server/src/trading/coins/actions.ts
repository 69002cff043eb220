// Defines and changes coins.

import { ringEngine } from '../../platform/bus/bells.ts';
import type { Context } from '../../platform/context.ts';
import { addAct } from '../operators/actions.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import type { Coin } from './coin.ts';
import { coinInvalid, networkMissing } from './errors.ts';
import { findCoinProblems } from './rules.ts';
import { listCoins, upsertCoin } from './store.ts';
import { endStops } from '../custody/reconciliation/access.ts';

/**
 * Defines a coin with its networks, or changes its definition, and asks the engine to list it, in
 * one transaction. `given` has the shape in which /public/coins_info shows a coin.
 */
export async function defineCoin(
  ctx: Context,
  operator: Operator,
  given: unknown,
): Promise<bigint> {
  const problems = findCoinProblems(given);
  if (problems.length > 0) throw coinInvalid(problems);
  const coin = given as Coin;
  const id = await ctx.inTransaction(async (tx) => {
    const before = (await listCoins(tx)).find(({ symbol }) => symbol === coin.symbol);
    const missing = Object.keys(before?.networks ?? {}).filter((name) => !(name in coin.networks));
    if (missing.length > 0) throw networkMissing(coin.symbol, missing);
    if (opensWithdrawals(before, coin)) {
      await endStops(tx, coin.symbol, operator.id, new Date(ctx.clock.now()));
    }
    await upsertCoin(tx, coin);
    return addAct(ctx, tx, operator, {
      act: 'coin add',
      subject: coin.symbol,
      command: { type: 'list_coin', coin: coin.symbol, networks: Object.keys(coin.networks) },
      details: { before: before ?? null, after: coin },
    });
  });
  ringEngine(ctx);
  return id;
}

/** Whether the coin can be withdrawn on some network where it could not before. */
const opensWithdrawals = (before: Coin | undefined, after: Coin): boolean =>
  Object.entries(after.networks).some(
    ([name, { withdrawStatus }]) =>
      withdrawStatus === 'active' && before?.networks[name]?.withdrawStatus !== 'active',
  );
