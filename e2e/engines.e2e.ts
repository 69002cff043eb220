// Two live engines, and commits with unknown outcomes. Whatever happens, no answer, read or event
// contradicts the journal.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askDoor } from '../scripts/crash/clients.ts';
import { auditJournal, checkEvents } from '../scripts/crash/audit.ts';
import { MIDDLE, place, SYMBOL } from '../scripts/crash/market.ts';
import { keyOf, Records, type Answer } from '../scripts/crash/records.ts';
import type { Context } from '../server/src/platform/context.ts';
import { migrate } from '../server/src/platform/db/migrate.ts';
import { createContext } from '../server/src/platform/context.ts';
import { loadConfig } from '../server/src/platform/config/load.ts';
import { startRelay, type Relay } from '../server/src/platform/events/relay.ts';
import { createEngineClient, type EngineClient } from '../server/src/trading/engine/client.ts';
import type { NewCommand } from '../server/src/trading/engine/command.ts';
import { doorSubject } from '../server/src/trading/engine/door.ts';
import { commandLine, NOBODY, queryLine } from '../server/src/trading/engine/request-lines.ts';
import { createSender } from '../server/src/trading/engine/sender.ts';
import { encodeCommand } from '../server/src/trading/engine/command.ts';
import { withDatabase } from '../server/src/testing/database.ts';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { exampleMarket } from '../server/src/testing/example-market.ts';
import { carryOut } from '../server/src/testing/operator-rows.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts';

const MARKET = exampleMarket({
  symbol: SYMBOL,
  listingPriceTicks: MIDDLE,
  maxOpenOrders: 10_000,
});
const ACCOUNTS = [1, 2];
const SETUP: readonly NewCommand[] = [
  { type: 'list_coin', coin: 'btc', networks: ['BTC'] },
  { type: 'list_coin', coin: 'usdt', networks: ['ETH'] },
  ...ACCOUNTS.flatMap((account): NewCommand[] => [
    { type: 'open_account', account, parent: account },
    {
      type: 'credit_deposit',
      depositId: `btc-${account}`,
      network: 'BTC',
      coin: 'btc',
      to: account,
      amount: 10n ** 21n,
    },
    {
      type: 'credit_deposit',
      depositId: `usdt-${account}`,
      network: 'ETH',
      coin: 'usdt',
      to: account,
      amount: 10n ** 26n,
    },
  ]),
  { type: 'create_market', config: MARKET },
  { type: 'set_phase', symbol: SYMBOL, phase: 'continuous' },
];

let deployment: TestDeployment;
let databases = 0;
beforeAll(async () => {
  deployment = await startDeployment({ LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent' });
});
afterAll(() => deployment.close());

/** A separate database for every test, so that each has its own journal. */
let environment: Record<string, string>;
let ctx: Context;
let relay: Relay;
let client: EngineClient;
let records: Records;
let reads: { seq: number; engineSeq: number }[];
const running: RialtoProcess[] = [];
let proxy: FaultProxy;
/** For what the server's role may not do. */
let owner: pg.Pool;

beforeEach(async () => {
  databases += 1;
  const name = `engines_${databases}`;
  await deployment.owner.query(`CREATE DATABASE ${name}`);
  const { ownerUrl, serverUrl } = deployment.postgres;
  const url = new URL(withDatabase(serverUrl, name));
  owner = new pg.Pool({ connectionString: withDatabase(ownerUrl, name), max: 2 });
  await migrate(withDatabase(ownerUrl, name), url.href);
  // No worker runs here, and the engines must not wait for one.
  environment = { ...deployment.environment, DATABASE_URL: url.href, PROJECTION_WAIT_MAX_MS: '0' };
  ctx = await createContext(loadConfig({ ...environment, ROLES: 'worker' }), {
    onFatal: (error) => {
      throw error;
    },
  });
  relay = startRelay({
    pool: ctx.database.pool,
    bus: ctx.bus,
    log: ctx.log,
    metrics: ctx.metrics,
    pollMs: 250,
  });
  client = createEngineClient({
    bus: ctx.bus,
    pool: ctx.database.pool,
    secrets: ctx.secrets,
    log: ctx.log,
    answerMs: 15_000,
    underWayMax: 10_000,
  });
  proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
  records = new Records();
  reads = [];
});

afterEach(async () => {
  await stopTraffic();
  for (const engine of running.splice(0)) {
    if (isAlive(engine)) engine.kill('SIGKILL');
    await engine.stop();
  }
  await client.stop();
  await relay.stop();
  await ctx.close();
  await owner.end();
  await proxy.close();
});

async function startEngine(where: 'direct' | 'behind the proxy'): Promise<RialtoProcess> {
  const url = new URL(environment['DATABASE_URL'] as string);
  if (where === 'behind the proxy') url.port = String(proxy.port);
  const engine = await startRialtoProcess('engine', { ...environment, DATABASE_URL: url.href });
  running.push(engine);
  return engine;
}

const isAlive = ({ pid }: RialtoProcess): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const leaseEpoch = async (): Promise<number> =>
  Number(
    (await ctx.database.pool.query<{ epoch: bigint }>('SELECT epoch FROM trading_leases')).rows[0]
      ?.epoch ?? 0,
  );

const journalHead = async (): Promise<{ seq: number; epoch: number }> => {
  const { rows } = await ctx.database.pool.query<{ seq: bigint; epoch: bigint }>(
    'SELECT seq, epoch FROM trading_journal ORDER BY seq DESC LIMIT 1',
  );
  return { seq: Number(rows[0]?.seq ?? 0), epoch: Number(rows[0]?.epoch ?? 0) };
};

async function setUp(): Promise<void> {
  const isServing = () =>
    client.read('head', {}).then(
      () => true,
      () => false,
    );
  await expect.poll(isServing, { timeout: 30_000 }).toBe(true);
  await carryOut(ctx, SETUP);
}

const command = (clientOrderId: string, account = 1) =>
  place(account, { side: 'buy', price: MIDDLE - 10_000, volume: 100, clientOrderId });

/** Sends an order with this client id once, and records the answer. */
async function ask(clientOrderId: string): Promise<Answer> {
  const asked = records.open(keyOf.place(1, clientOrderId), 'door', command(clientOrderId));
  const answer = await askDoor(client)(command(clientOrderId));
  records.add(asked, answer);
  return answer;
}

/** Repeats until the outcome is known. */
async function settle(clientOrderId: string, givesUp = () => false): Promise<Answer> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const answer = await ask(clientOrderId);
    if (answer.kind === 'done' || givesUp() || Date.now() > deadline) return answer;
    await sleep(50);
  }
}

