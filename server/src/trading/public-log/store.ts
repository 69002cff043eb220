// The tables of the public log, on any connection: the follower writes on one of its own.
import type pg from 'pg';
import { assert } from '../../platform/std/assert.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

export interface Progress {
  /** The last journal row whose events are in the log, and its last engine event. */
  readonly seq: number;
  readonly engineSeq: number;
  readonly logPosition: number;
  /** The last event and its hash in hexadecimal; zero while the log has not begun. */
  readonly lastEvent: number;
  readonly lastHash: string;
  /** The last checkpoint and its time. */
  readonly checkpointEvent: number;
  readonly checkpointMs: number;
}

/** Every count is below 2^53: events and rows count by one. */
type ProgressRow = Record<Exclude<keyof Progress, 'lastHash'>, string> & { lastHash: string };

const PROGRESS = `SELECT seq::text, engine_seq::text AS "engineSeq", log_position::text AS "logPosition",
                         last_event::text AS "lastEvent", encode(last_hash, 'hex') AS "lastHash",
                         checkpoint_event::text AS "checkpointEvent", checkpoint_ms::text AS "checkpointMs"
                    FROM public_log_progress WHERE shard = $1`;

const toProgress = ({ lastHash, ...counts }: ProgressRow): Progress => ({
  seq: Number(counts.seq),
  engineSeq: Number(counts.engineSeq),
  logPosition: Number(counts.logPosition),
  lastEvent: Number(counts.lastEvent),
  lastHash,
  checkpointEvent: Number(counts.checkpointEvent),
  checkpointMs: Number(counts.checkpointMs),
});

/** Locked until the transaction ends; undefined when another process works. */
export async function lockProgress(db: Queryable, shard: number): Promise<Progress | undefined> {
  const { rows } = await db.query<ProgressRow>(`${PROGRESS} FOR UPDATE SKIP LOCKED`, [shard]);
  return rows[0] && toProgress(rows[0]);
}

export async function readProgress(db: Queryable, shard: number): Promise<Progress> {
  const { rows } = await db.query<ProgressRow>(PROGRESS, [shard]);
  assert(rows[0] !== undefined, 'every shard has its progress', { shard });
  return toProgress(rows[0]);
}

export async function writeProgress(
  db: Queryable,
  shard: number,
  progress: Progress,
): Promise<void> {
  await db.query({
    name: 'public-log-progress',
    text: `UPDATE public_log_progress
              SET seq = $2, engine_seq = $3, log_position = $4, last_event = $5, last_hash = decode($6, 'hex'),
                  checkpoint_event = $7, checkpoint_ms = $8, updated_at = clock_timestamp()
            WHERE shard = $1`,
    values: [
      shard,
      progress.seq,
      progress.engineSeq,
      progress.logPosition,
      progress.lastEvent,
      progress.lastHash,
      progress.checkpointEvent,
      progress.checkpointMs,
    ],
  });
}

/**
 * Lets this connection, among all, follow the shard for as long as it lives. The follower keeps the queues of the
 * books in memory, so a turn here and a turn there would load them again each time.
 */
