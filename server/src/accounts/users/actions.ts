// Everything that changes who is here and what they are.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { hashPassword } from '../passwords/hash.ts';
import { createChatKey } from '../chat-keys/key.ts';
import { hasAtLeast, ROLE, type RoleCode } from '../roles.ts';
import {
  cannotDeactivateLast,
  insufficientPermission,
  noSuchUser,
  onlyOwnerKeepsRole,
  onlyOwnerStays,
  ownersOnly,
  userIsDeactivated,
} from './errors.ts';
import { groupMembersAdded, groupMembersRemoved, userAdded, userUpdated } from './events.ts';
import { groupsOfRole } from './role-groups.ts';
import { checkFullName } from './rules.ts';
import {
  countActive,
  insertUser,
  listActiveBotsOf,
  lockMembership,
  lockUser,
  updateUser,
} from './store.ts';
import type { BotType, User } from '../user.ts';

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
  const fullName = checkFullName(fresh.fullName);
  const passwordHash = fresh.password === undefined ? null : await hashPassword(fresh.password);
  const { key, stored } = createChatKey(ctx.secrets);
  const user = await ctx.inTransaction(async (tx) => {
    const inserted = await insertUser(tx, {
      email: fresh.email,
      fullName,
      role: fresh.role,
      passwordHash,
      botType: fresh.botType ?? null,
      botOwnerId: fresh.botOwnerId ?? null,
      timezone: fresh.timezone ?? '',
      ...stored,
    });
    tx.emit(userAdded(inserted), { everyone: true });
    joinGroups(tx, inserted.id, groupsOfRole(inserted.role));
    return inserted;
  });
  return { user, chatKey: key };
}

/** The one who acts, as the caller proved to be. */
export type Actor = Pick<User, 'id' | 'role'>;

/**
 * Changes role and name together or not at all. Administrators change people, only owners make or
 * unmake owners, and the owner of a bot may rename it but not raise it.
 */
export function updateUserProfile(
  ctx: Context,
  actor: Actor,
  userId: number,
  changes: { role?: RoleCode; fullName?: string },
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockMembership(tx);
    const user = await lockUser(tx, userId);
    if (user === undefined) throw noSuchUser();
    const isAdministrator = hasAtLeast(actor.role, 'administrator');
    const ownsBot = user.botType !== null && user.botOwnerId === actor.id;
    if (!isAdministrator && !ownsBot) throw insufficientPermission();
    const { role, fullName } = changes;
    if (role !== undefined && role !== user.role) {
      if (!isAdministrator) throw insufficientPermission();
      await changeRole(tx, actor, user, role);
    }
    if (fullName !== undefined) await renameUser(tx, user, fullName);
  });
}

async function changeRole(tx: Tx, actor: Actor, user: User, role: RoleCode): Promise<void> {
  const touchesOwners = role === ROLE.owner || user.role === ROLE.owner;
  if (touchesOwners && !hasAtLeast(actor.role, 'owner')) throw ownersOnly();
  if (await isOnlyOwner(tx, user)) throw onlyOwnerKeepsRole();
  await updateUser(tx, user.id, { role });
  tx.emit(userUpdated(user.id, { role }), { everyone: true }, { rightsOf: [user.id] });
  if (!user.isActive) return;
  leaveGroups(tx, user.id, groupsOfRole(user.role));
  joinGroups(tx, user.id, groupsOfRole(role));
}

/** Gives a user the name `text`, if it is a name, and tells everybody when that changed something. */
export async function renameUser(tx: Tx, user: User, text: string): Promise<void> {
  const fullName = checkFullName(text);
  if (fullName === user.fullName) return;
  await updateUser(tx, user.id, { fullName });
  tx.emit(userUpdated(user.id, { full_name: fullName }), { everyone: true });
}

export async function changeTimezone(tx: Tx, user: User, timezone: string): Promise<void> {
  await updateUser(tx, user.id, { timezone });
  tx.emit(userUpdated(user.id, { email: user.email, timezone }), { everyone: true });
}

/** Stores what a person changed from the defaults; what it means is for the product that reads it. */
export function saveSettings(
  tx: Tx,
  userId: number,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  return updateUser(tx, userId, { settings });
}

/** Takes every right of a person away; the row, the key and the history stay, so it can be undone. */
export function deactivateUser(ctx: Context, actor: Actor, userId: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockMembership(tx);
    const user = await lockUser(tx, userId);
    if (user === undefined || user.botType !== null) throw noSuchUser();
    if (!user.isActive) throw userIsDeactivated();
    if (!hasAtLeast(actor.role, 'administrator')) throw insufficientPermission();
    if (user.role === ROLE.owner && !hasAtLeast(actor.role, 'owner')) throw ownersOnly();
    if (await isOnlyOwner(tx, user)) throw onlyOwnerStays();
    await setActive(tx, user, false);
  });
}

/** The person's own way out. The organization keeps at least one user and one owner. */
export function deactivateSelf(ctx: Context, actor: Actor): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockMembership(tx);
    const user = await lockUser(tx, actor.id);
    if (user === undefined || !user.isActive) throw userIsDeactivated();
    const { users } = await countActive(tx);
    if (users === 1) throw cannotDeactivateLast('user');
    if (await isOnlyOwner(tx, user)) throw cannotDeactivateLast('organization owner');
    await setActive(tx, user, false);
  });
}

/** Gives a deactivated user everything back. For an active one nothing happens. */
export function reactivateUser(ctx: Context, actor: Actor, userId: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockMembership(tx);
    const user = await lockUser(tx, userId);
    if (user === undefined) throw noSuchUser();
    if (!hasAtLeast(actor.role, 'administrator')) throw insufficientPermission();
    if (user.role === ROLE.owner && !hasAtLeast(actor.role, 'owner')) throw ownersOnly();
    if (!user.isActive) await setActive(tx, user, true);
  });
}

async function setActive(tx: Tx, user: User, isActive: boolean): Promise<void> {
  await updateUser(tx, user.id, { isActive });
  tx.emit(
    userUpdated(user.id, { is_active: isActive }),
    { everyone: true },
    { rightsOf: [user.id] },
  );
  // Groups list active people only.
  if (isActive) joinGroups(tx, user.id, groupsOfRole(user.role));
  else {
    leaveGroups(tx, user.id, groupsOfRole(user.role));
    // A bot acts for its owner, so it does not outlive the owner's rights.
    for (const bot of await listActiveBotsOf(tx, user.id)) await setActive(tx, bot, false);
  }
}

async function isOnlyOwner(tx: Tx, user: User): Promise<boolean> {
  if (user.role !== ROLE.owner || user.botType !== null || !user.isActive) return false;
  return (await countActive(tx)).owners === 1;
}

function joinGroups(tx: Tx, userId: number, groupIds: readonly number[]): void {
  for (const id of groupIds) tx.emit(groupMembersAdded(id, [userId]), { everyone: true });
}

function leaveGroups(tx: Tx, userId: number, groupIds: readonly number[]): void {
  for (const id of groupIds) tx.emit(groupMembersRemoved(id, [userId]), { everyone: true });
}
