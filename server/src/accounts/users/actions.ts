// Everything that changes who has an account and what they are.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { nameKeys } from '../../platform/names/fold.ts';
import { createChatKey } from '../chat-keys/key.ts';
import { hashPassword } from '../passwords/hash.ts';
import { noteChange } from '../audit/actions.ts';
import { endSessionsIn } from '../sessions/actions.ts';
import { hasAtLeast, ROLE, roleOfBot, type RoleCode } from '../roles.ts';
import { isEmail } from '../email.ts';
import { readWaitingDays } from '../organization.ts';
import {
  accessActing,
  checkKeeper,
  findOwner,
  isBotOf,
  type Actor,
  isOnlyOwner,
} from './authority.ts';
import {
  aboveOwner,
  badOwner,
  emailInUse,
  insufficientPermission,
  invalidEmail,
  noSuchUser,
  onlyOwnerKeepsRole,
  ownerIsDeactivated,
  ownersOnly,
} from './errors.ts';
import { addressUpdated, avatarChange, userAdded, userUpdated } from './events.ts';
import { joinGroups, setRole } from './role-changes.ts';
import { groupsOfRole } from './role-groups.ts';
import { checkFullName } from './rules.ts';
import {
  findUser,
  findUserByEmail,
  insertUser,
  lockMembership,
  lockUser,
  lockWithBots,
  updateUser,
} from './store.ts';
import type { AvatarSource, BotType, User } from '../user.ts';

export interface NewUser {
  email: string;
  fullName: string;
  role: RoleCode;
  password?: string;
  botType?: BotType;
  botOwnerId?: number;
  timezone?: string;
  /** The person's initial settings, where they differ from the defaults. */
  settings?: Readonly<Record<string, unknown>>;
}

/** A person or a bot ready to be stored: checked, with the password hashed and a key made. */
export interface PreparedUser {
  readonly row: Parameters<typeof insertUser>[1];
  readonly chatKey: string;
}

/** Everything that takes time and needs no transaction. */
export async function prepareUser(ctx: Context, fresh: NewUser): Promise<PreparedUser> {
  const fullName = checkFullName(fresh.fullName);
  const passwordHash = fresh.password === undefined ? null : await hashPassword(fresh.password);
  const { key, stored } = createChatKey(ctx.secrets);
  return {
    chatKey: key,
    row: {
      email: fresh.email,
      fullName,
      nameKeys: nameKeys(fullName),
      role: fresh.role,
      passwordHash,
      botType: fresh.botType ?? null,
      botOwnerId: fresh.botOwnerId ?? null,
      timezone: fresh.timezone ?? '',
      settings: JSON.stringify(fresh.settings ?? {}),
      ...stored,
    },
  };
}

/**
 * Stores a user and emits the event. Refuses an address that is taken. A bot gets no role above its
 * owner's.
 */
export async function addUser(tx: Tx, { row }: PreparedUser): Promise<User> {
  const user = await insertUser(tx, { ...row, role: await roleAtFirst(tx, row) });
  if (user === undefined) throw emailInUse();
  tx.emit(userAdded(user), { everyone: true });
  const isNew = (await readWaitingDays(tx)) > 0;
  await joinGroups(tx, user, groupsOfRole(user.role, isNew));
  return user;
}

async function roleAtFirst(
  tx: Tx,
  { role, botType, botOwnerId }: PreparedUser['row'],
): Promise<RoleCode> {
  const wanted = role as RoleCode;
  if (typeof botType !== 'number' || typeof botOwnerId !== 'number') return wanted;
  await lockMembership(tx);
  const owner = await findUser(tx, botOwnerId);
  if (owner === undefined) throw noSuchUser();
  if (!owner.isActive) throw ownerIsDeactivated();
  return roleOfBot(wanted, owner.role);
}

/**
 * Creates a person or a bot and emits the event. The chat key is returned here, and by
 * fetch_api_key.
 */