export async function claimFollowing(db: Queryable, shard: number): Promise<boolean> {
  const { rows } = await db.query<{ free: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext('rialto.public_log'), $1) AS free`,
    [shard],
  );
  return rows[0]?.free === true;
}

/** A stretch of the log as it is stored: its first event, the hash before that, and its texts. */
export interface Stretch {
  readonly firstEvent: number;
  readonly previousHash: string;
  readonly texts: readonly string[];
}

/** The same, with the texts still packed. */
export interface StoredPage {
  readonly page: number;
  readonly previousHash: string;
  readonly body: Buffer;
}

export async function listTail(db: Queryable): Promise<Stretch[]> {
  const { rows } = await db.query<{ first: string; previousHash: string; body: string }>(
    `SELECT first_event::text AS first, encode(previous_hash, 'hex') AS "previousHash", body
       FROM public_log_tail ORDER BY first_event`,
  );
  return rows.map(({ first, previousHash, body }) => ({
    firstEvent: Number(first),
    previousHash,
    texts: body.split('\n'),
  }));
}

export async function insertTail(
  db: Queryable,
  { firstEvent, previousHash, texts }: Stretch,
): Promise<void> {
  await db.query({
    name: 'public-log-tail',
    text: `INSERT INTO public_log_tail (first_event, previous_hash, body) VALUES ($1, decode($2, 'hex'), $3)`,
    values: [firstEvent, previousHash, texts.join('\n')],
  });
}

export async function clearTail(db: Queryable): Promise<void> {
  await db.query('DELETE FROM public_log_tail');
}

export async function insertPages(db: Queryable, pages: readonly StoredPage[]): Promise<void> {
  await db.query({
    name: 'public-log-pages',
    text: `INSERT INTO public_log_pages (page, previous_hash, body)
           SELECT page, decode(hash, 'hex'), body FROM unnest($1::bigint[], $2::text[], $3::bytea[]) AS p(page, hash, body)`,
    values: [
      pages.map(({ page }) => page),
      pages.map(({ previousHash }) => previousHash),
      pages.map(({ body }) => body),
    ],
  });
}

/** Full pages of a range, and everything after the last full page: as one statement sees them. */
export async function readStored(
  db: Queryable,
  fromPage: number,
  throughPage: number,
): Promise<{ pages: StoredPage[]; tail: Stretch[] }> {
  const { rows } = await db.query<{
    page: string | null;
    first: string | null;
    previousHash: string;
    packed: Buffer | null;
    body: string | null;
  }>({
    name: 'public-log-read',
    text: `SELECT page::text, NULL AS first, encode(previous_hash, 'hex') AS "previousHash", body AS packed,
                  NULL AS body, page AS place
             FROM public_log_pages WHERE page BETWEEN $1 AND $2
           UNION ALL
           SELECT NULL, first_event::text, encode(previous_hash, 'hex'), NULL, body, first_event FROM public_log_tail
            ORDER BY place`,
    values: [fromPage, throughPage],
  });
  const pages: StoredPage[] = [];
  const tail: Stretch[] = [];
  for (const { page, first, previousHash, packed, body } of rows) {
    if (page !== null && packed !== null) {
      pages.push({ page: Number(page), previousHash, body: packed });
    } else {
      tail.push({ firstEvent: Number(first), previousHash, texts: (body ?? '').split('\n') });
    }
  }
  return { pages, tail };
}

export async function insertCheckpoint(db: Queryable, event: number, book: Buffer): Promise<void> {
  await db.query({
    name: 'public-log-checkpoint',
    text: 'INSERT INTO public_log_checkpoints (event, book) VALUES ($1, $2)',
    values: [event, book],
  });
}

/** The newest checkpoint at or before an event. */
export async function findCheckpoint(
  db: Queryable,
  through: number,
): Promise<{ event: number; book: Buffer } | undefined> {
  const { rows } = await db.query<{ event: string; book: Buffer }>({
    name: 'public-log-find-checkpoint',
    text: `SELECT c.event::text, c.book FROM public_log_checkpoints c WHERE c.event <= $1 ORDER BY c.event DESC LIMIT 1`,
    values: [through],
  });
  const row = rows[0];
  return row && { event: Number(row.event), book: row.book };
}

/** A signed head; hash in hexadecimal, signature in base64. */
export interface HeadRow {
  readonly event: number;
  readonly hash: string;
  readonly timeMs: number;
  readonly keyId: string;
  readonly signature: string;
}

const HEAD = `SELECT h.event::text, encode(hash, 'hex') AS hash, time_ms::text AS "timeMs", key_id AS "keyId",
                     translate(encode(signature, 'base64'), E'\\n', '') AS signature FROM public_log_heads h`;

type StoredHead = Omit<HeadRow, 'event' | 'timeMs'> & { event: string; timeMs: string };

const toHead = (row: StoredHead): HeadRow => ({
  ...row,
  event: Number(row.event),
  timeMs: Number(row.timeMs),
});

/** The first head that covers this event. */
export async function findHeadCovering(db: Queryable, event: number): Promise<HeadRow | undefined> {
  const { rows } = await db.query<StoredHead>({
    name: 'public-log-head-covering',
    text: `${HEAD} WHERE h.event >= $1 ORDER BY h.event LIMIT 1`,
    values: [event],
  });
  return rows[0] && toHead(rows[0]);
}

export async function findNewestHead(db: Queryable): Promise<HeadRow | undefined> {
  const { rows } = await db.query<StoredHead>({
    name: 'public-log-newest-head',
    text: `${HEAD} ORDER BY h.event DESC LIMIT 1`,
  });
  return rows[0] && toHead(rows[0]);
}

/** Does nothing when another process has signed this event. */
export async function insertHead(db: Queryable, head: HeadRow): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'public-log-head',
    text: `INSERT INTO public_log_heads (event, hash, time_ms, key_id, signature)
           VALUES ($1, decode($2, 'hex'), $3, $4, decode($5, 'base64')) ON CONFLICT DO NOTHING`,
    values: [head.event, head.hash, head.timeMs, head.keyId, head.signature],
  });
  return rowCount === 1;
}

export interface KeyRow {
  readonly keyId: string;
  readonly publicKey: string;
  readonly fromMs: number;
}

/** Oldest first. */
export async function listKeys(db: Queryable): Promise<KeyRow[]> {
  const { rows } = await db.query<Omit<KeyRow, 'fromMs'> & { fromMs: string }>({
    name: 'public-signing-keys',
    text: `SELECT key_id AS "keyId", public_key AS "publicKey", from_ms::text AS "fromMs"
             FROM public_signing_keys ORDER BY from_ms, key_id LIMIT 1000`,
  });
  return rows.map((row) => ({ ...row, fromMs: Number(row.fromMs) }));
}

export async function insertKey(db: Queryable, key: KeyRow): Promise<void> {
  await db.query({
    name: 'public-signing-key',
    text: `INSERT INTO public_signing_keys (key_id, public_key, from_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    values: [key.keyId, key.publicKey, key.fromMs],
  });
}

/** How late the log is, and how much room it takes. */
export async function readSizes(
  db: Queryable,
  shard: number,
): Promise<{ lagSeconds: number; bytes: number }> {
  const { rows } = await db.query<{ lag: number | null; bytes: string }>(
    `SELECT (SELECT extract(epoch FROM clock_timestamp() - j.at)::float8 FROM trading_journal j
              WHERE j.shard = p.shard AND j.seq = p.seq + 1) AS lag,
            (pg_total_relation_size('public_log_pages') + pg_total_relation_size('public_log_tail')
             + pg_total_relation_size('public_log_checkpoints')
             + pg_total_relation_size('public_log_heads'))::text AS bytes
       FROM public_log_progress p WHERE p.shard = $1`,
    [shard],
  );
  return { lagSeconds: Math.max(0, rows[0]?.lag ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
}
