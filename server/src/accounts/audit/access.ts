import type { Db } from '../../platform/db/pool.ts';
import { ACTS, type ActName } from './acts.ts';
import { CHAIN_START, followChain, type ChainedEntry, type ChainState } from './entry.ts';
import {
  findNewestHead,
  listAuditHeads,
  listEntriesAfter,
  listNewestEntries,
  listOrganizationEntries,
  ORGANIZATION_NOUNS,
} from './store.ts';

export { findNewestHead, listAuditHeads, listNewestEntries, listOrganizationEntries };

const NOUNS: readonly string[] = ORGANIZATION_NOUNS;

/** The acts that administrators of the organization may read about. */
export const ORGANIZATION_ACTS: readonly ActName[] = (Object.keys(ACTS) as ActName[]).filter(
  (act) => NOUNS.includes(act.split(' ', 1)[0] ?? ''),
);

const PAGE = 1000;

/**
 * All entries after `after` by seq, a page at a time; includes entries that are appended meanwhile.
 */
export async function* pagesOfLog(
  db: Db,
  after = CHAIN_START.seq,
): AsyncGenerator<ChainedEntry[], void> {
  for (let seq = after; ;) {
    const page = await listEntriesAfter(db, seq, PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    seq = page.at(-1)?.seq ?? seq;
  }
}

/**
 * Follows the chain a page at a time, to its end or to the entry `until`; includes entries that are
 * appended meanwhile.
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
