import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

export interface Sweepable {
  readonly address: string;
  readonly index: number;
  /** The newest deposit among them. */
  readonly through: bigint;
  /** It belongs to no account: what came there is not on record, and it may be empty. */
  readonly isUnassigned: boolean;
}

interface SweepOptions {
  readonly coin: string;
  readonly minimum: bigint;
  readonly limit: number;
  /** Absent: any. */
  readonly address?: string;
}

/**
 * Deposit addresses to which enough of a coin came since they were last emptied, and which send nothing now; or less, where
 * operators asked for it.
 */
export async function listSweepable(
  db: Db,
  network: string,
  { coin, minimum, limit, address }: SweepOptions,
): Promise<Sweepable[]> {
  const { rows } = await sql<Sweepable>`
    SELECT a.address, a.index, false AS is_unassigned, max(t.deposit_id) AS through
      FROM custody_transfers t
      JOIN custody_addresses a ON a.network = t.network AND a.address = t.address AND a.purpose = 'deposit'
      LEFT JOIN custody_swept s ON s.network = t.network AND s.address = t.address AND s.coin = t.coin
     WHERE t.network = ${network} AND t.coin = ${coin} AND t.status = 'credited' AND NOT t.is_internal
       AND t.deposit_id > coalesce(s.through, 0) ${address === undefined ? sql`` : sql`AND t.address = ${address}`}
       AND ${sendsNothing(sql.ref('t.network'), sql.ref('t.address'))}
     GROUP BY a.address, a.index
    HAVING sum(t.amount) >= ${minimum.toString()}::numeric OR min(t.deposit_id) <=
             (SELECT sweep_through FROM custody_wallets w WHERE w.network = ${network})
     ORDER BY sum(t.amount) < ${minimum.toString()}::numeric, through LIMIT ${limit}`.execute(db);
  return rows;
}

/**
 * Addresses of no account, which a rescan after the loss of a database has added, and which were not emptied since operators
 * last asked for it.
 */
export async function listUnassigned(
  db: Db,
  network: string,
  { coin, limit, address }: Pick<SweepOptions, 'coin' | 'limit' | 'address'>,
): Promise<Sweepable[]> {
  const { rows } = await sql<Sweepable>`
    SELECT a.address, a.index, true AS is_unassigned, w.sweep_through AS through
      FROM custody_addresses a JOIN custody_wallets w ON w.network = a.network
      LEFT JOIN custody_swept s ON s.network = a.network AND s.address = a.address AND s.coin = ${coin}
     WHERE a.network = ${network} AND a.purpose = 'deposit' AND a.account_id IS NULL
       AND w.sweep_through > coalesce(s.through, 0) ${address === undefined ? sql`` : sql`AND a.address = ${address}`}
       AND ${sendsNothing(sql.ref('a.network'), sql.ref('a.address'))}
     ORDER BY a.index LIMIT ${limit}`.execute(db);
  return rows;
}

/** Nothing of the address is under way, neither from it nor the gas to it. */
const sendsNothing = (network: RawBuilder<unknown>, address: RawBuilder<unknown>) => sql`
  NOT EXISTS (SELECT FROM custody_payments p
               WHERE p.network = ${network} AND p.state <> 'done'
                 AND (p.sender = ${address} OR p.own_outputs LIKE '%' || ${address} || '%'))`;

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
