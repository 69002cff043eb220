// Asking the engine by a row, as operators and custody do.
import type { Result } from '@rialto/matching';
import { SUBJECTS } from '../../server/src/platform/bus/subjects.ts';
import type { Context } from '../../server/src/platform/context.ts';
import { pause } from '../../server/src/platform/std/wait.ts';

const ANSWER_MS = 10_000;
const LOOK_MS = 20;

/** What came of it; undefined when nobody knows, because the row or its end could not be seen. */
export async function askByRow(
  { bus, database: { pool } }: Context,
  command: string,
): Promise<Result | undefined> {
  try {
    const asked = await pool.query<{ id: bigint }>(
      "INSERT INTO operator_commands (command, requested_by) VALUES ($1, 'crash') RETURNING id",
      [command],
    );
    bus.publish(SUBJECTS.operatorBell, '');
    const deadlineMs = performance.now() + ANSWER_MS;
    while (performance.now() < deadlineMs) {
      const { rows } = await pool.query<{ status: string; result: Result }>(
        'SELECT status, result FROM operator_commands WHERE id = $1',
        [asked.rows[0]?.id],
      );
      if (rows[0] !== undefined && rows[0].status !== 'waiting') return rows[0].result;
      await pause(LOOK_MS);
    }
  } catch {
    // The database is away, or was when it mattered.
  }
  return undefined;
}
