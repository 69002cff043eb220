// Records and releases halts by broken rules.

import type { Db } from '../../platform/db/pool.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import type { NewHalt, Release } from './halt.ts';
import { insertHalts, updateReleased } from './store.ts';

/**
 * Records which markets a broken rule halts, and returns those to be halted: not the ones that two
 * people have knowingly released already. Repeating it changes nothing.
 */
export function recordInvariantHalts(db: Db, halts: readonly NewHalt[]): Promise<NewHalt[]> {
  return insertHalts(db, halts);
}

/**
 * Ends every open halt of a market, in the transaction of the command that lets it trade. Returns
 * how many.
 */
export function releaseHalts(tx: Tx, release: Release): Promise<number> {
  return updateReleased(tx, release);
}
