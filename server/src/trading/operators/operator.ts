// Who may act for the venue. An operator is a person of the organization, named by their address.
import { hasAtLeast } from '../../accounts/roles.ts';
import type { User } from '../../accounts/user.ts';

export interface Operator {
  readonly id: number;
  readonly email: string;
  /** From where they act, for the audit log: `command line of root@venue-1`. */
  readonly via: string;
}

/** Why somebody may not act as an operator; undefined when they may. */
export function whyNotOperator(
  user: Pick<User, 'role' | 'isActive' | 'botType'>,
): string | undefined {
  if (!user.isActive) return 'the user is deactivated';
  if (user.botType !== null) return 'it is a bot';
  if (!hasAtLeast(user.role, 'administrator')) return 'the role is too low';
  return undefined;
}