async function readHead(): Promise<void> {
  reads.push(await client.read('head', {}));
}

/** Ends the traffic of a test, even of a failed one. */
let stopTraffic = async () => {};

/** Sends orders and reads all the time, so that something is always in flight. */
function startTraffic(): void {
  let isOver = false;
  let count = 0;
  const lanes = Array.from({ length: 6 }, async (_, lane) => {
    while (!isOver) {
      count += 1;
      if (lane < 4) await settle(`traffic-${count}`, () => isOver);
      else await readHead().catch(() => {});
      await sleep(5);
    }
  });
  stopTraffic = async () => {
    isOver = true;
    await Promise.all(lanes);
    stopTraffic = async () => {};
  };
}

/** Everything that was acknowledged is in the journal, and nothing that was denied is. */
async function expectSound(): Promise<void> {
  // By now an engine that had to restart from the journal is at work.
  expect((await settle('calm')).kind).toBe('done');
  const { history, broken } = await auditJournal({ ctx, engine: client, records, say: () => {} });
  await checkEvents(ctx, history.tapes, broken.conserved);
  expect(broken).toEqual({
    lost: [],
    doubled: [],
    conserved: [],
    honest: [],
    swept: [],
    projections: [],
  });
  const { rows } = await ctx.database.pool.query<{ seq: bigint; engine_seq: bigint }>(
    'SELECT seq, engine_seq FROM trading_journal ORDER BY seq',
  );
  const engineSeqs = rows.map((row) => Number(row.engine_seq));
  for (const { seq, engineSeq } of reads) {
    // A read is answered among the commands of the row after the one that it names.
    expect(engineSeq).toBeGreaterThanOrEqual(engineSeqs[seq - 1] ?? Number.NaN);
    expect(engineSeq).toBeLessThanOrEqual(engineSeqs[seq] ?? engineSeqs[seq - 1] ?? Number.NaN);
  }
}

async function expectExit(engine: RialtoProcess, code: number): Promise<void> {
  await expect.poll(() => isAlive(engine), { timeout: 15_000 }).toBe(false);
  expect(await engine.stop()).toBe(code);
}

