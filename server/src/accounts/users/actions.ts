// Everything that changes who is here and what they are.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { createChatKey } from '../chat-keys/key.ts';
import { hashPassword } from '../passwords/hash.ts';
import { noteAct, noteChange, noteNothing } from '../audit/actions.ts';
import { endSessionsIn } from '../sessions/actions.ts';
import { listAccountIdsOf } from '../trading-keys/access.ts';
import { hasAtLeast, ROLE, type RoleCode } from '../roles.ts';
import { isEmail } from '../email.ts';
import {
  badOwner,
  cannotDeactivateLast,
  emailInUse,
  insufficientPermission,
  invalidEmail,
  noSuchBot,
  noSuchUser,
  onlyOwnerKeepsRole,
  onlyOwnerStays,
  ownersOnly,
  userIsDeactivated,
} from './errors.ts';
import {
  avatarChange,
  groupMembersAdded,
  groupMembersRemoved,
  userAdded,
  userUpdated,
} from './events.ts';
import { DAY_MS, groupsOfRole, isNewMember, roleGroupId } from './role-groups.ts';
import { checkFullName } from './rules.ts';
import {
  countActive,
  deleteMemberships,
  findUser,
  findUserByEmail,
  insertMemberships,
  insertUser,
  listActiveBotsOf,
  listDirectGroups,
  listMembersByAge,
  lockMembership,
  lockUser,
  readWaitingDays,
  updateUser,
  updateWaitingDays,
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
  /** What the person starts with, where it differs from the defaults. */
  settings?: Readonly<Record<string, unknown>>;
}

/** A person or a bot that can be stored: checked, with the password hashed and a key made. */
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

/** Stores somebody and tells everybody. Refuses an address that is taken. */
export async function addUser(tx: Tx, { row }: PreparedUser): Promise<User> {
  const user = await insertUser(tx, row);
  if (user === undefined) throw emailInUse();
  tx.emit(userAdded(user), { everyone: true });
  const isNew = (await readWaitingDays(tx)) > 0;
  await joinGroups(tx, user, groupsOfRole(user.role, isNew));
  return user;
}

/** Makes a person or a bot and tells everybody. The chat key is returned here, and by fetch_api_key. */
export async function createUser(
  ctx: Context,
  fresh: NewUser,
): Promise<{ user: User; chatKey: string }> {
  const prepared = await prepareUser(ctx, fresh);
  const user = await ctx.inTransaction((tx) => addUser(tx, prepared));
  return { user, chatKey: prepared.chatKey };
}

/** The one who acts, as the caller proved to be. Without an id: whoever has the command line. */
export type Actor = Pick<User, 'id' | 'role'>;

