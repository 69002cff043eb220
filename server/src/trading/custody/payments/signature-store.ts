import type { Db } from '../../../platform/db/pool.ts';

export interface SignatureRow {
  readonly key: string;
  readonly signature: string;
}

/** Whether it is new. */
export async function insertSignature(
  tx: Db,
  row: SignatureRow & {
    readonly paymentId: bigint;
    readonly operatorId: number;
    readonly at: Date;
  },
): Promise<boolean> {
  const rows = await tx
    .insertInto('custodySignatures')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('paymentId')
    .execute();
  return rows.length > 0;
}

/** At most as many as the signer reads. */
const SIGNATURES_MAX = 16;

export const listSignatures = (db: Db, paymentId: bigint): Promise<SignatureRow[]> =>
  db
    .selectFrom('custodySignatures')
    .select(['key', 'signature'])
    .where('paymentId', '=', paymentId)
    .orderBy('at')
    .limit(SIGNATURES_MAX)
    .execute();
