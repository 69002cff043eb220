// Joining and leaving a channel: writes the rows, tells the nodes, then tells people, in this order.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { Channel } from '../../conversations/channel/channel.ts';
import { channelCreated, channelRow, channelsDeleted } from '../../conversations/channel/events.ts';
import { channelMovement } from '../../conversations/channel-rights/events.ts';
import { readPrincipals } from '../../rights/permissions/access.ts';
import { canSeeChannel, type Permissions } from '../../rights/permissions/rights.ts';
import { tellJoined, tellLeft } from '../../rights/sight/actions.ts';
import { forgetUnread } from '../../messages/read-state/marking.ts';
import { pickColor } from './colors.ts';
import {
  LISTED_MAX,
  ownSubscriptionFields,
  peersChanged,
  subscribersAdded,
  subscriptionRemoved,
} from './events.ts';
import { splitIntoParts } from './requests.ts';
import {
  activateSubscriptions,
  countSubscribers,
  deactivateSubscriptions,
  holdCounters,
  listColors,
  listOwnOf,
  listSubscriberIds,
} from '../../conversations/subscribers/store.ts';

const NOBODY = { users: [] };

/** People per event. An event has the settings of each, so one event for everybody could be megabytes. */
const TOLD_AT_ONCE = 1000;

export interface ChannelAdmission {
  readonly channel: Channel;
  readonly permissions: Permissions<'channel'>;
  /** This transaction created the channel, so people who may know of it are told. */
  readonly isNew: boolean;
  /**
   * For a new person in the organization: messages after this number belong to them too. Otherwise they receive only
   * new messages.
   */
  readonly since?: number | undefined;
  /** Colours that people chose for themselves. */
  readonly colorOf?: ReadonlyMap<number, string>;
  /** Emits events between the creation of the channel and its first subscriptions. */
  announceMore?(): void;
}

/**
 * Locks the message counters, which decide which messages people receive. Every action that adds or removes people must
 * call it first, for all channels it changes.
 */
export const holdConversations = (
  tx: Tx,
  channels: readonly Pick<Channel, 'conversationId'>[],
): Promise<Map<number, number>> =>
  holdCounters(
    tx,
    channels.map(({ conversationId }) => conversationId),
  );

/** Subscribes these people; returns those who were not subscribed before, ascending. */
export async function admit(
  tx: Tx,
  admission: ChannelAdmission,
  userIds: readonly number[],
): Promise<number[]> {
  const { channel, permissions, isNew } = admission;
  const head = (await holdConversations(tx, [channel])).get(channel.conversationId) ?? 0;
  const seq = admission.since ?? head;
  const countBefore = isNew ? 0 : await countSubscribers(tx, channel.id);
  const colors = await listColors(tx, userIds);
  const joined = await activateSubscriptions(
    tx,
    channel.id,
    seq,
    userIds.map((userId) => ({
      userId,
      color:
        admission.colorOf?.get(userId) ??
        pickColor(colors.get(userId) ?? new Set(), channel.conversationId),
    })),
  );
  const ids = [...joined.keys()];
  const row = channelRow(channel, permissions, countBefore);
  if (ids.length > 0) {
    tx.emit(channelMovement('join', channel.id, seq, ids), NOBODY, { rightsOf: ids });
    await tellJoined(tx, channel, ids);
  }
  if (isNew) {
    // The nodes know the subscribers by now, so this reaches everybody who may know of the channel.
    tx.emit(channelCreated(row), { channel: channel.id, who: 'aware' });
    admission.announceMore?.();
  } else {
    const strangers = await listUnaware(tx, admission, ids);
    if (strangers.length > 0) tx.emit(channelCreated(row), { users: strangers });
  }
  if (ids.length === 0) return ids;
  const countNow = countBefore + ids.length;
  const rowNow = { ...row, subscriber_count: countNow };
  const listed = countNow <= LISTED_MAX ? await listSubscriberIds(tx, channel.id) : undefined;
  for (const part of splitIntoParts([...joined], TOLD_AT_ONCE)) {
    const own = new Map(part.map(([userId, one]) => [userId, ownSubscriptionFields(one)]));
    tx.emit(subscribersAdded(rowNow, listed, own), { users: [...own.keys()] });
  }
  tx.emit(peersChanged('peer_add', channel.id, ids), {
    channel: channel.id,
    who: 'aware',
    except: ids,
  });
  return ids;
}

/** Unsubscribes these people; returns those who were subscribed, ascending. */
export async function release(
  tx: Tx,
  { channel, permissions }: Pick<ChannelAdmission, 'channel' | 'permissions'>,
  userIds: readonly number[],
): Promise<number[]> {
  const seq = (await holdConversations(tx, [channel])).get(channel.conversationId) ?? 0;
  const left = await deactivateSubscriptions(tx, channel.id, seq, userIds);
  if (left.length === 0) return left;
  await forgetUnread(tx, left, channel.conversationId);
  tx.emit(channelMovement('leave', channel.id, seq, left), NOBODY, { rightsOf: left });
  tx.emit(subscriptionRemoved(channel), { users: left });
  const strangers = await listUnaware(tx, { channel, permissions }, left);
  if (strangers.length > 0) tx.emit(channelsDeleted([channel.id]), { users: strangers });
  tx.emit(peersChanged('peer_remove', channel.id, left), {
    channel: channel.id,
    who: 'aware',
    except: left,
  });
  await tellLeft(tx, channel, left);
  return left;
}

/** Those of the people who may know of the channel only while they are subscribed. */
async function listUnaware(
  tx: Tx,
  { channel, permissions }: Pick<ChannelAdmission, 'channel' | 'permissions'>,
  userIds: readonly number[],
): Promise<number[]> {
  if (userIds.length === 0 || channel.isWebPublic) return [];
  const people = await readPrincipals(tx, await listUsersById(tx, userIds));
  const facts = { ...channel, permissions, isSubscribed: false };
  return people
    .filter((person) => !canSeeChannel(person, facts))
    .map(({ id }) => id)
    .sort((a, b) => a - b);
}

/** Sends the channel and its subscriptions again, for clients that saw it deleted (when it was archived). */
export async function announceAnew(
  tx: Tx,
  channel: Channel,
  permissions: Permissions<'channel'>,
  capability: { readonly name: string; readonly has: boolean },
): Promise<void> {
  const own = await listOwnOf(tx, channel.id);
  const ids = [...own.keys()];
  const row = channelRow(channel, permissions, ids.length);
  const others = { channel: channel.id, who: 'aware', except: ids, capability } as const;
  const empty = channelRow(channel, permissions, 0);
  tx.emit(channelCreated(empty), { channel: channel.id, who: 'aware', capability });
  if (ids.length === 0) return;
  const listed = ids.length <= LISTED_MAX ? ids : undefined;
  for (const part of splitIntoParts([...own], TOLD_AT_ONCE)) {
    const fields = new Map(part.map(([userId, one]) => [userId, ownSubscriptionFields(one)]));
    tx.emit(subscribersAdded(row, listed, fields), { users: [...fields.keys()], capability });
  }
  tx.emit(peersChanged('peer_add', channel.id, ids), others);
}