export async function createUser(
  ctx: Context,
  fresh: NewUser,
): Promise<{ user: User; chatKey: string }> {
  const prepared = await prepareUser(ctx, fresh);
  const user = await ctx.inTransaction((tx) => addUser(tx, prepared));
  return { user, chatKey: prepared.chatKey };
}

export type { Actor };

export interface ProfileChanges {
  readonly role?: RoleCode | undefined;
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
}

/** A user before a change, and their bots that lost a role by it, as those were before. */
export interface ProfileChanged {
  readonly before: User;
  readonly capped: readonly User[];
}

/**
 * Changes role, name and address together or not at all. Administrators change people, only owners
 * make or unmake owners, and the owner of a bot may rename it but not raise it. Lowering a person
 * lowers their bots too: no bot stands above its owner.
 */
export async function updateUserProfile(
  tx: Tx,
  actor: Actor,
  userId: number,
  { role, fullName, email }: ProfileChanges,
): Promise<ProfileChanged> {
  const acting = await accessActing(tx, actor);
  const [user, ...bots] = await lockWithBots(tx, userId);
  if (user?.id !== userId) throw noSuchUser();
  const isAdministrator = hasAtLeast(acting.role, 'administrator');
  if (!isAdministrator && !isBotOf(user, acting)) throw insufficientPermission();
  let capped: readonly User[] = [];
  if (role !== undefined && role !== user.role) {
    if (!isAdministrator) throw insufficientPermission();
    await changeRole(tx, acting, user, role);
    capped = bots.filter((bot) => bot.role < role);
    for (const bot of capped) await setRole(tx, bot, role);
  }
  if (fullName !== undefined) await renameUser(tx, user, fullName);
  if (email !== undefined && email !== user.email) {
    checkMayGiveEmail(acting, user);
    await checkFreeEmail(tx, user, email);
    // The new mailbox is not verified, so what an address alone opens stays closed (see
    // accounts/ldap).
    await storeEmail(tx, user, email, new Date());
  }
  noteProfile(tx, user, { role, fullName, email });
  for (const bot of capped) noteProfile(tx, bot, { role });
  return { before: user, capped };
}

/** One entry for each difference. */
function noteProfile(tx: Tx, user: User, { role, fullName, email }: ProfileChanges): void {
  const given = { role, fullName: fullName && checkFullName(fullName), email };
  for (const [name, act] of Object.entries(PROFILE_ACTS) as [keyof typeof given, ProfileAct][]) {
    noteChange(tx, {
      act,
      subject: user.email,
      before: { [name]: user[name] },
      after: { [name]: given[name] ?? user[name] },
      details: { userId: user.id },
    });
  }
}

const PROFILE_ACTS = {
  role: 'user set_role',
  fullName: 'user rename',
  email: 'user set_email',
} as const;
type ProfileAct = (typeof PROFILE_ACTS)[keyof typeof PROFILE_ACTS];

async function changeRole(tx: Tx, acting: Actor, user: User, role: RoleCode): Promise<void> {
  const touchesOwners = role === ROLE.owner || user.role === ROLE.owner;
  if (touchesOwners && !hasAtLeast(acting.role, 'owner')) throw ownersOnly();
  if (await isOnlyOwner(tx, user)) throw onlyOwnerKeepsRole();
  if (user.botType !== null && role < roleOfBot(role, (await findOwner(tx, user))?.role)) {
    throw aboveOwner();
  }
  await setRole(tx, user, role);
  // After a change of rights the person must sign in again everywhere.
  await endSessionsIn(tx, user, 'role changed');
}

/**
 * Checks that the acting user may give somebody another address, and that it is free. Returns the person, locked.
 */
export async function accessForEmail(
  tx: Tx,
  actor: Actor,
  userId: number,
  email: string,
): Promise<User> {
  const acting = await accessActing(tx, actor);
  const user = await lockUser(tx, userId);
  if (user === undefined) throw noSuchUser();
  checkMayGiveEmail(acting, user);
  await checkFreeEmail(tx, user, email);
  return user;
}

