// Where the notification bot writes: the channels that the organization has chosen, the topic in each, and the locks
// that writing there needs.
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { truncate } from '../../text/markdown/content.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import { LIMITS } from '../../limits.ts';
import { findNoticeChannel } from '../../conversations/channel/access.ts';
import { lockCountersOf } from '../message/access.ts';

type Settings = Readonly<Record<string, RealmValue>>;

/** `topic`, or the empty topic in a channel that allows no other. */
export function topicIn(
  { topicsPolicy }: { readonly topicsPolicy: string },
  settings: Settings,
  topic: string,
): string {
  const policy = topicsPolicy === 'inherit' ? settings['topics_policy'] : topicsPolicy;
  return policy === 'empty_topic_only' ? '' : topic;
}

/**
 * Locks the counters of these channels, if notices may be posted in them. Call it before any other lock, because
 * counters are always locked first.
 */
export async function holdForNotices(tx: Tx, channelIds: readonly number[]): Promise<void> {
  const settings = await readOrganizationSettings(tx);
  if (settings['send_channel_events_messages'] === true) await holdToWrite(tx, channelIds);
}

/** Locks the counters of these channels as a sender does. */
export const holdToWrite = (tx: Tx, channelIds: readonly number[]): Promise<void> =>
  lockCountersOf(tx, channelIds);

/** The channel in which new channels are announced, if one is configured and not archived. */
export const findAnnouncements = (db: Db, settings: Settings) =>
  findChosen(db, settings['new_stream_announcements_stream_id']);

/** The channel for reports of messages, and the topic there. */
export async function findModeration(db: Db, settings: Settings) {
  const channel = await findChosen(db, settings['moderation_request_channel_id']);
  if (channel === undefined) return undefined;
  const topicFor = (name: string) =>
    topicIn(channel, settings, truncate(name, LIMITS.max_topic_length, '...'));
  return { ...channel, topicFor };
}

async function findChosen(db: Db, id: RealmValue | undefined) {
  if (typeof id !== 'number' || id <= 0) return undefined;
  const channel = await findNoticeChannel(db, id);
  return channel === undefined || channel.isArchived ? undefined : channel;
}

/** The id of the channel for new channels, so that its counter is locked together with the others. */
export async function findAnnouncementChannel(db: Db): Promise<number | undefined> {
  const channel = await findAnnouncements(db, await readOrganizationSettings(db));
  return channel?.channelId;
}

/** The channel in which new members are announced, if one is configured and not archived. */
export const findSignups = (db: Db, settings: Settings) =>
  findChosen(db, settings['signup_announcements_stream_id']);

/** The id of the channel for new members, so that its counter is locked together with the others. */
export async function findSignupChannel(db: Db): Promise<number | undefined> {
  return (await findSignups(db, await readOrganizationSettings(db)))?.channelId;
}
