// An address that an administrator gives to somebody. Its mailbox has to confirm it.
import { askGivenAddress } from '../../../accounts/addresses/actions.ts';
import { noteNothing } from '../../../accounts/audit/actions.ts';
import type { User } from '../../../accounts/user.ts';
import { findUser } from '../../../accounts/users/access.ts';
import { accessForEmail } from '../../../accounts/users/actions.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { isMailConfigured } from '../../../platform/mail/transport.ts';

/** Whether emails can be sent to somebody: a person, on a server that sends emails. */
export const hasMailbox = async (db: Db, ctx: Context, userId: number): Promise<boolean> =>
  isMailConfigured(ctx.config) && (await findUser(db, userId))?.botType === null;

/** An administrator gives somebody another address. */
export async function giveAddress(
  tx: Tx,
  ctx: Context,
  actor: User,
  userId: number,
  email: string,
): Promise<void> {
  const user = await accessForEmail(tx, actor, userId, email);
  if (email === user.email) return noteNothing(tx);
  await askGivenAddress(tx, ctx, user, email, actor);
}
