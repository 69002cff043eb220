// Where the notification bot writes: the channels that the organization has chosen, the topic in each, and the locks
// that writing there needs.
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { truncate } from '../../text/markdown/content.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import { LIMITS } from '../../limits.ts';
import { findSpot } from '../../conversations/channel/access.ts';
import { lockCountersOf } from '../message/access.ts';

type Settings = Readonly<Record<string, RealmValue>>;

/** The topic, or the empty one where there is no other. */
export function topicIn(
  { topicsPolicy }: { readonly topicsPolicy: string },
  settings: Settings,
  topic: string,
): string {
  const policy = topicsPolicy === 'inherit' ? settings['topics_policy'] : topicsPolicy;
  return policy === 'empty_topic_only' ? '' : topic;
}

/**
 * Called before anything else is locked by whoever may come to write a notice into these channels: counters
 * come first.
 */
export async function holdForNotices(tx: Tx, channelIds: readonly number[]): Promise<void> {
  const settings = await readOrganizationSettings(tx);
  if (settings['send_channel_events_messages'] === true) await holdToWrite(tx, channelIds);
}

/** Locks the counters of these channels as a sender does. */
export const holdToWrite = (tx: Tx, channelIds: readonly number[]): Promise<void> =>
  lockCountersOf(tx, channelIds);

/** Where new channels are announced, if the organization has chosen a place that is in use. */
export const findAnnouncements = (db: Db, settings: Settings) =>
  findChosen(db, settings['new_stream_announcements_stream_id']);

/** Where reports of messages go, and under which topic there. */
export async function findModeration(db: Db, settings: Settings) {
  const spot = await findChosen(db, settings['moderation_request_channel_id']);
  if (spot === undefined) return undefined;
  const topicFor = (name: string) =>
    topicIn(spot, settings, truncate(name, LIMITS.max_topic_length, '...'));
  return { ...spot, topicFor };
}

async function findChosen(db: Db, id: RealmValue | undefined) {
  if (typeof id !== 'number' || id <= 0) return undefined;
  const spot = await findSpot(db, id);
  return spot === undefined || spot.isArchived ? undefined : spot;
}

/** The channel in which new ones are announced: its counter is locked with the others, before them. */
export async function findAnnouncementChannel(db: Db): Promise<number | undefined> {
  const spot = await findAnnouncements(db, await readOrganizationSettings(db));
  return spot?.channelId;
}

/** Where new people are announced, if the organization has chosen a place that is in use. */
export const findSignups = (db: Db, settings: Settings) =>
  findChosen(db, settings['signup_announcements_stream_id']);

/** The channel in which new people are announced: its counter is locked with the others, before them. */
export async function findSignupChannel(db: Db): Promise<number | undefined> {
  return (await findSignups(db, await readOrganizationSettings(db)))?.channelId;
}
