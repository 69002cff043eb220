// The channel `wallet`: deposits and withdrawals as they change. They are no events of the engine, so they are not counted.
import type { TradingContext } from '../../context.ts';
import { listNewestDeposits } from '../../custody/deposits/access.ts';
import type { WalletEvent } from '../../custody/events.ts';
import { listNewestWithdrawals } from '../../custody/withdrawals/access.ts';

/** Of each of both, the newest. */
export const SNAPSHOT_WALLET_MAX = 50;

/** As JSON text, the oldest first. */
export async function printWallet({ db }: TradingContext, accountId: bigint): Promise<string> {
  const [deposits, withdrawals] = await Promise.all([
    listNewestDeposits(db, accountId, SNAPSHOT_WALLET_MAX),
    listNewestWithdrawals(db, accountId, SNAPSHOT_WALLET_MAX),
  ]);
  return JSON.stringify([...deposits, ...withdrawals]);
}

export const printWalletEvent = (event: WalletEvent): string =>
  JSON.stringify(event.type === 'deposit' ? event.deposit : event.withdrawal);
