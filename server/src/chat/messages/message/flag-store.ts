// Flags that people set on messages for themselves.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/** Sets or takes a bit of the person's own on these messages; returns those on which it changed, ascending. */
export async function changeOwnFlag(
  db: Db,
  userId: number,
  ids: readonly number[],
  operation: 'add' | 'remove',
  bit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: bigint }>`
    WITH asked AS (SELECT unnest(${[...ids]}::bigint[]) AS id), ${ownFlagTables(userId, operation, bit)}
    SELECT id FROM changed ORDER BY id`.execute(db);
  return rows.map(({ id }) => Number(id));
}

/** The same as tables of a statement, of messages in a table `asked`: those that changed are in `changed`. */
export const ownFlagTables = (
  userId: number,
  operation: 'add' | 'remove',
  bit: number,
): RawBuilder<unknown> =>
  operation === 'add'
    ? sql`changed AS (
        INSERT INTO message_flags (user_id, message_id, flags)
        SELECT ${userId}, id, ${bit} FROM asked ORDER BY id
        ON CONFLICT (user_id, message_id) DO UPDATE SET flags = message_flags.flags | ${bit}
         WHERE message_flags.flags & ${bit} = 0
        RETURNING message_id AS id)`
    : sql`emptied AS (
        DELETE FROM message_flags USING asked
         WHERE user_id = ${userId} AND message_id = asked.id AND flags = ${bit}
        RETURNING message_id AS id
      ), cleared AS (
        UPDATE message_flags SET flags = flags & ~${bit}::int FROM asked
         WHERE user_id = ${userId} AND message_id = asked.id AND flags & ${bit} <> 0 AND flags <> ${bit}
        RETURNING message_id AS id
      ), changed AS (SELECT id FROM emptied UNION ALL SELECT id FROM cleared)`;
