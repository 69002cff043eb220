// The replay guard. An accepted signature is claimed by a committed row before its request acts, so
// a write acts at most once, whatever dies in between. Its first use decides whether a signature
// belongs to reads, which may share it, or to one write. Concurrent requests are claimed in one
// insert. A request whose key came from memory is claimed only if the key has not changed since.
import { readAtStart } from '../../platform/db/busy.ts';
import type pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { KEY_ROWS, KEY_VERSION } from './store.ts';

export interface SignatureClaim {
  readonly keyId: string;
  readonly signature: Buffer;
  /**
   * The signed timestamp. It is part of the signed text, so it cannot be changed to evade the
   * guard.
   */
  readonly signedMs: number;
  /** A read changes nothing, whatever its method is. */
  readonly isRead: boolean;
  /** For later investigation. */
  readonly method: string;
  readonly path: string;
  /** Of the key, if it was remembered; null if it was read for this request. */
  readonly version: string | null;
}

/**
 * The request may act, or its signature belongs to an earlier write, or to a read while this is a
 * write, or its key is not the one of this version any more, and nothing was claimed.
 */
export type ClaimVerdict = 'free' | 'spent' | 'of a read' | 'stale';

export interface Claims {
  claim(claim: SignatureClaim): Promise<ClaimVerdict>;
}

interface Waiting {
  readonly claim: SignatureClaim;
  readonly name: string;
  resolve(verdict: ClaimVerdict): void;
  reject(error: unknown): void;
}

/** Bounds one statement; the rest waits for the next. */
const BATCH_MAX = 500;

export function createClaims(pool: pg.Pool): Claims {
  let waiting: Waiting[] = [];
  let isRunning = false;

  // While one insert commits, the next batch gathers: the cost is a commit per few milliseconds.
  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      try {
        // In front of what came later.
        waiting = [...(await settle(pool, batch)), ...waiting];
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    isRunning = false;
  }

  return {
    claim: (claim) =>
      new Promise((resolve, reject) => {
        const name = `${claim.signedMs} ${claim.keyId} ${claim.signature.toString('hex')}`;
        waiting.push({ claim, name, resolve, reject });
        if (!isRunning) void run();
      }),
  };
}

/** Returns those that have to be claimed again: in front of them was an equal one that was stale. */
async function settle(pool: pg.Pool, batch: readonly Waiting[]): Promise<Waiting[]> {
  // Sorted, so that two processes that claim the same signatures cannot deadlock.
  const distinct = new Map(
    batch.toReversed().map((one): [string, SignatureClaim] => [one.name, one.claim]),
  );
  const sorted = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1));
  const { stale, untaken } = await insertClaims(
    pool,
    sorted.map(([, claim]) => claim),
    batch.map(({ claim }) => claim),
  );
  const isStale = (claim: SignatureClaim) => stale.size > 0 && stale.has(versionNameOf(claim));
  const taken = untaken.map((place) => sorted[place] as [string, SignatureClaim]);
  const ofReads = await findReads(
    pool,
    taken.map(([, claim]) => claim).filter((claim) => !isStale(claim)),
  );
  const settled = new Set(taken.map(([name]) => name));
  const again: Waiting[] = [];
  for (const one of batch) {
    const { claim, name, resolve } = one;
    if (isStale(claim)) resolve('stale');
    else if (isStale(distinct.get(name) as SignatureClaim)) again.push(one);
    else if (!settled.has(name)) {
      // The first of equals in the batch is the one whose row was inserted.
      settled.add(name);
      if (claim.isRead) ofReads.add(name);
      resolve('free');
    } else {
      resolve(judge(claim, ofReads.has(name)));
    }
  }
  return again;
}

const versionNameOf = ({ keyId, version }: SignatureClaim) => `${keyId} ${version}`;

function judge(claim: SignatureClaim, isOfRead: boolean): ClaimVerdict {
  if (!isOfRead) return 'spent';
  return claim.isRead ? 'free' : 'of a read';
}

interface ClaimRow {
  signed_ms: bigint;
  key_id: string;
  signature: Buffer;
}

const nameOf = (row: ClaimRow) => `${row.signed_ms} ${row.key_id} ${row.signature.toString('hex')}`;

interface Inserted {
  /** Keys with versions that they do not have any more. */
  readonly stale: ReadonlySet<string>;
  /** Places of the claims that were not inserted. */
  readonly untaken: readonly number[];
}

