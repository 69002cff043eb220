// Removes every passkey of a person who has lost them.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

export async function deletePasskeysOf(tx: Db, userId: number): Promise<void> {
  await sql`DELETE FROM passkeys WHERE user_id = ${userId}`.execute(tx);
}
