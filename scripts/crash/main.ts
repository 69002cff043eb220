// `npm run crash -- --kills 200 [--soak MINUTES] [--seed N] [--resting N] [--swept N] [--only TEXT]
// [--json]`: kills engines, api nodes and PostgreSQL under load, at random and at named points,
// during sweeps and movements of money. Afterwards it checks everything that a client was told. A
// broken promise exits non-zero; the seed repeats the same faults, and --only runs those whose
// names contain the text.
import { createRandom } from '../../server/src/testing/random.ts';
import { stopAllEngines } from '../../server/src/platform/engines/engine.ts';
import { pause } from '../../server/src/platform/std/wait.ts';
import { createEngineClient } from '../../server/src/trading/engine/client.ts';
import { printFigures, printTable, type Figure } from '../figure.ts';
import { quantile, round } from '../bench/stats.ts';
import { auditAll, type Findings } from './audit.ts';
import { startAuctions, type Auctions } from './auctions.ts';
import { startCluster } from './cluster.ts';
import { probe, startClients } from './clients.ts';
import { FAULTS, MORE_OFTEN, type NamedFault, type Recovery } from './faults.ts';
import { startMovements, type Movements } from './movements.ts';
import { Records } from './records.ts';
import { createSweeps, type Sweeps } from './sweeps.ts';
import { openVenue } from './venue.ts';
import { parseFlags } from '../flags.ts';

