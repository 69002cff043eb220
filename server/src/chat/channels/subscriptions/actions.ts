// Subscribes and unsubscribes people. Clients name the channels, and act for themselves or for others.
import { noteAct, noteNothing } from '../../../accounts/audit/actions.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { listUsersById } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import { insufficientPermission } from '../../../accounts/users/errors.ts';
import { hostOf, type Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { findVisibleIds, withoutPlaceholders } from '../../rights/sight/access.ts';
import { spendDaily } from '../../rights/allowances/daily.ts';
import {
  holdChannels,
  listChannelsByName,
  viewChannels,
  type ChannelView,
} from '../../conversations/channel/access.ts';
import type { Channel } from '../../conversations/channel/channel.ts';
import { openChannel, type ChannelRequest } from '../creation/create.ts';
import { noSuchChannelName } from '../../conversations/channel/errors.ts';
import { announceDefaults } from '../default-channels/actions.ts';
import { badRequest } from '../../http/errors.ts';
import { announceChannels, noteCreated, tellSubscribed } from '../../messages/notices/actions.ts';
import { findAnnouncementChannel, holdToWrite } from '../../messages/notices/channels.ts';
import { readRights } from '../../rights/permissions/access.ts';
import {
  canAddSubscribers,
  canRemoveSubscribers,
  canSeeChannel,
  canSubscribe,
  type Rights,
} from '../../rights/permissions/rights.ts';
import { subscriptionUpdated } from './events.ts';
import { admit, holdConversations, release, type ChannelAdmission } from './members.ts';
import {
  checkNewChannels,
  checkRequest,
  join,
  NOTHING,
  PART,
  splitIntoParts,
  parseWishes,
  type Done,
  type SubscribeResult,
  type WantedChannels,
  type Wish,
} from './requests.ts';
import { parsePropertyChange } from './rules.ts';
import { updateSubscription } from '../../conversations/subscribers/store.ts';

export type Principals = readonly (number | string)[];

/** Creates a channel and subscribes these people in one transaction. The creator is subscribed only if listed. */
export function createChannel(
  ctx: Context,
  actor: User,
  name: string,
  subscriberIds: readonly number[],
  { announce = false, ...request }: ChannelRequest & { readonly announce?: boolean | undefined },
): Promise<number> {
  return ctx.inTransaction(async (tx) => {
    const rights = await readRights(tx, actor);
    const opened = await openChannel(ctx, tx, actor, rights, name, request);
    const people = await findPrincipals(ctx, tx, actor, subscriberIds);
    const joined = await admit(tx, admissionTo(tx, opened), people);
    const others = joined.filter((id) => id !== actor.id);
    noteMoved(tx, 'subscription add', [{ ...opened.channel, userIds: others }]);
    await spendDaily(tx, ctx, actor, 'places', others.length);
    if (people.length > 0) await noteCreated(tx, ctx, actor, opened.channel);
    if (announce) await announceChannels(tx, ctx, actor, [opened.channel]);
    return opened.channel.id;
  });
}

const admissionTo = (
  tx: Tx,
  { channel, permissions, defaultIds }: Awaited<ReturnType<typeof openChannel>>,
): ChannelAdmission => ({
  channel,
  permissions,
  isNew: true,
  announceMore: () => defaultIds && announceDefaults(tx, defaultIds),
});

/** Which messages people get, beside the events. */
export interface Telling {
  /** Announces the new channels. */
  readonly announce: boolean;
  /** Sends a message to people whom somebody else subscribes. */
  readonly tellPeople: boolean;
}
const SILENT: Telling = { announce: false, tellPeople: false };

/**
 * Subscribes to the channels and creates those that do not exist. With `isFatal`, a channel that the caller may not
 * join is an error; otherwise the result lists it. Each transaction handles a few channels, because their writers wait
 * meanwhile. If a later part is refused, the earlier parts stay.
 */
export async function subscribe(
  ctx: Context,
  actor: User,
  wishes: readonly Wish[],
  principals: Principals | undefined,
  isFatal: boolean,
  request: ChannelRequest,
  telling: Telling,
): Promise<SubscribeResult> {
  const wanted = parseWishes(wishes);
  const people =
    principals === undefined ? [actor.id] : await findPrincipals(ctx, ctx.db, actor, principals);
  checkRequest(ctx.config, wanted.length, people.length);
  const known = await listChannelsByName(
    ctx.db,
    wanted.map(([key]) => key),
  );
  checkNewChannels(ctx.config, wanted.length - known.length);
  let done = NOTHING;
  const parts = splitIntoParts(wanted);
  for (const [index, part] of parts.entries()) {
    const before = done;
    const isLast = index === parts.length - 1;
    const announces = telling.announce && isLast;
    done = await ctx.inTransaction(async (tx) => {
      const given = { wanted: part, people, isFatal, request, announces };
      const all = join(before, await subscribeIn(ctx, tx, actor, given));
      if (!isLast) return all;
      if (telling.announce) await announceChannels(tx, ctx, actor, all.made);
      const areTold = telling.tellPeople && (await tellSubscribed(tx, ctx, actor, all.added));
      return { ...all, areTold };
    });
  }
  const { made: _made, added: _added, ...result } = done;
  return result;
}

interface Subscribing {
  readonly wanted: WantedChannels;
  readonly people: readonly number[];
  readonly isFatal: boolean;
  readonly request: ChannelRequest;
  /** Whether this transaction will also announce channels. */
  readonly announces: boolean;
}

async function subscribeIn(
  ctx: Context,
  tx: Tx,
  actor: User,
  { wanted, people, isFatal, request, announces }: Subscribing,
): Promise<Done> {
  const rights = await readRights(tx, actor);
  const areOthers = people.some((id) => id !== actor.id);
  const keys = wanted.map(([key]) => key);
  const existing = await holdViews(tx, actor, keys, announces);
  const subscribed: Record<string, string[]> = {};
  const already_subscribed: Record<string, string[]> = {};
  const unauthorized: string[] = [];
  const added = new Map<number, { id: number; name: string }[]>();
  const made: Channel[] = [];
  const moved: Moved[] = [];
  let given = 0;
  const note = ({ id: channelId, name }: Channel, joined: readonly number[]) => {
    moved.push({ id: channelId, name, userIds: joined.filter((id) => id !== actor.id) });
    const fresh = new Set(joined);
    given += joined.filter((id) => id !== actor.id).length;
    for (const id of people) {
      const isFresh = fresh.has(id);
      ((isFresh ? subscribed : already_subscribed)[id] ??= []).push(name);
      if (isFresh) added.set(id, [...(added.get(id) ?? []), { id: channelId, name }]);
    }
  };
  for (const [key, wish] of wanted) {
    const colorOf = wish.color === undefined ? undefined : new Map([[actor.id, wish.color]]);
    const chosen = colorOf === undefined ? {} : { colorOf };
    const view = existing.get(key);
    if (view === undefined) {
      const opened = await openChannel(ctx, tx, actor, rights, wish.name, {
        ...request,
        description: wish.description,
      });
      const joined = await admit(tx, { ...admissionTo(tx, opened), ...chosen }, people);
      note(opened.channel, joined);
      made.push(opened.channel);
    } else if (!canSubscribe(rights, view)) {
      // Repeats the name as the caller wrote it, so that it does not reveal the real spelling of a hidden channel.
      const asked = wish.name.trim();
      if (isFatal) throw badRequest(`Unable to access channel (${asked}).`);
      unauthorized.push(asked);
    } else {
      if (areOthers && !canAddSubscribers(rights, view)) throw insufficientPermission();
      const admission = { channel: view, permissions: view.permissions, isNew: false, ...chosen };
      note(view, await admit(tx, admission, people));
    }
  }
  for (const channel of made) await noteCreated(tx, ctx, actor, channel);
  noteMoved(tx, 'subscription add', moved);
  await spendDaily(tx, ctx, actor, 'places', given);
  return { subscribed, already_subscribed, unauthorized, areTold: false, added, made };
}

interface Moved {
  readonly id: number;
  readonly name: string;
  readonly userIds: readonly number[];
}

/** The audit log has only subscriptions that somebody changed for others. */
function noteMoved(
  tx: Tx,
  act: 'subscription add' | 'subscription remove',
  moved: readonly Moved[],
): void {
  const channels = moved.filter(({ userIds }) => userIds.length > 0);
  if (channels.length === 0) return noteNothing(tx);
  noteAct(tx, {
    act,
    subject: channels.map(({ name }) => name).join(', '),
    [act === 'subscription add' ? 'after' : 'before']: {
      subscribers: Object.fromEntries(channels.map(({ id, userIds }) => [id, userIds])),
    },
  });
}

/** Locks the counters of these channels, then reads the channels for `actor`. */
async function holdViews(
  tx: Tx,
  actor: User,
  names: readonly string[],
  announces = false,
): Promise<Map<string, ChannelView>> {
  const found = await listChannelsByName(tx, names);
  if (announces) await holdAnnouncements(tx, found);
  await holdConversations(tx, found);
  // Reads again under the lock, so that a channel that was archived or made private meanwhile is refused.
  const held = await viewChannels(tx, actor.id, await holdChannels(tx, found));
  return new Map(held.map((view) => [view.name.toLowerCase(), view]));
}

/** The announcement writes into one of several conversations, so all of them get the lock of a writer at once. */
async function holdAnnouncements(tx: Tx, channels: readonly Channel[]): Promise<void> {
  const id = await findAnnouncementChannel(tx);
  if (id !== undefined) await holdToWrite(tx, [id, ...channels.map((channel) => channel.id)]);
}

export interface UnsubscribeResult {
  readonly removed: string[];
  readonly not_removed: string[];
}

/** Each transaction handles a few channels. If a later part is refused, the earlier parts stay. */
export async function unsubscribe(
  ctx: Context,
  actor: User,
  names: readonly string[],
  principals: Principals | undefined,
): Promise<UnsubscribeResult> {
  const wanted = [...new Set(names)];
  const people =
    principals === undefined ? [actor.id] : await findPrincipals(ctx, ctx.db, actor, principals);
  checkRequest(ctx.config, wanted.length, people.length);
  const removed: string[] = [];
  const not_removed: string[] = [];
  for (const part of splitIntoParts(wanted)) {
    const left = await ctx.inTransaction((tx) => unsubscribeIn(tx, actor, part, people));
    removed.push(...left.removed);
    not_removed.push(...left.not_removed);
  }
  return { removed, not_removed };
}

async function unsubscribeIn(
  tx: Tx,
  actor: User,
  names: readonly string[],
  people: readonly number[],
): Promise<UnsubscribeResult> {
  const rights = await readRights(tx, actor);
  const views = await holdViews(
    tx,
    actor,
    names.map((name) => name.trim()),
  );
  const visible = (name: string) => findVisible(rights, views, name);
  const missing = names.filter((name) => visible(name) === undefined);
  if (missing.length > 0) throw badRequest(`Channel(s) (${missing.join(', ')}) do not exist`);
  const others = people.filter((id) => id !== actor.id);
  const areOwnBots = await areBotsOf(tx, actor, others);
  const moved: Moved[] = [];
  const removed: string[] = [];
  const not_removed: string[] = [];
  for (const name of names) {
    const view = visible(name);
    if (view === undefined) throw noSuchChannelName(name);
    if (others.length > 0 && !areOwnBots && !canRemoveSubscribers(rights, view)) {
      throw insufficientPermission();
    }
    const left = await release(tx, { channel: view, permissions: view.permissions }, people);
    (left.length > 0 ? removed : not_removed).push(view.name);
    moved.push({ ...view, userIds: left.filter((id) => id !== actor.id) });
  }
  noteMoved(tx, 'subscription remove', moved);
  return { removed, not_removed };
}

function findVisible(
  rights: Rights,
  views: ReadonlyMap<string, ChannelView>,
  name: string,
): ChannelView | undefined {
  const view = views.get(name.trim().toLowerCase());
  return view !== undefined && canSeeChannel(rights, view) ? view : undefined;
}

/** The owner of a bot may also remove it from channels. */
async function areBotsOf(tx: Tx, actor: User, userIds: readonly number[]): Promise<boolean> {
  if (userIds.length === 0) return false;
  const people = await listUsersById(tx, userIds);
  return people.every(({ botOwnerId }) => botOwnerId === actor.id);
}

/** Removes, then adds. Both happen in one transaction, unless there are too many channels for one. */
export async function changeSubscriptions(
  ctx: Context,
  actor: User,
  remove: readonly string[],
  add: readonly Wish[],
): Promise<SubscribeResult & UnsubscribeResult> {
  if (remove.length === 0 && add.length === 0) {
    throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
  }
  // Guests may leave channels, but only others can add them.
  if (add.length > 0 && actor.role === ROLE.guest) {
    throw badRequest('Not allowed for guest users');
  }
  const [names, wanted] = [[...new Set(remove)], parseWishes(add)];
  checkRequest(ctx.config, names.length + wanted.length, 1);
  if (names.length + wanted.length > PART) {
    return {
      ...(await unsubscribe(ctx, actor, names, undefined)),
      ...(await subscribe(ctx, actor, add, undefined, true, {}, SILENT)),
    };
  }
  const people = [actor.id];
  return ctx.inTransaction(async (tx) => {
    const left = await unsubscribeIn(tx, actor, names, people);
    const given = { wanted, people, isFatal: true, request: {}, announces: false };
    const { made: _made, added: _added, ...joined } = await subscribeIn(ctx, tx, actor, given);
    return { ...left, ...joined };
  });
}

/** The ids without duplicates, ascending. Refuses people whom the actor may not know, and deactivated ones. */
async function findPrincipals(
  ctx: Context,
  db: Db,
  actor: User,
  principals: Principals,
): Promise<number[]> {
  const named = withoutPlaceholders([...new Set<string | number>(principals)], hostOf(ctx));
  const ids = (await findVisibleIds(db, actor, named)).map((id) => id ?? 0);
  const people = new Map((await listUsersById(db, ids)).map((user) => [user.id, user]));
  for (const id of ids) {
    const user = people.get(id);
    if (user === undefined || user.isSystem) throw badRequest('No such user');
    if (!user.isActive) throw badRequest('User is deactivated');
  }
  return [...people.keys()].sort((a, b) => a - b);
}

export interface PropertyWish {
  readonly stream_id: number;
  readonly property: string;
  readonly value: unknown;
}

export function setProperties(
  ctx: Context,
  actor: User,
  wishes: readonly PropertyWish[],
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    for (const { stream_id, property, value } of wishes) {
      const change = parsePropertyChange(property, value);
      if (!(await updateSubscription(tx, actor.id, stream_id, change.column, change.value))) {
        throw badRequest(`Not subscribed to channel ID ${stream_id}`);
      }
      for (const [name, told] of change.told) {
        tx.emit(subscriptionUpdated(stream_id, name, told), { users: [actor.id] });
      }
    }
  });
}
