// What reaches the projections (orders, trades, balances), and whether assets cover what is owed.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Markets that are counted by name. A venue has fewer; beyond that, they count as one. */
const MARKETS_MAX = 200;

export interface TradingMetrics {
  /** Engine events that reached the projections, and how old the newest of them was then. */
  projected(steps: number, seconds: number, lagSeconds: number): void;
  /** New orders and trades that reached the projections, by market. */
  traded(market: string, orders: number, trades: number): void;
  /** The projections are up to date. */
  projectionIdle(): void;
  /** Events that reached the public log, and how old the newest of them was then. */
  publicLogged(events: number, lagSeconds: number): void;
  /** A turn of the follower failed. */
  publicLogFailed(): void;
  /** The public log is up to date. */
  publicLogIdle(): void;
  /** The newest signed head of the public log and its time, or that signing failed. */
  publicLogHead(event: number, atSeconds: number): void;
  publicLogRefused(): void;
  /** Assets with evidence, and debts, in whole coins; the coins are the listed ones. */
  solvency(coin: string, assets: number, liabilities: number): void;
  /** The fee tiers of this day (UTC, days since the epoch) are computed. */
  feeDay(day: number): void;
  /** Days of a table that are in files alone, and the oldest day (UTC, days since the epoch) in the table. */
  history(table: string, archived: number, oldestDay: number | undefined): void;
}

export function createTradingMetrics(registry: Registry): TradingMetrics {
  const registers = [registry];
  const ordersOf = new Counter({
    name: 'rialto_orders_total',
    help: 'Orders that the engine has taken, by market; counted by the process that writes the projections.',
    labelNames: ['market'],
    registers,
  });
  const tradesOf = new Counter({
    name: 'rialto_trades_total',
    help: 'Trades, by market; counted by the process that writes the projections.',
    labelNames: ['market'],
    registers,
  });
  const feeDayDone = new Gauge({
    name: 'rialto_fee_day',
    help: 'The newest day (UTC, days since the epoch) whose fee tiers this process has computed.',
    registers,
  });
  const historyArchived = new Gauge({
    name: 'rialto_history_archived_days',
    help: 'Days of a table that are in files alone, when the worker last looked.',
    labelNames: ['table'],
    registers,
  });
  const historyOldest = new Gauge({
    name: 'rialto_history_oldest_day',
    help: 'The oldest day (UTC, days since the epoch) that is in the table.',
    labelNames: ['table'],
    registers,
  });
  const markets = new Set<string>();
  const marketLabel = (market: string) => {
    if (!markets.has(market) && markets.size >= MARKETS_MAX) return 'other';
    markets.add(market);
    return market;
  };
  const projectedSteps = new Counter({
    name: 'rialto_projected_steps_total',
    help: 'Engine events written into the projections.',
    registers,
  });
  const projectionSeconds = new Histogram({
    name: 'rialto_projection_batch_seconds',
    help: 'Time to write one batch into the projections.',
    buckets: [0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const assetsOf = new Gauge({
    name: 'rialto_solvency_assets',
    help: 'Coins that there is evidence for.',
    labelNames: ['coin'],
    registers,
  });
  const liabilitiesOf = new Gauge({
    name: 'rialto_solvency_liabilities',
    help: 'Coins that the ledger owes. More than the assets is an emergency.',
    labelNames: ['coin'],
    registers,
  });
  const projectionLag = new Gauge({
    name: 'rialto_projection_lag_seconds',
    help: 'Age of what reached the projections last, when it did; zero when nothing waits.',
    registers,
  });
  const publicEvents = new Counter({
    name: 'rialto_public_log_events_total',
    help: 'Events written into the public log.',
    registers,
  });
  const publicLag = new Gauge({
    name: 'rialto_public_log_lag_seconds',
    help: 'Age of what reached the public log last, when it did; zero when nothing waits.',
    registers,
  });
  const publicFailures = new Counter({
    name: 'rialto_public_log_failures_total',
    help: 'Times that the public log could not be written.',
    registers,
  });
  const publicHead = new Gauge({
    name: 'rialto_public_log_head_seq',
    help: 'The last event that the newest signed head of the public log covers.',
    registers,
  });
  const publicHeadAt = new Gauge({
    name: 'rialto_public_log_head_timestamp_seconds',
    help: 'When that head was signed.',
    registers,
  });
  const publicRefused = new Counter({
    name: 'rialto_public_log_head_refused_total',
    help: 'Times that no head was signed because the public log does not fit the head before. Anything but zero is an emergency.',
    registers,
  });
  return {
    publicLogged: (events, lagSeconds) => {
      publicEvents.inc(events);
      publicLag.set(lagSeconds);
    },
    publicLogFailed: () => publicFailures.inc(),
    publicLogIdle: () => publicLag.set(0),
    publicLogHead: (event, atSeconds) => {
      publicHead.set(event);
      publicHeadAt.set(atSeconds);
    },
    publicLogRefused: () => publicRefused.inc(),
    projected: (steps, seconds, lagSeconds) => {
      projectedSteps.inc(steps);
      projectionSeconds.observe(seconds);
      projectionLag.set(lagSeconds);
    },
    traded: (name, orders, trades) => {
      const market = marketLabel(name);
      ordersOf.inc({ market }, orders);
      tradesOf.inc({ market }, trades);
    },
    projectionIdle: () => projectionLag.set(0),
    feeDay: (day) => feeDayDone.set(day),
    history(table, archived, oldestDay) {
      historyArchived.labels(table).set(archived);
      if (oldestDay !== undefined) historyOldest.labels(table).set(oldestDay);
    },
    solvency: (coin, assets, liabilities) => {
      assetsOf.labels(coin).set(assets);
      liabilitiesOf.labels(coin).set(liabilities);
    },
  };
}
