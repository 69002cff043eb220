// A corrupt memory with correct hashes and digests: the test brings it in as a snapshot.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../platform/observe/log.ts';
import type { Context } from '../../platform/context.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { exampleMarket } from '../../testing/example-market.ts';
import { startTestEngine } from '../../testing/server.ts';
import { TestJournal } from '../../testing/trading/journal.ts';
import { createEngineClient, type EngineClient } from './client.ts';
import type { EngineRole } from './run.ts';
import { writeSnapshot } from './snapshot-store.ts';

let test: TestContext;
let ctx: Context;
let journal: TestJournal;
let engine: EngineRole | undefined;
let client: EngineClient | undefined;
beforeEach(async () => {
  test = await createTestContext();
  ctx = { ...test.ctx, log: createLog('silent', {}) };
  journal = new TestJournal(ctx);
  journal.apply({ type: 'list_coin', coin: 'btc', networks: ['BTC'], time: 1000 });
  for (const coin of ['usdt', 'eth']) journal.apply({ type: 'list_coin', coin, networks: ['ETH'] });
  journal.apply({ type: 'open_account', account: 1, parent: 1 });
  for (const base of ['btc', 'eth']) {
    journal.apply({
      type: 'create_market',
      config: exampleMarket({ symbol: `${base}usdt`, base }),
    });
    journal.apply({ type: 'set_phase', symbol: `${base}usdt`, phase: 'continuous' });
  }
  journal.apply({
    type: 'credit_deposit',
    depositId: 'd',
    network: 'BTC',
    coin: 'btc',
    to: 1,
    amount: 10n ** 21n,
  });
  const order = { symbol: 'btcusdt', side: 'sell', type: 'limit', price: 6_500_000 } as const;
  journal.apply({
    type: 'place',
    account: 1,
    order: { ...order, priceDecimals: 2, volume: 1000, volumeDecimals: 6 },
  });
  await journal.commit();
});
afterEach(async () => {
  await client?.stop();
  await engine?.stop();
  await test.close();
});

async function keepSnapshot(): Promise<void> {
  const { machine } = journal;
  const bytes = machine.snapshot();
  const { seq, digest } = machine;
  const connection = await ctx.database.pool.connect();
  await writeSnapshot(connection, { shard: 0, seq, digest, bytes });
  connection.release();
}

async function lead(): Promise<Record<string, string>> {
  engine = await startTestEngine(ctx);
  const { bus, database, log, secrets } = ctx;
  client = createEngineClient({
    bus,
    log,
    secrets,
    pool: database.pool,
    answerMs: 5000,
    underWayMax: 100,
  });
  const markets = await client.read('markets', {});
  return Object.fromEntries(markets.map(({ config, phase }) => [config.symbol, phase]));
}

const halts = async () => {
  const { rows } = await ctx.database.pool.query<{ symbol: string; subject: string }>(
    "SELECT symbol, subject FROM invariant_halts WHERE found_by = 'engine' ORDER BY symbol",
  );
  return rows.map(({ symbol, subject }) => `${symbol}: ${subject}`);
};

/** Gives the account more than was deposited. */
function mint(): void {
  const { state } = journal.machine;
  const account = state.accounts.find(({ id }) => id === 1);
  const row = account?.rows[state.coinIndex.get('btc') ?? -1] ?? 0;
  const at = row * 9;
  state.rows[at] = (state.rows[at] ?? 0) + 1;
}

it('an engine halts the markets of a coin whose ledger is wrong before it takes an order', async () => {
  mint();
  await keepSnapshot();
  expect(await lead()).toEqual({ btcusdt: 'halted', ethusdt: 'continuous' });
});

it('it records the reason, in the journal and for the two operators who release them', async () => {
  mint();
  await keepSnapshot();
  await lead();
  expect(await halts()).toEqual(['btcusdt: the ledger of btc adds up to 1']);
  const { rows } = await ctx.database.pool.query<{ commands: string }>(
    `SELECT commands FROM trading_journal WHERE commands LIKE '%because%'`,
  );
  expect(rows[0]?.commands).toMatch(/"set_phase","symbol":"btcusdt".*"because".*adds up to 1/);
  // The next one finds the same, and has nothing more to do.
  await client?.stop();
  await engine?.stop();
  expect(await lead()).toEqual({ btcusdt: 'halted', ethusdt: 'continuous' });
  expect(await halts()).toHaveLength(1);
});

it('a fault that names no market halts everything, and circular lists do not hang the engine', async () => {
  const { createStateAudit } = await import('./state-audit.ts');
  const { machine } = journal;
  const account = machine.state.accounts.find(({ id }) => id === 1);
  if (account !== undefined) account.head = 4_000_000;
  const commands = await createStateAudit(ctx).haltingCommands(machine);
  expect(commands.map((text) => (JSON.parse(text) as { symbol: string }).symbol).sort()).toEqual([
    'btcusdt',
    'ethusdt',
  ]);
  expect((await halts()).join()).toContain('lead nowhere');
});

it('a sound memory halts nothing', async () => {
  await keepSnapshot();
  expect(await lead()).toEqual({ btcusdt: 'continuous', ethusdt: 'continuous' });
  expect(await halts()).toEqual([]);
});
