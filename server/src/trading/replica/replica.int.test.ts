import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHealth } from '../../platform/http/health.ts';
import { pause } from '../../platform/std/wait.ts';
import { startApi, type ApiRole } from '../../roles/api.ts';
import { openDesk, type Desk } from '../../testing/trading/desk.ts';
import { holdProjector, type HeldProjector } from '../../testing/trading/held-projector.ts';
import { send, type Trader, type TradingAnswer } from '../../testing/trader.ts';
import { awaitProjection, COMPLETE_HEADER } from '../projections/access.ts';

const KEPT = 10;

let desk: Desk;
let maker: Trader;
let taker: Trader;
let held: HeldProjector | undefined;
let other: ApiRole | undefined;
beforeAll(async () => {
  desk = await openDesk({ settings: { MARKET_TRADES_MAX: String(KEPT) } });
  maker = await desk.trader();
  taker = await desk.trader();
});
afterEach(async () => {
  await other?.stop();
  other = undefined;
  await release();
});
afterAll(() => desk.close());

async function hold(): Promise<number> {
  held = await holdProjector(desk.server.ctx);
  return held.reached;
}

async function release(): Promise<void> {
  await held?.release();
  held = undefined;
}

/** The projector works again, and has written everything. */
async function catchUp(): Promise<void> {
  await release();
  await awaitProjection(desk.server.ctx, { patienceMs: 8000, orElse: 'refuse' });
}

async function trade(price = '64000.00'): Promise<void> {
  await desk.place(maker, { side: 'sell', price });
  await desk.place(taker, { price });
}

async function tradeOften(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await trade();
}

type Rows = Record<string, string>[];
const ask = (path: string, origin = desk.server.origin) => send(`${origin}/v1/public/${path}`);
const rowsOf = ({ body }: TradingAnswer): Rows => body.result as Rows;
const idsOf = (answer: TradingAnswer): number[] =>
  rowsOf(answer).map(({ tradeId }) => Number(tradeId));
const completeTo = ({ headers }: TradingAnswer): number => Number(headers.get(COMPLETE_HEADER));

/** A second process of the role api, on the same database. */
async function startOther(): Promise<string> {
  other = await startApi(desk.server.ctx, createHealth(desk.server.ctx), {
    clientFolder: undefined,
  });
  return other.origin;
}

async function readiness(origin: string): Promise<{ status: number; marketData: string }> {
  const answer = await fetch(`${origin}/health/ready`);
  const { checks } = (await answer.json()) as { checks: Record<string, string> };
  return { status: answer.status, marketData: checks['market_data'] ?? '' };
}

async function awaitReady(origin: string): Promise<void> {
  while ((await readiness(origin)).status !== 200) await pause(20);
}

/** Everything public about a market that memory serves. */
const SHOWN = [
  'last_trades?symbol=btcusdt&limit=5',
  ...['1m', '15m', '1h', '12h', '1d', '1w', '1M'].map(
    (resolution) => `candlesticks?symbol=btcusdt&resolution=${resolution}&limit=100`,
  ),
];

/** Trades, and candles with trades. Whether an interval is over depends on when it was asked. */
const contentOf = (answer: TradingAnswer): Rows =>
  rowsOf(answer).flatMap(({ isClosed: _isClosed, ...row }) =>
    row['tradeCount'] === '0' ? [] : [row],
  );

/** Without the times at which they were asked. */
async function readDays(origin?: string): Promise<unknown> {
  const [ticker] = rowsOf(await ask('tickers?symbol=btcusdt', origin));
  const { time: _time, openTime: _openTime, ...day } = ticker ?? {};
  return [day, rowsOf(await ask('last_prices?symbol=btcusdt', origin))];
}

