import type { Db } from '../../platform/db/pool.ts';
import { amountFromNumeric } from '../amount.ts';
import type { FeeTier } from './tier.ts';

export async function listFeeTiers(db: Db): Promise<FeeTier[]> {
  const rows = await db.selectFrom('feeTiers').selectAll().orderBy('tier').execute();
  return rows.map((row) => ({ ...row, minVolume30d: amountFromNumeric(row.minVolume30d) }));
}
