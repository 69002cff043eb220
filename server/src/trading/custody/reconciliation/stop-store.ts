import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

export interface OpenStop {
  readonly stopId: bigint;
  readonly network: string;
  readonly coin: string;
  readonly stoppedAt: Date;
  /** Whether the newest comparison of the coin on the network shows no difference. */
  readonly isCleared: boolean;
}

/** Of some coins, or of all; few, as each is one coin on one network. */
export async function listOpenStops(db: Db, coins?: readonly string[]): Promise<OpenStop[]> {
  const of = coins === undefined ? sql`` : sql`AND s.coin = ANY(${coins}::text[])`;
  const { rows } = await sql<OpenStop>`
    SELECT s.stop_id, s.network, s.coin, s.stopped_at,
           coalesce((SELECT r.outcome FROM custody_reports r
                      WHERE r.network = s.network AND r.coin = s.coin AND r.outcome <> 'postponed'
                      ORDER BY r.report_id DESC LIMIT 1) = 'equal', false) AS is_cleared
      FROM custody_stops s WHERE s.ended_at IS NULL ${of} ORDER BY s.stop_id`.execute(db);
  return rows;
}

/** One that is open stays. Returns the report that the open one follows from. */
export async function insertStop(
  tx: Db,
  stop: {
    readonly network: string;
    readonly coin: string;
    readonly reportId: bigint;
    readonly stoppedAt: Date;
  },
): Promise<bigint> {
  await tx
    .insertInto('custodyStops')
    .values(stop)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { reportId } = await tx
    .selectFrom('custodyStops')
    .select('reportId')
    .where('network', '=', stop.network)
    .where('coin', '=', stop.coin)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return reportId;
}

export async function updateEnded(
  tx: Db,
  stopIds: readonly bigint[],
  endedById: number,
  endedAt: Date,
): Promise<void> {
  await tx
    .updateTable('custodyStops')
    .set({ endedAt, endedById })
    .where('stopId', 'in', [...stopIds])
    .execute();
}
