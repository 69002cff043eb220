import type { Db } from '../../platform/db/pool.ts';

/** In the order given, which is the order in which the engine takes them. */
export async function insertCustodyCommands(
  tx: Db,
  commands: readonly string[],
): Promise<bigint[]> {
  if (commands.length === 0) return [];
  const rows = await tx
    .insertInto('operatorCommands')
    .values(commands.map((command) => ({ command, requestedBy: 'simulated custody' })))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
