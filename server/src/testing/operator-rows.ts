// Sends commands that only operators may give to the engine, through the table that operators' commands take. For
// tests and trials that need no operator.
import type { Context } from '../platform/context.ts';
import { addEvidence, evidenceOf } from '../trading/custody/evidence.ts';
import { ringEngine } from '../platform/bus/bells.ts';
import { pause } from '../platform/std/wait.ts';
import { encodeCommand, type NewCommand } from '../trading/engine/command.ts';

const WAIT_MS = 30_000;

export interface Ended {
  readonly status: string;
  readonly result: { readonly kind: string } | null;
}

/** Writes rows with these texts, and returns how each of them ended, in order. */
export async function askByRows(
  { bus, database }: Pick<Context, 'bus' | 'database'>,
  texts: readonly string[],
): Promise<Ended[]> {
  const { rows: asked } = await database.pool.query<{ id: bigint }>(
    `INSERT INTO operator_commands (command, requested_by)
     SELECT command, 'trial' FROM unnest($1::text[]) WITH ORDINALITY AS t(command, n) ORDER BY n
     RETURNING id`,
    [texts],
  );
  ringEngine({ bus });
  const ids = asked.map(({ id }) => String(id));
  const deadlineMs = performance.now() + WAIT_MS;
  for (;;) {
    const { rows } = await database.pool.query<Ended>(
      'SELECT status, result FROM operator_commands WHERE id = ANY ($1::bigint[]) ORDER BY id',
      [ids],
    );
    if (rows.every(({ status }) => status !== 'waiting')) return rows;
    if (performance.now() > deadlineMs) throw new Error('The engine took no operators’ rows.');
    await pause(5);
  }
}

/** Has the engine carry out `commands`; throws when one of them is not done. */
export async function carryOut(
  ctx: Pick<Context, 'bus' | 'database'>,
  commands: readonly NewCommand[],
): Promise<void> {
  // Deposits need evidence, or the audit would stop the markets.
  await addEvidence(
    ctx.database.db,
    commands.flatMap((command) => {
      const needed = evidenceOf(command);
      return needed === undefined ? [] : [{ ...needed, source: 'simulated', who: 'test' }];
    }),
  );
  const ends = await askByRows(ctx, commands.map(encodeCommand));
  for (const [index, { status, result }] of ends.entries()) {
    if (status === 'done') continue;
    throw new Error(`${commands[index]?.type} is ${status}: ${JSON.stringify(result)}`);
  }
}
