import { afterEach, expect, it } from 'vitest';
import { ringEngine } from '../../platform/bus/bells.ts';
import { startRelay } from '../../platform/events/relay.ts';
import { pause } from '../../platform/std/wait.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { relayOptions, startTestEngine } from '../../testing/server.ts';
import { listOpenCommands } from '../operators/access.ts';
import { describeCommand } from '../operators/explain.ts';
import { startProjector } from '../projections/projector.ts';
import { createEngineClient, type EngineClient } from './client.ts';
import { encodeCommand, type NewCommand } from './command.ts';
import type { EngineRole } from './run.ts';

/** The least that can be configured. */
const MEMORY = 1000;
const DEPOSITS = 1100;
const WAIT_MS = 60_000;

let test: TestContext;
let engine: EngineRole;
let client: EngineClient;
let parts: Array<{ stop(): Promise<void> }> = [];

async function open({ projects }: { projects: boolean }): Promise<void> {
  test = await createTestContext({ ENGINE_MEMORY_ORDERS: String(MEMORY) });
  const { ctx } = test;
  engine = await startTestEngine(ctx);
  client = createEngineClient({
    bus: ctx.bus,
    pool: ctx.database.pool,
    log: ctx.log,
    secrets: ctx.secrets,
    answerMs: 10_000,
    underWayMax: 100,
  });
  if (projects) startProjections();
  await ask([
    { type: 'list_coin', coin: 'usdt', networks: ['ETH', 'SIMULATED'] },
    { type: 'open_account', account: 1, parent: 1 },
    { type: 'open_account', account: 2, parent: 2 },
  ]);
}

function startProjections(): void {
  parts = [startProjector(test.ctx), startRelay(relayOptions(test.ctx))];
}

afterEach(async () => {
  await client.stop();
  await engine.stop();
  for (const part of parts) await part.stop();
  parts = [];
  await test.close();
});

interface Ended {
  readonly status: string;
  readonly result: { kind: string; replay?: boolean; rejection?: { code: number } } | null;
  readonly waitsFor: string;
}

/**
 * Writes the rows and returns their results, once all have ended, or all that are left are held
 * back.
 */
