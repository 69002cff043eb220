import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { liveVenue, type LiveVenue } from '../../testing/live-venue.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { createEngineClient, type EngineClient } from '../engine/client.ts';
import { awaitCommand } from '../operators/actions.ts';
import { simulateDeposit } from './actions.ts';
import { depositSimulated, describeCustody } from './simulated.ts';

let server: TestServer;
let venue: LiveVenue;
let engine: EngineClient;
beforeAll(async () => {
  server = await startTestServer({ withEngine: true });
  venue = await liveVenue(server);
  const { bus, database, log, secrets } = server.ctx;
  engine = createEngineClient({
    bus,
    log,
    secrets,
    pool: database.pool,
    answerMs: 5000,
    underWayMax: 100,
  });
});
afterAll(async () => {
  await engine.stop();
  await server.close();
});

it('a simulated deposit is credited once, also in a coin without networks', async () => {
  const { ctx } = server;
  const trader = await venue.trader({});
  const deposit = { to: Number(trader.accountId), coin: 'irt', amount: 5n, id: 'sim-once' };
  for (const ids of [
    await depositSimulated(ctx, [deposit]),
    await depositSimulated(ctx, [deposit]),
  ]) {
    for (const id of ids) expect((await awaitCommand(ctx, id, 10_000)).status).toBe('done');
  }
  const balances = await engine.read('balances', { account: deposit.to });
  expect(balances.find(({ coin }) => coin === 'irt')?.available).toBe(5n);
  const coins = await fetch(`${server.baseUrl}/public/coins_info?symbol=irt`);
  // Only the engine knows this network; clients never see it.
  expect(await coins.text()).not.toContain('SIMULATED');
});

it('an operator can deposit by hand, and the audit log records it', async () => {
  const { ctx } = server;
  const terms = { to: 'adjustments', coin: 'usdt', amount: '12.5' } as const;
  const id = await simulateDeposit(ctx, venue.operator, terms);
  expect((await awaitCommand(ctx, id, 10_000)).status).toBe('done');
  const outcomes = await ctx.db
    .selectFrom('auditLog')
    .select('outcome')
    .where('commandId', '=', id)
    .orderBy('seq')
    .execute();
  expect(outcomes).toEqual([{ outcome: 'requested' }, { outcome: 'done' }]);
  const none = simulateDeposit(ctx, venue.operator, { ...terms, amount: '0' });
  await expect(none).rejects.toThrow('amount must be a decimal number above zero');
});

it('with real money they are refused, and nothing is written', async () => {
  const real: TestContext = await createTestContext({ MONEY: 'real' });
  try {
    const before = await real.ctx.db.selectFrom('operatorCommands').select('id').execute();
    const deposit = { to: 1, coin: 'usdt', amount: 5n };
    await expect(depositSimulated(real.ctx, [deposit])).rejects.toThrow('MONEY=real');
    const byHand = simulateDeposit(real.ctx, venue.operator, { to: 1, coin: 'usdt', amount: '5' });
    await expect(byHand).rejects.toThrow('MONEY=real');
    const after = await real.ctx.db.selectFrom('operatorCommands').select('id').execute();
    expect(after).toEqual(before);
  } finally {
    await real.close();
  }
  expect(describeCustody({ MONEY: 'real' })).toMatchObject({ simulated: false, networks: [] });
  expect(describeCustody({ MONEY: 'simulated' }).note).toContain('simulated');
});