describe('while the projector stands still', () => {
  it('a trade is shown at once, and the tables say the same later', async () => {
    await trade();
    const reached = await hold();
    await trade('64001.00');
    const late = await Promise.all(SHOWN.map((path) => ask(path)));
    for (const answer of late) expect(completeTo(answer)).toBeGreaterThan(reached);
    const [trades, ...charts] = late.map(rowsOf);
    expect(trades?.[0]).toMatchObject({ price: '64001.00', volume: '0.010000', takerSide: 'buy' });
    for (const candles of charts) {
      expect(candles.at(-1)).toMatchObject({ high: '64001.00', close: '64001.00' });
    }
    const days = await readDays();
    expect(days).toMatchObject([{ high: '64001.00', last: '64001.00' }, [{ price: '64001.00' }]]);
    await catchUp();
    // A process that starts now has the same from the tables alone.
    const origin = await startOther();
    await awaitReady(origin);
    for (const [index, path] of SHOWN.entries()) {
      expect(contentOf(await ask(path, origin))).toEqual(late.map(contentOf)[index]);
    }
    await expect.poll(() => readDays(origin), { timeout: 5000 }).toEqual(days);
  });

  it('a process that starts is complete before it is ready', async () => {
    await hold();
    await tradeOften(3);
    const origin = await startOther();
    await awaitReady(origin);
    for (const path of SHOWN) {
      expect(contentOf(await ask(path, origin))).toEqual(contentOf(await ask(path)));
    }
    expect(await readDays(origin)).toEqual(await readDays());
    // It follows the log from there.
    await trade('64002.00');
    expect(rowsOf(await ask(SHOWN[0] ?? '', origin))[0]).toMatchObject({ price: '64002.00' });
  });

  it('a process that cannot be filled is not ready, and says so', async () => {
    const client = await desk.server.owner.connect();
    await client.query('BEGIN; LOCK TABLE trading_trades IN ACCESS EXCLUSIVE MODE');
    const origin = await startOther();
    await pause(300);
    expect(await readiness(origin)).toEqual({ status: 503, marketData: 'down' });
    await client.query('ROLLBACK');
    client.release();
    await awaitReady(origin);
    expect((await readiness(origin)).marketData).toBe('ok');
  });

  it('a page that reaches further back than memory is without a gap and without doubles', async () => {
    await tradeOften(KEPT * 2);
    const all = idsOf(await ask('last_trades?symbol=btcusdt&limit=1000'));
    await hold();
    await tradeOften(3);
    const whole = idsOf(await ask('last_trades?symbol=btcusdt&limit=1000'));
    expect(whole.slice(3)).toEqual(all);
    expect(whole).toEqual([...new Set(whole)].sort((a, b) => b - a));
    const upward = whole.toReversed();
    for (const limit of [1, KEPT, KEPT * 2]) {
      const pages: number[] = [];
      for (let from = upward[0] ?? 0; ;) {
        const page = idsOf(await ask(`last_trades?symbol=btcusdt&fromId=${from}&limit=${limit}`));
        if (page.length === 0) break;
        pages.push(...page);
        from = (page.at(-1) ?? 0) + 1;
      }
      expect(pages).toEqual(upward);
    }
  });

  it('a page that neither memory nor the tables have as a whole says how far it is', async () => {
    const reached = await hold();
    await tradeOften(KEPT * 2);
    const newest = await ask(`last_trades?symbol=btcusdt&limit=${KEPT}`);
    expect(idsOf(newest)).toHaveLength(KEPT);
    expect(completeTo(newest)).toBeGreaterThan(reached);
    // Memory has dropped trades that the tables do not have yet.
    const older = await ask('last_trades?symbol=btcusdt&limit=1000');
    expect(completeTo(older)).toBe(reached);
    expect(idsOf(older)[0]).toBeLessThan(idsOf(newest).at(-1) ?? 0);
    await catchUp();
    const whole = idsOf(await ask('last_trades?symbol=btcusdt&limit=1000'));
    expect(whole.slice(0, KEPT)).toEqual(idsOf(newest));
    expect(whole.slice(KEPT * 2)).toEqual(idsOf(older));
  });
});

it.each(['last_trades?symbol=ethusdt', 'candlesticks?symbol=ethusdt&resolution=1h'])(
  'a market without trades shows none: %s',
  async (path) => {
    const answer = await ask(path);
    expect(rowsOf(answer)).toEqual([]);
    expect(completeTo(answer)).toBeGreaterThan(0);
  },
);

it('candles reach from the tables into memory', async () => {
  await trade();
  const dayMs = 86_400_000;
  const todayMs = Date.now() - (Date.now() % dayMs);
  await awaitProjection(desk.server.ctx, { patienceMs: 8000, orElse: 'refuse' });
  await desk.server.ctx.database.pool.query(
    `INSERT INTO candles SELECT 'btcusdt', 1440, $1::bigint - n * 86400000, 5e21, 6e21, 4e21, 5e21, 1e18, 5e21, 1
       FROM generate_series(1, 20) AS n`,
    [todayMs],
  );
  const origin = await startOther();
  await awaitReady(origin);
  const rows = rowsOf(await ask('candlesticks?symbol=btcusdt&resolution=1d&limit=21', origin));
  expect(rows.map(({ time }) => Number(time))).toEqual(
    Array.from({ length: 21 }, (_, index) => todayMs - (20 - index) * dayMs),
  );
  expect(rows.slice(0, 20).every(({ tradeCount }) => tradeCount === '1')).toBe(true);
  const threeDays = rowsOf(await ask('candlesticks?symbol=btcusdt&resolution=3d&limit=9', origin));
  const sumOf = (list: Rows) => list.reduce((sum, { tradeCount }) => sum + Number(tradeCount), 0);
  expect(sumOf(threeDays)).toBe(sumOf(rows));
});

it('another engine takes over, and what it does follows', async () => {
  await trade('64003.00');
  await desk.server.restartEngine();
  await trade('64004.00');
  const prices = rowsOf(await ask('last_trades?symbol=btcusdt&limit=2')).map(({ price }) => price);
  expect(prices).toEqual(['64004.00', '64003.00']);
});
