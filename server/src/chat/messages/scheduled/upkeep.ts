// What the table of scheduled messages needs with time. roles/upkeep.ts calls it.
import type { Context } from '../../../platform/context.ts';
import { deleteSent } from './store.ts';

/**
 * For a day, a person who changes a scheduled message too late is told that it was sent; then, that it is unknown.
 * Returns how many went.
 */
export const forgetSent = (ctx: Context): Promise<number> => deleteSent(ctx.db);
