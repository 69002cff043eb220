// Removes the codes of a person who has lost them. Only a recovery that two operators approved does it.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { deletePasskeysOf } from '../passkeys/forget.ts';

/** All of them: somebody who has the lost ones must get nowhere with them. */
export async function forgetFactors(tx: Db, userId: number): Promise<void> {
  await sql`DELETE FROM totp_secrets WHERE user_id = ${userId}`.execute(tx);
  await sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`.execute(tx);
  await deletePasskeysOf(tx, userId);
}
