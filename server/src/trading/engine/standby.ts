// A standby: follows the journal and watches the lease until the shard has no engine.
import type pg from 'pg';
import { pause } from '../../platform/std/wait.ts';
import type { Machine } from './machine.ts';
import { failureLine } from './request-lines.ts';
import type { EngineParts } from './parts.ts';
import type { IntakeQueue } from './queue.ts';
import { followJournal } from './recover.ts';
import { readHead, readLease } from './store.ts';

/** How often a standby looks at the journal and at the lease. */
const FOLLOW_MS = 100;
export const TAKEN_OVER = 'Another engine has taken over. Nothing was done.';

/** Waits until this process may take over; returns the epoch of the journal's last row, or undefined when it stops. */
export async function awaitTurn(
  { ctx, shard, queue, stateAudit, snapshotter, archive, stopping }: EngineParts,
  connection: pg.PoolClient,
  machine: Machine,
): Promise<number | undefined> {
  const { config, id: holder } = ctx;
  /** A lock on the database keeps other processes out, so there is no leader whose silence to wait for. */
  const isAlone = config.NATS_URL === '';
  /** The newest epoch in the journal. Its writer leads, even before its first heartbeat. */
  let newest = { epoch: 0, seenMs: 0 };
  while (!stopping.aborted) {
    const lease = await readLease(connection, shard);
    await followJournal(connection, machine, { archive });
    stateAudit.look(machine);
    const head = await readHead(connection, shard, machine.seq);
    if (head.epoch > newest.epoch) newest = { epoch: head.epoch, seenMs: performance.now() };
    const isOfNewest = lease !== undefined && lease.epoch >= newest.epoch;
    // A lease of this very process, from before it lost its memory: there is nobody to wait for.
    const isMine = isOfNewest && lease.holder === holder;
    const heardMs = isOfNewest ? lease.ageMs : performance.now() - newest.seenMs;
    const isSilent = newest.epoch === 0 || heardMs > config.ENGINE_TAKEOVER_MS;
    if (isAlone || isMine || isSilent) {
      if (head.seq === machine.seq) return head.epoch;
      continue;
    }
    // Another engine leads. The senders of the requests that wait here got the answer "unknown", and may have
    // checked since. So these requests must not be carried out if this process leads again.
    refuseQueued(queue, TAKEN_OVER);
    snapshotter.followed(machine);
    await pause(FOLLOW_MS, stopping);
  }
  return undefined;
}

export function refuseQueued(queue: IntakeQueue, message: string): void {
  for (const item of queue.take(Number.MAX_SAFE_INTEGER)) {
    item.answer(failureLine('unavailable', message));
  }
}
