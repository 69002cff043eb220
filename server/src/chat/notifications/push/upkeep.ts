// What the tables of push notifications need with time. roles/upkeep.ts calls it.
import type { Context } from '../../../platform/context.ts';
import { deleteOldNotified } from './store.ts';

/** Somebody who has not read a message after weeks looks at the conversation anyway. Returns how many went. */
export const forgetNotified = (ctx: Context): Promise<number> => deleteOldNotified(ctx.db);
