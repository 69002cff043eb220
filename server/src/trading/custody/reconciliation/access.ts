// Which coins are stopped, and whether operators may let them run.
import type { Db } from '../../../platform/db/pool.ts';
import { stillMissing } from '../errors.ts';
import { listOpenStops, updateEnded } from './stop-store.ts';

export { askTurns, listNewestReports, type Report } from './report-store.ts';

export { listOpenStops } from './stop-store.ts';

/** Coins of which nothing is paid. */
export async function listStoppedCoins(db: Db): Promise<ReadonlySet<string>> {
  return new Set((await listOpenStops(db)).map(({ coin }) => coin));
}

/** Refuses while something of these coins is missing: a comparison without a difference comes first. */
export async function requireCovered(db: Db, coins: readonly string[]): Promise<void> {
  const missing = (await listOpenStops(db, coins)).find(({ isCleared }) => !isCleared);
  if (missing !== undefined) throw stillMissing(missing);
}

/** Ends the stops of a coin, in the transaction in which operators let it be withdrawn again. */
export async function endStops(tx: Db, coin: string, endedById: number, at: Date): Promise<void> {
  const stops = await listOpenStops(tx, [coin]);
  if (stops.length === 0) return;
  await requireCovered(tx, [coin]);
  await updateEnded(
    tx,
    stops.map(({ stopId }) => stopId),
    endedById,
    at,
  );
}
