// What the organization says about an address that its owner chooses.
import { hasAtLeast } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
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
