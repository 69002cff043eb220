// Earlier versions of a message. The database knows their sizes without reading them, so versions that do not fit
// into an answer are never loaded.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { CAME, renamesOf } from './renames.ts';

/** One change: when, by whom, and the values before it. */
export interface VersionRow {
  readonly userId: number;
  readonly at: Date;
  readonly prevContent: string | null;
  readonly prevRendered: string | null;
  readonly prevTopic: string | null;
  readonly prevChannelId: number | null;
  readonly channelId: number | null;
}

/** The most changes in one answer. Moves are small, and a topic can be resolved every day. */
const VERSIONS_MAX = 500;
/** Each text appears as the old one and as the new one, and its HTML in the differences to both neighbours. */
const TIMES_TOLD = 4;
const FRAME_BYTES = 200;

/** The changes of one message, with those of its topic while it was there, as `place` in their order. */
const changesOf = (messageId: number) => sql`(
  SELECT coalesce(e.rename_id, e.id) AS place, e.user_id, e.at, e.prev_content, e.prev_rendered, e.prev_topic,
         e.prev_channel_id, e.channel_id
    FROM message_edits e WHERE e.message_id = ${messageId}
   UNION ALL
  SELECT r.id, r.user_id, r.at, NULL, NULL, r.prev_name, NULL, NULL
    FROM (SELECT m.id, m.conversation_id, m.topic, ${CAME} AS came FROM messages m WHERE m.id = ${messageId}) m
   CROSS JOIN LATERAL ${renamesOf(sql`m.came`, sql`ALL`)})`;

/** The newest changes, newest first; only the moves where the text must stay hidden. Includes at least the newest. */
export async function listVersions(
  db: Db,
  messageId: number,
  { isWhole, bytesMax }: { readonly isWhole: boolean; readonly bytesMax: number },
): Promise<{ readonly versions: readonly VersionRow[]; readonly isAll: boolean }> {
  const shown = isWhole
    ? sql`true`
    : sql`(e.prev_topic IS NOT NULL OR e.prev_channel_id IS NOT NULL)`;
  // Without the earlier texts, each version carries the present text.
  const bytes = isWhole
    ? sql`coalesce(octet_length(e.prev_content) + octet_length(e.prev_rendered), 0) * ${sql.lit(TIMES_TOLD)}`
    : sql`octet_length(m.content) + octet_length(m.rendered)`;
  const { rows } = await sql<VersionRow & { readonly total: number }>`
    SELECT user_id, at, prev_content, prev_rendered, prev_topic, prev_channel_id, channel_id, total
      FROM (SELECT e.*, count(*) OVER ()::int AS total, row_number() OVER newest AS nth,
                   sum(${bytes} + ${sql.lit(FRAME_BYTES)}) OVER newest AS bytes
              FROM ${changesOf(messageId)} e JOIN messages m ON m.id = ${messageId}
             WHERE ${shown}
            WINDOW newest AS (ORDER BY e.place DESC)) told
     WHERE nth = 1 OR (nth <= ${VERSIONS_MAX} AND bytes <= ${bytesMax})
     ORDER BY place DESC`.execute(db);
  return { versions: rows, isAll: rows.length === (rows[0]?.total ?? 0) };
}

/** The first version of the message, as far as it was changed later. */
export async function findFirstVersion(
  db: Db,
  messageId: number,
): Promise<{
  readonly content: string | null;
  readonly rendered: string | null;
  readonly topic: string | null;
}> {
  const { rows } = await sql<{
    content: string | null;
    rendered: string | null;
    topic: string | null;
  }>`
    SELECT worded.prev_content AS content, worded.prev_rendered AS rendered, titled.prev_topic AS topic
      FROM (SELECT) AS one
      LEFT JOIN LATERAL (SELECT prev_content, prev_rendered FROM message_edits
                          WHERE message_id = ${messageId} AND prev_content IS NOT NULL
                          ORDER BY id LIMIT 1) worded ON true
      LEFT JOIN LATERAL (SELECT prev_topic FROM ${changesOf(messageId)} c
                          WHERE prev_topic IS NOT NULL
                          ORDER BY place LIMIT 1) titled ON true`.execute(db);
  return rows[0] ?? { content: null, rendered: null, topic: null };
}

/** How many times the text was changed, and the bytes of all earlier versions. */
export async function measureEdits(
  db: Db,
  messageId: number,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: bigint }>`
    SELECT count(*)::int AS count,
           coalesce(sum(octet_length(prev_content) + octet_length(prev_rendered)), 0)::bigint AS bytes
      FROM message_edits WHERE message_id = ${messageId} AND prev_content IS NOT NULL`.execute(db);
  const { count, bytes } = rows[0] ?? { count: 0, bytes: 0n };
  return { count, bytes: Number(bytes) };
}
