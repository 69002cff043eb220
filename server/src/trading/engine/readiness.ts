// Whether orders are accepted, as far as one api process can tell: an engine leads and renews its
// lease, this process knows it, and can reach it.
import type { Context } from '../../platform/context.ts';
import { readLease } from './store.ts';

type ReadinessContext = Pick<Context, 'database' | 'bus' | 'config'>;

/**
 * Silences as long as a takeover are no reason to turn clients away: a standby takes over
 * meanwhile.
 */
const SILENCES = 2;
/** An engine that stops in order sets its lease to a time long past, which reads as this age. */
const GIVEN_BACK_MS = 1e9;

/** Why no order would be accepted; undefined when it would. A busy engine counts as present. */
export async function whyNoOrders(
  { database, bus, config }: ReadinessContext,
  knownEpoch: () => number,
  shard = 0,
): Promise<string | undefined> {
  if (!bus.isConnected()) return 'NATS is out of reach, so no order can be brought to the engine.';
  const lease = await readLease(database.pool, shard);
  if (lease === undefined) return 'No engine has taken over yet.';
  if (lease.ageMs >= GIVEN_BACK_MS) return 'The engine was stopped, and no other has taken over.';
  if (lease.ageMs > SILENCES * config.ENGINE_TAKEOVER_MS) {
    return `The engine was last heard of ${(lease.ageMs / 1000).toFixed(1)} s ago.`;
  }
  if (knownEpoch() !== lease.epoch) {
    return `The engine of epoch ${lease.epoch} leads, and this process has not heard of it yet.`;
  }
  return undefined;
}
