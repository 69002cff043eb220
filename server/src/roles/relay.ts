// Numbers committed events. Any number of processes may have this role; one works, the others wait.
import type { Context } from '../platform/context.ts';
import { startRelay, type Relay } from '../platform/events/relay.ts';

export function startRelayRole(ctx: Context): Relay {
  return startRelay({
    pool: ctx.database.pool,
    bus: ctx.bus,
    log: ctx.log,
    metrics: ctx.metrics,
    pollMs: ctx.config.EVENT_POLL_MS,
  });
}
