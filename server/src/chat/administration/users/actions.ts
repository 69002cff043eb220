// Everything that changes people, with all that chat knows of them. Who somebody is, is kept by accounts;
// what follows for permissions that name them and for lists of bots is told here, in the same transaction.
import { replaceChatKeyIn } from '../../../accounts/chat-keys/actions.ts';
import { listBotIdsOf, lockMembership } from '../../../accounts/users/access.ts';
import {
  addUser,
  changeBotOwner,
  deactivateSelf,
  deactivateUser,
  prepareUser,
  reactivateUser,
  updateUserProfile,
  type Actor,
  type NewUser,
  type PreparedUser,
  type ProfileChanges,
} from '../../../accounts/users/actions.ts';
import { noteAct } from '../../../accounts/audit/actions.ts';
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import { SUBJECTS } from '../../../platform/bus/subjects.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { renewToken } from '../bot-list/services.ts';
import { tellBotAdded, tellBotMoved, tellBotsByRole } from '../bot-list/announce.ts';
import { listDefaultChannelIds } from '../../channels/default-channels/access.ts';
import { defaultChannels } from '../../channels/default-channels/events.ts';
import { forgetDevices } from '../../notifications/devices/actions.ts';
import { readOrganization } from '../../organization/org/access.ts';
import { readOwnSubscriptions } from '../../channels/subscriptions/access.ts';
import { peersChanged } from '../../channels/subscriptions/events.ts';
import { admit, holdConversations } from '../../channels/subscriptions/members.ts';
import { permissionsIn, readChannelPermissions } from '../../rights/permissions/access.ts';
import { listChannels } from '../../conversations/channel/access.ts';
import type { Channel } from '../../conversations/channel/channel.ts';
import { expireInvitationsOf } from '../invitations/expire.ts';
import { checkNameAmongOthers } from '../../people/profiles/names.ts';
import { forgetBrowsers } from '../../notifications/web-push/actions.ts';
import { announceNamedPermissions } from './named-permissions.ts';
import { followSight } from '../../channels/subscriptions/sight.ts';
import { writeDeactivated, writeReactivated } from './standing-emails.ts';

/** Makes a person or a bot, who starts with the settings that the organization gives. */
export async function createPerson(
  ctx: Context,
  fresh: NewUser,
  /** What else must hold when the account is made, in the same transaction. */
  check: (tx: Tx) => Promise<void> = async () => {},
  /** What is made with the account. */
  complete: (tx: Tx, user: User) => Promise<void> = async () => {},
): Promise<{ user: User; chatKey: string }> {
  const { userDefaults } = await readOrganization(ctx.db, ctx.config);
  const prepared = await prepareUser(ctx, { settings: userDefaults, ...fresh });
  const { botType, role } = prepared.row;
  // New members start in the channels that the organization chose; guests where they are let in.
  const isMember = (botType ?? null) === null && role !== ROLE.guest;
  const user = await ctx.inTransaction(async (tx) => {
    await check(tx);
    const added = await addPerson(tx, prepared, isMember ? await listDefaultChannels(tx) : []);
    await checkNameAmongOthers(tx, added, added.fullName);
    await complete(tx, added);
    noteCreated(tx, added);
    return added;
  });
  return { user, chatKey: prepared.chatKey };
}

function noteCreated(tx: Tx, { id, email, fullName, role, botType, botOwnerId }: User): void {
  const bot = botType === null ? {} : { botType, botOwnerId };
  noteAct(tx, {
    act: botType === null ? 'user create' : 'bot create',
    subject: email,
    after: { email, fullName, role, ...bot },
    details: { userId: id },
  });
}

/**
 * Adds somebody who starts in these channels. `since` says, by the conversation, after which number what was sent
 * before they came is theirs too.
 */
export async function addPerson(
  tx: Tx,
  prepared: PreparedUser,
  channels: readonly Channel[],
  since: ReadonlyMap<number, number> = new Map(),
): Promise<User> {
  const user = await addUser(tx, prepared);
  if (user.botType !== null) await tellBotAdded(tx, user);
  await holdConversations(tx, channels);
  const table = await readChannelPermissions(
    tx,
    channels.map(({ id }) => id),
  );
  for (const channel of channels) {
    const permissions = permissionsIn(table, channel.id);
    const admission = {
      channel,
      permissions,
      isNew: false,
      since: since.get(channel.conversationId),
    };
    await admit(tx, admission, [user.id]);
  }
  return user;
}

async function listDefaultChannels(tx: Tx): Promise<Channel[]> {
  const ids = new Set(await listDefaultChannelIds(tx));
  return ids.size === 0 ? [] : (await listChannels(tx)).filter(({ id }) => ids.has(id));
}

/** Changes role, name and address together or not at all. */
export function changePerson(
  ctx: Context,
  actor: Actor,
  userId: number,
  changes: ProfileChanges,
): Promise<void> {
  return ctx.inTransaction((tx) => changePersonIn(tx, actor, userId, changes));
}

