// The topics of a channel, as one reader sees them.
import { sql } from 'kysely';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { JOIN_TITLE, NAME } from '../../conversations/topics/names.ts';
import { invalidChannel } from '../../conversations/channel/errors.ts';
import { readReaderScope } from '../message/channels-for-reader.ts';

/** More topics than anybody scrolls through. Beyond it only the newest are listed. */
const TOPICS_MAX = 10_000;

export interface TopicSummary {
  /** In its latest spelling. */
  readonly name: string;
  readonly max_id: number;
}

/** The topic with the newest message first. The cost grows with the number of topics, not of messages. */
export async function listTopics(
  db: Db,
  reader: Pick<User, 'id' | 'role'>,
  channelId: number,
): Promise<TopicSummary[]> {
  const { channels } = await readReaderScope(db, reader, { channelIds: [channelId] });
  const [channel] = channels;
  if (channel === undefined || !channel.mayRead) throw invalidChannel();
  const here = sql`conversation_id = ${channel.conversationId}`;
  const seen = channel.isProtected
    ? sql`EXISTS (SELECT FROM subscriptions s
                   WHERE s.user_id = ${reader.id} AND s.channel_id = ${channelId}
                     AND s.received @> m.place_seq)`
    : sql`true`;
  const { rows } = await sql<{ id: bigint; topic: string }>`
    WITH RECURSIVE keys AS (
      (SELECT lower(topic) AS key FROM messages WHERE ${here} ORDER BY lower(topic) LIMIT 1)
      UNION ALL
      SELECT (SELECT lower(topic) FROM messages
               WHERE ${here} AND lower(topic) > keys.key ORDER BY lower(topic) LIMIT 1)
        FROM keys WHERE keys.key IS NOT NULL
    )
    SELECT m.id, ${NAME} AS topic
      FROM keys
      CROSS JOIN LATERAL (SELECT m.id, m.conversation_id, m.topic FROM messages m
                           WHERE m.conversation_id = ${channel.conversationId} AND lower(m.topic) = keys.key AND ${seen}
                           ORDER BY m.id DESC LIMIT 1) AS m
      ${JOIN_TITLE}
     ORDER BY m.id DESC LIMIT ${TOPICS_MAX}`.execute(db);
  return rows.map(({ id, topic }) => ({ name: topic, max_id: Number(id) }));
}
