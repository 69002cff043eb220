import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

export interface Sweepable {
  readonly address: string;
  readonly index: number;
  /** The newest deposit among them. */
  readonly through: bigint;
}

/**
 * Deposit addresses to which enough of a coin came since they were last emptied, and which send nothing now; or less, where
 * operators asked for it.
 */
export async function listSweepable(
  db: Db,
  network: string,
  {
    coin,
    minimum,
    limit,
    address,
  }: {
    readonly coin: string;
    readonly minimum: bigint;
    readonly limit: number;
    /** Absent: any. */
    readonly address?: string;
  },
): Promise<Sweepable[]> {
  const { rows } = await sql<Sweepable>`
    SELECT a.address, a.index, max(t.deposit_id) AS through
      FROM custody_transfers t
      JOIN custody_addresses a ON a.network = t.network AND a.address = t.address AND a.purpose = 'deposit'
      LEFT JOIN custody_swept s ON s.network = t.network AND s.address = t.address AND s.coin = t.coin
     WHERE t.network = ${network} AND t.coin = ${coin} AND t.status = 'credited' AND NOT t.is_internal
       AND t.deposit_id > coalesce(s.through, 0) ${address === undefined ? sql`` : sql`AND t.address = ${address}`}
       AND NOT EXISTS (SELECT FROM custody_payments p
                        WHERE p.network = t.network AND p.state <> 'done'
                          AND (p.sender = t.address OR p.own_outputs LIKE '%' || t.address || '%'))
     GROUP BY a.address, a.index
    HAVING sum(t.amount) >= ${minimum.toString()}::numeric OR min(t.deposit_id) <=
             (SELECT sweep_through FROM custody_wallets w WHERE w.network = ${network})
     ORDER BY sum(t.amount) < ${minimum.toString()}::numeric, through LIMIT ${limit}`.execute(db);
  return rows;
}

export async function noteSwept(
  tx: Db,
  network: string,
  { address, through }: Pick<Sweepable, 'address' | 'through'>,
  coin: string,
): Promise<void> {
  await sql`INSERT INTO custody_swept (network, address, coin, through)
            VALUES (${network}, ${address}, ${coin}, ${through})
            ON CONFLICT (network, address, coin) DO UPDATE SET through = excluded.through`.execute(
    tx,
  );
}
