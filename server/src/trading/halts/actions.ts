import type { Db } from '../../platform/db/pool.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import type { NewHalt, Release } from './halt.ts';
import { insertHalts, updateReleased } from './store.ts';

/**
 * Writes down which markets a broken rule stops, and gives those that are to be stopped: not the ones that two
 * people have released already, knowing of it. Repeating it changes nothing.
 */
export function recordInvariantHalts(db: Db, halts: readonly NewHalt[]): Promise<NewHalt[]> {
  return insertHalts(db, halts);
}

/** Ends every open halt of a market, in the transaction of the command that lets it trade. Gives how many. */
export function releaseHalts(tx: Tx, release: Release): Promise<number> {
  return updateReleased(tx, release);
}
