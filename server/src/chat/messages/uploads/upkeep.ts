// Removes files that nobody will miss: in no message for weeks, or never finished.
import type { Context } from '../../../platform/context.ts';
import { HOUR_MS, DAY_MS } from '../../../platform/std/time.ts';
import { removeFile } from './actions.ts';
import { deleteUnderWay, isNamedElsewhere, listUnderWay, listUnreferenced } from './store.ts';

/** The most files per run. The next run continues. */
const BATCH = 500;

/** Removes files that have been in no message for weeks; returns how many. */
export async function removeUnreferenced(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now() - ctx.config.UPLOADS_UNREFERENCED_DAYS * DAY_MS);
  let count = 0;
  for (const row of await listUnreferenced(ctx.db, before, BATCH)) {
    // Files in drafts and scheduled messages are kept.
    if (await isNamedElsewhere(ctx.db, row)) continue;
    if (await ctx.inTransaction((tx) => removeFile(tx, row))) count += 1;
  }
  return count;
}

/** Removes what is left of uploads that were not finished in time; returns how many. */
export async function removeUnfinished(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now() - ctx.config.UPLOADS_UNFINISHED_HOURS * HOUR_MS);
  const old = await listUnderWay(ctx.db, before, BATCH);
  for (const { storageKey, tus, attachmentId } of old) {
    // A finished upload leaves only the protocol's notes.
    if (tus !== null) await ctx.files.forgetResumable(storageKey);
    if (attachmentId === null) await ctx.files.remove(storageKey);
    await deleteUnderWay(ctx.db, storageKey);
  }
  return old.length + (await ctx.files.sweep(before));
}
