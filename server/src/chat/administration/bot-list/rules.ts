// Who sees a bot in their list, and which address a bot gets.
import { hasAtLeast, type RoleCode } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';

/** Whether the viewer sees the private facts of a bot (its webhook and token). */
export const isInListOf = (
  bot: Pick<User, 'botOwnerId'>,
  viewer: { readonly id: number; readonly role: RoleCode },
): boolean => hasAtLeast(viewer.role, 'administrator') || bot.botOwnerId === viewer.id;

/** A bot with the short name `echo` gets the address `echo-bot@domain`. */
export const botEmail = (shortName: string, domain: string): string =>
  `${shortName.trim().toLowerCase()}-bot@${domain}`;
