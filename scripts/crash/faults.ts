// The faults injected into the deployment. Each fault returns when the venue acknowledges orders
// again, and restarts what it has killed.
import type { Random } from '../../server/src/testing/random.ts';
import { pause } from '../../server/src/platform/std/wait.ts';
import type { EnginePoint } from '../../server/src/trading/engine/lead.ts';
import type { Auctions } from './auctions.ts';
import type { Cluster, Node } from './cluster.ts';
import type { Movements } from './movements.ts';
import type { Sweeps } from './sweeps.ts';
import { until } from './until.ts';

/**
 * How the venue came back: by a ready standby, by a standby after the other one died in its
 * takeover, from the disk alone, or with the database.
 */
export type RecoveryKind = 'standby' | 'takeover' | 'cold' | 'database' | 'none';

export interface Recovery {
  readonly kind: RecoveryKind;
  readonly ms: number;
}

export interface FaultContext {
  readonly cluster: Cluster;
  readonly random: Random;
  readonly sweeps: Sweeps;
  readonly movements: Movements;
  readonly auctions: Auctions;
  /** Resolves with the time from `sinceMs` to the next acknowledged order. */
  probe(sinceMs: number): Promise<number>;
}

type Fault = (ctx: FaultContext) => Promise<Recovery>;

/** The leader dies at a chosen point in its code, after passing it a few times. */
const leaderAt =
  (point: EnginePoint): Fault =>
  async ({ cluster, random, probe }) => {
    const { leader } = await cluster.findLeader();
    await dieAt(leader, point, 1 + random.below(40));
    return { kind: 'standby', ms: await probe(leader.diedMs()) };
  };

async function dieAt(node: Node, point: EnginePoint, occurrence: number): Promise<void> {
  node.layTrap(point, occurrence);
  await until(`the leader dies at "${point}"`, async () => (node.isAlive() ? undefined : true));
}

/** The points at which a busy engine may die. */
const POINTS: readonly EnginePoint[] = ['applied', 'committing', 'committed', 'answered'];
/** Within this many batches, operators' commands or further steps of a sweep are under way. */
const SOON = 12;
const NEXT = 6;
const NEXT_MS = 60;

/** All kinds of sweeps begin, and the leader dies between two of their steps. */
const leaderInSweep: Fault = async ({ cluster, random, probe, sweeps }) => {
  const begin = await sweeps.prepare();
  const { leader } = await cluster.findLeader();
  const { begun, over } = begin();
  await begun;
  await dieAt(leader, random.pick(POINTS), 1 + random.below(NEXT));
  const ms = await probe(leader.diedMs());
  await cluster.revive();
  await over;
  return { kind: 'standby', ms };
};

/** The same, but the next leader knows the sweeps only from the disk. */
const bothInSweep: Fault = async ({ cluster, random, probe, sweeps }) => {
  const begin = await sweeps.prepare();
  const found = await cluster.findLeader();
  const { begun, over } = begin();
  await begun;
  await pause(random.below(NEXT_MS));
  const killedMs = await killAll([found.leader, found.standby]);
  const ms = await reviveAndProbe({ cluster, probe }, killedMs);
  await over;
  return { kind: 'cold', ms };
};

/**
 * Operators and custody move money, some movements are sent twice, and the leader dies before it
 * answers half of them.
 */
const leaderInMovements: Fault = async ({ cluster, random, probe, movements }) => {
  const { leader } = await cluster.findLeader();
  const over = movements.burst(BURST);
  await dieAt(leader, random.pick(POINTS), 1 + random.below(SOON));
  const ms = await probe(leader.diedMs());
  await cluster.revive();
  await over;
  return { kind: 'standby', ms };
};

const BURST = 30;

/** The leader dies when the call phase of an auction ends, around its uncross. */
const leaderInAuction: Fault = async ({ cluster, random, probe, auctions }) => {
  const { leader } = await cluster.findLeader();
  await auctions.nextEnd();
  await dieAt(leader, random.pick(POINTS), 1 + random.below(NEXT));
  return { kind: 'standby', ms: await probe(leader.diedMs()) };
};

/** The next leader knows the auction only from the disk, and the call phase ended while nobody led. */
const bothInAuction: Fault = async ({ cluster, probe, auctions }) => {
  const found = await cluster.findLeader();
  await auctions.nextEnd();
  const killedMs = await killAll([found.leader, found.standby]);
  return { kind: 'cold', ms: await reviveAndProbe({ cluster, probe }, killedMs) };
};

const leader: Fault = async ({ cluster, probe }) => {
  const found = await cluster.findLeader();
  const killedMs = await kill(found.leader);
  return { kind: 'standby', ms: await probe(killedMs) };
};

const standby: Fault = async ({ cluster, probe }) => {
  const found = await cluster.findLeader();
  const killedMs = await kill(found.standby);
  return { kind: 'none', ms: await probe(killedMs) };
};

