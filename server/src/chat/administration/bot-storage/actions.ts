// The key-value storage of a bot. Nobody else sees it, and no events are sent.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { badRequest } from '../../http/errors.ts';
import { eraseStorage, lockStorage, measureStorage, readStorage, writeStorage } from './store.ts';

export async function getStorage(
  ctx: Context,
  actor: User,
  keys: readonly string[] | undefined,
): Promise<Record<string, string>> {
  checkBot(actor);
  const found = await readStorage(ctx.db, actor.id, keys);
  if (keys?.some((key) => !Object.hasOwn(found, key)) === true) throw noSuchKey();
  return found;
}

/** Stores these values and keeps all others. */
export async function putStorage(
  ctx: Context,
  actor: User,
  given: Readonly<Record<string, string>>,
): Promise<void> {
  checkBot(actor);
  await ctx.inTransaction(async (tx) => {
    await lockStorage(tx, actor.id);
    await writeStorage(tx, actor.id, Object.entries(given));
    const size = await measureStorage(tx, actor.id);
    const max = ctx.config.BOT_STORAGE_MAX;
    if (size > max) {
      throw badRequest(
        `Cannot set state. Request would require ${size} bytes storage. The current storage limit is ${max}.`,
      );
    }
  });
}

/** Deletes all of these or none; without names, deletes everything. */
export async function removeStorage(
  ctx: Context,
  actor: User,
  keys: readonly string[] | undefined,
): Promise<void> {
  checkBot(actor);
  await ctx.inTransaction(async (tx) => {
    await lockStorage(tx, actor.id);
    const removed = await eraseStorage(tx, actor.id, keys);
    if (keys !== undefined && removed < new Set(keys).size) throw noSuchKey();
  });
}

function checkBot({ botType }: User): void {
  if (botType !== null) return;
  throw new Refusal({ code: 'PERMISSION_DENIED', message: 'Must be a bot user', status: 400 });
}

const noSuchKey = () => badRequest('Key does not exist.');
