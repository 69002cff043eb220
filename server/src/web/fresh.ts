// Whether a session has lately proved again that its owner is there, for the pages that ask for it.
import { readStepUp } from '../accounts/second-factors/step-up.ts';
import type { Session } from '../accounts/sessions/access.ts';
import type { Context } from '../platform/context.ts';

export const isFresh = async (ctx: Context, session: Session): Promise<boolean> =>
  (await readStepUp(ctx, session)).freshUntilMs !== undefined;
