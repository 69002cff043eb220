// The replay guard. An accepted signature is claimed by a committed row before its request acts, so it
// acts at most once, whatever dies in between. Requests that wait together are claimed in one insert.
import type pg from 'pg';
import type { Context } from '../../platform/context.ts';

export interface Claim {
  readonly keyId: string;
  readonly signature: Buffer;
  /** The signed timestamp. It is part of the signed text, so it cannot be changed to dodge the guard. */
  readonly signedMs: number;
  readonly method: string;
  readonly path: string;
}

export interface Claims {
  /** True when the request may act: its signature is new, or this is the same read once more. */
  claim(claim: Claim): Promise<boolean>;
}

interface Waiting {
  readonly claim: Claim;
  readonly name: string;
  resolve(isFree: boolean): void;
  reject(error: unknown): void;
}

/** Bounds one statement; more than this waits for the next. */
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
        await settle(pool, batch);
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

type Holder = Pick<Claim, 'method' | 'path'>;

async function settle(pool: pg.Pool, batch: readonly Waiting[]): Promise<void> {
  // Sorted, so that two processes that claim the same signatures never wait for each other in a circle.
  const distinct = new Map(batch.toReversed().map((one): [string, Claim] => [one.name, one.claim]));
  const sorted = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1));
  const fresh = await insertClaims(
    pool,
    sorted.map(([, claim]) => claim),
  );
  const taken = sorted.filter(([name]) => !fresh.has(name));
  const holders = await findHolders(
    pool,
    taken.map(([, claim]) => claim),
  );
  for (const { claim, name, resolve } of batch) {
    if (fresh.delete(name)) {
      // The first of equals in the batch is the one whose row was inserted.
      holders.set(name, claim);
      resolve(true);
    } else {
      resolve(isSameRead(claim, holders.get(name)));
    }
  }
}

/** A read that is repeated as it was is harmless. Without a holder, somebody's claim was just dropped. */
function isSameRead(claim: Claim, holder: Holder | undefined): boolean {
  const isRead = claim.method === 'GET' || claim.method === 'HEAD';
  return isRead && holder?.method === claim.method && holder.path === claim.path;
}

interface ClaimRow {
  signed_ms: bigint;
  key_id: string;
  signature: Buffer;
}

const nameOf = (row: ClaimRow) => `${row.signed_ms} ${row.key_id} ${row.signature.toString('hex')}`;

async function insertClaims(pool: pg.Pool, claims: readonly Claim[]): Promise<Set<string>> {
  const { rows } = await pool.query<ClaimRow>({
    name: 'claim-signatures',
    text: `INSERT INTO request_claims (signed_ms, key_id, signature, method, path)
           SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::text[], $5::text[])
           ON CONFLICT DO NOTHING RETURNING signed_ms, key_id, signature`,
    values: [
      ...columnsOf(claims),
      claims.map((claim) => claim.method),
      claims.map((claim) => claim.path),
    ],
  });
  return new Set(rows.map(nameOf));
}

/** A statement of its own: it sees what others committed while the insert waited for them. */
async function findHolders(pool: pg.Pool, claims: readonly Claim[]): Promise<Map<string, Holder>> {
  if (claims.length === 0) return new Map();
  const { rows } = await pool.query<ClaimRow & Holder>({
    name: 'find-claim-holders',
    text: `SELECT signed_ms, key_id, signature, method, path
             FROM request_claims
             JOIN unnest($1::bigint[], $2::text[], $3::bytea[])
                  AS wanted (signed_ms, key_id, signature) USING (signed_ms, key_id, signature)`,
    values: columnsOf(claims),
  });
  return new Map(rows.map((row) => [nameOf(row), row]));
}

const columnsOf = (claims: readonly Claim[]) => [
  claims.map((claim) => claim.signedMs),
  claims.map((claim) => claim.keyId),
  claims.map((claim) => claim.signature),
];

/** Partitions hold ten minutes; a day's worth is made ahead, so a resting worker harms nothing. */
const PARTITIONS_AHEAD = 144;
/** So few at once that the statement ends well within its time limit on a slow machine too. */
const PARTITIONS_A_STATEMENT = 12;
/** Windows reach back 61 seconds; the rest is for a clock that is set back. */
const KEEP_MS = 15 * 60_000;

/** At the start of a process that verifies: claims then go to partitions that can be dropped whole. */
export async function prepareClaims(ctx: Context): Promise<void> {
  await ctx.database.pool.query('SELECT ensure_claim_partitions($1, 6)', [
    Math.floor(ctx.clock.now()),
  ]);
}

/** For the worker, every few minutes. Returns how many partitions went. */
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