describe('two engines', () => {
  it.each(['with orders in between', 'without any order in between'])(
    'a leader that slept past its replacement answers nothing and ends itself, %s',
    async (variant) => {
      const first = await startEngine('direct');
      await setUp();
      await settle('before');
      const second = await startEngine('direct');
      const old = await leaseEpoch();
      first.kill('SIGSTOP');
      // These wait in the socket of the paused engine, and are the first that it reads.
      const sender = createSender({ secrets: ctx.secrets, clock: ctx.clock, shard: 0 });
      const askOld = (line: string) => {
        const { payload, open } = sender.seal(old, [line]);
        return ctx.bus
          .request(doorSubject(0, old), payload, 10_000)
          .then((answer) => open(answer).join('\n'))
          .catch(() => 'no answer');
      };
      const owner = { account: 1, keyId: '' };
      const late = command('late');
      const answers = [
        askOld(queryLine('head', {}, NOBODY)),
        askOld(queryLine('open', { account: 1, limit: 10 }, owner)),
        askOld(commandLine(encodeCommand(late), 0, owner)),
        askOld(queryLine('order', { account: 1, clientOrderId: 'late' }, owner)),
      ];
      await expect.poll(leaseEpoch, { timeout: 10_000 }).toBe(old + 1);
      if (variant === 'with orders in between') {
        for (let n = 0; n < 5; n += 1) expect((await settle(`between-${n}`)).kind).toBe('done');
      } else {
        expect((await journalHead()).epoch).toBe(old + 1);
      }
      const before = await journalHead();
      first.kill('SIGCONT');
      for (const answer of await Promise.all(answers)) {
        expect(answer).toMatch(/^(eunavailable |no answer)/);
      }
      await expectExit(first, 1);
      // No row of an old epoch follows the new one, and the other engine is unaffected.
      expect(await journalHead()).toEqual(before);
      expect((await settle('after')).kind).toBe('done');
      expect(isAlive(second)).toBe(true);
      expect((await journalHead()).epoch).toBe(old + 1);
      // The order in the message was answered as not done.
      records.add(records.open(keyOf.place(1, 'late'), 'door', late), {
        kind: 'nothing',
        why: 'sent to an engine that was replaced',
      });
      await expectSound();
    },
  );

  it('three standbys that wake up at once: one leads, and none of them exits', async () => {
    const first = await startEngine('direct');
    await setUp();
    const others = [
      await startEngine('direct'),
      await startEngine('direct'),
      await startEngine('direct'),
    ];
    startTraffic();
    await sleep(300);
    first.kill('SIGKILL');
    await expect.poll(leaseEpoch, { timeout: 10_000 }).toBeGreaterThan(1);
    await sleep(1000);
    await stopTraffic();
    expect(others.map(isAlive)).toEqual([true, true, true]);
    await expectSound();
  });
});

it('the audit behind these tests detects lost, changed, denied and invented orders', async () => {
  await startEngine('direct');
  await setUp();
  const real = await settle('real');
  const line = real.kind === 'done' ? real.said : '';
  await askDoor(client)(command('nobody-asked'));
  await askDoor(client)(command('denied'));
  const pretend = (clientOrderId: string, answer: Answer) =>
    records.add(
      records.open(keyOf.place(1, clientOrderId), 'door', command(clientOrderId)),
      answer,
    );
  pretend('never-sent', { kind: 'done', said: line, isReplay: false });
  pretend('real', { kind: 'done', said: line.replace(' open ', ' filled '), isReplay: false });
  pretend('denied', { kind: 'nothing', why: 'a lie' });
  const { broken } = await auditJournal({ ctx, engine: client, records, say: () => {} });
  expect(broken.lost.map((text) => text.split(' ')[2])).toEqual(['real', 'never-sent']);
  expect(broken.honest).toHaveLength(2);
  expect(broken.doubled).toEqual([]);
});

/** The name of the statement that commits a batch; the heartbeat and others have other names. */
const COMMIT = 'journal-append';

