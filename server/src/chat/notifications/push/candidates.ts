// Finds people who may get a notification for an event. It is cheap: it reads the event and looks for devices. The job
// that sends the notification checks what the person wants and may read.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import type { FlagsEvent } from '../../messages/read-state/events.ts';
import { keyIn } from '../../conversations/topics/names.ts';
import { VISIBILITY } from '../../conversations/topics/automatic-rules.ts';
import type {
  MessageDelivery,
  MessagesDeleted,
  MessageSent,
} from '../../messages/message/events.ts';

/** A message notifies at most this many people. */
const PEOPLE_MAX = 5000;

export interface Candidates {
  readonly messageId: number;
  readonly userIds: readonly number[];
}

type Logged = Pick<MessageSent, 'message'> & { readonly delivery: MessageDelivery };

/** People who have a device or a browser and may want a notification; undefined without any. */
export async function findCandidates(db: Db, event: LoggedEvent): Promise<Candidates | undefined> {
  const { message, delivery } = JSON.parse(event.payload) as Logged;
  const among =
    delivery.channel_id === null
      ? await equipped(db, peopleOf(event))
      : await equippedIn(db, delivery.channel_id, message.subject, delivery);
  const noNews = new Set([message.sender_id, ...delivery.read_by]);
  const userIds = among.filter((id) => !noNews.has(id)).slice(0, PEOPLE_MAX);
  return userIds.length === 0 ? undefined : { messageId: message.id, userIds };
}

const peopleOf = ({ audience }: LoggedEvent): readonly number[] =>
  'users' in audience ? audience.users : [];

const hasDevice = (each: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  EXISTS (SELECT FROM devices d WHERE d.user_id = u.id AND d.is_reachable ${each})
  OR EXISTS (SELECT FROM web_push_subscriptions w WHERE w.user_id = u.id ${each}))`;
/** For many people: all devices may be read once. */
const HAS_DEVICE = hasDevice(sql``);
/** For few: OFFSET makes the planner look up the devices of each person. It would read all devices otherwise. */
const EACH_HAS_DEVICE = hasDevice(sql`OFFSET 0`);

async function equipped(db: Db, userIds: readonly number[]): Promise<number[]> {
  if (userIds.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM users u WHERE u.id = ANY (${[...userIds]}::int[]) AND ${EACH_HAS_DEVICE}
     ORDER BY u.id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * People who are mentioned, and people who want notifications of the channel or the topic. It begins from them, because most
 * people with a device want none of most messages.
 */
async function equippedIn(
  db: Db,
  channelId: number,
  topic: string,
  { mentioned, topic_mentioned, mentions_everyone }: MessageDelivery,
): Promise<number[]> {
  const called = [...mentioned, ...topic_mentioned];
  const wanting = mentions_everyone
    ? sql`SELECT user_id FROM subscriptions WHERE channel_id = ${channelId} AND is_active`
    : sql`
      SELECT unnest(${called}::int[]) AS user_id
      UNION SELECT user_id FROM subscriptions
             WHERE channel_id = ${channelId} AND is_active AND push_notifications
      UNION SELECT s.user_id FROM users p JOIN subscriptions s ON s.user_id = p.id
             WHERE p.settings->>'enable_stream_push_notifications' = 'true'
               AND s.channel_id = ${channelId} AND s.is_active AND s.push_notifications IS NULL
      UNION SELECT user_id FROM user_topics
             WHERE channel_id = ${channelId} AND lower(topic) = ${keyIn(channelId, topic)}
               AND visibility_policy = ${sql.lit(VISIBILITY.followed)}`;
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM (SELECT user_id AS id FROM (${wanting}) AS wanting) AS u
     WHERE EXISTS (SELECT FROM subscriptions s
                    WHERE s.user_id = u.id AND s.channel_id = ${channelId} AND s.is_active)
       AND ${mentions_everyone ? HAS_DEVICE : EACH_HAS_DEVICE}
     ORDER BY u.id LIMIT ${PEOPLE_MAX + 1}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Notifications to take back: of one person (some messages or `all`), or of everybody for some messages. */
export type Withdrawn =
  | { readonly userId: number; readonly messageIds: readonly number[] | 'all' }
  | { readonly userId: 'everybody'; readonly messageIds: readonly number[] };

/** A message was read or deleted. */
export function parseWithdrawn(event: LoggedEvent): Withdrawn | undefined {
  if (event.type === 'delete_message') {
    const { message_ids = [], message_id } = JSON.parse(event.payload) as MessagesDeleted;
    const messageIds = message_id === undefined ? message_ids : [...message_ids, message_id];
    return { userId: 'everybody', messageIds };
  }
  if (event.type !== 'update_message_flags' || !('users' in event.audience)) return undefined;
  const { op, flag, messages, all } = JSON.parse(event.payload) as FlagsEvent;
  const [userId] = event.audience.users;
  if (op !== 'add' || flag !== 'read' || userId === undefined) return undefined;
  return { userId, messageIds: all ? 'all' : messages };
}
