// Finds the owner of a key. The key itself is never compared: a keyed hash of it is looked up in an
// index, so the time it takes reveals nothing about how much of a guess was right.
import type pg from 'pg';
import { hostOf, type Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { gather } from '../../platform/std/gather.ts';
import type { User } from '../user.ts';
import { findUsersByKeyLookups, getStoredKey, type KeyHolder } from '../users/credentials.ts';
import { parsePlaceholder } from '../users/sight.ts';
import { lookupOf, openChatKey } from './key.ts';
import { touchChatKey } from './store.ts';

/** Bounds one statement; the rest waits for the next. */
const KEYS_AT_ONCE = 500;

type FindOwner = (lookup: Buffer) => Promise<KeyHolder | undefined>;
const finders = new WeakMap<pg.Pool, FindOwner>();

/**
 * Concurrent requests are looked up together: when a message wakes thousands of clients, all of
 * them poll again at the same moment, and a connection each would be more than there are.
 */
function findOwner(pool: pg.Pool, lookup: Buffer): Promise<KeyHolder | undefined> {
  let find = finders.get(pool);
  if (find === undefined) {
    find = gather(KEYS_AT_ONCE, (lookups: readonly Buffer[]) =>
      findUsersByKeyLookups(pool, lookups),
    );
    finders.set(pool, find);
  }
  return find(lookup);
}

/**
 * The user with this address, their own or the placeholder for it, and this key; an unknown key and another's key are treated the same.
 */
export async function findChatKeyOwner(
  ctx: Context,
  email: string,
  key: string,
): Promise<KeyHolder | undefined> {
  const holder = await findOwner(ctx.database.pool, lookupOf(ctx.secrets, key));
  if (holder === undefined) return undefined;
  const { user } = holder;
  const isOwn =
    user.email.toLowerCase() === email.toLowerCase() ||
    parsePlaceholder(email, hostOf(ctx)) === user.id;
  return isOwn ? holder : undefined;
}

/** The user with this key, without an address. A key with a scope does not stand for its owner, and finds nobody. */
export async function findKeyOwner(ctx: Context, key: string): Promise<User | undefined> {
  const holder = await findOwner(ctx.database.pool, lookupOf(ctx.secrets, key));
  return holder?.scope === undefined ? holder?.user : undefined;
}

/** How often the last use of a key is written. */
const TOUCH_MS = 60_000;

export async function noteKeyUse(ctx: Context, { keyId, lastUsedAt }: KeyHolder): Promise<void> {
  if (keyId === undefined) return;
  if (lastUsedAt !== null && ctx.clock.now() - lastUsedAt.getTime() < TOUCH_MS) return;
  await touchChatKey(ctx.db, keyId);
}

/** The key in plain text, for its owner. */
export async function revealChatKey(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  userId: number,
): Promise<string> {
  return openChatKey(ctx.secrets, await getStoredKey(db, userId));
}