function checkMayGiveEmail(acting: Actor, user: User): void {
  if (!hasAtLeast(acting.role, 'administrator')) throw insufficientPermission();
  if (user.role === ROLE.owner && !hasAtLeast(acting.role, 'owner')) throw ownersOnly();
}

/** People sign in with their address, so it must be unique. */
async function checkFreeEmail(tx: Tx, user: User, email: string): Promise<void> {
  if (!isEmail(email)) throw invalidEmail();
  const holder = await findUserByEmail(tx, email);
  if (holder !== undefined && holder.id !== user.id) throw emailInUse();
}

/** `givenAt` is when an administrator gave it; null for an address whose mailbox has confirmed it. */
export async function storeEmail(
  tx: Tx,
  user: User,
  email: string,
  givenAt: Date | null,
): Promise<void> {
  await updateUser(tx, user.id, { email, addressGivenAt: givenAt });
  tx.emit(addressUpdated(user, { delivery_email: email }), { everyone: true });
  tx.emit(addressUpdated(user, { new_email: email }), { everyone: true });
}

/** Gives a user the name `text`, if it is valid, and emits an event when that changed something. */
export async function renameUser(tx: Tx, user: User, text: string): Promise<void> {
  const fullName = checkFullName(text);
  if (fullName === user.fullName) return;
  await updateUser(tx, user.id, { fullName, nameKeys: nameKeys(fullName) });
  tx.emit(userUpdated(user.id, { full_name: fullName }), { everyone: true });
}

export async function changeTimezone(tx: Tx, user: User, timezone: string): Promise<void> {
  await updateUser(tx, user.id, { timezone });
  tx.emit(addressUpdated(user, { email: user.email, timezone }), { everyone: true });
}

/** Sets the source of the picture. The version makes clients fetch it again. */
export async function changeAvatar(tx: Tx, user: User, source: AvatarSource): Promise<User> {
  const avatarVersion = user.avatarVersion + 1;
  await updateUser(tx, user.id, { avatarVersion, avatarSource: source });
  const changed: User = { ...user, avatarVersion, avatarSource: source };
  tx.emit(userUpdated(user.id, avatarChange(changed)), { everyone: true });
  return changed;
}

/** Stores a person's changes from the defaults; the product that reads them knows their meaning. */
export function saveSettings(
  tx: Tx,
  userId: number,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  return updateUser(tx, userId, { settings });
}

/** Tells everybody for whom it makes a difference that the person's address is shown to others than before. */
export function tellVisibility(tx: Tx, user: User, emailVisibility: number): void {
  const now = { ...user, emailVisibility };
  const before = user.emailVisibility;
  tx.emit(addressUpdated(now, { delivery_email: user.email }, before), { everyone: true });
  tx.emit(addressUpdated(now, { new_email: user.email }, before), { everyone: true });
}

/**
 * Gives a bot to another active person, with a role that is not above theirs. Returns the changed
 * bot. The caller must replace its key: the previous owner knows the old one.
 */
export async function changeBotOwner(
  tx: Tx,
  acting: Actor,
  bot: User,
  ownerId: number,
): Promise<User> {
  await checkKeeper(tx, acting, bot);
  const owner = await findUser(tx, ownerId);
  if (owner === undefined || owner.isSystem) {
    throw badOwner('Failed to change owner, no such user');
  }
  if (!owner.isActive) throw badOwner('Failed to change owner, user is deactivated');
  if (owner.botType !== null) throw badOwner("Failed to change owner, bots can't own other bots");
  await updateUser(tx, bot.id, { botOwnerId: ownerId });
  noteChange(tx, {
    act: 'bot set_owner',
    subject: bot.email,
    before: { botOwnerId: bot.botOwnerId },
    after: { botOwnerId: ownerId },
    details: { userId: bot.id },
  });
  tx.emit(userUpdated(bot.id, { bot_owner_id: ownerId }), { everyone: true });
  const role = roleOfBot(bot.role, owner.role);
  if (role !== bot.role) {
    await setRole(tx, bot, role);
    noteProfile(tx, bot, { role });
  }
  return { ...bot, botOwnerId: ownerId, role };
}
