// Reports what has reached the tables: to processes that wait for it, and to the metrics.
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Context } from '../../platform/context.ts';
import type { Metrics } from '../../platform/observe/metrics.ts';
import type { Fold } from './fold.ts';
import type { Written } from './turn.ts';

export function announceWritten(
  { bus, clock, metrics }: Pick<Context, 'bus' | 'clock' | 'metrics'>,
  shard: number,
  { checkpoint, fold, startedMs, atMs }: Written,
): void {
  bus.publish(SUBJECTS.projected, `${shard} ${checkpoint.seq} ${checkpoint.engineSeq}`);
  metrics.projected(
    fold.stepCount,
    (performance.now() - startedMs) / 1000,
    Math.max(0, (clock.now() - atMs) / 1000),
  );
}

/** Counts the trades of a stretch and its new orders, which are those after `lastOrderId`. */
export function countByMarket(metrics: Metrics, fold: Fold, lastOrderId: number): void {
  const counts = new Map<string, { orders: number; trades: number }>();
  const of = (symbol: string) => {
    const count = counts.get(symbol) ?? { orders: 0, trades: 0 };
    counts.set(symbol, count);
    return count;
  };
  for (const { orderId, symbol } of fold.orders.values()) {
    if (orderId > lastOrderId) of(symbol).orders += 1;
  }
  for (const { trade } of fold.trades) of(trade.symbol).trades += 1;
  for (const [symbol, { orders, trades }] of counts) metrics.traded(symbol, orders, trades);
}
