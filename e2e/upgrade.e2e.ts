// An upgrade of the core while the venue trades: the engine of an old release leads, this tree's
// engine follows and takes over, however the old one ends. The old one is the recorded release
// itself, so the test does not depend on this tree's idea of it.
import { audit, CORE_VERSION, findOrder } from '@rialto/matching';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stopAllEngines } from '../server/src/platform/engines/engine.ts';
import { startNats } from '../server/src/platform/engines/nats.ts';
import { serverUrlOf, startPostgres } from '../server/src/platform/engines/postgres.ts';
import { startRedis } from '../server/src/platform/engines/redis.ts';
import { withDatabase } from '../server/src/testing/database.ts';
import { isThorough } from '../server/src/testing/thorough.ts';
import { Machine } from '../server/src/trading/engine/machine.ts';
import { firstConfig, followJournal } from '../server/src/trading/engine/recover.ts';
import { writeSnapshot } from '../server/src/trading/engine/snapshot-store.ts';
import { startMember, THIS_RELEASE, unpackRelease, type Member, type Release } from './release.ts';
import {
  call,
  openVenue,
  runCommand,
  startLoad,
  type Acknowledged,
  type Key,
  type Load,
} from './upgrade-venue.ts';

const OLD_VERSION = 1;
const old = unpackRelease(`core-${OLD_VERSION}`);
const SNAPSHOT_COMMANDS = 1000;
const WAIT = { timeout: 90_000, interval: 100 };

let environment: Record<string, string>;
let keys: readonly Key[];
/** Orders from before the upgrade began. */
let earlier: readonly Acknowledged[];
/** Everything that was started, so that a failed test leaves nothing running. */
const members: Member[] = [];

const start = async (
  release: Release,
  roles: string,
  overrides: Record<string, string> = {},
): Promise<Member> => {
  const member = await startMember(release, roles, { ...environment, ...overrides });
  members.push(member);
  return member;
};

const stop = async (member: Member): Promise<void> => {
  member.kill('SIGTERM');
  expect(await member.ended()).toBe(0);
};

beforeAll(async () => {
  const [postgres, nats, redis] = await Promise.all([startPostgres(), startNats(), startRedis()]);
  environment = {
    // The old release had one role, which owns everything.
    DATABASE_URL: withDatabase(postgres.ownerUrl, 'opened'),
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    MASTER_KEY: '5e'.repeat(32),
    MONEY: 'simulated',
    TRADING_RATE_LIMIT: '1000000',
    // As often as permitted, so that the old release leaves a snapshot.
    ENGINE_SNAPSHOT_COMMANDS: String(SNAPSHOT_COMMANDS),
    // An api that cannot reach its engine says so quickly.
    ENGINE_ANSWER_MS: '3000',
  };
  await query(postgres.ownerUrl, 'CREATE DATABASE opened');
  await runCommand(old, ['migrate'], environment);
  const whole = await start(old, 'api,engine,relay,worker');
  keys = await openVenue(old, environment);
  const load = startLoad('earlier', keys, () => [whole.origin]);
  await load.more(SNAPSHOT_COMMANDS);
  await load.stop();
  earlier = load.acknowledged;
  const venue = { pool: new pg.Pool({ connectionString: environment['DATABASE_URL'] ?? '' }) };
  await vi.waitUntil(async () => (await countSnapshots(venue)) > 0, WAIT);
  await venue.pool.end();
  await stop(whole);
}, 300_000);

afterAll(async () => {
  for (const member of members) if (!member.isOver()) member.kill('SIGKILL');
  await stopAllEngines();
  old.remove();
});

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

interface Venue {
  readonly pool: pg.Pool;
}

/** A copy of the opened venue, in its own database. */
async function copyVenue(name: string): Promise<Venue & { url: string }> {
  const { DATABASE_URL: opened = '' } = environment;
  await query(withDatabase(opened, 'postgres'), `CREATE DATABASE ${name} TEMPLATE opened`);
  const url = withDatabase(opened, name);
  return { url, pool: new pg.Pool({ connectionString: url, max: 2 }) };
}

interface Head {
  readonly seq: number;
  readonly epoch: number;
  readonly version: number;
}

async function readHead({ pool }: Venue): Promise<Head> {
  const { rows } = await pool.query<Head>(
    `SELECT seq::int, epoch::int, core_version::int AS version FROM trading_journal ORDER BY trading_journal.seq DESC LIMIT 1`,
  );
  return rows[0] ?? { seq: 0, epoch: 0, version: 0 };
}

