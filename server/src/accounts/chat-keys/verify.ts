// Finds the owner of a key. The key itself is never compared: a keyed hash of it is looked up in an
// index, so the time it takes reveals nothing about how much of a guess was right.
import type pg from 'pg';
import { hostOf, type Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { stillHolds } from '../../platform/facts/check.ts';
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
 * How a key is looked up. `read`: in the database. `checked`: from memory, if the database says that nothing of it has
 * changed. `unchecked`: from memory as it is; the statement that relies on it must check it (decision 0093).
 */
export type Lookup = 'read' | 'checked' | 'unchecked';

export interface FoundHolder {
  readonly holder: KeyHolder;
  /** Under which name it is remembered, if it is from memory and not checked yet. */
  readonly unchecked: string | undefined;
}

/**
 * The user with this address, their own or the placeholder for it, and this key; an unknown key and another's key are treated the same.
 */
export async function findChatKeyOwner(
  ctx: Context,
  { email, lookup }: { readonly email: string; readonly lookup: Buffer },
  how: Lookup,
): Promise<FoundHolder | undefined> {
  const known = how === 'read' ? undefined : ctx.facts.find<KeyHolder>(nameOf(lookup));
  const isKnown =
    known !== undefined &&
    (how === 'unchecked' || (await stillHolds(ctx.database.pool, known.basis)));
  const holder = isKnown ? known.value : await readHolder(ctx, lookup);
  if (holder === undefined) return undefined;
  const { user } = holder;
  const isOwn =
    user.email.toLowerCase() === email.toLowerCase() ||
    parsePlaceholder(email, hostOf(ctx)) === user.id;
  if (!isOwn) return undefined;
  const isUnchecked = isKnown && how === 'unchecked';
  return { holder, unchecked: isUnchecked ? nameOf(lookup) : undefined };
}

const nameOf = (lookup: Buffer): string => `chat key ${lookup.toString('base64')}`;

/** Remembers a key that works and does not end by itself. So only holders of keys can fill the memory. */
async function readHolder(ctx: Context, lookup: Buffer): Promise<KeyHolder | undefined> {
  const holder = await findOwner(ctx.database.pool, lookup);
  if (holder?.user.isActive === true && holder.expiresAt === null) {
    ctx.facts.keep(nameOf(lookup), { value: holder, basis: holder.basis });
  } else ctx.facts.forget(nameOf(lookup));
  return holder;
}

/** The user with this key, without an address. A key with a scope does not stand for its owner, and finds nobody. */
export async function findKeyOwner(ctx: Context, key: string): Promise<User | undefined> {
  const holder = await findOwner(ctx.database.pool, lookupOf(ctx.secrets, key));
  return holder?.scope === undefined ? holder?.user : undefined;
}

/** How often the last use of a key is written. */
const TOUCH_MS = 60_000;

/** When this process last wrote the use of a key, by its id. What is remembered of the key may be older. */
const noted = new WeakMap<Context['facts'], Map<bigint, number>>();
const NOTED_MAX = 10_000;

/** A promise only when the use is due to be written. */
export function noteKeyUse(
  ctx: Context,
  { keyId, lastUsedAt }: KeyHolder,
): Promise<void> | undefined {
  if (keyId === undefined) return undefined;
  const mine = noted.get(ctx.facts) ?? new Map<bigint, number>();
  noted.set(ctx.facts, mine);
  const now = ctx.clock.now();
  const atMs = Math.max(lastUsedAt?.getTime() ?? 0, mine.get(keyId) ?? 0);
  if (now - atMs < TOUCH_MS) return undefined;
  if (mine.size >= NOTED_MAX) mine.clear();
  mine.set(keyId, now);
  return touchChatKey(ctx.db, keyId);
}

/** The key in plain text, for its owner. */
export async function revealChatKey(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  userId: number,
): Promise<string> {
  return openChatKey(ctx.secrets, await getStoredKey(db, userId));
}
