// Writes a million messages in bulk: words as unevenly distributed as in language, some of them
// Persian, in busy and quiet topics. The benchmark measures reading them.
import type pg from 'pg';

export interface SearchWorld {
  readonly channelIds: readonly number[];
  readonly conversationIds: readonly number[];
  /** From frequent to rare. */
  readonly words: readonly string[];
  /** A conversation and a topic in it, each with more than a page. */
  readonly topics: readonly (readonly [channelId: number, topic: string])[];
}

const VOCABULARY = 20_000;
const TEXTS = 50_000;
const TOPICS_A_CHANNEL = 200;
/** They are built once at the end, as a restore would. */
const SEARCH_INDICES = [
  'CREATE INDEX messages_words ON messages USING gin ((content_words || words_of(topic)))',
  `CREATE INDEX messages_seams ON messages USING gin (seams_of(content || ' ' || topic) COLLATE "C")`,
];
/** Every n-th word of the sample that is searched for. */
const SAMPLE = 40;

export async function writeMessages(
  pool: pg.Pool,
  channels: readonly { readonly id: number; readonly conversationId: number }[],
  senderIds: readonly number[],
  count: number,
): Promise<SearchWorld> {
  const client = await pool.connect();
  const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
  let world: SearchWorld;
  const conversationIds = channels.map(({ conversationId }) => conversationId);
  try {
    await run('SELECT setseed(0.42)');
    await run(
      `CREATE TEMP TABLE vocabulary AS
       SELECT n, CASE WHEN n % 5 = 0
         THEN translate(substr(md5(n::text), 1, 4 + n % 4), '0123456789abcdef', 'ابپتجچدرزسشفکگلم')
         ELSE translate(substr(md5(n::text), 1, 4 + n % 5), '0123456789', 'ghijklmnop') END AS word
         FROM generate_series(1, $1::int) AS n`,
      [VOCABULARY],
    );
    await run('CREATE UNIQUE INDEX ON vocabulary (n)');
    await run(
      `CREATE TEMP TABLE texts AS
       SELECT t.n, string_agg(v.word, ' ') AS content, words_of(string_agg(v.word, ' ')) AS words
         FROM (SELECT n, 1 + floor(power(random(), 3) * $2)::int AS word_n
                 FROM generate_series(1, $1::int) AS n, generate_series(1, 14)) AS t
         JOIN vocabulary v ON v.n = t.word_n
        GROUP BY t.n`,
      [TEXTS, VOCABULARY],
    );
    await run('CREATE UNIQUE INDEX ON texts (n)');
    await run('DROP INDEX messages_words, messages_seams');
    await run('SET synchronous_commit = off');
    await run(
      `INSERT INTO messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, content,
                             rendered, client, sent_at, content_words)
       SELECT p.id, p.conversation_id, p.conversation_id, p.seq, p.seq, p.sender_id,
              'topic ' || p.topic_n, x.content, '<p>' || x.content || '</p>', 'bench',
              now() - (($1 - p.n) * interval '30 seconds'), x.words
         FROM (SELECT nextval('message_ids') AS id, n,
                      c.conversation_id, row_number() OVER (PARTITION BY c.conversation_id ORDER BY n) AS seq,
                      ($3::int[])[1 + floor(random() * cardinality($3::int[]))::int] AS sender_id,
                      floor(power(random(), 2) * $4)::int AS topic_n,
                      1 + floor(random() * $5)::int AS text_n
                 FROM (SELECT n, ($2::int[])[1 + floor(random() * cardinality($2::int[]))::int]
                                AS conversation_id
                         FROM generate_series(1, $1::int) AS n OFFSET 0) AS c
                ORDER BY n) AS p
         JOIN texts x ON x.n = p.text_n
        ORDER BY p.id`,
      [count, conversationIds, senderIds, TOPICS_A_CHANNEL, TEXTS],
    );
    await run(
      `UPDATE conversation_counters k SET seq = m.seq, last_seq = m.seq, last_id = m.id
         FROM (SELECT home_id, max(seq) AS seq, max(id) AS id FROM messages GROUP BY home_id) AS m
        WHERE m.home_id = k.conversation_id`,
    );
    await run(
      `UPDATE channels c SET first_message_id =
         (SELECT min(id) FROM messages m WHERE m.conversation_id = c.conversation_id)`,
    );
    const { rows } = await client.query<{ word: string }>(
      'SELECT word FROM vocabulary WHERE n % $1 = 1 ORDER BY n LIMIT 100',
      [SAMPLE],
    );
    world = {
      channelIds: channels.map(({ id }) => id),
      conversationIds,
      words: rows.map(({ word }) => word),
      topics: channels.flatMap(({ id }) => [0, 5, 50].map((n) => [id, `topic ${n}`] as const)),
    };
  } finally {
    client.release();
  }
  await Promise.all(SEARCH_INDICES.map((statement) => build(pool, statement)));
  await pool.query('VACUUM ANALYZE messages');
  return world;
}

/** With memory, as an operator would who restores this many messages; at once where the pool has two connections. */
async function build(pool: pg.Pool, statement: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SET maintenance_work_mem = '1GB'");
    await client.query(statement);
  } finally {
    client.release(true);
  }
}