describe('a commit', () => {
  it('that never reached the database is unknown, was not done, and is done once when repeated', async () => {
    const engine = await startEngine('behind the proxy');
    await setUp();
    for (let round = 0; round < 3; round += 1) {
      const head = await journalHead();
      const struck = proxy.strike('cut before', COMMIT);
      const answer = await ask(`cut-${round}`);
      await struck;
      expect(answer).toEqual({ kind: 'unknown' });
      expect(await settle(`cut-${round}`)).toMatchObject({ kind: 'done', isReplay: false });
      expect((await journalHead()).epoch).toBe(head.epoch + 1);
    }
    expect(isAlive(engine)).toBe(true);
    await expectSound();
  });

  it('whose answer was lost is unknown, was done, and is not done again', async () => {
    const engine = await startEngine('behind the proxy');
    await setUp();
    for (let round = 0; round < 3; round += 1) {
      const struck = proxy.strike('cut after', COMMIT);
      expect(await ask(`lost-${round}`)).toEqual({ kind: 'unknown' });
      await struck;
      expect(await settle(`lost-${round}`)).toMatchObject({ kind: 'done', isReplay: true });
    }
    expect(isAlive(engine)).toBe(true);
    await expectSound();
  });

  it.each(['cut before', 'cut after'] as const)(
    'that is %s in the middle of traffic leaves nothing wrong behind',
    async (fault) => {
      await startEngine('behind the proxy');
      await setUp();
      startTraffic();
      for (let round = 0; round < 5; round += 1) {
        await sleep(150);
        await proxy.strike(fault, COMMIT);
      }
      await sleep(300);
      await stopTraffic();
      expect(reads.length).toBeGreaterThan(0);
      await expectSound();
    },
  );

  it('that is slow is awaited: no answer, no read and no event before it', async () => {
    await startEngine('behind the proxy');
    await setUp();
    const struck = proxy.strike('delay', COMMIT, 1500);
    const startedMs = performance.now();
    const asked = ask('slow').then((answer) => ({ answer, ms: performance.now() - startedMs }));
    await struck;
    await sleep(20);
    const read = client
      .read('order', { account: 1, clientOrderId: 'slow' })
      .then((order) => ({ order, ms: performance.now() - startedMs }));
    const [slow, seen] = await Promise.all([asked, read]);
    expect(slow.answer).toMatchObject({ kind: 'done', isReplay: false });
    expect(slow.ms).toBeGreaterThan(1400);
    expect(seen.order).toMatchObject({ clientOrderId: 'slow' });
    expect(seen.ms).toBeGreaterThan(1400);
    expect(await leaseEpoch()).toBe(1);
    await expectSound();
  });

  it.each(['silence before', 'silence after'] as const)(
    'without an answer (%s) is reported unknown in the end, and the engine recovers by itself',
    async (fault) => {
      const engine = await startEngine('behind the proxy');
      await setUp();
      const struck = proxy.strike(fault, COMMIT);
      const answer = ask('silent');
      await struck;
      const read = client.read('order', { account: 1, clientOrderId: 'silent' });
      expect(await answer).toEqual({ kind: 'unknown' });
      // The read waited for the commit, and was then answered from the state on disk.
      if (fault === 'silence before') expect(await read).toBeNull();
      else expect(await read).toMatchObject({ clientOrderId: 'silent' });
      expect(await settle('silent')).toMatchObject({
        kind: 'done',
        isReplay: fault === 'silence after',
      });
      expect(isAlive(engine)).toBe(true);
      await expectSound();
    },
  );

  it('of an engine cut off from the network goes nowhere: its standby leads, and it exits or follows', async () => {
    const first = await startEngine('behind the proxy');
    await setUp();
    await startEngine('direct');
    const old = await leaseEpoch();
    startTraffic();
    await sleep(200);
    proxy.silence();
    await expect.poll(leaseEpoch, { timeout: 10_000 }).toBeGreaterThan(old);
    expect(await settle('behind-its-back')).toMatchObject({ kind: 'done' });
    await sleep(500);
    proxy.heal();
    await sleep(8000);
    await stopTraffic();
    const { epoch } = await journalHead();
    expect(epoch).toBe(await leaseEpoch());
    // Both are right; what matters is that nothing of it reached the journal or a client.
    if (isAlive(first)) expect(epoch).toBe(old + 1);
    await expectSound();
  });

  it('that the database refuses is never answered as done, and trading goes on when it accepts again', async () => {
    const engine = await startEngine('direct');
    await setUp();
    await owner.query(
      `CREATE FUNCTION fill_the_disk() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON trading_journal
         FOR EACH ROW EXECUTE FUNCTION fill_the_disk()`,
    );
    const head = await journalHead();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(`full-${n}`)));
    for (const { kind } of answers) expect(kind).not.toBe('done');
    await sleep(1500);
    expect(await journalHead()).toEqual(head);
    await owner.query('DROP TRIGGER full_disk ON trading_journal');
    for (let n = 0; n < 20; n += 1) {
      expect(await settle(`full-${n}`)).toMatchObject({ kind: 'done', isReplay: false });
    }
    expect(isAlive(engine)).toBe(true);
    await expectSound();
  });

  it('that waits for a lock until its backend is killed is unknown, and was not done', async () => {
    await startEngine('direct');
    await setUp();
    const locker = await owner.connect();
    await locker.query('BEGIN; LOCK TABLE trading_journal IN SHARE MODE');
    const answer = ask('locked');
    await sleep(300);
    const { rows } = await locker.query<{ ended: boolean }>(
      `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
        WHERE application_name LIKE 'rialto engine%' AND wait_event_type = 'Lock' AND datname = current_database()`,
    );
    expect(rows).toEqual([{ ended: true }]);
    expect(await answer).toEqual({ kind: 'unknown' });
    await locker.query('ROLLBACK');
    locker.release();
    expect(await settle('locked')).toMatchObject({ kind: 'done', isReplay: false });
    await expectSound();
  });
});
