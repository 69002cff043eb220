// Finds people who may get a notification for an event. It is cheap: it reads the event and looks for devices. The job
// that sends the notification checks what the person wants and may read.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import type { FlagsEvent } from '../../messages/read-state/events.ts';
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

const HAS_DEVICE = sql`(EXISTS (SELECT FROM devices d WHERE d.user_id = u.id AND d.is_reachable)
  OR EXISTS (SELECT FROM web_push_subscriptions w WHERE w.user_id = u.id))`;

async function equipped(db: Db, userIds: readonly number[]): Promise<number[]> {
  if (userIds.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM users u WHERE u.id = ANY (${[...userIds]}::int[]) AND ${HAS_DEVICE}
     ORDER BY u.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** People who are mentioned, and people who want notifications of the channel or the topic. */
async function equippedIn(
  db: Db,
  channelId: number,
  topic: string,
  { mentioned, topic_mentioned, mentions_everyone }: MessageDelivery,
): Promise<number[]> {
  const called = [...mentioned, ...topic_mentioned];
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM (SELECT user_id AS id FROM devices WHERE is_reachable
                       UNION SELECT user_id FROM web_push_subscriptions) u
      JOIN subscriptions s ON s.user_id = u.id AND s.channel_id = ${channelId} AND s.is_active
      JOIN users p ON p.id = u.id
      LEFT JOIN user_topics t ON t.user_id = u.id AND t.channel_id = s.channel_id
                             AND lower(t.topic) = lower(${topic})
     WHERE ${mentions_everyone} OR u.id = ANY (${called}::int[])
        OR coalesce(s.push_notifications,
                    (p.settings->>'enable_stream_push_notifications')::boolean, false)
        OR t.visibility_policy = ${sql.lit(VISIBILITY.followed)}
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