const { values } = parseFlags({
  options: {
    kills: { type: 'string', default: '200' },
    soak: { type: 'string', default: '0' },
    seed: { type: 'string' },
    resting: { type: 'string', default: '100000' },
    swept: { type: 'string', default: '2000' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});

const GOAL_RECOVERY_MS = 2000;
const GOAL_COLD_MS = 3000;
const DOOR_CLIENTS = 12;
const HTTP_CLIENTS = 8;
const CLIENT_PAUSE_MS = 40;
const MOVER_PAUSE_MS = 150;
/** Longest quiet stretch of load before the next fault. */
const CALM_MS = 1200;
/** One fault in eight also kills an uninvolved process. */
const BYSTANDER_CHANCE = 8;

const kills = Number(values.kills);
const resting = Number(values.resting);
const swept = Number(values.swept);
/** Minutes for which the run goes on, however many kills that takes; zero for no soak. */
const soak = Number(values.soak);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
for (const [name, value] of Object.entries({ kills, soak, resting, swept, seed })) {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} is a whole number`);
}

const chosen = FAULTS.filter(({ name }) => name.includes(values.only));
if (chosen.length === 0) throw new Error(`No fault is called like "${values.only}".`);

/** A separate random stream for each user, so that one user's draws do not shift the others'. */
function randomFor(name: string) {
  let mixed = seed;
  for (const letter of name) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193);
  return createRandom(mixed);
}

const say = (line: string) => console.error(line);

interface Run {
  readonly findings: Findings;
  readonly recoveries: readonly Recovery[];
  readonly records: Records;
  /** Faults by name: how often. */
  readonly done: ReadonlyMap<string, number>;
  readonly movementRows: number;
}

async function run(): Promise<Run> {
  const cluster = await startCluster({ LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent' });
  const { ctx } = cluster.deployment;
  const engine = createEngineClient({
    bus: ctx.bus,
    pool: ctx.database.pool,
    secrets: ctx.secrets,
    log: ctx.log,
    answerMs: 10_000,
    underWayMax: 20_000,
  });
  try {
    const records = new Records();
    await cluster.findLeader();
    say(`seed ${seed}: ${kills} kills, ${resting} orders resting in the book`);
    const venue = await openVenue(ctx, engine, records, {
      doorTraders: DOOR_CLIENTS,
      httpTraders: HTTP_CLIENTS,
      resting,
    });
    say(`the book is filled, the clients begin`);
    const clients = startClients({
      engine,
      records,
      door: venue.door,
      http: venue.http,
      origins: cluster.apis.map(({ origin }) => origin),
      random: randomFor,
      pauseMs: CLIENT_PAUSE_MS,
    });
    const movements = startMovements({
      ctx,
      records,
      operators: venue.operators,
      accounts: venue.door,
      random: randomFor,
      pauseMs: MOVER_PAUSE_MS,
    });
    const sweeps = createSweeps({
      ctx,
      engine,
      records,
      operator: venue.operators[0],
      accounts: venue.swept,
      random: randomFor('sweeps'),
      size: swept,
    });
    const auctions = startAuctions({
      ctx,
      engine,
      records,
      operator: venue.operators[0],
      accounts: venue.door,
      random: randomFor,
    });
    const probeSince = (sinceMs: number) => probe(engine, records, venue.prober, sinceMs);
    const { recoveries, done } = await breakThings(cluster, probeSince, {
      sweeps,
      movements,
      auctions,
    });
    await pause(500);
    await Promise.all([clients.stop(), movements.stop(), auctions.stop()]);
    // Without the standby, no takeover can happen in the middle of the audit because the machine is
    // busy with it.
    await (await cluster.findLeader()).standby.stop();
    await probeSince(performance.now());
    const findings = await auditAll({ ctx, engine, records, sweeps: sweeps.all, say });
    return { findings, recoveries, records, done, movementRows: movements.rows };
  } finally {
    await engine.stop();
    await cluster.close();
  }
}

async function breakThings(
  cluster: Awaited<ReturnType<typeof startCluster>>,
  probeSince: (sinceMs: number) => Promise<number>,
  work: { sweeps: Sweeps; movements: Movements; auctions: Auctions },
): Promise<Pick<Run, 'recoveries' | 'done'>> {
  const random = randomFor('faults');
  const recoveries: Recovery[] = [];
  const done = new Map<string, number>();
  let deck: NamedFault[] = [];
  const untilMs = performance.now() + soak * 60_000;
  for (let count = 1; count <= kills || performance.now() < untilMs; count += 1) {
    if (deck.length === 0) {
      const again = MORE_OFTEN.flatMap((name) => chosen.filter((one) => one.name === name));
      // Taken from the end: a short run sees each kind once before it sees one again.
      deck = [...random.shuffled(again), ...random.shuffled(chosen)];
    }
    const { name, fault } = deck.pop() as NamedFault;
    await pause(100 + random.below(CALM_MS));
    if (random.below(BYSTANDER_CHANCE) === 0) random.pick(cluster.others).kill('SIGKILL');
    const recovery = await fault({ cluster, random, probe: probeSince, ...work });
    recoveries.push(recovery);
    done.set(name, (done.get(name) ?? 0) + 1);
    const revived = await cluster.revive();
    say(
      `${String(count).padStart(4)}  ${name.padEnd(42)}${String(round(recovery.ms)).padStart(6)} ms` +
        (revived.length === 0 ? '' : `   started again: ${revived.join(', ')}`),
    );
  }
  return { recoveries, done };
}

function report({ findings, recoveries, records, done, movementRows }: Run): Figure[] {
  const of = (kind: Recovery['kind']) =>
    recoveries
      .filter((one) => one.kind === kind)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
  const table = [['recovery, ms', 'times', 'p50', 'p99', 'max']];
  for (const [kind, name] of [
    ['standby', 'engine killed, a standby takes over'],
    ['takeover', 'both killed, the second in its takeover'],
    ['cold', 'both killed at once, a cold start from the disk'],
    ['database', 'PostgreSQL back, until an order is acknowledged'],
    ['none', 'others killed'],
  ] as const) {
    const list = of(kind);
    const cells = [quantile(list, 0.5), quantile(list, 0.99), list.at(-1) ?? Number.NaN];
    table.push([name, String(list.length), ...cells.map((ms) => String(round(ms)))]);
  }
  printTable(table);
  say(
    `${records.size} things asked for: ${records.acknowledged} acknowledged, ${records.repeated} repeated, ` +
      `${records.refused} refused, ${records.unknown} answers unknown.`,
  );
  const amidst = FAULTS.flatMap((one) => (one.isAmidst ? [done.get(one.name) ?? 0] : [])).reduce(
    (sum, times) => sum + times,
    0,
  );
  const { sweeps, lists, auctions } = findings;
  say(
    `${amidst} of ${recoveries.length} kills fell into sweeps, movements and auctions: ${sweeps.count} sweeps of ${sweeps.orders} orders, ` +
      `${sweeps.cut} of them finished by another engine than began them; ${movementRows} rows of operators and custody.`,
  );
  say(
    `${lists.placed} order lists, ${lists.traded} of them traded; ${lists.trailsFired} trailing stops fired; ` +
      `${auctions} auctions ended with trades.`,
  );
  for (const [promise, list] of Object.entries(findings.broken)) {
    for (const line of list.slice(0, 20)) say(`BROKEN ${promise}: ${line}`);
  }
  const proof = (figure: string, list: readonly string[]): Figure => ({
    figure,
    value: list.length,
    goal: 0,
    met: list.length === 0,
    seed,
    kills,
  });
  const standby = of('standby');
  const cold = of('cold');
  const p99 = quantile(standby, 0.99);
  return [
    { ...proof('crash.lost', findings.broken.lost), acknowledged: records.acknowledged },
    { ...proof('crash.doubled', findings.broken.doubled), repeated: records.repeated },
    { ...proof('crash.conserved', findings.broken.conserved), journalRows: findings.journalRows },
    { ...proof('crash.honest', findings.broken.honest), ...lists, auctions },
    { ...proof('crash.swept', findings.broken.swept), ...sweeps, amidst },
    { ...proof('crash.projections', findings.broken.projections) },
    {
      figure: 'crash.recovery',
      value: round(p99),
      p50: round(quantile(standby, 0.5)),
      database: round(of('database').at(-1) ?? Number.NaN),
      takeovers: standby.length,
      resting,
      unit: 'ms',
      goal: GOAL_RECOVERY_MS,
      met: p99 <= GOAL_RECOVERY_MS,
      seed,
      kills,
    },
    {
      figure: 'crash.cold_start',
      value: round(quantile(cold, 0.99)),
      p50: round(quantile(cold, 0.5)),
      starts: cold.length,
      resting,
      unit: 'ms',
      goal: GOAL_COLD_MS,
      met: quantile(cold, 0.99) <= GOAL_COLD_MS,
      seed,
      kills,
    },
  ];
}

// So that the processes started here end with us, however we end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const startedMs = performance.now();
try {
  const outcome = await run();
  const figures = report(outcome);
  for (const { figure, value, met, goal } of figures) {
    say(`${met ? '✓ met' : '✗ missed'}  ${figure} ${String(value)}, goal ${goal}`);
  }
  say(`${round((performance.now() - startedMs) / 1000)} s`);
  if (values.json) printFigures(figures);
  const isSound = Object.values(outcome.findings.broken).every((list) => list.length === 0);
  // Recovery times depend on the machine; losses must not.
  process.exitCode = isSound ? 0 : 1;
} catch (error) {
  say(`seed ${seed}: the run itself failed, which is a violated promise as well.`);
  console.error(error);
  process.exitCode = 1;
} finally {
  await stopAllEngines();
}
// Clients of a failed run still wait for answers that will never come.
process.exit();