async function ask(commands: readonly NewCommand[], until = 'ended'): Promise<Ended[]> {
  const { db } = test.ctx;
  const rows = await db
    .insertInto('operatorCommands')
    .values(commands.map((one) => ({ command: encodeCommand(one), requestedBy: 'test' })))
    .returning('id')
    .execute();
  ringEngine(test.ctx);
  const ids = rows.map((row) => row.id);
  const untilMs = performance.now() + WAIT_MS;
  for (;;) {
    const found = await db
      .selectFrom('operatorCommands')
      .select(['status', 'result', 'waitsFor'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute();
    const isOver = found.every(
      ({ status, waitsFor }) => status !== 'waiting' || (until === 'held' && waitsFor !== ''),
    );
    if (isOver || performance.now() > untilMs) return found as Ended[];
    await pause(20);
  }
}

const deposit = (n: number, amount = 10n): NewCommand => ({
  type: 'credit_deposit',
  depositId: `d${n}`,
  network: 'SIMULATED',
  coin: 'usdt',
  to: 1,
  amount,
});

async function available(account: number): Promise<bigint> {
  const balances = await client.read('balances', { account });
  return balances.find(({ coin }) => coin === 'usdt')?.available ?? -1n;
}

it('a deposit moves its balance once, however many were made since the engine forgot the first', async () => {
  await open({ projects: true });
  const made = await ask(Array.from({ length: DEPOSITS }, (_, n) => deposit(n)));
  expect(
    made.filter(({ result }) => result?.kind === 'moved' && result.replay === false),
  ).toHaveLength(DEPOSITS);
  expect(await available(1)).toBe(BigInt(DEPOSITS) * 10n);

  const [again, other, transferred] = await ask([
    deposit(0),
    deposit(1, 11n),
    { type: 'transfer', transferId: 't', from: 1, to: 2, coin: 'usdt', amount: 7n },
  ]);
  expect(again).toMatchObject({ status: 'done', result: { kind: 'moved', replay: true } });
  expect(other).toMatchObject({ status: 'refused', result: { rejection: { code: 5011 } } });
  expect(transferred).toMatchObject({ status: 'done', result: { kind: 'moved', replay: false } });

  await engine.stop();
  engine = await startTestEngine(test.ctx);
  const [afterRestart] = await ask([deposit(2)]);
  expect(afterRestart).toMatchObject({ status: 'done', result: { kind: 'moved', replay: true } });
  expect(await available(1)).toBe(BigInt(DEPOSITS) * 10n - 7n);
  // The checkpoint is in the journal, so that a replay decides alike.
  const { rows } = await test.ctx.database.pool.query<{ found: boolean }>(
    `SELECT bool_or(commands LIKE '%"transferId":"t"%"checkpoint":%') AS found FROM trading_journal`,
  );
  expect(rows[0]?.found).toBe(true);
});

it('a repeated withdrawal that ended long ago reports its end, and moves nothing again', async () => {
  await open({ projects: true });
  const withdrawal = (id: string, fee = 1n): NewCommand => ({
    type: 'request_withdrawal',
    withdrawalId: id,
    account: 1,
    coin: 'usdt',
    network: 'SIMULATED',
    amount: 5n,
    fee,
  });
  const settle = (id: string): NewCommand => ({ type: 'settle_withdrawal', withdrawalId: id });
  const cancel = (id: string): NewCommand => ({ type: 'cancel_withdrawal', withdrawalId: id });
  const before = [deposit(-1), withdrawal('w1'), settle('w1'), withdrawal('w2'), cancel('w2')];
  expect((await ask(before)).map(({ status }) => status)).toEqual(before.map(() => 'done'));
  await ask(Array.from({ length: MEMORY + 10 }, (_, n) => deposit(n)));
  const repeated = [settle('w1'), cancel('w1'), settle('w2'), cancel('w2'), settle('never')];
  const again = await ask([...repeated, withdrawal('w1'), withdrawal('w2'), withdrawal('w2', 2n)]);
  expect(again.map(({ result }) => result)).toMatchObject([
    { kind: 'moved', replay: true },
    { kind: 'rejected', rejection: { code: 5010, details: { status: 'settled' } } },
    { kind: 'rejected', rejection: { code: 5010, details: { status: 'canceled' } } },
    { kind: 'moved', replay: true },
    { kind: 'rejected', rejection: { code: 5010, details: { status: 'unknown' } } },
    { kind: 'moved', replay: true },
    { kind: 'moved', replay: true },
    { kind: 'rejected', rejection: { code: 5011 } },
  ]);
  expect(await available(1)).toBe(BigInt(MEMORY + 11) * 10n - 5n);
});

it('a repeated reversal that the engine has forgotten answers as it did, also if it took nothing', async () => {
  await open({ projects: true });
  const reversal = (depositId: string, amount = 10n): NewCommand => ({
    type: 'reverse_deposit',
    network: 'SIMULATED',
    depositId,
    part: 0,
    coin: 'usdt',
    account: 2,
    amount,
    cover: true,
  });
  const cost: NewCommand = {
    type: 'book_chain_cost',
    costId: 'x',
    network: 'SIMULATED',
    coin: 'usdt',
    amount: 3n,
  };
  const fund = { ...deposit(-1), to: 'adjustments' } as NewCommand;
  const first = await ask([reversal('nothing'), cost, fund, cost, reversal('some')]);
  expect(first.map(({ result }) => result)).toMatchObject([
    { kind: 'moved', replay: false, taken: '0', missing: '10' },
    { kind: 'rejected', rejection: { code: 5001 } },
    { kind: 'moved' },
    { kind: 'moved', replay: false },
    { kind: 'moved', replay: false, taken: '7', missing: '3' },
  ]);
  await ask(
    Array.from({ length: MEMORY + 10 }, (_, n) => ({ ...deposit(n), to: 2 }) as NewCommand),
  );
  const again = await ask([reversal('nothing'), cost, reversal('some'), reversal('some', 11n)]);
  expect(again.map(({ result }) => result)).toMatchObject([
    { kind: 'moved', replay: true, taken: '0', missing: '10' },
    { kind: 'moved', replay: true },
    { kind: 'moved', replay: true, taken: '7', missing: '3' },
    { kind: 'rejected', rejection: { code: 5011 } },
  ]);
  expect(await available(2)).toBe(BigInt(MEMORY + 10) * 10n);
});

it('without projections a movement waits, says for what, delays no other, and is made when they come', async () => {
  await open({ projects: false });
  const first = await ask(
    Array.from({ length: DEPOSITS }, (_, n) => deposit(n)),
    'held',
  );
  const done = first.filter(({ status }) => status === 'done');
  expect(done.length).toBeGreaterThan(MEMORY);
  expect(done.length).toBeLessThan(DEPOSITS);
  expect(done.every(({ result }) => result?.kind === 'moved')).toBe(true);
  expect(await available(1)).toBe(BigInt(done.length) * 10n);
  const [opened] = await ask([{ type: 'open_account', account: 3, parent: 3 }]);
  expect(opened?.status).toBe('done');
  const [held] = await listOpenCommands(test.ctx.db, 10);
  expect(held).toMatchObject({ status: 'waiting', waitsFor: 'projection' });
  expect(describeCommand(held!)).toContain('The engine waits for the projections');

  startProjections();
  const [last] = await ask([deposit(0)]);
  expect(last).toMatchObject({ status: 'done', result: { kind: 'moved', replay: true } });
  expect(await available(1)).toBe(BigInt(DEPOSITS) * 10n);
});
