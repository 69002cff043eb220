// Whether a session has lately proved again that its owner is there, for the pages that ask for it.
import type { Session } from '../accounts/sessions/access.ts';
import type { Context } from '../platform/context.ts';
import { MINUTE_MS } from '../platform/std/time.ts';

const FRESH_MINUTES = 10;

export const isFresh = async (ctx: Context, { factorAt }: Session): Promise<boolean> =>
  factorAt !== null && ctx.clock.now() - factorAt.getTime() <= FRESH_MINUTES * MINUTE_MS;
