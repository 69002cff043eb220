// Everything that changes who is here and what they are.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { nameKeys } from '../../platform/names/fold.ts';
import { createChatKey } from '../chat-keys/key.ts';
import { hashPassword } from '../passwords/hash.ts';
import { noteAct, noteChange, noteNothing } from '../audit/actions.ts';
import { endLinks } from '../mailed-links/actions.ts';
import { endSessionsIn } from '../sessions/actions.ts';
import { listAccountIdsOf } from '../trading-keys/access.ts';
import { hasAtLeast, ROLE, roleOfBot, type RoleCode } from '../roles.ts';
import { isEmail } from '../email.ts';
import { readWaitingDays } from '../organization.ts';
import {
  accessActing,
  accessBotForUpdate,
  checkKeeper,
  findOwner,
  isBotOf,
  type Actor,
} from './authority.ts';
import {
  aboveOwner,
  badOwner,
  cannotDeactivateLast,
  emailInUse,
  insufficientPermission,
  invalidEmail,
  noSuchUser,
  onlyOwnerKeepsRole,
  onlyOwnerStays,
  ownerIsDeactivated,
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
import { joinGroups, setRole } from './role-changes.ts';
import { groupsOfRole } from './role-groups.ts';
import { checkFullName } from './rules.ts';
import {
  countActive,
  findUser,
  findUserByEmail,
  insertUser,
  listDirectGroups,
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

/** Stores somebody and tells everybody. Refuses an address that is taken. A bot gets no role above its owner's. */
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

/** Makes a person or a bot and tells everybody. The chat key is returned here, and by fetch_api_key. */
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

/** Who somebody was before a change, and which of their bots lost a role by it, as those were before. */
export interface ProfileChanged {
  readonly before: User;
  readonly capped: readonly User[];
}

/**
 * Changes role, name and address together or not at all. Administrators change people, only owners make
 * or unmake owners, and the owner of a bot may rename it but not raise it. Whoever is lowered takes their bots
 * along: no bot stands above its owner.
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
    if (!isAdministrator) throw insufficientPermission();
    if (user.role === ROLE.owner && !hasAtLeast(acting.role, 'owner')) throw ownersOnly();
    await changeEmail(tx, user, email);
  }
  noteProfile(tx, user, { role, fullName, email });
  for (const bot of capped) noteProfile(tx, bot, { role });
  return { before: user, capped };
}

/** An entry for each thing that is different now. */
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
  await updateUser(tx, user.id, { fullName, nameKeys: nameKeys(fullName) });
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
  const acting = await accessActing(tx, actor);
  const [user, ...bots] = await lockWithBots(tx, userId);
  if (user?.id !== userId || user.botType !== null) throw noSuchUser();
  if (!user.isActive) throw userIsDeactivated();
  if (!hasAtLeast(acting.role, 'administrator')) throw insufficientPermission();
  if (user.role === ROLE.owner && !hasAtLeast(acting.role, 'owner')) throw ownersOnly();
  if (await isOnlyOwner(tx, user)) throw onlyOwnerStays();
  return deactivateWithBots(tx, acting, user, bots);
}

/** The person's own way out. The organization keeps at least one user and one owner. */
export async function deactivateSelf(tx: Tx, actor: Actor): Promise<User[]> {
  await lockMembership(tx);
  const [user, ...bots] = await lockWithBots(tx, actor.id);
  if (user?.id !== actor.id || !user.isActive) throw userIsDeactivated();
  const { users } = await countActive(tx);
  if (users === 1) throw cannotDeactivateLast('user');
  if (await isOnlyOwner(tx, user)) throw cannotDeactivateLast('organization owner');
  return deactivateWithBots(tx, actor, user, bots);
}

/** A bot goes by the word of its owner or of an administrator. */
export async function deactivateBot(tx: Tx, actor: Actor, botId: number): Promise<User> {
  const acting = await accessActing(tx, actor);
  const bot = await accessBotForUpdate(tx, acting, botId);
  if (!bot.isActive) throw userIsDeactivated();
  await setActive(tx, bot, false);
  await noteStanding(tx, acting, [bot], 'user deactivate');
  return bot;
}

/**
 * Gives a bot to another person who is active and no bot, with a role that is not above theirs. Returns the bot
 * as it is then. Its key is the caller's to replace: whoever had the bot knows the old one.
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

export interface Reactivated {
  readonly before: User;
  /** Differs in more than being active, if it is a bot whose owner is gone. */
  readonly now: User;
}

/**
 * Gives a deactivated user everything back. For an active one nothing happens: undefined. A bot whose owner is
 * deactivated comes back as the bot of whoever acts, as nobody else answers for it.
 */
export async function reactivateUser(
  tx: Tx,
  actor: Actor,
  userId: number,
): Promise<Reactivated | undefined> {
  const acting = await accessActing(tx, actor);
  const user = await lockUser(tx, userId);
  if (user === undefined) throw noSuchUser();
  if (!hasAtLeast(acting.role, 'administrator')) throw insufficientPermission();
  if (user.role === ROLE.owner && !hasAtLeast(acting.role, 'owner')) throw ownersOnly();
  if (user.isActive) {
    noteNothing(tx);
    return undefined;
  }
  const newOwnerId = await findNewOwner(tx, acting, user);
  const back = newOwnerId === undefined ? user : await changeBotOwner(tx, acting, user, newOwnerId);
  await setActive(tx, back, true);
  await noteStanding(tx, acting, [back], 'user reactivate');
  return { before: user, now: { ...back, isActive: true } };
}

async function findNewOwner(tx: Tx, acting: Actor, user: User): Promise<number | undefined> {
  if (user.botType === null) return undefined;
  const owner = await findOwner(tx, user);
  if (owner === undefined || owner.isActive) return undefined;
  const person = await findUser(tx, acting.id);
  if (person === undefined) throw ownerIsDeactivated();
  return person.botOwnerId ?? person.id;
}

/** A bot acts for its owner, so it does not outlive the owner's rights. */
async function deactivateWithBots(
  tx: Tx,
  actor: Actor,
  user: User,
  bots: readonly User[],
): Promise<User[]> {
  const gone = [user, ...bots.filter(({ isActive }) => isActive)];
  for (const one of gone) await setActive(tx, one, false);
  await endSessionsIn(tx, user, 'deactivated');
  await endLinks(tx, user.id, 'password');
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
