import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { amountFromNumeric, formatAmount } from '../amount.ts';
import type { FeeTier } from './tier.ts';

export async function listFeeTiers(db: Db): Promise<FeeTier[]> {
  const rows = await db.selectFrom('feeTiers').selectAll().orderBy('tier').execute();
  return rows.map((row) => ({ ...row, minVolume30d: amountFromNumeric(row.minVolume30d) }));
}

/**
 * Plain SQL, since the query builder cannot express a column name with a number after an
 * underscore.
 */
export async function upsertFeeTier(tx: Db, tier: FeeTier): Promise<void> {
  await sql`
    INSERT INTO fee_tiers (tier, min_volume_30d, maker_millionths, taker_millionths)
    VALUES (${tier.tier}, ${formatAmount(tier.minVolume30d)}::numeric, ${tier.makerMillionths}, ${tier.takerMillionths})
    ON CONFLICT (tier) DO UPDATE
       SET min_volume_30d = excluded.min_volume_30d, maker_millionths = excluded.maker_millionths,
           taker_millionths = excluded.taker_millionths`.execute(tx);
}
