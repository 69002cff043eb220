// The type of a user, for every store that loads one.
import type { Selectable } from 'kysely';
import type { Users } from '../platform/db/schema.generated.ts';
import type { RoleCode } from './roles.ts';

export type BotType = 1 | 2 | 3 | 4;

/** The source of a picture: drawn from the name, or uploaded. */
export type AvatarSource = 'J' | 'U';

/** A person or a bot. Credentials are not part of it: they stay in the stores that check them. */
export interface User {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly role: RoleCode;
  readonly isActive: boolean;
  readonly botType: BotType | null;
  readonly botOwnerId: number | null;
  /**
   * The organization itself speaks as this bot. It is in no list of people and cannot be changed.
   */
  readonly isSystem: boolean;
  readonly timezone: string;
  readonly avatarVersion: number;
  readonly avatarSource: AvatarSource;
  readonly dateJoined: Date;
  /** Who sees the address, see users/sight.ts. Follows from the settings; always everyone for a bot. */
  readonly emailVisibility: number;
  /** The person's changes from the defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export const USER_COLUMNS = [
  'id',
  'email',
  'fullName',
  'role',
  'isActive',
  'botType',
  'botOwnerId',
  'isSystem',
  'timezone',
  'avatarVersion',
  'avatarSource',
  'dateJoined',
  'emailVisibility',
  'settings',
] as const;

export type StoredUser = Pick<Selectable<Users>, (typeof USER_COLUMNS)[number]>;

/** The table's check constraints guarantee the codes of `role` and `bot_type`. */
export function toUser(row: StoredUser): User {
  return {
    ...row,
    role: row.role as RoleCode,
    botType: row.botType as BotType | null,
    avatarSource: row.avatarSource as AvatarSource,
    settings: row.settings as Record<string, unknown>,
  };
}
