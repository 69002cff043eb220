// The figures of payments and of the hot wallet, for operators: for graphs, and for those who cannot reach a node.
import type { Context } from '../../../platform/context.ts';
import type { CoinTerms } from '../deposits/rules.ts';
import type { OwnNetwork } from '../networks.ts';
import type { Funds } from './hot.ts';
import { toFine } from '../reconciliation/difference.ts';
import { countPayments, noteHotBalance, sumFreeCoins } from './hot-store.ts';

export async function measurePayments(ctx: Context, { network }: OwnNetwork): Promise<void> {
  const { counts, oldestSeconds } = await countPayments(ctx.db, network);
  ctx.metrics.custodyPayments(network, counts, oldestSeconds);
}

export async function measureHot(
  ctx: Context,
  { network }: OwnNetwork,
  /** By coin. */
  terms: ReadonlyMap<string, CoinTerms>,
  { scannedHeight, funds }: { readonly scannedHeight: number; readonly funds: Funds | undefined },
): Promise<void> {
  const held = funds ?? new Map([['', await sumFreeCoins(ctx.db, network, scannedHeight)]]);
  for (const { coin, contract, decimals } of terms.values()) {
    const units = held.get(contract);
    if (units === undefined) continue;
    ctx.metrics.custodyHot(network, coin, Number(units) / 10 ** decimals);
    await noteHotBalance(ctx.db, { network, coin, amount: toFine(units, decimals) });
  }
}
