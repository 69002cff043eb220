import type { Db } from '../../platform/db/pool.ts';
import { CHAIN_START, followChain, type ChainState } from './entry.ts';
import { listEntriesAfter, listNewestEntries } from './store.ts';

export { listNewestEntries };

const PAGE = 1000;

/**
 * Follows the chain a page at a time, to its end or to the entry `until`; what is appended meanwhile is
 * followed too.
 */
export async function verifyAuditLog(db: Db, until?: bigint): Promise<ChainState> {
  let state = CHAIN_START;
  for (;;) {
    const left = until === undefined ? PAGE : Number(until - state.seq);
    const limit = Math.min(PAGE, Math.max(0, left));
    const entries = await listEntriesAfter(db, state.seq, limit);
    state = followChain(state, entries);
    if (entries.length < PAGE || state.trouble !== undefined) return state;
  }
}
