// The renames of a topic that belong to the history of a message: those that happened while it was there (decision 0106).
import { sql, type RawBuilder } from 'kysely';

export { keyOf } from '../../conversations/topics/names.ts';

/** The last row of history with which message `m` came to where it is; null if it was sent there. */
export const CAME: RawBuilder<unknown> = sql`
  (SELECT max(e.id) FROM message_edits e
    WHERE e.message_id = m.id AND (e.prev_topic IS NOT NULL OR e.prev_channel_id IS NOT NULL))`;

/** Whether a rename came after that. Ids of renames and of rows of history are drawn together. */
export const isSince = (
  came: RawBuilder<unknown>,
  renameId: RawBuilder<unknown>,
  lastId: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql<boolean>`CASE WHEN ${came} IS NULL THEN ${lastId} >= m.id ELSE ${renameId} > ${came} END`;

/** Renames of the topic of `m`, joined as `r`: the newest ones, newest first. */
export const renamesOf = (
  came: RawBuilder<unknown>,
  most: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  (SELECT o.id, o.user_id, o.at, coalesce(o.prev_name, m.topic) AS prev_name, o.name, o.is_resolve_toggle
     FROM topic_renames o
    WHERE o.conversation_id = m.conversation_id AND o.key = lower(m.topic)
      AND ${isSince(came, sql`o.id`, sql`o.last_id`)}
    ORDER BY o.id DESC LIMIT ${most}) r`;
