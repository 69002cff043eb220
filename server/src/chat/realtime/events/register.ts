// Opens an event queue: returns the state as of one moment, and the position in the log after it.
import { randomUUID } from 'node:crypto';
import type { User } from '../../../accounts/user.ts';
import type { ApiContext } from '../../../platform/context.ts';
import { parseDatabaseSnapshot } from '../../../platform/db/snapshot.ts';
import { idOf } from '../../../platform/events/event.ts';
import { readStart } from '../../../platform/events/log.ts';
import { wantsExpansion } from '../../../platform/realtime/expander.ts';
import { countQueues, insertQueue } from '../../../platform/realtime/store.ts';
import { HOUR_SECONDS, DAY_SECONDS } from '../../../platform/std/time.ts';
import { badRequest, unauthorized } from '../../http/errors.ts';
import { ZULIP_VERSION } from '../../version.ts';
import { loadSnapshot, type SnapshotRequest } from './snapshot.ts';

export interface RegisterRequest extends SnapshotRequest {
  /** Null for every type that chat clients get. */
  readonly eventTypes: readonly string[] | null;
  readonly idleSeconds: number | 'mobile' | undefined;
  /** How messages are to be shaped and filtered; stored with the queue, because other processes serve it too. */
  readonly filter: Readonly<Record<string, unknown>>;
}

const MOBILE_IDLE_SECONDS = 43_200;
const IDLE_SECONDS_MAX = 7 * DAY_SECONDS;

/**
 * All state is read in one REPEATABLE READ snapshot, and the queue remembers which transactions that
 * snapshot saw. So the state plus the queue's events is the state at any later moment.
 */
export async function register(
  ctx: ApiContext,
  actor: User,
  request: RegisterRequest,
): Promise<Record<string, unknown>> {
  const id = randomUUID();
  const idleSeconds = grantIdle(ctx, request.idleSeconds);
  const { expander } = ctx.hub;
  const eventTypes = request.eventTypes && new Set(request.eventTypes);
  const { position, snapshotText, fields } = await ctx.inTransaction(
    async (tx) => {
      // The first statement takes the snapshot, so this reads the snapshot's own position.
      const start = await readStart(tx);
      const fields = await loadSnapshot(ctx, tx, actor.id, request);
      if (fields === undefined) throw unauthorized('Account is deactivated');
      if (wantsExpansion(expander, { eventTypes })) {
        Object.assign(fields, await expander?.describe(tx, actor.id));
      }
      if ((await countQueues(tx, actor.id)) >= ctx.config.QUEUES_PER_USER_MAX) {
        throw badRequest('You have too many event queues; delete some, or let them expire.');
      }
      await insertQueue(tx, {
        id,
        userId: actor.id,
        startPosition: start.position,
        snapshot: start.snapshotText,
        eventTypes: request.eventTypes,
        filter: request.filter,
        idleSeconds,
      });
      return { ...start, fields };
    },
    { isolation: 'repeatable read' },
  );
  await ctx.hub.adopt({
    id,
    userId: actor.id,
    startPosition: position,
    snapshot: parseDatabaseSnapshot(snapshotText),
    eventTypes,
    filter: request.filter,
    idleSeconds,
  });
  return {
    queue_id: id,
    last_event_id: idOf(position),
    idle_queue_timeout_secs: idleSeconds,
    ...ZULIP_VERSION,
    ...fields,
  };
}

/** A queue cannot live longer than the log is kept: it could not be rebuilt afterwards. */
function grantIdle(ctx: ApiContext, asked: RegisterRequest['idleSeconds']): number {
  const { QUEUE_IDLE_SECONDS, EVENT_LOG_RETENTION_HOURS } = ctx.config;
  const wanted = asked === 'mobile' ? MOBILE_IDLE_SECONDS : (asked ?? QUEUE_IDLE_SECONDS);
  return Math.min(wanted, IDLE_SECONDS_MAX, EVENT_LOG_RETENTION_HOURS * HOUR_SECONDS);
}
