// Reads rights as of one moment, before a node follows the log.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { parseDatabaseSnapshot, type DatabaseSnapshot } from '../../../platform/db/snapshot.ts';

/** The moment of a read: the head of the log, and the transactions that were visible. */
export interface Moment {
  readonly position: number;
  readonly snapshot: DatabaseSnapshot;
}

/** Must be the first statement of a REPEATABLE READ transaction, so that it describes the others. */
export async function readMoment(tx: Db): Promise<Moment> {
  const { rows } = await sql<MomentRow>`
    SELECT position, pg_current_snapshot()::text AS snapshot FROM event_head`.execute(tx);
  const row = rows[0];
  if (row === undefined) throw new Error('event_head has no row; run: rialto migrate');
  return toMoment(row);
}

interface MomentRow {
  readonly position: bigint;
  readonly snapshot: string;
}

const toMoment = ({ position, snapshot }: MomentRow): Moment => ({
  position: Number(position),
  snapshot: parseDatabaseSnapshot(snapshot),
});

/** Pairs of a group and one of its subgroups. */
export async function listNesting(
  tx: Db,
): Promise<{ readonly groupId: number; readonly subgroupId: number }[]> {
  return tx.selectFrom('userGroupSubgroups').select(['groupId', 'subgroupId']).execute();
}

export interface PersonRow {
  readonly role: number;
  readonly isActive: boolean;
  /** Whom the person knows, if they are a guest and guests do not know everybody; otherwise null. */
  readonly known: readonly number[] | null;
  /** Groups that the person is a direct member of. */
  readonly groupIds: readonly number[];
  readonly subscriptions: readonly {
    readonly channelId: number;
    readonly isActive: boolean;
    readonly received: string;
  }[];
}

/**
 * The person's rights and the moment of the read, in one statement and so in one snapshot. `known` is the expression for
 * whom the person `u` knows.
 */
export async function readPersonNow(
  db: Db,
  userId: number,
  known: RawBuilder<unknown>,
): Promise<{ readonly moment: Moment; readonly found: PersonRow | undefined }> {
  const { rows } = await sql<MomentRow & { person: PersonRow | null }>`
    SELECT position, pg_current_snapshot()::text AS snapshot,
           (SELECT jsonb_build_object(
                     'role', u.role,
                     'isActive', u.is_active,
                     'known', ${known},
                     'groupIds', (SELECT coalesce(jsonb_agg(m.group_id), '[]')
                                    FROM user_group_members m WHERE m.user_id = u.id),
                     'subscriptions', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                                                'channelId', s.channel_id,
                                                'isActive', s.is_active,
                                                'received', s.received::text)), '[]')
                                         FROM subscriptions s WHERE s.user_id = u.id))
              FROM users u WHERE u.id = ${userId}) AS person
      FROM event_head`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('event_head has no row; run: rialto migrate');
  return { moment: toMoment(row), found: row.person ?? undefined };
}
