// What is done to the deployment. Each fault returns when the venue acknowledges orders again, and starts
// anew whatever it has ended.
import type { Random } from '../../e2e/random.ts';
import { pause } from '../../server/src/platform/std/wait.ts';
import type { EnginePoint } from '../../server/src/trading/engine/lead.ts';
import type { Cluster, Node } from './cluster.ts';
import { until } from './until.ts';

/** How the venue came back: by a standby that was ready, from the disk alone, or with the database. */
export type RecoveryKind = 'standby' | 'cold' | 'database' | 'none';

export interface Recovery {
  readonly kind: RecoveryKind;
  readonly ms: number;
}

export interface FaultContext {
  readonly cluster: Cluster;
  readonly random: Random;
  /** Resolves with the time from `sinceMs` to the next acknowledged order. */
  probe(sinceMs: number): Promise<number>;
}

type Fault = (ctx: FaultContext) => Promise<Recovery>;

/** The leader dies between two instructions that somebody chose, after having passed there a few times. */
const leaderAt =
  (point: EnginePoint): Fault =>
  async ({ cluster, random, probe }) => {
    const { leader } = await cluster.findLeader();
    leader.layTrap(point, 1 + random.below(40));
    await until(`the leader dies at "${point}"`, async () => (leader.isAlive() ? undefined : true));
    return { kind: 'standby', ms: await probe(leader.diedMs()) };
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

/** Nobody is left who has the state in memory. */
const bothEngines: Fault = async ({ cluster, probe }) => {
  const found = await cluster.findLeader();
  const killedMs = await kill(found.leader);
  await kill(found.standby);
  await cluster.revive();
  return { kind: 'cold', ms: await probe(killedMs) };
};

/** The standby dies when it has just written the row that makes it the leader. */
const atTakeover: Fault = async ({ cluster, probe }) => {
  const found = await cluster.findLeader();
  found.standby.layTrap('took-over', 1);
  await pause(50);
  const killedMs = await kill(found.leader);
  await until('the standby dies in its takeover', async () =>
    found.standby.isAlive() ? undefined : true,
  );
  await cluster.revive();
  return { kind: 'cold', ms: await probe(killedMs) };
};

/** Two engines alive: the leader sleeps until it was replaced, and wakes up as if nothing had happened. */
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

/** The database ends without a checkpoint and without telling anybody, and recovers from its own log. */
const database: Fault = async ({ cluster, random, probe }) => {
  const { postgres } = cluster.deployment;
  await postgres.stop('immediate');
  await pause(random.below(700));
  await postgres.restart();
  return { kind: 'database', ms: await probe(performance.now()) };
};

/** One backend is killed: PostgreSQL ends all others and starts anew by itself. */
const backend: Fault = async ({ cluster, random, probe }) => {
  const { pool } = cluster.deployment.ctx.database;
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'rialto engine'`,
  );
  if (rows.length > 0) process.kill(random.pick(rows).pid, 'SIGKILL');
  // The postmaster ends the other backends a moment later; what is asked before that is asked of the old.
  await pause(NOTICED_MS);
  await until('PostgreSQL accepts connections', async () => {
    await pool.query('SELECT 1');
    return true;
  });
  return { kind: 'database', ms: await probe(performance.now()) };
};

const NOTICED_MS = 100;

/** As often as they stand here; all of them come up before one comes up again. */
export const FAULTS: readonly (readonly [string, Fault])[] = [
  ['leader killed', leader],
  ['leader killed', leader],
  ['leader killed', leader],
  ['leader killed when a batch was applied', leaderAt('applied')],
  ['leader killed when a commit begins', leaderAt('committing')],
  ['leader killed between commit and answer', leaderAt('committed')],
  ['leader killed after an answer', leaderAt('answered')],
  ['leader paused past its replacement', pausedLeader],
  ['standby killed', standby],
  ['standby killed in its takeover', atTakeover],
  ['both engines killed', bothEngines],
  ['api killed', api],
  ['PostgreSQL stopped at once', database],
  ['PostgreSQL stopped at once', database],
  ['a backend of PostgreSQL killed', backend],
];

async function kill(node: Node): Promise<number> {
  node.kill('SIGKILL');
  const killedMs = performance.now();
  await until(`${node.name} is gone`, async () => (node.isAlive() ? undefined : true));
  return killedMs;
}
