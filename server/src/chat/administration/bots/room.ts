// Limits how many bots one person has, because each costs resources, even an idle one.
import { sql } from 'kysely';
import { countActiveBots } from '../../../accounts/users/access.ts';
import type { Config } from '../../../platform/config/schema.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';

/** Refuses a bot beyond the limit. A lock per owner keeps the count exact when requests arrive at once. */
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
