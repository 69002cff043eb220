// What the tables of messages need with time. roles/upkeep.ts calls it.
import type { Context } from '../../../platform/context.ts';
import { deleteOldEchoes, openPartitions } from './store.ts';

/** Makes partitions ahead of time, so that a new message finds its own. */
export async function openMessagePartitions(ctx: Context): Promise<number> {
  await openPartitions(ctx.db);
  return 0;
}

/** A client that repeats a send does so within minutes. Returns how many went. */
export const forgetEchoes = (ctx: Context): Promise<number> => deleteOldEchoes(ctx.db);
