// What register says to a client that names a type of the venue.
import { findAccountId, listFamily } from '../../accounts/trading-keys/access.ts';
import type { TradingState } from '../../chat/realtime/events/trading-state.ts';
import type { Db } from '../../platform/db/pool.ts';
import { readEngineSeq } from '../../trading/engine/access.ts';

/** The engine's first shard is the only one so far. */
const SHARD = 0;

/**
 * Read in the snapshot of the queue: every batch after `engineSeq` comes as events, and none before it does. A closed
 * sub-account is empty and stays so, and is not named.
 */
export async function describeTrading(
  tx: Db,
  userId: number,
): Promise<{ readonly trading: TradingState }> {
  const main = await findAccountId(tx, { userId });
  const family = main === undefined ? [] : await listFamily(tx, main);
  const open = family.filter(({ closedAt }) => closedAt === null);
  const engineSeq = await readEngineSeq(tx, SHARD);
  return {
    trading: {
      engineSeq: String(engineSeq),
      accounts: open.map(({ id, label, isSuspended }) => ({
        accountId: String(id),
        name: label,
        rights: isSuspended ? ['view'] : ['view', 'trade'],
      })),
    },
  };
}
