// Everything that changes who is here and what they are.
import type { Context } from '../../platform/context.ts';
import { hashPassword } from '../passwords/hash.ts';
import { createChatKey } from '../chat-keys/key.ts';
import { hasAtLeast, ROLE, type RoleCode } from '../roles.ts';
import { cannotDeactivateLast, insufficientPermission, noSuchUser } from './errors.ts';
import { userAdded, userUpdated } from './events.ts';
import {
  countActiveOwners,
  insertUser,
  lockUser,
  updateUser,
  type BotType,
  type User,
} from './store.ts';

export interface NewUser {
  email: string;
  fullName: string;
  role: RoleCode;
  password?: string;
  botType?: BotType;
  botOwnerId?: number;
  timezone?: string;
}

/** Makes a person or a bot and tells everybody. The chat key is returned here, and by fetch_api_key. */
export async function createUser(
  ctx: Context,
  fresh: NewUser,
): Promise<{ user: User; chatKey: string }> {
  const passwordHash = fresh.password === undefined ? null : await hashPassword(fresh.password);
  const { key, stored } = createChatKey(ctx.secrets);
  const user = await ctx.inTransaction(async (tx) => {
    const inserted = await insertUser(tx, {
      email: fresh.email,
      fullName: fresh.fullName,
      role: fresh.role,
      passwordHash,
      botType: fresh.botType ?? null,
      botOwnerId: fresh.botOwnerId ?? null,
      timezone: fresh.timezone ?? '',
      ...stored,
    });
    tx.emit(userAdded(inserted), { everyone: true });
    return inserted;
  });
  return { user, chatKey: key };
}

/** The one who acts, as the caller proved to be. */
export type Actor = Pick<User, 'id' | 'role'>;

/** Changes role and name together or not at all. Only owners make or unmake owners. */
export function updateUserProfile(
  ctx: Context,
  actor: Actor,
  userId: number,
  changes: { role?: RoleCode; fullName?: string },
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === undefined) throw noSuchUser();
    if (!hasAtLeast(actor.role, 'administrator')) throw insufficientPermission();
    const { role, fullName } = changes;
    if (role !== undefined && role !== user.role) {
      const touchesOwners = role === ROLE.owner || user.role === ROLE.owner;
      if (touchesOwners && !hasAtLeast(actor.role, 'owner')) throw insufficientPermission();
      if (user.role === ROLE.owner && (await countActiveOwners(tx)) === 1) {
        throw cannotDeactivateLast('organization owner');
      }
      await updateUser(tx, userId, { role });
      tx.emit(userUpdated(userId, { role }), { everyone: true }, { rightsOf: [userId] });
    }
    if (fullName !== undefined && fullName !== user.fullName) {
      await updateUser(tx, userId, { fullName });
      tx.emit(userUpdated(userId, { full_name: fullName }), { everyone: true });
    }
  });
}

/** Takes every right away; the row, the key and the history stay, so it can be undone. */
export function setUserActive(
  ctx: Context,
  actor: Actor,
  userId: number,
  isActive: boolean,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === undefined || user.isActive === isActive) throw noSuchUser();
    if (!hasAtLeast(actor.role, 'administrator')) throw insufficientPermission();
    if (user.role === ROLE.owner && !hasAtLeast(actor.role, 'owner'))
      throw insufficientPermission();
    if (!isActive && user.role === ROLE.owner && (await countActiveOwners(tx)) === 1) {
      throw cannotDeactivateLast('organization owner');
    }
    await updateUser(tx, userId, { isActive });
    tx.emit(
      userUpdated(userId, { is_active: isActive }),
      { everyone: true },
      { rightsOf: [userId] },
    );
  });
}
