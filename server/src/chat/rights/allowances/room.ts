// Limits the bytes of lists that every client of a person loads whole: drafts, snippets, scheduled messages. The number
// of entries is limited elsewhere, but each entry may be as long as a message.
import { measureOwnList, OWN_LIST_BYTES, type OwnList } from '../../../platform/db/own-list.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';

/** Refuses a change that makes the list too large. Call it after writing, in the same transaction. */
export async function checkOwnRoom(tx: Tx, list: OwnList, userId: number): Promise<void> {
  if ((await measureOwnList(tx, list, userId)) <= OWN_LIST_BYTES) return;
  throw badRequest(
    `Your ${list.entries} would have more than ${OWN_LIST_BYTES} bytes together. Delete some first.`,
  );
}
