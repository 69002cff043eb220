// Lists that a person fills and every client of theirs gets at once: drafts, snippets, what is to be sent later. Their
// lengths are limited where they are written; here are their bytes, since each entry may be as long as a message.
import { measureOwnList, OWN_LIST_BYTES, type OwnList } from '../../../platform/db/own-list.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';

/** To be asked after writing, in the same transaction: refuses what makes the list too large. */
export async function checkOwnRoom(tx: Tx, list: OwnList, userId: number): Promise<void> {
  if ((await measureOwnList(tx, list, userId)) <= OWN_LIST_BYTES) return;
  throw badRequest(
    `Your ${list.entries} would have more than ${OWN_LIST_BYTES} bytes together. Delete some first.`,
  );
}
