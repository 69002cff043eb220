import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/** A payment of the hot wallet that is in no block. */
export interface Committed {
  /** Its newest version. */
  readonly unsigned: string;
  readonly outputs: readonly { readonly coin: string; readonly amount: string }[];
}

/** All of them; the number in flight is bounded. */
export async function listCommitted(db: Db, network: string): Promise<Committed[]> {
  const { rows } = await sql<Committed>`
    SELECT (SELECT a.unsigned FROM custody_attempts a WHERE a.payment_id = p.payment_id ORDER BY n DESC LIMIT 1),
           coalesce((SELECT jsonb_agg(jsonb_build_object('coin', o.coin, 'amount', o.amount))
                       FROM custody_payment_outputs o WHERE o.payment_id = p.payment_id), '[]')
             || (SELECT coalesce(jsonb_agg(o), '[]') FROM jsonb_array_elements(p.own_outputs::jsonb) AS o
                  WHERE o ? 'coin') AS outputs
      FROM custody_payments p
     WHERE p.network = ${network} AND p.sender = '' AND p.state <> 'done'
       AND NOT EXISTS (SELECT FROM custody_attempts a WHERE a.payment_id = p.payment_id AND a.height IS NOT NULL)
     ORDER BY p.payment_id`.execute(db);
  return rows;
}

/** What was measured before is written again now and then: its time tells that somebody still measures. */
const WRITE_EVERY_SECONDS = 15;

/** Notes what the hot wallet has of a coin, in units of 10^-24. */
export async function noteHotBalance(
  db: Db,
  {
    network,
    coin,
    amount,
  }: { readonly network: string; readonly coin: string; readonly amount: bigint },
): Promise<void> {
  await sql`
    INSERT INTO custody_hot_balances AS h (network, coin, amount, measured_at)
    VALUES (${network}, ${coin}, ${amount.toString()}, clock_timestamp())
    ON CONFLICT (network, coin) DO UPDATE SET amount = excluded.amount, measured_at = excluded.measured_at
     WHERE h.amount <> excluded.amount
        OR h.measured_at < excluded.measured_at - ${WRITE_EVERY_SECONDS} * interval '1 second'`.execute(
    db,
  );
}

export interface HotBalance {
  readonly network: string;
  readonly coin: string;
  /** In units of 10^-24. */
  readonly amount: bigint;
  readonly measuredAt: Date;
}

/** All of them, by name; the configuration bounds their number. */
export async function listHotBalances(db: Db): Promise<HotBalance[]> {
  const rows = await db
    .selectFrom('custodyHotBalances')
    .select(['network', 'coin', 'amount', 'measuredAt'])
    .orderBy('network')
    .orderBy('coin')
    .execute();
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** Whether coins are on their way to the cold wallet: then no more follow. */
export async function isFillingCold(db: Db, network: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM custody_payments
    WHERE network = ${network} AND kind = 'to_cold' AND state <> 'done' LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Every state with how many payments of the network are in it, and the age of the oldest that is in no block. */
export async function countPayments(
  db: Db,
  network: string,
): Promise<{ readonly counts: Record<string, number>; readonly oldestSeconds: number }> {
  const { rows } = await sql<{ state: string; count: number; seconds: number | null }>`
    SELECT s.state, count(p.payment_id)::int AS count,
           max(extract(epoch FROM clock_timestamp() - p.created_at)) FILTER (WHERE NOT EXISTS
             (SELECT FROM custody_attempts a WHERE a.payment_id = p.payment_id AND a.height IS NOT NULL))::float8
             AS seconds
      FROM unnest(ARRAY['signing', 'broadcasting', 'confirming', 'needs_operator']) AS s(state)
      LEFT JOIN custody_payments p ON p.network = ${network} AND p.state = s.state AND p.state <> 'done'
     GROUP BY s.state`.execute(db);
  return {
    counts: Object.fromEntries(rows.map(({ state, count }) => [state, count])),
    oldestSeconds: Math.max(0, ...rows.map(({ seconds }) => seconds ?? 0)),
  };
}

/** The sum of coins that can be spent at this height, in smallest units (Bitcoin family). */
export async function sumFreeCoins(
  db: Db,
  network: string,
  scannedHeight: number,
): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`
    SELECT coalesce(sum(units), 0)::text AS units FROM custody_utxos
     WHERE network = ${network} AND payment_id IS NULL AND ${scannedHeight} - height + 1 >= needed`.execute(
    db,
  );
  return BigInt(rows[0]?.units ?? 0);
}
