// Orders in batches: signed HTTP as in orders-http.ts, with as many orders in a request as it may have. The bare journal
// gets the same orders at the same load.
import type { TestDeployment } from '../../server/src/testing/deployment.ts';
import type { Trader } from '../../server/src/testing/trader.ts';
import { encodeCommand } from '../../server/src/trading/engine/command.ts';
import { LIMITS } from '../../packages/matching/src/index.ts';
import { runOpenLoop, type OpenLoopResult } from './open-loop.ts';
import { costPerOrder, type CpuMeter } from './orders-cpu.ts';
import { openBareJournal } from './orders-door.ts';
import { open, toRequest } from './lines.ts';
import { benchOrder, CONNECTIONS, type HttpStep } from './orders-http.ts';
import { measureLag } from './orders-lag.ts';

export const BATCH = LIMITS.batchPlaceMax;
const SECONDS = 6;
const WARM_UP_SECONDS = 1;

export interface BatchStep extends HttpStep {
  readonly bare: OpenLoopResult;
}

/** `rates` are orders a second. Latencies are those of a whole request. */
export async function benchBatches(
  { ctx, postgres }: TestDeployment,
  traders: readonly Trader[],
  { port, rates, first }: { port: number; rates: readonly number[]; first: number },
  cpu: CpuMeter,
): Promise<BatchStep[]> {
  const steps: BatchStep[] = [];
  const journal = await openBareJournal(postgres.ownerUrl);
  let used = 0;
  try {
    for (const rate of rates) {
      const pacing = { perSecond: rate / BATCH, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS };
      const from = used;
      const total = Math.floor(pacing.perSecond * SECONDS);
      used += total;
      const orders = Array.from({ length: total }, (_, n) =>
        ordersOf(from + n, traders.length, first),
      );
      const requests = orders.map((batch, n) =>
        sign(traders[(from + n) % traders.length] as Trader, port, batch),
      );
      const lines = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => open(port, allPlaced)),
      );
      const before = await cpu.read();
      const inBatches = await runOpenLoop({
        ...pacing,
        send(at, until, settle) {
          for (let index = at; index < until; index += 1) {
            lines[index % CONNECTIONS]?.send(requests[index] ?? '', (isDone) =>
              settle(index, isDone),
            );
          }
        },
      });
      const result = perOrder(inBatches);
      const cost = costPerOrder(before, await cpu.read(), result.done);
      const lag = await measureLag(ctx);
      for (const line of lines) line.close();
      const texts = orders.map((batch) => batch.map(toText).join('\n'));
      const bare = perOrder(
        await runOpenLoop({
          ...pacing,
          send: (at, until, settle) => journal.send(texts, 0, at, until, settle),
        }),
      );
      await journal.drained();
      steps.push({ result, bare, cost, ...lag });
    }
  } finally {
    await journal.close();
  }
  return steps;
}

/** Those of one batch are on one side, and no batch has an order of another. */
function ordersOf(batch: number, traders: number, first: number): Record<string, string>[] {
  const round = Math.floor(batch / traders);
  return Array.from({ length: BATCH }, (_, n) =>
    benchOrder(first + (round * BATCH + n) * traders + (batch % traders)),
  );
}

function sign(trader: Trader, port: number, orders: readonly Record<string, string>[]): string {
  // Signed ahead of time, so the window is as wide as it may be. A form is signed as a query is.
  const { query: body, headers } = trader.prepare({
    params: { orders: JSON.stringify(orders), recvWindow: '60000' },
  });
  return toRequest(port, '/v1/private/order/create_batch', headers, body);
}

/** The envelope and each order say so. */
const allPlaced = (head: string, body: string): boolean =>
  head.startsWith('HTTP/1.1 200') && body.split('"status":"true"').length === BATCH + 2;

const toText = (order: Record<string, string>): string =>
  encodeCommand({
    type: 'place',
    account: 1,
    checkpoint: Number.MAX_SAFE_INTEGER,
    order: {
      symbol: 'btcusdt',
      side: order['side'] === 'buy' ? 'buy' : 'sell',
      type: 'limit',
      price: Math.round(Number(order['price']) * 100),
      priceDecimals: 2,
      volume: 1000,
      volumeDecimals: 6,
      clientOrderId: order['clientOrderId'] ?? '',
    },
  });

const perOrder = (result: OpenLoopResult): OpenLoopResult => ({
  ...result,
  offered: result.offered * BATCH,
  perSecond: result.perSecond * BATCH,
  done: result.done * BATCH,
  refused: result.refused * BATCH,
});
