// The engine at work: its batches and commits, what waits for it, and what it refuses.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Why the engine refused a message, a request or a row. */
export type DoorReason =
  /** Not signed with a key of this deployment. */
  | 'forged'
  /** Signed for another shard or epoch. */
  | 'wrong_door'
  /** A copy of an earlier message. */
  | 'replayed'
  /** Its time of sending is too far from the engine's time. */
  | 'stale'
  | 'too_many_senders'
  /** About another account than the one it is signed for. */
  | 'wrong_account'
  /** An operator's command, sent as a client's request. */
  | 'not_for_clients'
  /** An unknown command or read, or one with the wrong shape. */
  | 'malformed'
  /** The command made the core throw before, or its account sent too many such commands. */
  | 'poisoned';

export interface EngineMetrics {
  /** One commit of the engine. */
  engineCommitted(commands: number, seconds: number): void;
  engineWaiting(count: number): void;
  /** Requests refused because they would have waited too long; a message refused as a whole counts once. */
  engineRefused(count: number): void;
  /** How long the tables would need for what they lack, and the share of new orders that is refused because of it. */
  engineBehind(waitSeconds: number, refusedShare: number): void;
  /** New orders refused because the tables are behind. */
  engineHeldBack(count: number): void;
  /** A message, a request or an operator's row that the engine refused. */
  engineDoorRefused(reason: DoorReason): void;
  /** One batch: its requests, the time to apply them, and how long the first of them had waited. */
  engineApplied(requests: number, seconds: number, waitedSeconds: number): void;
  /** What the engine holds in memory; the names are a fixed list. */
  engineSizes(sizes: Readonly<Record<string, number>>): void;
  /** A command made the core throw. */
  enginePoisoned(): void;
}

export function createEngineMetrics(registry: Registry): EngineMetrics {
  const registers = [registry];
  const commands = new Counter({
    name: 'rialto_engine_commands_total',
    help: 'Commands in the journal.',
    registers,
  });
  const commitSeconds = new Histogram({
    name: 'rialto_engine_commit_seconds',
    help: 'Time to commit one batch of the engine.',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const waiting = new Gauge({
    name: 'rialto_engine_waiting',
    help: 'Commands and reads that wait for the engine.',
    registers,
  });
  const refused = new Counter({
    name: 'rialto_engine_refused_total',
    help: 'Requests, or whole messages of them, that the engine refused because it had too much to do.',
    registers,
  });
  const tablesWait = new Gauge({
    name: 'rialto_engine_tables_wait_seconds',
    help: 'How long the tables of orders and trades would need for what they lack, as the leading engine sees it.',
    registers,
  });
  const heldBackShare = new Gauge({
    name: 'rialto_engine_held_back_ratio',
    help: 'The share of new orders that the engine refuses because the tables are behind: 0 is none, 1 is all.',
    registers,
  });
  const heldBack = new Counter({
    name: 'rialto_engine_held_back_total',
    help: 'New orders that the engine refused because the tables are behind.',
    registers,
  });
  const doorRefused = new Counter({
    name: 'rialto_engine_door_refused_total',
    help: 'Messages, requests and operators’ rows that the engine did not let in. Anything but zero wants looking into.',
    labelNames: ['reason'],
    registers,
  });
  const batchSize = new Histogram({
    name: 'rialto_engine_batch_requests',
    help: 'Requests that the engine took at once.',
    buckets: [1, 2, 5, 10, 50, 100, 500, 1000, 4000],
    registers,
  });
  const applySeconds = new Histogram({
    name: 'rialto_engine_apply_seconds',
    help: 'Time to apply one batch in memory.',
    buckets: [0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5],
    registers,
  });
  const queueSeconds = new Histogram({
    name: 'rialto_engine_queue_seconds',
    help: 'How long the first request of a batch had waited when the engine took it.',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers,
  });
  const engineSize = new Gauge({
    name: 'rialto_engine_size',
    help: 'What the engine holds in memory: orders, accounts, room for orders and so on.',
    labelNames: ['of'],
    registers,
  });
  const poisoned = new Counter({
    name: 'rialto_engine_poisoned_total',
    help: 'Commands that made the core throw. Anything but zero is a bug: look into poisoned_commands.',
    registers,
  });
  return {
    engineCommitted: (count, seconds) => {
      commands.inc(count);
      commitSeconds.observe(seconds);
    },
    engineWaiting: (count) => waiting.set(count),
    engineRefused: (count) => refused.inc(count),
    engineBehind: (waitSeconds, refusedShare) => {
      tablesWait.set(waitSeconds);
      heldBackShare.set(refusedShare);
    },
    engineHeldBack: (count) => heldBack.inc(count),
    engineDoorRefused: (reason) => doorRefused.labels(reason).inc(),
    engineApplied: (requests, seconds, waitedSeconds) => {
      batchSize.observe(requests);
      applySeconds.observe(seconds);
      queueSeconds.observe(waitedSeconds);
    },
    engineSizes: (sizes) => {
      for (const [of, count] of Object.entries(sizes)) engineSize.labels(of).set(count);
    },
    enginePoisoned: () => poisoned.inc(),
  };
}
