// Orders as clients send them: signed, over kept connections, each with its own client id, from
// many keys. Requests are signed before they are due, because the generator shares the machine with
// the venue.
import type { TestDeployment } from '../../server/src/testing/deployment.ts';
import { liveVenue } from '../../server/src/testing/live-venue.ts';
import type { Trader } from '../../server/src/testing/trader.ts';
import { open, toRequest } from './lines.ts';
import { runOpenLoop, type OpenLoopResult } from './open-loop.ts';
import { costPerOrder, type CpuMeter } from './orders-cpu.ts';
import { measureLag, type Lag } from './orders-lag.ts';

const SECONDS = 6;
const WARM_UP_SECONDS = 1;
export const CONNECTIONS = 64;
const TRADERS = 64;
/** The middle of the order prices, in cents; the narrow spread makes about half of them trade. */
const MIDDLE = 6_400_000;
const SPREAD = 50;

export interface HttpStep extends Lag {
  readonly result: OpenLoopResult;
  /** Microseconds of processor time an order, until its answer. */
  readonly cost: Record<string, number>;
}

/** A venue with traders who have money. */
export async function openTraders({ ctx }: TestDeployment): Promise<Trader[]> {
  const venue = await liveVenue({ ctx }, { terms: { btcusdt: { maxOpenOrders: 100_000 } } });
  const traders: Trader[] = [];
  while (traders.length < TRADERS) {
    // A few at a time: the machine may be busy, and connections are few.
    traders.push(...(await Promise.all(Array.from({ length: 8 }, () => venue.trader()))));
  }
  await measureLag(ctx);
  return traders;
}

export async function benchSignedHttp(
  { ctx }: TestDeployment,
  traders: readonly Trader[],
  { port, rates, seconds = SECONDS }: { port: number; rates: readonly number[]; seconds?: number },
  cpu: CpuMeter,
): Promise<HttpStep[]> {
  const steps: HttpStep[] = [];
  let used = 0;
  for (const perSecond of rates) {
    const total = perSecond * seconds;
    const first = used;
    used += total;
    const requests = Array.from({ length: total }, (_, n) => sign(traders, port, first + n));
    const lines = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(port)));
    const before = await cpu.read();
    const result = await runOpenLoop({
      perSecond,
      seconds,
      warmUpSeconds: WARM_UP_SECONDS,
      send(from, until, settle) {
        for (let index = from; index < until; index += 1) {
          lines[index % CONNECTIONS]?.send(requests[index] ?? '', (isDone) =>
            settle(index, isDone),
          );
        }
      },
    });
    const cost = costPerOrder(before, await cpu.read(), result.done);
    steps.push({ result, cost, ...(await measureLag(ctx)) });
    for (const line of lines) line.close();
  }
  return steps;
}

/** The order of this number: the same in every run. */
export function benchOrder(index: number): Record<string, string> {
  // A multiplication spreads them over every price.
  const cents = MIDDLE - SPREAD + ((index * 37) % (2 * SPREAD));
  return {
    symbol: 'btcusdt',
    side: index % 2 === 0 ? 'buy' : 'sell',
    type: 'limit',
    price: (cents / 100).toFixed(2),
    volume: '0.001',
    clientOrderId: `bench-${index}`,
  };
}

function sign(traders: readonly Trader[], port: number, index: number): string {
  const trader = traders[index % traders.length] as Trader;
  const { query, headers } = trader.prepare({
    params: {
      ...benchOrder(index),
      // Signed ahead of time, so the window is as wide as it may be.
      recvWindow: '60000',
    },
  });
  return toRequest(port, `/v1/private/order/create?${query}`, headers);
}
