// What the organization says about a new address, for its owner and for administrators.
import { askGivenAddress } from '../../../accounts/addresses/actions.ts';
import { noteNothing } from '../../../accounts/audit/actions.ts';
import { hasAtLeast } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import { findUser } from '../../../accounts/users/access.ts';
import { accessForEmail } from '../../../accounts/users/actions.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { isMailConfigured } from '../../../platform/mail/transport.ts';
import { badRequest } from '../../http/errors.ts';
import { readOrganization } from '../../organization/org/access.ts';
import { readPolicy } from '../invitations/checks.ts';
import { findAddressProblem } from '../invitations/rules.ts';

/** Whether this is another address than the present one; refused where the organization does not permit it. */
export async function checkOwnAddress(ctx: Context, actor: User, email: string): Promise<boolean> {
  // A form with an untouched field sends the present address, or none.
  if (email === '' || email.toLowerCase() === actor.email.toLowerCase()) return false;
  const organization = await readOrganization(ctx.db, ctx.config);
  const isFixed = organization.settings['email_changes_disabled'] === true;
  if (isFixed && !hasAtLeast(actor.role, 'administrator')) {
    throw badRequest('Email address changes are disabled in this organization.');
  }
  const problem = findAddressProblem(email, await readPolicy(ctx.db, organization));
  if (problem !== undefined) throw badRequest(problem);
  return true;
}

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
