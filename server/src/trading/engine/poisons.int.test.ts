// A core that throws on commands that name a marked order. Each such command costs one recovery,
// only once.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { exampleMarket } from '../../testing/example-market.ts';
import { askByRows, carryOut } from '../../testing/operator-rows.ts';
import { startTestEngine } from '../../testing/server.ts';
import { createEngineClient, type EngineClient } from './client.ts';
import type { ClientCommand, NewCommand } from './command.ts';
import type { EnginePoint } from './lead.ts';
import type { EngineRole } from './run.ts';

const SETUP: readonly NewCommand[] = [
  ...['btc', 'eth', 'usdt'].map((coin): NewCommand => ({
    type: 'list_coin',
    coin,
    networks: ['SIMULATED'],
  })),
  ...[1, 2].flatMap((account): NewCommand[] => [
    { type: 'open_account', account, parent: account },
    {
      type: 'credit_deposit',
      depositId: `d${account}`,
      network: 'SIMULATED',
      coin: 'usdt',
      to: account,
      amount: 10n ** 24n,
    },
  ]),
  ...['btc', 'eth'].flatMap((base): NewCommand[] => [
    { type: 'create_market', config: exampleMarket({ symbol: `${base}usdt`, base }) },
    { type: 'set_phase', symbol: `${base}usdt`, phase: 'continuous' },
  ]),
];

