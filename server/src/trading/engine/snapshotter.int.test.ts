import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../platform/context.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { startTestEngine } from '../../testing/server.ts';
import { createEngineClient, type EngineClient } from './client.ts';
import { firstConfig, recover } from './recover.ts';
import { startEngine, type EngineRole } from './run.ts';
import { listSnapshots } from './snapshot-store.ts';
import { readHead } from './store.ts';

const EVERY = 40;

let test: TestContext;
let ctx: Context;
let client: EngineClient;
const engines: EngineRole[] = [];
/** Which engines have written a snapshot, in order. */
let writers: string[] = [];

/** The context of one of the engines; its log notes the snapshots. */
function contextOf(id: string): Context {
  const log = Object.create(ctx.log) as Context['log'];
  log.debug = (_: unknown, text?: string) => {
    if (text?.startsWith('A snapshot of the engine was written') === true) writers.push(id);
  };
  return { ...ctx, id, log };
}

beforeEach(async () => {
  test = await createTestContext();
  // With a bus other engines are possible; a lone process would lead without looking.
  const config = {
    ...test.ctx.config,
    ENGINE_SNAPSHOT_COMMANDS: EVERY,
    NATS_URL: 'nats://shared',
    // Only a leader that has stopped is followed; one that a busy machine holds up for seconds still leads.
    ENGINE_TAKEOVER_MS: 10_000,
  };
  ctx = { ...test.ctx, config };
  writers = [];
});
afterEach(async () => {
  await client.stop();
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
  await test.close();
});

async function startLeader(): Promise<EngineRole> {
  const leader = await startTestEngine(contextOf('leader'));
  engines.push(leader);
  client = createEngineClient({
    bus: ctx.bus,
    pool: ctx.database.pool,
    log: ctx.log,
    secrets: ctx.secrets,
    answerMs: 5000,
    underWayMax: 1000,
  });
  return leader;
}

function startStandby(): EngineRole {
  const standby = startEngine(contextOf('standby'), { onFatal: () => {} });
  engines.push(standby);
  return standby;
}

/** Commands that are refused, and journaled. */
async function sendCommands(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    await client.submit({ type: 'cancel_all_after', account: 99, timeoutMs: 0 });
  }
}

const newestSeq = async (): Promise<number> =>
  (await listSnapshots(ctx.database.pool, 0))[0]?.seq ?? 0;

async function sendUntilSnapshotAfter(seq: number): Promise<number> {
  await expect
    .poll(
      async () => {
        await sendCommands(5);
        return newestSeq();
      },
      { timeout: 20_000, interval: 50 },
    )
    .toBeGreaterThan(seq);
  return newestSeq();
}

it('a standby writes the snapshots, and an engine starts from one of them', async () => {
  const leader = await startLeader();
  const standby = startStandby();
  // The leader waits three seconds before its first. After some of the standby's it leaves them all to it.
  for (let i = 0; i < 6; i += 1) await sendUntilSnapshotAfter(await newestSeq());
  await expect.poll(() => writers.length).toBeGreaterThanOrEqual(6);
  expect(writers.slice(-2)).toEqual(['standby', 'standby']);
  const machine = await recover(ctx.database.pool, firstConfig(0), ctx.log);
  expect(machine.restoredSeq).toBe(await newestSeq());
  expect(machine.seq).toBe((await readHead(ctx.database.pool, 0)).seq);
  expect(leader.epoch()).toBeDefined();
  expect(standby.epoch()).toBeUndefined();
});

it('a leader whose standby has died writes the next snapshot itself', async () => {
  await startLeader();
  const standby = startStandby();
  const byStandby = await sendUntilSnapshotAfter(0);
  await standby.stop();
  engines.splice(1);
  const before = await newestSeq();
  expect(before).toBeGreaterThanOrEqual(byStandby);
  const byLeader = await sendUntilSnapshotAfter(before);
  await expect.poll(() => writers.at(-1)).toBe('leader');
  const machine = await recover(ctx.database.pool, firstConfig(0), ctx.log);
  expect(machine.restoredSeq).toBe(byLeader);
  expect(machine.seq).toBe((await readHead(ctx.database.pool, 0)).seq);
});

it('a leader alone writes snapshots', async () => {
  await startLeader();
  const first = await sendUntilSnapshotAfter(0);
  await sendUntilSnapshotAfter(first);
  await expect.poll(() => writers).toEqual(expect.arrayContaining(['leader', 'leader']));
});

it('a standby that takes over in the middle leaves no snapshot of rows that are not in the journal', async () => {
  const leader = await startLeader();
  const standby = startStandby();
  await sendUntilSnapshotAfter(0);
  await leader.stop();
  engines.splice(0, 1);
  await expect.poll(() => standby.epoch(), { timeout: 20_000 }).toBeDefined();
  await sendUntilSnapshotAfter(await newestSeq());
  const head = await readHead(ctx.database.pool, 0);
  for (const { seq, digest } of await listSnapshots(ctx.database.pool, 0)) {
    expect(seq).toBeLessThanOrEqual(head.seq);
    const { rows } = await ctx.database.pool.query<{ digest: Buffer }>(
      'SELECT digest FROM trading_journal WHERE shard = 0 AND seq = $1',
      [seq],
    );
    expect(rows[0]?.digest).toEqual(digest);
  }
});
