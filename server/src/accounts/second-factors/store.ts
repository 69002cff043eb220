// Which second factors people have.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Factors } from './factor.ts';

export async function findFactors(db: Db, userId: number): Promise<Factors> {
  const { rows } = await sql<Factors>`
    SELECT EXISTS (SELECT FROM totp_secrets
                    WHERE user_id = ${userId} AND confirmed_at IS NOT NULL) AS totp,
           (SELECT count(*)::integer FROM passkeys
             WHERE user_id = ${userId} AND suspected_at IS NULL) AS passkeys,
           (SELECT count(*)::integer FROM recovery_codes
             WHERE user_id = ${userId} AND used_at IS NULL) AS "recoveryCodes"`.execute(db);
  return rows[0] as Factors;
}
