// What the table of sent requests needs with time. roles/upkeep.ts calls it.
import type { Context } from '../../../platform/context.ts';
import { deleteOldSent } from './store.ts';

/** Rows removed at once, so that the statement stays short. The job runs every minute. */
const FORGOTTEN_AT_ONCE = 10_000;

/** A request is answered from memory for a day. Returns how many went. */
export const forgetSentOnce = (ctx: Context): Promise<number> =>
  deleteOldSent(ctx.db, FORGOTTEN_AT_ONCE);
