// Prometheus metrics behind a small facade: the rest of the code never sees the library, and a label
// can only hold what is declared here (never a user, an order or an address).
import {
  Counter,
  Gauge,
  Histogram,
  Registry,
  collectDefaultMetrics,
  type Metric,
} from 'prom-client';
import { RouteTimes } from './route-times.ts';
import { VERSION } from './version.ts';

/** Why something that came to the engine went no further. */
export type DoorReason =
  /** No signature of this deployment. */
  | 'forged'
  /** Signed for another shard or epoch. */
  | 'wrong_door'
  /** It has come before. */
  | 'replayed'
  /** Sent at a time that is too far from the engine's. */
  | 'stale'
  | 'too_many_senders'
  /** About another account than the one it is signed for. */
  | 'wrong_account'
  /** An operator's command on the way of clients. */
  | 'not_for_clients'
  /** No command or read that the engine knows, or not in its shape. */
  | 'malformed'
  /** It made the core throw before, or its account gave too many that did. */
  | 'poisoned';

/** Connections of a pool that are in use, and callers that wait for one. */
export interface PoolUse {
  readonly inUse: number;
  readonly waiting: number;
  /** Connections that it may open. */
  readonly max: number;
}

/** Jobs that could run now, how long the oldest of them has waited, and those that were given up. */
export interface JobBacklog {
  readonly ready: number;
  readonly oldestSeconds: number;
  readonly givenUp: number;
}

/** Markets that are counted by name. A venue has fewer; beyond that, they count as one. */
const MARKETS_MAX = 200;

export interface Metrics {
  /** One HTTP answer; `route` is the declared name, so its values are bounded. */
  httpAnswered(api: string, route: string, status: number, seconds: number): void;
  refused(api: string, scope: string): void;
  eventsRelayed(count: number, seconds: number): void;
  queuesLive(count: number): void;
  pollsWaiting(count: number): void;
  windowsFellBack(): void;
  /** `look` is called whenever somebody reads the metrics; the pools are a fixed list. */
  watchPool(pool: string, look: () => PoolUse): void;
  /** Somebody was refused because too many waited for a connection of that pool. */
  poolFull(pool: string): void;
  /** One try to send an email; both words are from fixed lists. */
  mailed(purpose: string, outcome: 'sent' | 'failed' | 'refused' | 'expired'): void;
  /** A password was tried, from a place of this lane; the lanes are a fixed list. */
  signedIn(lane: string, outcome: 'succeeded' | 'failed'): void;
  /** An attempt to sign in that came too soon after others; the lanes are a fixed list. */
  signInThrottled(lane: string): void;
  /** One commit of the engine. */
  engineCommitted(commands: number, seconds: number): void;
  engineWaiting(count: number): void;
  /** Requests that would have had to wait too long; a message that was refused as a whole counts once. */
  engineRefused(count: number): void;
  /** A message, a request or an operator's row that the engine did not let in. */
  engineDoorRefused(reason: DoorReason): void;
  /** The epoch in which this process leads; undefined when it does not. */
  engineLeads(epoch: number | undefined): void;
  /** One batch: its requests, the time to apply them, and how long the first of them had waited. */
  engineApplied(requests: number, seconds: number, waitedSeconds: number): void;
  /** The newest snapshot, and when it was written. */
  engineSnapshot(seq: number, bytes: number, atSeconds: number): void;
  /** What the engine holds in memory; the names are a fixed list. */
  engineSizes(sizes: Readonly<Record<string, number>>): void;
  /** The wall clock less the time that the engine goes by. */
  engineClockOffset(seconds: number): void;
  /** A command made the core throw. */
  enginePoisoned(): void;
  /** A message of the bus without our signature. */
  busForged(): void;
  /** Engine events that reached the projections, and how old the newest of them was then. */
  projected(steps: number, seconds: number, lagSeconds: number): void;
  /** New orders and trades that reached the projections, by market. */
  traded(market: string, orders: number, trades: number): void;
  /** The jobs as their table shows them. */
  jobsSeen(backlog: JobBacklog): void;
  /** The projections have everything there is. */
  projectionIdle(): void;
  /** The auditor found a rule of the ledger broken; the rules are a fixed list. */
  auditViolated(rule: string): void;
  /** An audit has ended, whatever it found. */
  audited(what: 'solvency' | 'projections' | 'state'): void;
  /** A request to the route did not leave the entry in the audit log that it should have. */
  auditForgotten(route: string): void;
  /** A denied request that was not written down, because its caller was denied too often. */
  auditDeniedUnwritten(): void;
  /** The newest head of the audit log that was signed, and when; or that one could not be. */
  auditHead(seq: number, atSeconds: number): void;
  auditHeadRefused(): void;
  /** The engine as its tables show it; ages in seconds, and -1 for what there is none of. */
  engineSeen(seen: { standbys: number; leaseAge: number; snapshotAge: number }): void;
  /** What there is evidence for and what is owed, in whole coins; the coins are those that are listed. */
  solvency(coin: string, assets: number, liabilities: number): void;
  /** Wrong signatures that the worst key had within the last minute. */
  signatureFailures(worst: number): void;
  /** A signed request that came a second time. */
  replayRefused(): void;
  /** Somebody tried too often, and is not heard for a while. */
  lockedOut(): void;
  /** A client asked for a queue that is gone, and has to begin anew. */
  queueLost(): void;
  /** How long the oldest event waits to be numbered. */
  outboxSeen(ageSeconds: number): void;
  /** How many operators are enrolled, and how many of them gave too many wrong secrets. */
  operatorsSeen(enrolled: number, lockedOut: number): void;
  /** How full the disk with the uploads is, from 0 to 1. */
  diskSeen(used: number): void;
  /** This process's clock less the database's, beyond what the way to it took. */
  clockSeen(offsetSeconds: number): void;
  render(): Promise<{ contentType: string; body: string }>;
}

