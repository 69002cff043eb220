// The queries of fee days: which day is how far, the volumes of families, and the words on their tiers.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

export interface FeeDay {
  readonly day: number;
  readonly markerId: bigint | null;
  readonly doneThrough: bigint;
  readonly families: number;
  readonly changed: number;
  readonly finishedAt: Date | null;
}

const DAY_COLUMNS = [
  'day',
  'markerId',
  'doneThrough',
  'families',
  'changed',
  'finishedAt',
] as const;

export async function findFeeDay(db: Db, day: number): Promise<FeeDay | undefined> {
  return db.selectFrom('feeDays').select(DAY_COLUMNS).where('day', '=', day).executeTakeFirst();
}

/** Begins the day if nobody has, and holds it: of several workers one goes on at a time. */
export async function lockFeeDay(tx: Db, day: number): Promise<FeeDay> {
  await sql`INSERT INTO fee_days (day) VALUES (${day}) ON CONFLICT DO NOTHING`.execute(tx);
  return tx
    .selectFrom('feeDays')
    .select(DAY_COLUMNS)
    .where('day', '=', day)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateFeeDay(
  tx: Db,
  day: number,
  values: Partial<Omit<FeeDay, 'day'>>,
): Promise<void> {
  await tx.updateTable('feeDays').set(values).where('day', '=', day).execute();
}

/** When the newest fee day was finished; null before the first. */
export async function findLastFinished(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('feeDays')
    .select('finishedAt')
    .where('finishedAt', 'is not', null)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.finishedAt ?? null;
}

export interface FamilyVolume {
  /** The main account. */
  readonly account: bigint;
  /** Units of 10^-18 of the coin that counts for fees. */
  readonly volume: bigint;
  readonly isPinned: boolean;
  /** The last word on the tier. */
  readonly tier: number;
  /** An account of the family is projected in another tier. */
  readonly isMixed: boolean;
}

export interface VolumeRange {
  readonly quote: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Holds main accounts, so that nobody pins them, opens sub-accounts or closes them meanwhile. */
export async function lockFamilies(tx: Db, after: bigint, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM trading_accounts WHERE parent_account_id IS NULL AND id > ${after}
     ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE`.execute(tx);
  return rows.map(({ id }) => id);
}

/** A statement of its own after the locks: it sees what those who held them before have written. */
export async function listVolumes(
  tx: Db,
  families: readonly bigint[],
  { quote, fromMs, toMs }: VolumeRange,
): Promise<FamilyVolume[]> {
  const { rows } = await sql<{
    account: bigint;
    volume: string;
    isPinned: boolean;
    tier: number;
    isMixed: boolean;
  }>`
    SELECT a.id AS account, coalesce(v.total, 0)::text AS volume, coalesce(f.is_pinned, false) AS is_pinned,
           coalesce(f.tier, a.fee_tier)::int AS tier,
           EXISTS (SELECT FROM trading_accounts m
                    WHERE (m.id = a.id OR m.parent_account_id = a.id) AND m.closed_at IS NULL
                      AND m.fee_tier <> coalesce(f.tier, a.fee_tier)) AS is_mixed
      FROM trading_accounts a
      LEFT JOIN fee_families f ON f.account_id = a.id
      LEFT JOIN LATERAL (
        SELECT sum(w.total) AS total FROM trading_accounts m
          JOIN account_volumes w ON w.account_id = m.id
          JOIN markets k ON k.symbol = w.symbol
         WHERE (m.id = a.id OR m.parent_account_id = a.id) AND k.quote = ${quote}
           AND w.day_ms >= ${fromMs} AND w.day_ms < ${toMs}) v ON true
     WHERE a.id = ANY (${families.map(String)}::bigint[]) ORDER BY a.id`.execute(tx);
  return rows.map((row) => ({ ...row, volume: BigInt(row.volume) }));
}

export async function upsertFamilyTiers(
  tx: Db,
  tiers: readonly { readonly account: number; readonly tier: number }[],
  { isPinned, day }: { isPinned: boolean; day: number | null },
): Promise<void> {
  if (tiers.length === 0) return;
  await sql`
    INSERT INTO fee_families (account_id, tier, is_pinned, day)
    SELECT t.account, t.tier, ${isPinned}, ${day}::int
      FROM unnest(${tiers.map(({ account }) => String(account))}::bigint[],
                  ${tiers.map(({ tier }) => tier)}::smallint[]) AS t (account, tier)
    ON CONFLICT (account_id) DO UPDATE
       SET tier = excluded.tier, is_pinned = excluded.is_pinned, day = excluded.day,
           updated_at = clock_timestamp()`.execute(tx);
}

/** Whether it was pinned. */
export async function unpinFamily(tx: Db, account: bigint): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('feeFamilies')
    .set({ isPinned: false, updatedAt: sql`clock_timestamp()` })
    .where('accountId', '=', account)
    .where('isPinned', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function isPinnedFamily(db: Db, account: bigint): Promise<boolean> {
  const row = await db
    .selectFrom('feeFamilies')
    .select('isPinned')
    .where('accountId', '=', account)
    .executeTakeFirst();
  return row?.isPinned ?? false;
}
