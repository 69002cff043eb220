import { afterEach, expect, it } from 'vitest';
import { createTradingKey } from '../../accounts/trading-keys/actions.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { exampleTerms } from '../../testing/live-venue.ts';
import { startTestEngine } from '../../testing/server.ts';
import { exampleOperator } from '../../testing/operators.ts';
import { defineCoin } from '../coins/actions.ts';
import { depositSimulated } from '../custody/simulated.ts';
import { requestAct } from '../operators/actions.ts';
import { createMarket, setPhase } from '../operators/acts.ts';
import { toMarketConfig } from '../operators/market-terms.ts';
import { createEngineClient } from './client.ts';
import { importHistory, type PastCommand } from './import-history.ts';
import { hashBytes } from './recover.ts';
import { listSnapshots, readSnapshot } from './snapshot-store.ts';

const START_MS = 1_750_000_000_000;
const ORDERS = 2500;

let test: TestContext | undefined;
afterEach(() => test?.close());

function* quotes(account: number): Generator<PastCommand> {
  for (let n = 0; n < ORDERS; n += 1) {
    const order = {
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      price: 6_000_000 + n,
      priceDecimals: 2,
      volume: 100,
      volumeDecimals: 6,
    } as const;
    yield { time: START_MS + n * 1000, command: { type: 'place', account, order } };
    if (n < ORDERS - 100) {
      const all = { type: 'cancel_all', account, symbol: 'btcusdt' } as const;
      yield { time: START_MS + n * 1000 + 500, command: all };
    }
  }
}

it('the first engine begins with the imported past, with the given times', async () => {
  test = await createTestContext();
  const { ctx } = test;
  const operator = await exampleOperator(ctx);
  const userId = operator.id;
  const { accountId } = await createTradingKey(ctx, { userId, permissions: ['read'] });
  const account = Number(accountId);
  for (const symbol of ['btc', 'usdt']) {
    await defineCoin(ctx, operator, { symbol, nameEn: symbol, nameFa: symbol, networks: {} });
  }
  const market = createMarket(toMarketConfig(exampleTerms('btcusdt')));
  await requestAct(ctx, operator, market);
  const again = await requestAct(ctx, operator, market);
  await requestAct(ctx, operator, setPhase('btcusdt', 'continuous'));
  await depositSimulated(ctx, [{ to: account, coin: 'usdt', amount: 10n ** 24n }]);

  const history = { startMs: START_MS, commands: quotes(account) };
  const { rows } = await importHistory(ctx, history);
  expect(rows).toBeGreaterThan(4);
  const left = await ctx.db
    .selectFrom('operatorCommands')
    .select(['id', 'status'])
    .where('status', '<>', 'done')
    .execute();
  expect(left).toEqual([{ id: again, status: 'refused' }]);

  // The engine begins from the snapshot, so the snapshot must be readable as written.
  const [head] = await listSnapshots(ctx.database.pool, 0);
  const bytes = head && (await readSnapshot(ctx.database.pool, 0, head));
  expect(head?.seq).toBe(rows);
  expect(bytes && hashBytes(bytes).equals(head.hash)).toBe(true);

  const engine = await startTestEngine(ctx);
  const { bus, database, log, secrets } = ctx;
  const client = createEngineClient({
    bus,
    log,
    secrets,
    pool: database.pool,
    answerMs: 5000,
    underWayMax: 100,
  });
  const open = await client.read('open', { account, limit: 200 });
  expect(open).toHaveLength(100);
  expect(open[0]?.createdAt).toBe(START_MS + (ORDERS - 100) * 1000);
  await client.stop();
  await engine.stop();

  // The engine has written its own row since, so no second past can be imported.
  await expect(importHistory(ctx, history)).rejects.toThrow('into an empty journal');
});
