// Flags that people set on messages for themselves.
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/transaction.ts';

/** Sets or takes a bit of the person's own on these messages; returns those on which it changed, ascending. */
export async function changeOwnFlag(
  tx: Tx,
  userId: number,
  ids: readonly number[],
  operation: 'add' | 'remove',
  bit: number,
): Promise<number[]> {
  const wanted = sql`${[...ids]}::bigint[]`;
  const statement =
    operation === 'add'
      ? sql<{ id: bigint }>`
          INSERT INTO message_flags (user_id, message_id, flags)
          SELECT ${userId}, id, ${bit} FROM unnest(${wanted}) AS id ORDER BY id
          ON CONFLICT (user_id, message_id) DO UPDATE SET flags = message_flags.flags | ${bit}
           WHERE message_flags.flags & ${bit} = 0
          RETURNING message_id AS id`
      : sql<{ id: bigint }>`
          WITH emptied AS (
            DELETE FROM message_flags
             WHERE user_id = ${userId} AND message_id = ANY (${wanted}) AND flags = ${bit}
            RETURNING message_id AS id
          ), cleared AS (
            UPDATE message_flags SET flags = flags & ~${bit}::int
             WHERE user_id = ${userId} AND message_id = ANY (${wanted})
               AND flags & ${bit} <> 0 AND flags <> ${bit}
            RETURNING message_id AS id
          )
          SELECT id FROM emptied UNION ALL SELECT id FROM cleared`;
  const { rows } = await statement.execute(tx);
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
}
