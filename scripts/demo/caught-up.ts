// Waits until the demo is ready: its past can be read and an order can be placed. An open port is
// not enough.
import { connectOnce } from '../../server/src/ops/database.ts';
import { CommandError } from '../../server/src/ops/trouble.ts';
import type { Context } from '../../server/src/platform/context.ts';
import { pause } from '../../server/src/platform/std/wait.ts';
import { startRelayRole } from '../../server/src/roles/relay.ts';
import { startProjector } from '../../server/src/trading/projections/projector.ts';

const POLL_MS = 50;
const WITHIN_MS = 50_000;

/**
 * Projects the journal before any server runs: a whole week at once would delay requests for
 * seconds.
 */
export async function writeUpPast(ctx: Context): Promise<void> {
  const relay = startRelayRole(ctx);
  const projector = startProjector(ctx);
  try {
    await awaitProjected(async () => {
      // While the projector works hard, a new connection can time out. It is asked for again.
      const answer = await ctx.database.pool.query<Progress>(PROGRESS).catch(() => undefined);
      return answer?.rows[0];
    }, 0);
  } finally {
    await projector.stop();
    await relay.stop();
  }
}

/** Waits until an engine has taken over and everything up to that moment is in the projections. */
export async function awaitCaughtUp(databaseUrl: string): Promise<void> {
  const client = await connectOnce(databaseUrl);
  try {
    // The past belongs to the first epoch; the engine that serves begins the next.
    await awaitProjected(async () => (await client.query<Progress>(PROGRESS)).rows[0], 1);
  } finally {
    await client.end();
  }
}

interface Progress {
  readonly head: number;
  readonly epoch: number;
  readonly projected: number;
}

const PROGRESS = `SELECT j.seq::float8 AS head, j.epoch::float8 AS epoch, p.seq::float8 AS projected
  FROM trading_journal j, projection_checkpoints p
 WHERE j.shard = 0 AND p.shard = 0 ORDER BY j.seq DESC LIMIT 1`;

/** Waits for the end of the journal at the moment its epoch is first seen above `epoch`. */
async function awaitProjected(
  read: () => Promise<Progress | undefined>,
  epoch: number,
): Promise<void> {
  const untilMs = performance.now() + WITHIN_MS;
  let head: number | undefined;
  while (performance.now() < untilMs) {
    const now = await read();
    if (now !== undefined && now.epoch > epoch) head ??= now.head;
    if (head !== undefined && now !== undefined && now.projected >= head) return;
    await pause(POLL_MS);
  }
  throw new CommandError(
    `The demo's past was not written up within ${WITHIN_MS / 1000} s. The machine may be too busy; try again.`,
  );
}
