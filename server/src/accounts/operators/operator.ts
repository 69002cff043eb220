// Who may act for the venue: a person of the organization, named by their address. They have grants and a second factor
// and act in a session, or they have an operator's secret and a role that may have one.
import { hasAtLeast, type RoleCode } from '../roles.ts';
import type { User } from '../user.ts';

/** How an operator proved who they are: a session, of a browser or a command line, or the secret of earlier releases. */
export type OperatorProof = 'session' | 'secret';

export interface Operator {
  readonly id: number;
  readonly email: string;
  readonly role: RoleCode;
  /** From where they act, for the audit log: `command line of root@venue-1`. */
  readonly via: string;
  readonly proof: OperatorProof;
}

/** Why a person may not have an operator's secret; undefined when they may. */
export function whyNotOperator(
  user: Pick<User, 'role' | 'isActive' | 'botType'>,
): string | undefined {
  if (!user.isActive) return 'the user is deactivated';
  if (user.botType !== null) return 'it is a bot';
  if (!hasAtLeast(user.role, 'administrator')) return 'the role is too low';
  return undefined;
}