const faulty = {
  probe(point: EnginePoint, text = '') {
    const isFrail = text.includes('unbearable') || /^\{"type":"(?!place).*frail/.test(text);
    // The engine's own halt command does not count.
    if (point === 'applying' && isFrail && !text.includes('because')) throw new Error('Broken.');
  },
};

const place = (account: number, symbol: string, clientOrderId: string): ClientCommand => ({
  type: 'place',
  account,
  checkpoint: Number.MAX_SAFE_INTEGER,
  order: {
    symbol,
    side: 'buy',
    type: 'limit',
    price: 6_000_000,
    priceDecimals: 2,
    volume: 1000,
    volumeDecimals: 6,
    clientOrderId,
  },
});

let test: TestContext;
let engine: EngineRole;
let client: EngineClient;
beforeEach(async () => {
  test = await createTestContext();
  const { bus, database, log, secrets } = test.ctx;
  log.level = 'silent';
  engine = await startTestEngine(test.ctx, faulty);
  client = createEngineClient({
    bus,
    log,
    secrets,
    pool: database.pool,
    answerMs: 10_000,
    underWayMax: 1000,
  });
  await carryOut(test.ctx, SETUP);
});
afterEach(async () => {
  await client.stop();
  await engine.stop();
  await test.close();
});

const phases = async () =>
  Object.fromEntries(
    (await client.read('markets', {})).map(({ config, phase }) => [config.symbol, phase]),
  );
const epoch = async (): Promise<number> => {
  const { rows } = await test.ctx.database.pool.query<{ epoch: bigint }>(
    'SELECT max(epoch) AS epoch FROM trading_journal',
  );
  return Number(rows[0]?.epoch);
};
/** Sends the command, and returns when an engine is at work again. */
async function failureOf(command: ClientCommand): Promise<string> {
  const failure = await client.submit(command).then(
    () => 'no failure',
    ({ kind, message }: { kind: string; message: string }) => `${kind}: ${message}`,
  );
  await expect.poll(() => client.read('head', {}).catch(() => undefined)).toBeDefined();
  return failure;
}

it.each([
  ['cancel', { clientOrderId: 'frail' }],
  ['amend', { clientOrderId: 'frail', price: 1, priceDecimals: 0 }],
  ['cancel_batch', { orders: [{ clientOrderId: 'sound' }, { clientOrderId: 'frail' }] }],
])(
  'a %s that makes the core throw halts the market of its order, and is tried once',
  async (type, rest) => {
    await client.submit(place(2, 'ethusdt', 'sound-eth'));
    await client.submit(place(2, 'btcusdt', 'frail'));
    const command = { type, account: 2, ...rest } as ClientCommand;
    const before = await epoch();
    expect(await failureOf(command)).toMatch(/^fault: The engine could not carry out this command/);
    expect(await phases()).toEqual({ btcusdt: 'halted', ethusdt: 'continuous' });
    expect(await epoch()).toBe(before + 1);
    // The same again, with its members in another order: refused at the door.
    const turned = Object.fromEntries(Object.entries(command).reverse()) as ClientCommand;
    for (const again of [command, turned]) {
      expect(await failureOf(again)).toMatch(/^fault: .*this very command before/);
    }
    expect(await epoch()).toBe(before + 1);
    // The next engine refuses it too.
    await engine.stop();
    engine = await startTestEngine(test.ctx, faulty);
    expect(await failureOf(command)).toMatch(/^fault: .*this very command before/);
    expect(await epoch()).toBe(before + 2);
    expect((await test.ctx.metrics.render()).body).toMatch(
      /rialto_engine_poisoned_total\{.*\} 1\n/,
    );
    // Other accounts, and other commands of the same account, still work.
    expect((await client.submit(place(2, 'ethusdt', 'other'))).result.kind).toBe('placed');
  },
);

it('an order is the same whatever its checkpoint, and another account’s is a different one', async () => {
  const before = await epoch();
  const bad = place(2, 'btcusdt', 'unbearable') as Extract<ClientCommand, { type: 'place' }>;
  expect(await failureOf(bad)).toMatch(/^fault: The engine could not carry out this command/);
  expect(await failureOf({ ...bad, checkpoint: 7 })).toMatch(/this very command before/);
  expect(await epoch()).toBe(before + 1);
  expect(await failureOf({ ...bad, account: 1 })).toMatch(/could not carry out this command/);
  expect(await epoch()).toBe(before + 2);
});

it('many of the same at once cost one recovery', async () => {
  const before = await epoch();
  const bad = place(2, 'btcusdt', 'unbearable');
  const failures = await Promise.all(Array.from({ length: 300 }, () => failureOf(bad)));
  expect(failures.filter((failure) => failure.startsWith('fault'))).toHaveLength(300);
  expect(await epoch()).toBe(before + 1);
});

it('an account that finds one after the other is blocked, and nobody else is affected', async () => {
  const before = await epoch();
  for (let n = 0; n < 12; n += 1) {
    expect(await failureOf(place(2, 'btcusdt', `unbearable-${n}`))).toMatch(/^fault/);
    // A good batch in between does not reset the count.
    expect((await client.submit(place(1, 'ethusdt', `good-${n}`))).result.kind).toBe('placed');
  }
  expect(await epoch()).toBe(before + 5);
  expect(await failureOf(place(2, 'ethusdt', 'innocent'))).toMatch(/until an operator has looked/);
  expect(await client.read('open', { account: 1, limit: 100 })).toHaveLength(12);
  // An operator's command about that account is accepted.
  const [suspended] = await askByRows(test.ctx, [
    '{"type":"suspend_account","account":2,"suspended":true,"cancelOrders":true}',
  ]);
  expect(suspended?.status).toBe('done');
});

it('an account released by an operator is accepted again, also by the next engine, but its bad command is not', async () => {
  for (let n = 0; n < 5; n += 1) await failureOf(place(2, 'btcusdt', `unbearable-${n}`));
  expect(await failureOf(place(2, 'ethusdt', 'early'))).toMatch(/account release/);
  const { id } = await test.ctx.db
    .insertInto('operatorCommands')
    .values({
      command: '{"type":"suspend_account","account":2,"suspended":false,"cancelOrders":false}',
      requestedBy: 'ava@example.com',
      act: 'account resume',
      subject: 'account 2',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const isDone = async () =>
    (
      await test.ctx.db
        .selectFrom('operatorCommands')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).status;
  await expect.poll(isDone, { timeout: 15_000 }).toBe('done');
  expect((await client.submit(place(2, 'ethusdt', 'late'))).result.kind).toBe('placed');
  const before = await epoch();
  expect(await failureOf(place(2, 'btcusdt', 'unbearable-0'))).toMatch(/^fault/);
  expect(await epoch()).toBe(before);
  // Each recovery reloads what is known.
  expect(await failureOf(place(2, 'btcusdt', 'unbearable-new'))).toMatch(/^fault/);
  expect(await epoch()).toBe(before + 1);
  expect((await client.submit(place(2, 'ethusdt', 'later'))).result.kind).toBe('placed');
});

it('an operator’s row that makes the core throw is refused, and its repetition costs no recovery', async () => {
  const before = await epoch();
  const text = '{"type":"open_account","account":7,"parent":7,"because":"frail"}';
  const row = '{"type":"set_phase","symbol":"frail","phase":"halted"}';
  const ends = await askByRows(test.ctx, [text, row, row]);
  expect(ends.map(({ status }) => status)).toEqual(['done', 'refused', 'refused']);
  const [again] = await askByRows(test.ctx, [row]);
  expect(again).toMatchObject({ status: 'refused', result: { kind: 'fault' } });
  expect(await epoch()).toBe(before + 1);
});