/** No process is left that has the state in memory. */
const bothEngines: Fault = async ({ cluster, probe }) => {
  const found = await cluster.findLeader();
  const killedMs = await killAll([found.leader, found.standby]);
  return { kind: 'cold', ms: await reviveAndProbe({ cluster, probe }, killedMs) };
};

/** The standby dies right after it wrote the row that makes it the leader. */
const atTakeover: Fault = async ({ cluster, probe }) => {
  const found = await cluster.findLeader();
  found.standby.layTrap('took-over', 1);
  await pause(50);
  const killedMs = await kill(found.leader);
  await until('the standby dies in its takeover', async () =>
    found.standby.isAlive() ? undefined : true,
  );
  return { kind: 'takeover', ms: await reviveAndProbe({ cluster, probe }, killedMs) };
};

/**
 * Two live engines: the leader sleeps until it is replaced, and wakes up as if nothing had
 * happened.
 */
const pausedLeader: Fault = async ({ cluster, random, probe }) => {
  const found = await cluster.findLeader();
  found.leader.kill('SIGSTOP');
  const ms = await probe(performance.now());
  await pause(random.below(500));
  found.leader.kill('SIGCONT');
  await until('a leader that was replaced ends itself', async () =>
    found.leader.isAlive() ? undefined : true,
  );
  return { kind: 'standby', ms };
};

const api: Fault = async ({ cluster, random, probe }) => {
  const killedMs = await kill(random.pick(cluster.apis));
  return { kind: 'none', ms: await probe(killedMs) };
};

/** The database stops without a checkpoint or a warning, and recovers from its own log. */
const database: Fault = async ({ cluster, random, probe }) => {
  const { postgres } = cluster.deployment;
  await postgres.stop('immediate');
  await pause(random.below(700));
  await postgres.restart();
  return { kind: 'database', ms: await probe(performance.now()) };
};

/** One backend is killed: PostgreSQL ends all others and restarts by itself. */
const backend: Fault = async ({ cluster, random, probe }) => {
  const { pool } = cluster.deployment.ctx.database;
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'rialto engine%'`,
  );
  if (rows.length > 0) process.kill(random.pick(rows).pid, 'SIGKILL');
  // The postmaster ends the other backends a moment later; a query before that would still reach
  // the old ones.
  await pause(NOTICED_MS);
  await until('PostgreSQL accepts connections', async () => {
    await pool.query('SELECT 1');
    return true;
  });
  return { kind: 'database', ms: await probe(performance.now()) };
};

const NOTICED_MS = 100;

export interface NamedFault {
  readonly name: string;
  readonly fault: Fault;
  /** True if the fault hits a sweep, operators' movements or an auction. */
  readonly isAmidst?: true;
}

/** Each fault occurs once before any occurs again. */
export const FAULTS: readonly NamedFault[] = [
  { name: 'leader killed', fault: leader },
  { name: 'leader killed when a batch was applied', fault: leaderAt('applied') },
  { name: 'leader killed when a commit begins', fault: leaderAt('committing') },
  { name: 'leader killed between commit and answer', fault: leaderAt('committed') },
  { name: 'leader killed after an answer', fault: leaderAt('answered') },
  { name: 'leader killed in a sweep', fault: leaderInSweep, isAmidst: true },
  { name: 'leader killed in movements', fault: leaderInMovements, isAmidst: true },
  { name: 'leader killed at the end of an auction', fault: leaderInAuction, isAmidst: true },
  { name: 'both engines killed in an auction', fault: bothInAuction, isAmidst: true },
  { name: 'leader paused past its replacement', fault: pausedLeader },
  { name: 'standby killed', fault: standby },
  { name: 'standby killed in its takeover', fault: atTakeover },
  { name: 'both engines killed', fault: bothEngines },
  { name: 'both engines killed in a sweep', fault: bothInSweep, isAmidst: true },
  { name: 'api killed', fault: api },
  { name: 'PostgreSQL stopped at once', fault: database },
  { name: 'a backend of PostgreSQL killed', fault: backend },
];

/** These occur once more in each round, because they are the likeliest. */
export const MORE_OFTEN: readonly string[] = [
  'leader killed',
  'leader killed',
  'PostgreSQL stopped at once',
];

/**
 * Orders are sent from the beginning: an engine may take them before all processes report ready.
 */
async function reviveAndProbe(
  { cluster, probe }: Pick<FaultContext, 'cluster' | 'probe'>,
  killedMs: number,
): Promise<number> {
  const [ms] = await Promise.all([probe(killedMs), cluster.revive()]);
  return ms;
}

const kill = (node: Node): Promise<number> => killAll([node]);

async function killAll(nodes: readonly Node[]): Promise<number> {
  for (const node of nodes) node.kill('SIGKILL');
  const killedMs = performance.now();
  for (const node of nodes) {
    await until(`${node.name} is gone`, async () => (node.isAlive() ? undefined : true));
  }
  return killedMs;
}
