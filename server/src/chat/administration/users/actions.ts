// Everything that changes people. The accounts module stores the change; this file also updates permissions that name
// them and lists of bots, in the same transaction.
import { replaceChatKeyIn } from '../../../accounts/chat-keys/actions.ts';
import { listBotIdsOf, lockMembership } from '../../../accounts/users/access.ts';
import {
  addUser,
  changeBotOwner,
  prepareUser,
  updateUserProfile,
  type Actor,
  type NewUser,
  type PreparedUser,
  type ProfileChanges,
} from '../../../accounts/users/actions.ts';
import {
  deactivateSelf,
  deactivateUser,
  reactivateUser,
} from '../../../accounts/users/standing.ts';
import { noteAct } from '../../../accounts/audit/actions.ts';
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import { ringEngine } from '../../../platform/bus/bells.ts';
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
import { checkNameAmongOthers, checkReturningName } from '../../people/profiles/names.ts';
import { forgetBrowsers } from '../../notifications/web-push/actions.ts';
import { announceNamedPermissions } from './named-permissions.ts';
import { followSight } from '../../channels/subscriptions/sight.ts';
import { writeDeactivated, writeReactivated } from './standing-emails.ts';

/** Creates a person or a bot with the organization's default settings. */
export async function createPerson(
  ctx: Context,
  fresh: NewUser,
  /** Further checks in the transaction that creates the account. */
  check: (tx: Tx) => Promise<void> = async () => {},
  /** Further rows to write with the account. */
  complete: (tx: Tx, user: User) => Promise<void> = async () => {},
): Promise<{ user: User; chatKey: string }> {
  const { userDefaults } = await readOrganization(ctx.db, ctx.config);
  const prepared = await prepareUser(ctx, { settings: userDefaults, ...fresh });
  const { botType, role } = prepared.row;
  // New members start in the default channels. Guests start only in channels that somebody adds them to.
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
 * Adds somebody who starts in these channels. `since` gives, by conversation, the number after which older messages
 * belong to them too.
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

/** Changes role, name and address, all or none. */
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
  // The bots lose the role with their owner, so their owner must not change meanwhile.
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

/** Sends the events for what else a role shows or hides: bots and default channels. */
async function tellRole(tx: Tx, before: User, role: RoleCode): Promise<void> {
  await tellBotsByRole(tx, before, role);
  await tellDefaultChannels(tx, before, role);
}

/** Gives a bot to somebody else, with a new key because the former owner knows the old one. */
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
  await replaceChatKeyIn(ctx, tx, before, 'all');
  await renewToken(tx, { ...before, botOwnerId: now.botOwnerId });
  if (now.botOwnerId !== null) await tellBotMoved(tx, before, now.botOwnerId);
  await tellRole(tx, before, now.role);
}

/** Guests do not see the default channels. */
async function tellDefaultChannels(tx: Tx, before: User, role: RoleCode): Promise<void> {
  const isGuest = role === ROLE.guest;
  if ((before.role === ROLE.guest) === isGuest) return;
  const ids = await listDefaultChannelIds(tx);
  if (ids.length > 0) tx.emit(defaultChannels(isGuest ? [] : ids), { users: [before.id] });
}

/** Deactivates a person and their bots. It can be undone. */
export async function deactivatePerson(ctx: Context, actor: Actor, userId: number): Promise<void> {
  await ctx.inTransaction((tx) => deactivatePersonIn(tx, ctx, actor, userId));
  ringEngine(ctx);
}

/** The caller must ring the engine after the commit. With a comment, the person always gets an email. */
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
  await announceLeavingOrReturn(tx, user, false);
  await expireInvitationsOf(tx, user.id, clock.now());
}

/** Reactivates a person or bot. */
export async function reactivatePerson(ctx: Context, actor: Actor, userId: number): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const back = await reactivateUser(tx, actor, userId);
    if (back === undefined) return;
    const { before, now } = back;
    if (now.botOwnerId !== before.botOwnerId) await tellMoved(tx, ctx, before, now);
    await announceLeavingOrReturn(tx, now, true);
    await writeReactivated(tx, ctx, now, actor);
    await checkReturningName(tx, now);
  });
  ringEngine(ctx);
}

/** Emits the events about somebody's subscriptions and permissions when they leave or come back. */
export async function announceLeavingOrReturn(
  tx: Tx,
  user: Pick<User, 'id'>,
  isActive: boolean,
): Promise<void> {
  // Deactivated people do not count as subscribers. Their subscriptions stay stored in case they come back.
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