/** Inserts `claims`, apart from stale ones, and says which keys of `all` are stale. Mostly PostgreSQL returns no row. */
async function insertClaims(
  pool: pg.Pool,
  claims: readonly SignatureClaim[],
  all: readonly SignatureClaim[],
): Promise<Inserted> {
  const relied = new Map(
    all.filter(({ version }) => version !== null).map((claim) => [versionNameOf(claim), claim]),
  );
  // `(SELECT $1)` hides the length of a list from the planner. Otherwise it would plan anew for each, which takes longer
  // than the statement.
  const { rows } = await pool.query<{ place: bigint | null; name: string | null }>({
    name: 'claim-signatures',
    text: `WITH stale AS MATERIALIZED (
             SELECT key_id, version FROM unnest((SELECT $1::text[]), $2::text[]) AS relied (key_id, version)
              WHERE version IS DISTINCT FROM (SELECT ${KEY_VERSION} FROM ${KEY_ROWS} WHERE k.key_id = relied.key_id)
           ), asked AS MATERIALIZED (
             SELECT * FROM unnest((SELECT $3::bigint[]), $4::text[], $5::bytea[], $6::text[], $7::text[], $8::boolean[], $9::text[])
                           WITH ORDINALITY AS asked (signed_ms, key_id, signature, method, path, is_read, version, place)
           ), inserted AS (
             INSERT INTO request_claims (signed_ms, key_id, signature, method, path, is_read)
             SELECT signed_ms, key_id, signature, method, path, is_read FROM asked
              WHERE NOT EXISTS (SELECT FROM stale WHERE stale.key_id = asked.key_id AND stale.version = asked.version)
              ORDER BY place
             ON CONFLICT DO NOTHING RETURNING signed_ms, key_id, signature
           )
           SELECT NULL::bigint AS place, key_id || ' ' || version AS name FROM stale
           UNION ALL
           SELECT place - 1, NULL FROM asked
            WHERE NOT EXISTS (SELECT FROM inserted i WHERE i.signed_ms = asked.signed_ms AND i.key_id = asked.key_id
                                                       AND i.signature = asked.signature)`,
    values: [
      [...relied.values()].map((claim) => claim.keyId),
      [...relied.values()].map((claim) => claim.version),
      ...columnsOf(claims),
      claims.map((claim) => claim.method),
      claims.map((claim) => claim.path),
      claims.map((claim) => claim.isRead),
      claims.map((claim) => claim.version),
    ],
  });
  return {
    stale: new Set(rows.flatMap(({ name }) => name ?? [])),
    untaken: rows.flatMap(({ place }) => (place === null ? [] : Number(place))),
  };
}

/**
 * Which of these signatures reads hold. One without a row counts as spent: its claim was dropped
 * meanwhile, so it is old. A separate statement, because it sees what others committed while the
 * insert waited for them.
 */
async function findReads(pool: pg.Pool, claims: readonly SignatureClaim[]): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  const { rows } = await pool.query<ClaimRow>({
    name: 'find-claims-of-reads',
    text: `SELECT signed_ms, key_id, signature
             FROM request_claims
             JOIN unnest($1::bigint[], $2::text[], $3::bytea[])
                  AS wanted (signed_ms, key_id, signature) USING (signed_ms, key_id, signature)
            WHERE is_read`,
    values: columnsOf(claims),
  });
  return new Set(rows.map(nameOf));
}

const columnsOf = (claims: readonly SignatureClaim[]) => [
  claims.map((claim) => claim.signedMs),
  claims.map((claim) => claim.keyId),
  claims.map((claim) => claim.signature),
];

/**
 * Partitions hold ten minutes; a day's worth is created ahead, so a stopped worker does no harm.
 */
const PARTITIONS_AHEAD = 144;
/** Few enough at once that the statement stays within its time limit on a slow machine too. */
const PARTITIONS_A_STATEMENT = 12;
/** Windows reach back 61 seconds; the rest covers a clock that is set back. */
const KEEP_MS = 15 * 60_000;

/**
 * At the start of a process that verifies: claims then go to partitions that can be dropped whole.
 */
export async function prepareClaims(ctx: Context): Promise<void> {
  const nowMs = Math.floor(ctx.clock.now());
  await readAtStart(ctx.log, () =>
    ctx.database.pool.query('SELECT ensure_claim_partitions($1, 6)', [nowMs]),
  );
}

/** For the worker, every few minutes. Returns how many partitions were dropped. */
export async function maintainClaims(ctx: Context): Promise<number> {
  const nowMs = Math.floor(ctx.clock.now());
  for (let ahead = 0; ahead < PARTITIONS_AHEAD;) {
    ahead = Math.min(ahead + PARTITIONS_A_STATEMENT, PARTITIONS_AHEAD);
    await ctx.database.pool.query('SELECT ensure_claim_partitions($1, $2)', [nowMs, ahead]);
  }
  const { rows } = await ctx.database.pool.query<{ dropped: number }>(
    'SELECT drop_claim_partitions($1) AS dropped',
    [nowMs - KEEP_MS],
  );
  return rows[0]?.dropped ?? 0;
}
