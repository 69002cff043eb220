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

/** Whether coins are on their way to the cold wallet: then no more follow. */
export async function isFillingCold(db: Db, network: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM custody_payments
    WHERE network = ${network} AND kind = 'to_cold' AND state <> 'done' LIMIT 1`.execute(db);
  return rows.length > 0;
}
