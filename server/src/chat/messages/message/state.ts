// Messages in a client's initial state.
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { findReadable } from './access.ts';
import { findMaxMessageId, listStarred } from './store.ts';

/** What clients are told when there is no message at all. */
const NO_MESSAGE = -1;
const STARRED_MAX = 10_000;

export const readMaxMessageId = async (db: Db, userId: number): Promise<number> =>
  (await findMaxMessageId(db, userId)) ?? NO_MESSAGE;

/** What the person has starred and may still read. */
export async function readStarred(
  db: Db,
  reader: Pick<User, 'id' | 'role'>,
): Promise<readonly number[]> {
  const starred = await listStarred(db, reader.id, STARRED_MAX);
  return (await findReadable(db, await readRights(db, reader), starred)).ids;
}
