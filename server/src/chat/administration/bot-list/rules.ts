import { hasAtLeast, type RoleCode } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';

/** Whether somebody sees what there is to a bot beside its public face. */
export const isInListOf = (
  bot: Pick<User, 'botOwnerId'>,
  viewer: { readonly id: number; readonly role: RoleCode },
): boolean => hasAtLeast(viewer.role, 'administrator') || bot.botOwnerId === viewer.id;

/** `Echo Bot` with the short name `echo` writes from this address. */
export const botEmail = (shortName: string, domain: string): string =>
  `${shortName.trim().toLowerCase()}-bot@${domain}`;