export interface ProfileChanges {
  readonly role?: RoleCode | undefined;
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * Changes role, name and address together or not at all. Administrators change people, only owners make
 * or unmake owners, and the owner of a bot may rename it but not raise it. Returns who it was before.
 */
export async function updateUserProfile(
  tx: Tx,
  actor: Actor,
  userId: number,
  { role, fullName, email }: ProfileChanges,
): Promise<User> {
  await lockMembership(tx);
  const user = await lockUser(tx, userId);
  if (user === undefined) throw noSuchUser();
  const isAdministrator = hasAtLeast(actor.role, 'administrator');
  if (!isAdministrator && !isBotOf(user, actor)) throw insufficientPermission();
  if (role !== undefined && role !== user.role) {
    if (!isAdministrator) throw insufficientPermission();
    await changeRole(tx, actor, user, role);
  }
  if (fullName !== undefined) await renameUser(tx, user, fullName);
  if (email !== undefined && email !== user.email) {
    if (!isAdministrator) throw insufficientPermission();
    if (user.role === ROLE.owner && !hasAtLeast(actor.role, 'owner')) throw ownersOnly();
    await changeEmail(tx, user, email);
  }
  noteProfile(tx, user, { role, fullName, email });
  return user;
}

/** An entry for each thing that is different now. */
function noteProfile(tx: Tx, user: User, { role, fullName, email }: ProfileChanges): void {
  const subject = user.email;
  const note = (act: 'user set_role' | 'user rename' | 'user set_email', name: keyof User) => {
    const after = { role, fullName: fullName && checkFullName(fullName), email }[name as 'role'];
    if (after === undefined) return noteNothing(tx);
    const [was, is] = [{ [name]: user[name] }, { [name]: after }];
    noteChange(tx, { act, subject, before: was, after: is, details: { userId: user.id } });
  };
  note('user set_role', 'role');
  note('user rename', 'fullName');
  note('user set_email', 'email');
}

const isBotOf = (bot: User, owner: Actor): boolean =>
  bot.botType !== null && bot.botOwnerId === owner.id;

async function changeRole(tx: Tx, actor: Actor, user: User, role: RoleCode): Promise<void> {
  const touchesOwners = role === ROLE.owner || user.role === ROLE.owner;
  if (touchesOwners && !hasAtLeast(actor.role, 'owner')) throw ownersOnly();
  if (await isOnlyOwner(tx, user)) throw onlyOwnerKeepsRole();
  await updateUser(tx, user.id, { role });
  tx.emit(userUpdated(user.id, { role }), { everyone: true }, { rightsOf: [user.id] });
  const isNew = isNewMember(user.dateJoined, await readWaitingDays(tx), Date.now());
  await leaveGroups(tx, user, groupsOfRole(user.role, isNew));
  await joinGroups(tx, user, groupsOfRole(role, isNew));
  // Whoever is signed in somewhere signs in again before new rights are used there.
  await endSessionsIn(tx, user, 'role changed');
}

/** The address is what somebody signs in with, so it is theirs alone. */
async function changeEmail(tx: Tx, user: User, email: string): Promise<void> {
  if (!isEmail(email)) throw invalidEmail();
  const holder = await findUserByEmail(tx, email);
  if (holder !== undefined && holder.id !== user.id) throw emailInUse();
  // Nobody has shown that the mailbox is theirs, so what an address alone opens stays shut (see accounts/ldap).
  await updateUser(tx, user.id, { email, addressGivenAt: new Date() });
  tx.emit(userUpdated(user.id, { delivery_email: email }), { everyone: true });
  tx.emit(userUpdated(user.id, { new_email: email }), { everyone: true });
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

/** Says where the picture comes from now. The version makes clients fetch it again. */
export async function changeAvatar(tx: Tx, user: User, source: AvatarSource): Promise<User> {
  const avatarVersion = user.avatarVersion + 1;
  await updateUser(tx, user.id, { avatarVersion, avatarSource: source });
  const changed: User = { ...user, avatarVersion, avatarSource: source };
  tx.emit(userUpdated(user.id, avatarChange(changed)), { everyone: true });
  return changed;
}

/** Stores what a person changed from the defaults; what it means is for the product that reads it. */
export function saveSettings(
  tx: Tx,
  userId: number,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  return updateUser(tx, userId, { settings });
}

/**
 * Takes every right of a person away, and of their bots; rows, keys and history stay, so it can be
 * undone. Returns whom it hit.
 */
export async function deactivateUser(tx: Tx, actor: Actor, userId: number): Promise<User[]> {
  await lockMembership(tx);
  const user = await lockUser(tx, userId);
  if (user === undefined || user.botType !== null) throw noSuchUser();
  if (!user.isActive) throw userIsDeactivated();
  if (!hasAtLeast(actor.role, 'administrator')) throw insufficientPermission();
  if (user.role === ROLE.owner && !hasAtLeast(actor.role, 'owner')) throw ownersOnly();
  if (await isOnlyOwner(tx, user)) throw onlyOwnerStays();
  return deactivateWithBots(tx, actor, user);
}

/** The person's own way out. The organization keeps at least one user and one owner. */
export async function deactivateSelf(tx: Tx, actor: Actor): Promise<User[]> {
  await lockMembership(tx);
  const user = await lockUser(tx, actor.id);
  if (user === undefined || !user.isActive) throw userIsDeactivated();
  const { users } = await countActive(tx);
  if (users === 1) throw cannotDeactivateLast('user');
  if (await isOnlyOwner(tx, user)) throw cannotDeactivateLast('organization owner');
  return deactivateWithBots(tx, actor, user);
}

/** A bot goes by the word of its owner or of an administrator. */
export async function deactivateBot(tx: Tx, actor: Actor, botId: number): Promise<User> {
  await lockMembership(tx);
  const bot = await accessBotForUpdate(tx, actor, botId);
  if (!bot.isActive) throw userIsDeactivated();
  await setActive(tx, bot, false);
  await noteStanding(tx, actor, [bot], 'user deactivate');
  return bot;
}

/** Gives a bot to another person who is active and no bot. */
export async function changeBotOwner(tx: Tx, bot: User, ownerId: number): Promise<void> {
  if (bot.botOwnerId === ownerId) return;
  const owner = await lockUser(tx, ownerId);
  if (owner === undefined) throw badOwner('Failed to change owner, no such user');
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
}

/** The bot, locked, if it is one and `actor` may manage it. */
export async function accessBotForUpdate(tx: Tx, actor: Actor, botId: number): Promise<User> {
  const bot = await lockUser(tx, botId);
  if (bot === undefined || bot.botType === null) throw noSuchBot();
  if (!hasAtLeast(actor.role, 'administrator') && !isBotOf(bot, actor)) {
    throw insufficientPermission();
  }
  return bot;
}

/** Gives a deactivated user everything back. For an active one nothing happens: undefined. */
export async function reactivateUser(
  tx: Tx,
  actor: Actor,
  userId: number,
): Promise<User | undefined> {
  await lockMembership(tx);
  const user = await lockUser(tx, userId);
  if (user === undefined) throw noSuchUser();
  if (!hasAtLeast(actor.role, 'administrator')) throw insufficientPermission();
  if (user.role === ROLE.owner && !hasAtLeast(actor.role, 'owner')) throw ownersOnly();
  if (user.isActive) {
    noteNothing(tx);
    return undefined;
  }
  await setActive(tx, user, true);
  await noteStanding(tx, actor, [user], 'user reactivate');
  return user;
}

/** A bot acts for its owner, so it does not outlive the owner's rights. */
async function deactivateWithBots(tx: Tx, actor: Actor, user: User): Promise<User[]> {
  const gone = [user, ...(await listActiveBotsOf(tx, user.id))];
  for (const one of gone) await setActive(tx, one, false);
  await endSessionsIn(tx, user, 'deactivated');
  await noteStanding(tx, actor, gone, 'user deactivate');
  return gone;
}

const ACCOUNTS_NOTED_MAX = 100;

/** The trading accounts of `users` follow by themselves: a trigger on the table of people sees to that. */
async function noteStanding(
  tx: Tx,
  actor: Actor,
  users: readonly User[],
  act: 'user deactivate' | 'user reactivate',
): Promise<void> {
  const [user, ...bots] = users;
  if (user === undefined) return;
  const accounts = await listAccountIdsOf(
    tx,
    users.map(({ id }) => id),
  );
  const by = tx.cause === undefined ? await findUser(tx, actor.id) : undefined;
  const isActive = act === 'user reactivate';
  noteAct(tx, {
    act,
    subject: user.email,
    before: { isActive: !isActive },
    after: { isActive },
    details: {
      userId: user.id,
      accounts: accounts.slice(0, ACCOUNTS_NOTED_MAX),
      bots: bots.map(({ id }) => id),
    },
    ...(by && { by }),
  });
}

async function setActive(tx: Tx, user: User, isActive: boolean): Promise<void> {
  await updateUser(tx, user.id, { isActive });
  tx.emit(
    userUpdated(user.id, { is_active: isActive }),
    { everyone: true },
    { rightsOf: [user.id] },
  );
  // Who is in which group stays stored; clients are shown active people only.
  const tell = isActive ? groupMembersAdded : groupMembersRemoved;
  for (const groupId of await listDirectGroups(tx, user.id)) {
    tx.emit(tell(groupId, [user.id]), { everyone: true });
  }
}

async function isOnlyOwner(tx: Tx, user: User): Promise<boolean> {
  if (user.role !== ROLE.owner || user.botType !== null || !user.isActive) return false;
  return (await countActive(tx)).owners === 1;
}

async function joinGroups(tx: Tx, user: User, groupIds: readonly number[]): Promise<void> {
  await insertMemberships(tx, user.id, groupIds);
  if (!user.isActive) return;
  for (const id of groupIds) tx.emit(groupMembersAdded(id, [user.id]), { everyone: true });
}

async function leaveGroups(tx: Tx, user: User, groupIds: readonly number[]): Promise<void> {
  await deleteMemberships(tx, user.id, groupIds);
  if (!user.isActive) return;
  for (const id of groupIds) tx.emit(groupMembersRemoved(id, [user.id]), { everyone: true });
}

/** Sets how long a new member waits to become a full one, and moves whom that concerns. */
export async function changeWaitingPeriod(tx: Tx, days: number, nowMs: number): Promise<number> {
  await updateWaitingDays(tx, days);
  return moveFullMembers(tx, nowMs);
}

/** Makes full members of those who waited long enough, and new ones of the others; returns how many. */
export async function moveFullMembers(tx: Tx, nowMs: number): Promise<number> {
  await lockMembership(tx);
  const groupId = roleGroupId('role:fullmembers');
  const before = new Date(nowMs - (await readWaitingDays(tx)) * DAY_MS);
  const moved = await listMembersByAge(tx, before, groupId);
  for (const { id, isOld } of moved) {
    if (isOld) await insertMemberships(tx, id, [groupId]);
    else await deleteMemberships(tx, id, [groupId]);
  }
  const tell = (isOld: boolean, event: typeof groupMembersAdded | typeof groupMembersRemoved) => {
    const ids = moved.filter((one) => one.isActive && one.isOld === isOld).map(({ id }) => id);
    if (ids.length > 0) tx.emit(event(groupId, ids), { everyone: true }, { rightsOf: ids });
  };
  tell(true, groupMembersAdded);
  tell(false, groupMembersRemoved);
  return moved.length;
}
