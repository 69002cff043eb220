// `bench growth [--quick] [--full]`: what each endpoint of history takes over HTTP when the venue has had a hundred thousand
// and a million orders, and with --full one, ten and fifty million, which takes hours. The goal is that growth does not
// matter: each median at the larger sizes within 1.5 times of that at the smallest. The projector's own way fills the tables.
import { startDeployment, type TestDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess, type RialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { send, type Trader } from '../../server/src/testing/trader.ts';
import { printTable, type Figure } from '../figure.ts';
import { clientIdOf, loadPast, traderOf } from './growth-load.ts';
import { measureBytes, measureLag } from './orders-lag.ts';
import { quantile, round } from './stats.ts';

const SIZES = [100_000, 1_000_000];
const FULL = [1_000_000, 10_000_000, 50_000_000];
const QUICK = [20_000, 100_000];
const CALLS = 300;
const WARM_UP = 30;
const GOAL = 1.5;
const SYMBOL = 'btcusdt';
const HOUR_MS = 3_600_000;

/** One call: the trader who asks, the path and its parameters. */
interface Call {
  readonly path: string;
  readonly trader?: Trader;
  readonly params: Record<string, string>;
}

/** The n-th call of each endpoint, with a venue of this many orders. */
type Caller = (traders: readonly Trader[], orders: number, n: number) => Call;

const ofTrader =
  (path: string, params: Record<string, string> = {}): Caller =>
  (traders, _, n) => ({ path, trader: traders[(n * 5) % traders.length] as Trader, params });

/** Spread over the whole past, from the first order to the last. */
const pastOrder = (orders: number, n: number): number =>
  Math.floor((orders * ((n * 37) % CALLS)) / CALLS);

const ENDPOINTS: Readonly<Record<string, Caller>> = {
  'order/history': ofTrader('private/order/history', { symbol: SYMBOL }),
  'order/history, oldest first': ofTrader('private/order/history', { sort: 'asc' }),
  'order/trades': ofTrader('private/order/trades', { symbol: SYMBOL }),
  'order/get of a past order': (traders, orders, n) => {
    const index = pastOrder(orders, n);
    const params = { clientOrderId: clientIdOf(index) };
    return { path: 'private/order/get', trader: traderOf(traders, index), params };
  },
  'account/ledger': ofTrader('private/account/ledger'),
  'account/ledger of a coin': ofTrader('private/account/ledger', { coin: 'btc' }),
  'account/statement of an hour': (traders, _, n) => {
    const to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 26 * HOUR_MS;
    const params = { from: String(to - HOUR_MS), to: String(to) };
    return {
      path: 'private/account/statement',
      trader: traders[n % traders.length] as Trader,
      params,
    };
  },
  'public/last_trades': () => ({ path: 'public/last_trades', params: { symbol: SYMBOL } }),
  'public/last_trades from a time': (_traders, orders, n) => {
    const days = orders / 1_000_000;
    const from = Date.now() - Math.floor(24 * HOUR_MS * (1 + (days * n) / CALLS));
    return { path: 'public/last_trades', params: { symbol: SYMBOL, from: String(from) } };
  },
  // The smallest venue has had one day, so that a page without a limit would hold more candles the more days there were.
  'public/candlesticks': () => ({
    path: 'public/candlesticks',
    params: { symbol: SYMBOL, resolution: '1h', limit: '48' },
  }),
};

interface Measured {
  readonly orders: number;
  readonly bytes: number;
  readonly times: ReadonlyMap<string, readonly number[]>;
}

export async function benchGrowth({
  quick,
  full,
}: {
  quick: boolean;
  full: boolean;
}): Promise<Figure[]> {
  const measured: Measured[] = [];
  for (const orders of quick ? QUICK : full ? FULL : SIZES) measured.push(await measure(orders));
  const [smallest, ...larger] = measured as [Measured, ...Measured[]];
  const growth = Object.keys(ENDPOINTS).map((name) => {
    const base = quantile(smallest.times.get(name) ?? [], 0.5);
    const medians = larger.map(({ times }) => quantile(times.get(name) ?? [], 0.5));
    return { name, times: Math.max(...medians) / base };
  });
  printTable([
    [
      'milliseconds, p50 / p99',
      ...measured.map(({ orders }) => `${orders / 1e6} million`),
      'largest growth of p50',
    ],
    ...growth.map(({ name, times }) => [
      name,
      ...measured.map((one) => quantilesOf(one.times.get(name) ?? [])),
      `${round(times, 2)} ×`,
    ]),
    ['bytes a command', ...measured.map(({ bytes }) => String(round(bytes))), ''],
  ]);
  const worst = Math.max(...growth.map(({ times }) => times));
  return [
    {
      figure: 'growth.history',
      value: round(worst, 2),
      unit: '× the p50 at the smallest size',
      endpoints: Object.fromEntries(growth.map(({ name, times }) => [name, round(times, 2)])),
      bytes: measured.map(({ orders, bytes }) => [orders, round(bytes)]),
      goal: GOAL,
      met: worst <= GOAL,
    },
  ];
}

const quantilesOf = (sorted: readonly number[]): string =>
  `${round(quantile(sorted, 0.5), 1)} / ${round(quantile(sorted, 0.99), 1)}`;

async function measure(orders: number): Promise<Measured> {
  const deployment = await startDeployment({ MONEY: 'simulated', TRADING_RATE_LIMIT: '1000000' });
  const processes: RialtoProcess[] = [];
  try {
    const traders = await loadPast(deployment.ctx, orders);
    await settle(deployment);
    for (const role of ['engine', 'relay', 'worker', 'api']) {
      processes.push(await startRialtoProcess(role, deployment.environment));
    }
    await measureLag(deployment.ctx);
    const origin = processes.at(-1)?.origin ?? '';
    const times = await timeCalls(origin, traders, orders);
    const bytes = await measureBytes(deployment.ctx);
    // A larger size may take an hour, and somebody may stop it.
    const soFar = [...times].map(([name, all]) => `${name} ${quantilesOf(all)}`);
    console.error(
      `${orders / 1e6} million orders, ${round(bytes)} bytes a command, p50 / p99 in ms: ${soFar.join(', ')}`,
    );
    return { orders, bytes, times };
  } finally {
    await Promise.all(processes.map((process) => process.stop()));
    await deployment.close();
  }
}

/** What a database does by itself in the days in which it takes so many orders, and what a load in one go leaves undone. */
async function settle({ owner }: TestDeployment): Promise<void> {
  await owner.query('VACUUM (ANALYZE)');
  await owner.query('CHECKPOINT');
}

/** The endpoints take turns, so that nothing that disturbs for some seconds falls on one of them alone. */
async function timeCalls(
  origin: string,
  traders: readonly Trader[],
  orders: number,
): Promise<Map<string, number[]>> {
  const times = new Map(Object.keys(ENDPOINTS).map((name) => [name, [] as number[]]));
  for (let n = -WARM_UP; n < CALLS; n += 1) {
    for (const [name, caller] of Object.entries(ENDPOINTS)) {
      const ms = await time(origin, caller(traders, orders, Math.abs(n)));
      if (n >= 0) times.get(name)?.push(ms);
    }
  }
  for (const all of times.values()) all.sort((a, b) => a - b);
  return times;
}

async function time(origin: string, { path, trader, params }: Call): Promise<number> {
  const url = `${origin}/v1/${path}`;
  const startedMs = performance.now();
  const { status, text } =
    trader === undefined
      ? await send(`${url}?${new URLSearchParams(params).toString()}`)
      : await trader.call(url, { method: 'GET', params });
  const ms = performance.now() - startedMs;
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 200)}`);
  return ms;
}