/** Replays every row from the first on a machine, or fails at the row whose digest differs. */
async function replayAll({ pool }: Venue): Promise<Machine> {
  const machine = Machine.empty(firstConfig(0));
  await followJournal(pool, machine);
  return machine;
}

const readNumber = async ({ pool }: Venue, text: string): Promise<number> =>
  (await pool.query<{ number: number }>(text)).rows[0]?.number ?? 0;

const countSnapshots = (venue: Venue): Promise<number> =>
  readNumber(venue, 'SELECT count(*)::int AS number FROM trading_snapshots');

describe.for(isThorough ? (['SIGTERM', 'SIGKILL', 'SIGSTOP'] as const) : (['SIGKILL'] as const))(
  'an engine of the old release that ends by %s under load',
  (signal) => {
    let venue: Awaited<ReturnType<typeof copyVenue>>;
    /** The new release gets its own role; the old one continues with the owner's. */
    let settings: Record<string, string>;
    let oldSettings: Record<string, string>;
    let oldEngine: Member;
    let newEngine: Member;
    let newApi: Member;
    let load: Load;

    beforeAll(async () => {
      venue = await copyVenue(`upgrade_${signal.toLowerCase()}`);
      oldSettings = { DATABASE_URL: venue.url };
      settings = { DATABASE_URL: serverUrlOf(venue.url), DATABASE_OWNER_URL: venue.url };
    });
    afterAll(async () => {
      for (const member of members.splice(0)) if (!member.isOver()) member.kill('SIGKILL');
      await venue?.pool.end();
    });

    it('is followed and replaced by the new one, and every order exists once', async () => {
      const [engine, oldApi, oldWorker] = await Promise.all([
        start(old, 'engine', oldSettings),
        start(old, 'api', oldSettings),
        start(old, 'relay,worker', oldSettings),
      ]);
      oldEngine = engine;
      const origins = [oldApi.origin];
      load = startLoad('upgrade', keys, () => origins);
      await load.more(100);

      // In the order of the operators' guide: the database, the consumers of the journal, engine,
      // api.
      await runCommand(THIS_RELEASE, ['migrate'], { ...environment, ...settings });
      await load.more(20);
      await stop(oldWorker);
      await start(THIS_RELEASE, 'relay,worker', settings);
      newEngine = await start(THIS_RELEASE, 'engine', settings);
      newApi = await start(THIS_RELEASE, 'api', settings);
      origins.push(newApi.origin);
      await load.more(100);
      const before = await readHead(venue);
      expect(before.version).toBe(OLD_VERSION);

      oldEngine.kill(signal);
      await expect.poll(async () => (await readHead(venue)).version, WAIT).toBe(CORE_VERSION);
      await load.more(200);
      oldEngine.kill('SIGCONT');
      const code = await oldEngine.ended();
      expect(code).toBe({ SIGTERM: 0, SIGKILL: null, SIGSTOP: 1 }[signal]);
      await load.more(50);
      await load.stop();
      await stop(oldApi);
    }, 300_000);

    it('leaves rows of its own version, then one upgrade, then rows of the new version', async () => {
      const { rows } = await venue.pool.query<{ version: number; upgrades: boolean }>(
        `SELECT core_version::int AS version, commands LIKE '%"type":"upgrade"%' AS upgrades
           FROM trading_journal ORDER BY seq`,
      );
      const first = rows.findIndex(({ version }) => version === CORE_VERSION);
      expect(first).toBeGreaterThan(0);
      expect(new Set(rows.slice(0, first).map(({ version }) => version))).toEqual(
        new Set([OLD_VERSION]),
      );
      expect(new Set(rows.slice(first).map(({ version }) => version))).toEqual(
        new Set([CORE_VERSION]),
      );
      expect(rows.flatMap(({ upgrades }, index) => (upgrades ? [index] : []))).toEqual([first]);
    });

    it('has lost, doubled and invented nothing', async () => {
      const acknowledged = [...earlier, ...load.acknowledged];
      const { seq } = await readHead(venue);
      await expect
        .poll(
          () => readNumber(venue, 'SELECT seq::int AS number FROM projection_checkpoints'),
          WAIT,
        )
        .toBe(seq);
      const { rows } = await venue.pool.query<{ line: string }>(
        `SELECT concat_ws(' ', account_id, client_order_id, order_id) AS line
           FROM (SELECT account_id, client_order_id, order_id FROM trading_orders
                 UNION ALL SELECT account_id, client_order_id, order_id FROM trading_live_orders) AS o`,
      );
      const found = rows.map(({ line }) => line);
      const told = acknowledged.map(
        ({ account, clientOrderId, orderId }) => `${account} ${clientOrderId} ${orderId}`,
      );
      expect(found.sort()).toEqual(told.sort());

      const { state } = await replayAll(venue);
      expect(audit(state)).toEqual([]);
      expect(state.rules).toBe(CORE_VERSION);
      for (const { account, clientOrderId, orderId } of acknowledged) {
        expect(String(findOrder(state, account, { clientOrderId })?.orderId)).toBe(orderId);
      }
    });

    it('a fresh engine of the new release replays the whole journal and goes on', async () => {
      newEngine.kill('SIGKILL');
      await newEngine.ended();
      await venue.pool.query('DELETE FROM trading_snapshots');
      const { epoch } = await readHead(venue);
      newEngine = await start(THIS_RELEASE, 'engine', settings);
      await expect.poll(async () => (await readHead(venue)).epoch, WAIT).toBe(epoch + 1);
      await trade();
    });

    if (signal !== 'SIGTERM') return;

    it('an old release that comes back stops at the first row of the new one, and says so', async () => {
      // The engine that has just replayed everything leaves a snapshot for the next test.
      await expect.poll(() => countSnapshots(venue), WAIT).toBeGreaterThan(0);
      await venue.pool.query('DELETE FROM trading_snapshots');
      const back = await start(old, 'engine', oldSettings);
      expect(await back.ended()).toBe(1);
      expect(back.said()).toContain('start the release that wrote it');
      await trade();
    });

    it('an old release never leads, even when no other engine does and there is a newer snapshot', async () => {
      await stop(newEngine);
      const machine = await replayAll(venue);
      const { seq, digest, shard } = machine;
      const bytes = machine.snapshot();
      const client = await venue.pool.connect();
      await writeSnapshot(client, { shard, seq, digest, bytes });
      client.release();
      const before = await readHead(venue);
      const back = await start(old, 'engine', oldSettings);
      // It does not know that the snapshot is compressed, takes it for a damaged one, and stops in the journal.
      expect(await back.ended()).toBe(1);
      expect(back.said()).toContain('A snapshot does not have the hash it was written with');
      expect(back.said()).toContain('start the release that wrote it');
      expect(back.said()).not.toContain('The engine is at work.');
      expect(await readHead(venue)).toEqual(before);
      await back.ended();
      newEngine = await start(THIS_RELEASE, 'engine', settings);
      await expect.poll(async () => (await readHead(venue)).epoch, WAIT).toBe(before.epoch + 1);
      await trade();
    });

    it('the new release, too, refuses by name to follow what a newer one wrote', async () => {
      await stop(newEngine);
      await venue.pool.query(
        `INSERT INTO trading_journal (shard, seq, epoch, commands, command_count, digest, engine_seq, core_version)
         SELECT shard, seq + 1, epoch + 1, '1 {"type":"from_the_future"}', 1, digest, engine_seq, 99
           FROM trading_journal ORDER BY seq DESC LIMIT 1`,
      );
      const before = await readHead(venue);
      const behind = await start(THIS_RELEASE, 'engine', settings);
      expect(await behind.ended()).toBe(1);
      expect(behind.said()).toContain(
        `Journal row ${before.seq} of shard 0 was written by version 99 of the matching core`,
      );
      expect(await readHead(venue)).toEqual(before);
    });

    /** Places and cancels an order, which needs a leading engine. */
    async function trade(): Promise<void> {
      const [key] = keys;
      if (key === undefined) throw new Error('the venue has traders');
      const order = {
        symbol: 'btcusdt',
        side: 'buy',
        type: 'limit',
        price: '60000',
        volume: '0.1',
      };
      const clientOrderId = `probe-${Date.now()}`;
      const path = `${newApi.origin}/v1/private/order`;
      await expect
        .poll(
          async () =>
            (await call(key, `${path}/create`, { ...order, clientOrderId }, 'POST')).status,
          WAIT,
        )
        .toBe(200);
      const { body } = await call(key, `${path}/cancel`, { clientOrderId }, 'DELETE');
      expect(body.result).toMatchObject({ status: 'canceled' });
    }
  },
);