export function createMetrics(process: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'rialto_build_info',
    help: 'Always 1; which release this is, and on which Node it runs.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: VERSION, node: globalThis.process.versions.node }, 1);
  const http = new RouteTimes('rialto_http_seconds');
  registry.registerMetric({
    name: http.name,
    get: async () => ({
      name: http.name,
      help: 'Time to answer an HTTP request.',
      type: 'histogram',
      values: http.values(),
      aggregator: 'sum',
    }),
    // The registry asks for no more than a name and `get`; its type is the union of its own classes.
  } as unknown as Metric);
  const limited = new Counter({
    name: 'rialto_rate_limited_total',
    help: 'Requests refused by a rate limit.',
    labelNames: ['api', 'scope'],
    registers,
  });
  const relayed = new Counter({
    name: 'rialto_events_relayed_total',
    help: 'Events numbered into the log.',
    registers,
  });
  const relaySeconds = new Histogram({
    name: 'rialto_relay_batch_seconds',
    help: 'Time to number one batch.',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const queues = new Gauge({
    name: 'rialto_queues_live',
    help: 'Event queues held in memory.',
    registers,
  });
  const polls = new Gauge({ name: 'rialto_polls_waiting', help: 'Long polls waiting.', registers });
  const fallbacks = new Counter({
    name: 'rialto_windows_fallback_total',
    help: 'Limit decisions taken locally because Redis did not answer in time.',
    registers,
  });
  const pools = new Map<string, () => PoolUse>();
  const connections = new Gauge({
    name: 'rialto_database_connections',
    help: 'Connections of each pool in use, callers that wait for one, and how many it may open.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, look] of pools) {
        const { inUse, waiting: callers, max } = look();
        connections.set({ pool, state: 'max' }, max);
        connections.set({ pool, state: 'in_use' }, inUse);
        connections.set({ pool, state: 'waiting' }, callers);
      }
    },
  });
  const poolRefusals = new Counter({
    name: 'rialto_database_pool_full_total',
    help: 'Callers that were refused because too many waited for a connection of that pool.',
    labelNames: ['pool'],
    registers,
  });
  const signIns = new Counter({
    name: 'rialto_sign_ins_total',
    help: 'Passwords that were tried, by the kind of place and by what came of it.',
    labelNames: ['lane', 'outcome'],
    registers,
  });
  const ordersOf = new Counter({
    name: 'rialto_orders_total',
    help: 'Orders that the engine has taken, by market; counted by the process that writes the projections.',
    labelNames: ['market'],
    registers,
  });
  const tradesOf = new Counter({
    name: 'rialto_trades_total',
    help: 'Trades, by market; counted by the process that writes the projections.',
    labelNames: ['market'],
    registers,
  });
  const markets = new Set<string>();
  const marketLabel = (market: string) => {
    if (!markets.has(market) && markets.size >= MARKETS_MAX) return 'other';
    markets.add(market);
    return market;
  };
  const jobs = new Gauge({
    name: 'rialto_jobs',
    help: 'Jobs that could run now, and jobs that were given up; counted up to 10,000.',
    labelNames: ['state'],
    registers,
  });
  const oldestJob = new Gauge({
    name: 'rialto_jobs_oldest_seconds',
    help: 'How long the oldest job that could run has waited; zero when none waits.',
    registers,
  });
  const throttled = new Counter({
    name: 'rialto_identity_throttled_total',
    help: 'Attempts to sign in that were refused because there were too many.',
    labelNames: ['lane'],
    registers,
  });
  const emails = new Counter({
    name: 'rialto_letters_total',
    help: 'Tries to send an email, by what it is for and what came of it.',
    labelNames: ['purpose', 'outcome'],
    registers,
  });
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
  const doorRefused = new Counter({
    name: 'rialto_engine_door_refused_total',
    help: 'Messages, requests and operators’ rows that the engine did not let in. Anything but zero wants looking into.',
    labelNames: ['reason'],
    registers,
  });
  const leading = new Gauge({
    name: 'rialto_engine_leading',
    help: 'Whether this process is the engine that works: 1, or 0 for a standby. The sum over all processes is one.',
    registers,
  });
  const epochs = new Gauge({
    name: 'rialto_engine_epoch',
    help: 'The epoch in which this process leads, or led last.',
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
  const snapshotSeq = new Gauge({
    name: 'rialto_engine_snapshot_seq',
    help: 'The journal row of the newest snapshot that this process wrote or found.',
    registers,
  });
  const snapshotBytes = new Gauge({
    name: 'rialto_engine_snapshot_bytes',
    help: 'Its size.',
    registers,
  });
  const snapshotAt = new Gauge({
    name: 'rialto_engine_snapshot_timestamp_seconds',
    help: 'When it was written; its age is the time now less this.',
    registers,
  });
  const engineSize = new Gauge({
    name: 'rialto_engine_size',
    help: 'What the engine holds in memory: orders, accounts, room for orders and so on.',
    labelNames: ['of'],
    registers,
  });
  const clockOffset = new Gauge({
    name: 'rialto_engine_clock_offset_seconds',
    help: 'The clock of the engine’s machine less the time that the engine goes by. Beyond a second somebody has set a clock.',
    registers,
  });
  const poisoned = new Counter({
    name: 'rialto_engine_poisoned_total',
    help: 'Commands that made the core throw. Anything but zero is a bug: look into poisoned_commands.',
    registers,
  });
  const busForged = new Counter({
    name: 'rialto_bus_forged_total',
    help: 'Messages of the bus that no process with our master key wrote.',
    registers,
  });
  const projectedSteps = new Counter({
    name: 'rialto_projected_steps_total',
    help: 'Engine events written into the projections.',
    registers,
  });
  const projectionSeconds = new Histogram({
    name: 'rialto_projection_batch_seconds',
    help: 'Time to write one batch into the projections.',
    buckets: [0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const violations = new Counter({
    name: 'rialto_audit_violations_total',
    help: 'Rules of the ledger that were found broken. Anything but zero is an emergency.',
    labelNames: ['rule'],
    registers,
  });
  const auditedAt = new Gauge({
    name: 'rialto_audit_last_timestamp_seconds',
    help: 'When an audit last came to its end; its age is time() minus this.',
    labelNames: ['audit'],
    registers,
  });
  const forgotten = new Counter({
    name: 'rialto_audit_forgotten_total',
    help: 'Requests that did not leave the entry in the audit log that their route declares. Anything but zero is a bug.',
    labelNames: ['route'],
    registers,
  });
  const deniedUnwritten = new Counter({
    name: 'rialto_audit_denied_unwritten_total',
    help: 'Denied requests of callers who were denied so often that these are only counted.',
    registers,
  });
  const headSeq = new Gauge({
    name: 'rialto_audit_head_seq',
    help: 'The last entry that the newest signed head of the audit log covers.',
    registers,
  });
  const headAt = new Gauge({
    name: 'rialto_audit_head_timestamp_seconds',
    help: 'When that head was signed; its age is time() minus this.',
    registers,
  });
  const headRefused = new Counter({
    name: 'rialto_audit_head_refused_total',
    help: 'Times that no head was signed because the log does not fit the head before. Anything but zero is an emergency.',
    registers,
  });
  const standbys = new Gauge({
    name: 'rialto_engine_standbys',
    help: 'Processes with the role engine that were seen lately and do not lead.',
    registers,
  });
  const leaseAge = new Gauge({
    name: 'rialto_engine_lease_age_seconds',
    help: 'How long ago the leading engine was heard of; -1 when none ever was.',
    registers,
  });
  const snapshotAge = new Gauge({
    name: 'rialto_engine_snapshot_age_seconds',
    help: 'Age of the newest snapshot of the engine; -1 when there is none.',
    registers,
  });
  const assetsOf = new Gauge({
    name: 'rialto_solvency_assets',
    help: 'Coins that there is evidence for.',
    labelNames: ['coin'],
    registers,
  });
  const liabilitiesOf = new Gauge({
    name: 'rialto_solvency_liabilities',
    help: 'Coins that the ledger owes. More than the assets is an emergency.',
    labelNames: ['coin'],
    registers,
  });
  const projectionLag = new Gauge({
    name: 'rialto_projection_lag_seconds',
    help: 'Age of what reached the projections last, when it did; zero when nothing waits.',
    registers,
  });
  const worstKey = new Gauge({
    name: 'rialto_signature_failures_worst_key',
    help: 'Wrong signatures of the key that had most of them within the last minute, in this process.',
    registers,
  });
  const replays = new Counter({
    name: 'rialto_replays_refused_total',
    help: 'Signed requests that came a second time.',
    registers,
  });
  const lockOuts = new Counter({
    name: 'rialto_lockouts_total',
    help: 'Attempts to sign in that were not looked at, because there were too many wrong ones before.',
    registers,
  });
  const queuesLost = new Counter({
    name: 'rialto_queues_lost_total',
    help: 'Polls for an event queue that is gone; the client has to register again.',
    registers,
  });
  const outboxAge = new Gauge({
    name: 'rialto_outbox_age_seconds',
    help: 'How long the oldest event has waited to be numbered; zero when none waits.',
    registers,
  });
  const enrolled = new Gauge({
    name: 'rialto_operators',
    help: 'Operators who are enrolled. Below two, the host of the deployment can make another one of anybody.',
    registers,
  });
  const operatorsOut = new Gauge({
    name: 'rialto_operators_locked_out',
    help: 'Operators for whom too many wrong secrets were given lately.',
    registers,
  });
  const diskUsed = new Gauge({
    name: 'rialto_disk_used_ratio',
    help: 'How full the disk with the uploads is, from 0 to 1.',
    registers,
  });
  const clockOff = new Gauge({
    name: 'rialto_clock_offset_seconds',
    help: 'The clock of this process less that of the database, beyond what the way there took.',
    registers,
  });
  return {
    signatureFailures: (worst) => worstKey.set(worst),
    replayRefused: () => replays.inc(),
    lockedOut: () => lockOuts.inc(),
    queueLost: () => queuesLost.inc(),
    outboxSeen: (ageSeconds) => outboxAge.set(ageSeconds),
    operatorsSeen: (count, lockedOut) => {
      enrolled.set(count);
      operatorsOut.set(lockedOut);
    },
    diskSeen: (used) => diskUsed.set(used),
    clockSeen: (offsetSeconds) => clockOff.set(offsetSeconds),
    httpAnswered: (api, route, status, seconds) => http.observe(api, route, status, seconds),
    refused: (api, scope) => limited.labels(api, scope).inc(),
    eventsRelayed: (count, seconds) => {
      relayed.inc(count);
      relaySeconds.observe(seconds);
    },
    queuesLive: (count) => queues.set(count),
    pollsWaiting: (count) => polls.set(count),
    windowsFellBack: () => fallbacks.inc(),
    watchPool: (pool, look) => void pools.set(pool, look),
    poolFull: (pool) => poolRefusals.inc({ pool }),
    signedIn: (lane, outcome) => signIns.inc({ lane, outcome }),
    traded: (name, orders, trades) => {
      const market = marketLabel(name);
      ordersOf.inc({ market }, orders);
      tradesOf.inc({ market }, trades);
    },
    jobsSeen: ({ ready, oldestSeconds, givenUp }) => {
      jobs.set({ state: 'ready' }, ready);
      jobs.set({ state: 'given_up' }, givenUp);
      oldestJob.set(oldestSeconds);
    },
    signInThrottled: (lane) => throttled.inc({ lane }),
    mailed: (purpose, outcome) => emails.inc({ purpose, outcome }),
    engineCommitted: (count, seconds) => {
      commands.inc(count);
      commitSeconds.observe(seconds);
    },
    engineWaiting: (count) => waiting.set(count),
    engineRefused: (count) => refused.inc(count),
    engineDoorRefused: (reason) => doorRefused.labels(reason).inc(),
    engineLeads: (epoch) => {
      leading.set(epoch === undefined ? 0 : 1);
      if (epoch !== undefined) epochs.set(epoch);
    },
    engineApplied: (requests, seconds, waitedSeconds) => {
      batchSize.observe(requests);
      applySeconds.observe(seconds);
      queueSeconds.observe(waitedSeconds);
    },
    engineSnapshot: (seq, bytes, atSeconds) => {
      snapshotSeq.set(seq);
      snapshotBytes.set(bytes);
      snapshotAt.set(atSeconds);
    },
    engineSizes: (sizes) => {
      for (const [of, count] of Object.entries(sizes)) engineSize.labels(of).set(count);
    },
    engineClockOffset: (seconds) => clockOffset.set(seconds),
    enginePoisoned: () => poisoned.inc(),
    busForged: () => busForged.inc(),
    projected: (steps, seconds, lagSeconds) => {
      projectedSteps.inc(steps);
      projectionSeconds.observe(seconds);
      projectionLag.set(lagSeconds);
    },
    auditViolated: (rule) => violations.labels(rule).inc(),
    audited: (what) => auditedAt.labels(what).set(Date.now() / 1000),
    auditForgotten: (route) => forgotten.labels(route).inc(),
    auditDeniedUnwritten: () => deniedUnwritten.inc(),
    auditHead: (seq, atSeconds) => {
      headSeq.set(seq);
      headAt.set(atSeconds);
    },
    auditHeadRefused: () => headRefused.inc(),
    engineSeen: (seen) => {
      standbys.set(seen.standbys);
      leaseAge.set(seen.leaseAge);
      snapshotAge.set(seen.snapshotAge);
    },
    solvency: (coin, assets, liabilities) => {
      assetsOf.labels(coin).set(assets);
      liabilitiesOf.labels(coin).set(liabilities);
    },
    projectionIdle: () => projectionLag.set(0),
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
