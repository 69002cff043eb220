// Gives the demo's traders their first coins: each gets a deposit address, and somebody outside pays to it.
import type { Context } from '../../../server/src/platform/context.ts';
import { pause } from '../../../server/src/platform/std/wait.ts';
import { takeDepositAddress } from '../../../server/src/trading/custody/addresses/actions.ts';
import { ownNetworks } from '../../../server/src/trading/custody/networks.ts';
import { CAST, EXTRAS } from '../data/people.ts';
import type { DemoChains } from './nodes.ts';
import { NETWORKS, payOnChain, type ChainCoin } from './pay.ts';

/** In whole coins, by what somebody does. */
const FUNDS: Readonly<Record<'maker' | 'taker' | 'trader', Readonly<Record<ChainCoin, string>>>> = {
  maker: { ltc: '150', eth: '400', usdt: '500000' },
  taker: { ltc: '50', eth: '100', usdt: '100000' },
  trader: { ltc: '20', eth: '10', usdt: '10000' },
};
const WITHIN_MS = 50_000;
const POLL_MS = 200;

/** Returns when everything is credited. */
export async function fundTraders(ctx: Context, chains: DemoChains): Promise<void> {
  const untilMs = performance.now() + WITHIN_MS;
  const soon = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (performance.now() > untilMs) {
        throw new Error(
          `${what} was not there within ${WITHIN_MS / 1000} s. The machine may be too busy; try again.`,
        );
      }
      await pause(POLL_MS);
    }
  };
  const accounts = await findAccounts(ctx);
  // No address is given out before the watcher has seen the chain.
  await soon('The watcher of the chains', async () => {
    const { rows } = await ctx.database.pool.query(
      "SELECT 1 FROM custody_networks WHERE status = 'active'",
    );
    return rows.length === ownNetworks(ctx.config).size ? true : undefined;
  });
  for (const coin of Object.keys(NETWORKS) as ChainCoin[]) {
    const own = ownNetworks(ctx.config).get(NETWORKS[coin]);
    if (own === undefined) throw new Error(`The network of ${coin} is not followed.`);
    for (const { id, does } of accounts) {
      const { address } = await takeDepositAddress(ctx, own, id);
      await payOnChain(chains.environment, coin, address, FUNDS[does][coin]);
    }
  }
  const expected = accounts.length * Object.keys(NETWORKS).length;
  await soon('A deposit of the traders', async () => {
    const { rows } = await ctx.database.pool.query(
      "SELECT 1 FROM custody_transfers WHERE status = 'credited'",
    );
    return rows.length >= expected ? true : undefined;
  });
}

async function findAccounts(
  ctx: Context,
): Promise<{ readonly id: bigint; readonly does: 'maker' | 'taker' | 'trader' }[]> {
  const does = new Map<string, 'maker' | 'taker' | 'trader'>([
    ...Object.values(CAST)
      .filter(({ isFunded }) => isFunded === true)
      .map(({ email }) => [email, 'trader'] as const),
    ...EXTRAS.flatMap(({ email, desk }) => (desk === undefined ? [] : [[email, desk] as const])),
  ]);
  const rows = await ctx.db
    .selectFrom('tradingAccounts')
    .innerJoin('users', 'users.id', 'tradingAccounts.userId')
    .select(['tradingAccounts.id', 'users.email'])
    .where('users.email', 'in', [...does.keys()])
    .orderBy('tradingAccounts.id')
    .execute();
  return rows.map(({ id, email }) => ({ id, does: does.get(email) ?? 'trader' }));
}
