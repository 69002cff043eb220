import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from '@rialto/matching';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { exampleMarket } from '../../testing/example-market.ts';
import { carryOut } from '../../testing/operator-rows.ts';
import { startTestEngine } from '../../testing/server.ts';
import { createEngineClient, type EngineClient } from './client.ts';
import type { ClientCommand, NewCommand } from './command.ts';
import { EngineFailure } from './door.ts';
import { unpackOutcomes } from './outcomes.ts';
import type { EnginePoint } from './lead.ts';
import type { EngineRole } from './run.ts';
import { MEASURED } from '../../testing/measured.ts';

const MARKET = exampleMarket();

const SETUP: readonly NewCommand[] = [
  { type: 'list_coin', coin: 'btc', networks: ['BTC', 'SIMULATED'] },
  { type: 'list_coin', coin: 'usdt', networks: ['ETH', 'SIMULATED'] },
  { type: 'open_account', account: 1, parent: 1 },
  { type: 'open_account', account: 2, parent: 2 },
  {
    type: 'credit_deposit',
    depositId: 'd1',
    network: 'SIMULATED',
    coin: 'btc',
    to: 1,
    amount: 10n ** 20n,
  },
  {
    type: 'credit_deposit',
    depositId: 'd2',
    network: 'SIMULATED',
    coin: 'usdt',
    to: 2,
    amount: 10n ** 24n,
  },
  { type: 'create_market', config: MARKET },
  { type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' },
  { type: 'list_coin', coin: 'eth', networks: ['ETH'] },
  { type: 'create_market', config: { ...MARKET, symbol: 'ethusdt', base: 'eth' } },
  { type: 'set_phase', symbol: 'ethusdt', phase: 'continuous' },
];

const limit = (
  account: number,
  side: 'buy' | 'sell',
  price: number,
  clientOrderId?: string,
): ClientCommand => ({
  type: 'place',
  account,
  checkpoint: Number.MAX_SAFE_INTEGER,
  order: {
    symbol: 'btcusdt',
    side,
    type: 'limit',
    price,
    priceDecimals: 2,
    volume: 1000,
    volumeDecimals: 6,
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
  },
});

let test: TestContext;
let engine: EngineRole;
let client: EngineClient;
afterEach(async () => {
  await client.stop();
  await engine.stop();
  await test.close();
});

/** A core that throws on orders whose client id asks for it. */
const faulty = {
  probe(point: EnginePoint, text?: string) {
    if (point === 'applying' && text?.includes('unbearable')) throw new Error('A broken core.');
  },
};

async function open(settings: Record<string, string> = {}): Promise<void> {
  test = await createTestContext(settings);
  engine = await startTestEngine(test.ctx, faulty);
  client = makeClient();
}

const makeClient = () =>
  createEngineClient({
    bus: test.ctx.bus,
    pool: test.ctx.database.pool,
    log: test.ctx.log,
    secrets: test.ctx.secrets,
    answerMs: 5000,
    underWayMax: 100_000,
  });

async function restart(): Promise<void> {
  await engine.stop();
  engine = await startTestEngine(test.ctx, faulty);
}

async function setUp(): Promise<void> {
  await carryOut(test.ctx, SETUP);
}

const rows = async <T extends object>(statement: string) =>
  (await test.ctx.database.pool.query<T>(statement)).rows;

describe('the engine', () => {
  it('answers after the commit, and has the same state after a restart', async () => {
    await open();
    await setUp();
    const sell = await client.submit(limit(1, 'sell', 6_500_000, 'a'));
    expect(sell.result).toMatchObject({ kind: 'placed', order: { status: 'open' } });
    const buy = await client.submit(limit(2, 'buy', 6_500_000));
    expect(buy.steps[0]?.trades).toHaveLength(1);
    const before = await client.read('balances', { account: 2 });
    expect(before.find(({ coin }) => coin === 'btc')?.available).toBeGreaterThan(0n);
    await restart();
    expect(await client.read('balances', { account: 2 })).toEqual(before);
    const again = await client.submit(limit(1, 'sell', 6_500_000, 'a'));
    expect(again.result).toMatchObject({ kind: 'placed', replay: true });
    const journal = await rows<{ epochs: number; rows: number; last: number }>(
      'SELECT count(DISTINCT epoch)::int AS epochs, count(*)::int AS rows, max(seq)::int AS last FROM trading_journal',
    );
    expect(journal[0]?.epochs).toBe(2);
    expect(journal[0]?.rows).toBe(journal[0]?.last);
  });

  it('waiting commands share a row, and every row has its events', async () => {
    await open();
    await setUp();
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, (_, n) => client.submit(limit(2, 'buy', 6_000_000 - n))),
    );
    const placed = outcomes.filter(({ result }) => result.kind === 'placed');
    expect(placed).toHaveLength(200);
    const counts = await rows<{ rows: number; commands: number; events: number }>(
      `SELECT count(*)::int AS rows, sum(command_count)::int AS commands,
              (SELECT count(*)::int FROM (SELECT FROM outbox WHERE type = 'trading_batch'
                UNION ALL SELECT FROM event_log WHERE type = 'trading_batch') e) AS events
         FROM trading_journal`,
    );
    expect(counts[0]?.rows).toBeLessThan(30);
    expect(counts[0]?.events).toBe(counts[0]?.rows);
    const stored = await rows<{ payload: string }>(
      "SELECT payload FROM outbox WHERE type = 'trading_batch' ORDER BY id",
    );
    const said = stored.flatMap(({ payload }) => unpackOutcomes(payload));
    expect(said).toHaveLength(counts[0]?.commands ?? -1);
    expect(said.slice(-500).map(({ result }) => result)).toEqual(
      outcomes.map(({ result }) => result),
    );
  });

  it('a snapshot is a short cut: the same state, and the digests continue', async () => {
    await open({ ENGINE_SNAPSHOT_COMMANDS: '1000' });
    await setUp();
    for (let round = 0; round < 3; round += 1) {
      const placed = await Promise.all(
        Array.from({ length: 180 }, (_, n) =>
          client.submit(limit(2, 'buy', 6_000_000 - n, `r${round}-${n}`)),
        ),
      );
      await Promise.all(placed.map(({ result }) => cancelOf(result)));
    }
    await client.submit(limit(2, 'buy', 6_100_000, 'last'));
    await expect
      .poll(() => rows('SELECT FROM trading_snapshots'), { timeout: 20_000 })
      .not.toHaveLength(0);
    const before = await client.read('open', { account: 2, limit: 1000 });
    await restart();
    expect(await client.read('open', { account: 2, limit: 1000 })).toEqual(before);
    // A damaged snapshot is detected and not used.
    await engine.stop();
    await test.owner.query(
      'UPDATE trading_snapshot_parts SET bytes = set_byte(bytes, 200, (get_byte(bytes, 200) + 1) % 256)',
    );
    test.ctx.log.level = 'silent';
    engine = await startTestEngine(test.ctx, faulty);
    expect(await client.read('open', { account: 2, limit: 1000 })).toEqual(before);
  });

  it('an orderly stop leaves a snapshot of its last row, or none when that takes too long', async () => {
    await open();
    await setUp();
    await client.submit(limit(2, 'buy', 6_000_000));
    const ends = () =>
      rows<{ journal: number; snapshot: number }>(
        `SELECT (SELECT max(seq)::int FROM trading_journal) AS journal,
                (SELECT max(seq)::int FROM trading_snapshots) AS snapshot`,
      );
    await engine.stop();
    const [end] = await ends();
    expect(end?.snapshot).toBe(end?.journal);
    engine = await startTestEngine(test.ctx, faulty);
    expect(await client.read('open', { account: 2, limit: 10 })).toHaveLength(1);
    const { body } = await test.ctx.metrics.render();
    expect(body).toMatch(new RegExp(`rialto_engine_snapshot_seq\\{.*\\} ${end?.snapshot}\n`));
    await client.submit(limit(2, 'buy', 6_000_001));
    // With a blocked disk, the stop does not wait for the snapshot.
    const blocker = await test.owner.connect();
    await blocker.query('BEGIN; LOCK TABLE trading_snapshots IN ACCESS EXCLUSIVE MODE');
    test.ctx.log.level = 'silent';
    const startedMs = performance.now();
    await engine.stop();
    expect(performance.now() - startedMs).toBeLessThan(4500);
    await blocker.query('ROLLBACK');
    blocker.release();
    expect((await ends())[0]?.snapshot).toBe(end?.snapshot);
    engine = await startTestEngine(test.ctx, faulty);
    expect(await client.read('open', { account: 2, limit: 10 })).toHaveLength(2);
  }, 20_000);

  it('its metrics show who leads, how long things wait and take, and how much it holds', async () => {
    await open({ ENGINE_HEARTBEAT_MS: '20' });
    await setUp();
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => client.submit(limit(2, 'buy', 6_000_000 - n))),
    );
    const value = async (name: string, labels = '') => {
      const { body } = await test.ctx.metrics.render();
      return Number(new RegExp(`^${name}\\{${labels}.*\\} (\\S+)$`, 'm').exec(body)?.[1]);
    };
    expect(await value('rialto_engine_leading')).toBe(1);
    expect(await value('rialto_engine_epoch')).toBe(1);
    await expect.poll(() => value('rialto_engine_size', 'of="orders_live"')).toBe(50);
    expect(await value('rialto_engine_size', 'of="accounts"')).toBe(2);
    const batches = await value('rialto_engine_apply_seconds_count');
    expect(batches).toBeGreaterThan(0);
    expect(await value('rialto_engine_queue_seconds_count')).toBe(batches);
    expect(await value('rialto_engine_batch_requests_sum')).toBeGreaterThan(50);
    expect(await value('rialto_engine_poisoned_total')).toBe(0);
    await restart();
    expect(await value('rialto_engine_epoch')).toBe(2);
    await engine.stop();
    expect(await value('rialto_engine_leading')).toBe(0);
  });

  it('operators’ commands are done once, and marked in the same commit', async () => {
    await open();
    await setUp();
    await test.ctx.database.pool.query(
      `INSERT INTO operator_commands (command, requested_by) VALUES
         ('{"type":"set_phase","symbol":"btcusdt","phase":"halted"}', 'test'),
         ('{"type":"set_phase","symbol":"nothere","phase":"halted"}', 'test')`,
    );
    const asked = () =>
      rows<{ status: string; journal_seq: bigint; result: { kind: string } }>(
        "SELECT status, journal_seq, result FROM operator_commands WHERE requested_by = 'test' ORDER BY id",
      );
    await expect
      .poll(async () => (await asked()).map(({ status }) => status))
      .toEqual(['done', 'refused']);
    expect((await client.submit(limit(2, 'buy', 6_000_000))).result).toMatchObject({
      kind: 'rejected',
      rejection: { code: 4004 },
    });
    await restart();
    expect((await asked()).map(({ result }) => result.kind)).toEqual(['done', 'rejected']);
  });

  it('timers fire when nothing arrives, and before anything else after a restart', async () => {
    await open();
    await setUp();
    await client.submit(limit(2, 'buy', 6_000_000));
    const { result } = await client.submit({
      type: 'cancel_all_after',
      account: 2,
      timeoutMs: 5000,
    });
    expect(result.kind).toBe('timer');
    await engine.stop();
    await delay(5100);
    engine = await startTestEngine(test.ctx);
    expect(await client.read('open', { account: 2, limit: 10 })).toEqual([]);
    const ended = await client.read('order', { account: 2, orderId: 1 });
    expect(ended).toMatchObject({ status: 'canceled', statusReason: 'dead_man' });
  }, 20_000);

  it('a command whose window passed while it waited has no effect', async () => {
    await open();
    await setUp();
    const late = client.submit(limit(2, 'buy', 6_000_000), { deadlineMs: Date.now() - 1 });
    await expect(late).rejects.toMatchObject({ name: 'EngineFailure', kind: 'late' });
    expect(await client.read('open', { account: 2, limit: 10 })).toEqual([]);
  });

  it(
    'beyond capacity the answer comes at once and says that nothing was done',
    MEASURED,
    async () => {
      await open({ ENGINE_QUEUE_MAX: '50' });
      await setUp();
      const startedMs = performance.now();
      const settled = await Promise.allSettled(
        Array.from({ length: 400 }, (_, n) => client.submit(limit(2, 'buy', 6_000_000 - n))),
      );
      const refused = settled.filter((one) => one.status === 'rejected');
      expect(refused.length).toBeGreaterThan(0);
      for (const { reason } of refused) {
        expect(reason).toBeInstanceOf(EngineFailure);
        expect(reason).toMatchObject({ kind: 'unavailable' });
      }
      const done = settled.length - refused.length;
      expect(await client.read('open', { account: 2, limit: 1000 })).toHaveLength(done);
      expect(performance.now() - startedMs).toBeLessThan(5000);
    },
  );

  it('when the database is slow, requests that would wait too long are refused at once, and the rest is done', async () => {
    await open({ ENGINE_WAIT_MS: '100' });
    await setUp();
    const blocker = await test.owner.connect();
    await blocker.query('BEGIN; LOCK TABLE trading_journal IN SHARE ROW EXCLUSIVE MODE');
    let isBlocked = true;
    const attempts: Promise<'done' | 'refused' | 'refused late'>[] = [];
    for (let wave = 0; wave < 14; wave += 1) {
      for (let n = 0; n < 500; n += 1) {
        attempts.push(
          client.submit(limit(2, 'buy', 6_000_000 - wave * 500 - n)).then(
            () => 'done' as const,
            (error: unknown) => {
              expect(error).toMatchObject({ kind: 'unavailable' });
              return isBlocked ? 'refused' : 'refused late';
            },
          ),
        );
      }
      await delay(1);
    }
    // An operator's command is accepted all the same.
    await test.ctx.database.pool.query(
      `INSERT INTO operator_commands (command, requested_by)
       VALUES ('{"type":"set_phase","symbol":"ethusdt","phase":"halted"}', 'test')`,
    );
    await delay(300);
    isBlocked = false;
    await blocker.query('ROLLBACK');
    blocker.release();
    const ends = await Promise.all(attempts);
    const count = (wanted: string) => ends.filter((end) => end === wanted).length;
    expect(count('refused')).toBeGreaterThan(1000);
    // A refused request does not wait for the disk.
    expect(count('refused late')).toBe(0);
    expect(count('done')).toBeGreaterThan(0);
    await expect
      .poll(() =>
        rows<{ status: string }>(
          "SELECT status FROM operator_commands WHERE requested_by = 'test'",
        ),
      )
      .toEqual([{ status: 'done' }]);
    expect((await client.submit(limit(1, 'sell', 7_000_000))).result.kind).toBe('placed');
  });

  it('a command that makes the core throw halts only its market', async () => {
    await open();
    await setUp();
    test.ctx.log.level = 'silent';
    const outcomes = await Promise.allSettled([
      client.submit(limit(2, 'buy', 6_000_001)),
      client.submit(limit(2, 'buy', 6_000_003, 'unbearable')),
      client.submit(limit(2, 'buy', 6_000_002)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { kind: 'fault' } });
    // The other commands of its batch were done again, in their order, after the halt.
    const phases = Object.fromEntries(
      (await client.read('markets', {})).map(({ config, phase }) => [config.symbol, phase]),
    );
    expect(phases).toEqual({ btcusdt: 'halted', ethusdt: 'continuous' });
    const journal = await rows<{ commands: string }>(
      "SELECT commands FROM trading_journal WHERE commands LIKE '%because%'",
    );
    expect(journal).toHaveLength(1);
    await restart();
    expect(engine.epoch()).toBe(3);
  });
});

async function cancelOf(result: Outcome['result']): Promise<Outcome> {
  if (result.kind !== 'placed') throw new Error(`not placed: ${JSON.stringify(result)}`);
  return client.submit({ type: 'cancel', account: 2, orderId: result.order.orderId });
}