export async function changePersonIn(
  tx: Tx,
  actor: Actor,
  userId: number,
  changes: ProfileChanges,
): Promise<void> {
  // Whose bots lose a role with them must not change between here and the change.
  await lockMembership(tx);
  const isMove = changes.role !== undefined;
  const moved = isMove ? [userId, ...(await listBotIdsOf(tx, userId))] : [];
  const { before, capped } = await followSight(tx, moved, undefined, () =>
    updateUserProfile(tx, actor, userId, changes),
  );
  const { role = before.role, fullName } = changes;
  for (const one of [before, ...capped]) await tellRole(tx, one, role);
  if (fullName !== undefined && fullName !== before.fullName) {
    await checkNameAmongOthers(tx, { id: userId, role }, fullName);
  }
}

/** What a new role shows and hides beside channels. */
async function tellRole(tx: Tx, before: User, role: RoleCode): Promise<void> {
  await tellBotsByRole(tx, before, role);
  await tellDefaultChannels(tx, before, role);
}

/** Gives a bot to somebody else, with a new key: whoever had it knows the old one. */
export async function moveBotIn(
  tx: Tx,
  ctx: Pick<Context, 'secrets'>,
  actor: Actor,
  bot: User,
  ownerId: number,
): Promise<void> {
  const moved = await followSight(tx, [bot.id], undefined, () =>
    changeBotOwner(tx, actor, bot, ownerId),
  );
  await tellMoved(tx, ctx, bot, moved);
}

async function tellMoved(
  tx: Tx,
  ctx: Pick<Context, 'secrets'>,
  before: User,
  now: Pick<User, 'role' | 'botOwnerId'>,
): Promise<void> {
  await replaceChatKeyIn(ctx, tx, before);
  await renewToken(tx, { ...before, botOwnerId: now.botOwnerId });
  if (now.botOwnerId !== null) await tellBotMoved(tx, before, now.botOwnerId);
  await tellRole(tx, before, now.role);
}

/** Guests are not told what new members are subscribed to. */
async function tellDefaultChannels(tx: Tx, before: User, role: RoleCode): Promise<void> {
  const isGuest = role === ROLE.guest;
  if ((before.role === ROLE.guest) === isGuest) return;
  const ids = await listDefaultChannelIds(tx);
  if (ids.length > 0) tx.emit(defaultChannels(isGuest ? [] : ids), { users: [before.id] });
}

/** Takes every right of a person away, and of their bots; it can be undone. */
export async function deactivatePerson(ctx: Context, actor: Actor, userId: number): Promise<void> {
  await ctx.inTransaction((tx) => deactivatePersonIn(tx, ctx, actor, userId));
  ringEngine(ctx);
}

/** Ring the engine after the commit. With a comment, the person gets an email in any case. */
export async function deactivatePersonIn(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  userId: number,
  comment?: string,
): Promise<void> {
  const gone = await deactivateUser(tx, actor, userId);
  for (const one of gone) await tellGone(tx, ctx, one);
  await writeDeactivated(tx, ctx, gone, { actor, comment });
}

export async function leaveOrganization(ctx: Context, actor: Actor): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const gone = await deactivateSelf(tx, actor);
    for (const one of gone) await tellGone(tx, ctx, one);
    await writeDeactivated(tx, ctx, gone, { actor });
  });
  ringEngine(ctx);
}

async function tellGone(tx: Tx, { clock }: Context, user: User): Promise<void> {
  await tellPresence(tx, user, false);
  await expireInvitationsOf(tx, user.id, clock.now());
}

/** Gives a deactivated person or bot everything back. */
export async function reactivatePerson(ctx: Context, actor: Actor, userId: number): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const back = await reactivateUser(tx, actor, userId);
    if (back === undefined) return;
    const { before, now } = back;
    if (now.botOwnerId !== before.botOwnerId) await tellMoved(tx, ctx, before, now);
    await tellPresence(tx, now, true);
    await writeReactivated(tx, ctx, now, actor);
  });
  ringEngine(ctx);
}

/**
 * What becomes of a person's trading account is a command in the same commit. The bell saves the engine a look;
 * one that gets lost costs one interval of its looks.
 */
export function ringEngine({ bus }: Context): void {
  bus.publish(SUBJECTS.operatorBell, '');
}

/** What changes for others when somebody goes or comes back, beside the person's own row. */
export async function tellPresence(
  tx: Tx,
  user: Pick<User, 'id'>,
  isActive: boolean,
): Promise<void> {
  // Whoever is gone is counted nowhere; the subscriptions stay for the day of a return.
  const op = isActive ? 'peer_add' : 'peer_remove';
  for (const [channelId, own] of await readOwnSubscriptions(tx, user.id)) {
    if (!own.isActive) continue;
    tx.emit(peersChanged(op, channelId, [user.id]), {
      channel: channelId,
      who: 'aware',
      except: [user.id],
    });
  }
  if (!isActive) {
    await forgetDevices(tx, user.id);
    await forgetBrowsers(tx, user.id);
  }
  await announceNamedPermissions(tx, user.id);
}
