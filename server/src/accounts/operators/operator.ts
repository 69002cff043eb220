// Who may act for the venue. An operator is a person of the organization, named by their address,
// of a role that may act, with their own secret.
import { hasAtLeast, type RoleCode } from '../roles.ts';
import type { User } from '../user.ts';

export interface Operator {
  readonly id: number;
  readonly email: string;
  readonly role: RoleCode;
  /** From where they act, for the audit log: `command line of root@venue-1`. */
  readonly via: string;
}

/** Why a person may not act as an operator; undefined when they may, once they have a secret. */
export function whyNotOperator(
  user: Pick<User, 'role' | 'isActive' | 'botType'>,
): string | undefined {
  if (!user.isActive) return 'the user is deactivated';
  if (user.botType !== null) return 'it is a bot';
  if (!hasAtLeast(user.role, 'administrator')) return 'the role is too low';
  return undefined;
}
