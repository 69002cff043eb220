// Stops a coin of which something is missing: nothing of it is paid, and its markets only cancel. Operators end it.
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { pauseWithdrawals } from '../../coins/access.ts';
import { encodeCommand } from '../../engine/command.ts';
import { recordInvariantHalts } from '../../halts/actions.ts';
import { listMarketStates } from '../../markets/access.ts';
import { insertHaltCommand, listTradingMarkets } from '../../operators/access.ts';
import { explainQueued } from '../withdrawals/change.ts';
import { insertStop } from './stop-store.ts';

export const UNDER_COVERED = 'what a network holds of a coin covers what the ledger says';

/** What owners read while their withdrawals wait. */
const REASON = 'reconciliation';

/** Returns the markets that are asked to stop. Doing so again is harmless. */
export async function stopCoin(
  tx: Tx,
  {
    network,
    coin,
    reportId,
    at,
  }: {
    readonly network: string;
    readonly coin: string;
    readonly reportId: bigint;
    readonly at: Date;
  },
): Promise<string[]> {
  const since = await insertStop(tx, { network, coin, reportId, stoppedAt: at });
  await pauseWithdrawals(tx, coin);
  await explainQueued(tx, { coin, reason: REASON, at });
  const markets = (await listMarketStates(tx)).filter(
    ({ base, quote }) => base === coin || quote === coin,
  );
  // By its first report: what two operators released is another stop than one that comes later.
  const subject = `${coin} on ${network}, report ${since}`;
  const halts = markets.map(({ symbol }) => ({
    symbol,
    rule: UNDER_COVERED,
    subject,
    foundBy: 'custody' as const,
  }));
  const inForce = new Set((await recordInvariantHalts(tx, halts)).map(({ symbol }) => symbol));
  const trading = (await listTradingMarkets(tx)).filter((symbol) => inForce.has(symbol));
  const asked: string[] = [];
  for (const symbol of trading) if (await askForPhase(tx, symbol, subject)) asked.push(symbol);
  return asked;
}

const askForPhase = (db: Db, symbol: string, subject: string): Promise<boolean> =>
  insertHaltCommand(db, {
    symbol,
    command: encodeCommand({ type: 'set_phase', symbol, phase: 'cancel_only' }),
    by: 'custody',
    reason: `coins are missing: ${subject}`,
  });
