// How many bots one person may have: each costs the server something, even one that does nothing.
import { sql } from 'kysely';
import { countActiveBots } from '../../../accounts/users/access.ts';
import type { Config } from '../../../platform/config/schema.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';

/** Refuses one more bot to somebody who has as many as one may have. Whoever asks meanwhile waits, so the count is exact. */
export async function checkRoomForBot(
  tx: Tx,
  { CHAT_BOTS_PER_OWNER_MAX: most }: Config,
  ownerId: number,
): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.bots'), ${ownerId})`.execute(tx);
  if ((await countActiveBots(tx, ownerId)) < most) return;
  throw badRequest(
    `One person can have at most ${most} bots on this server. Deactivate one that is not needed any more, and try again.`,
  );
}
