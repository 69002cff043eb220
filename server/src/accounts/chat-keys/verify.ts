// Whose key is it. The key itself is compared nowhere: a keyed hash of it is looked up in an index, so
// the time that takes says nothing about how much of a guess was right.
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { User } from '../user.ts';
import { lookupOf, openChatKey } from './key.ts';
import { findUserByKeyLookup, getStoredKey } from './store.ts';

/** The user with this address and this key; an unknown key and a key of another are the same to us. */
export async function findKeyOwner(
  ctx: Context,
  email: string,
  key: string,
): Promise<User | undefined> {
  const user = await findUserByKeyLookup(ctx.database.pool, lookupOf(ctx.secrets, key));
  return user?.email.toLowerCase() === email.toLowerCase() ? user : undefined;
}

/** The key in clear, for its owner. */
export async function revealChatKey(ctx: Context, db: Db, userId: number): Promise<string> {
  return openChatKey(ctx.secrets, await getStoredKey(db, userId));
}
