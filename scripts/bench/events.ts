// `bench events`: the time from a commit to the client's long poll, at 200 writes a second with
// 1,000 idle queues open, over real processes (separate api and relay, NATS in between), compared
// with a bare NATS round trip.
import { connect as connectNats } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../server/src/platform/context.ts';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { printTable, type Figure } from '../figure.ts';
import { call, createPerson, keepPolling, registerFor } from './chat-calls.ts';
import { quantile, round } from './stats.ts';

const WRITES_PER_SECOND = 200;
const SECONDS = 15;
const WARM_UP_WRITES = 400;
const IDLE_QUEUES = 1000;
const IDLE_USERS = 100;
const GOAL_P50_MS = 5;
const GOAL_P99_MS = 50;

export async function benchEvents(): Promise<Figure[]> {
  const deployment = await startDeployment({
    LOG_LEVEL: 'warn',
    CHAT_RATE_LIMIT: '1000000',
    CHAT_RATE_LIMIT_POLLS: '1000000',
  });
  const { ctx, environment, nats } = deployment;
  const api = await startRialtoProcess('api', environment);
  const relay = await startRialtoProcess('relay', environment);
  try {
    const idle = await openIdleQueues(ctx, api.origin);
    const latencies = await measure(ctx, api.origin);
    const bare = await natsRoundTrips(nats.url);
    idle.close();
    return report(latencies, bare);
  } finally {
    await api.stop();
    await relay.stop();
    await deployment.close();
  }
}

async function measure(ctx: Context, origin: string): Promise<number[]> {
  const { user, basic } = await createPerson(ctx, 'reader');
  const caller = { origin, basic };
  const { queue_id: queueId, last_event_id: start } = await registerFor(caller, 'drafts');
  const committedMs: number[] = [];
  const receivedMs: number[] = [];
  const total = WARM_UP_WRITES + WRITES_PER_SECOND * SECONDS;

  const reading = (async () => {
    let last = start;
    let count = 0;
    while (count < total) {
      const { events } = await call<{ events: { id: number; type: string; n: number }[] }>(
        caller,
        'GET',
        `/events?queue_id=${queueId}&last_event_id=${last}`,
      );
      const now = performance.now();
      for (const event of events) {
        last = event.id;
        if (event.type !== 'drafts') continue;
        receivedMs[event.n] = now;
        count += 1;
      }
    }
  })();

  const startMs = performance.now();
  const writes: Promise<void>[] = [];
  for (let n = 0; n < total; n += 1) {
    // Open loop: the next write does not wait for the previous one.
    const due = startMs + (n * 1000) / WRITES_PER_SECOND;
    const waitMs = due - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    writes.push(
      ctx
        .inTransaction(async (tx) =>
          tx.emit({ type: 'drafts', n } as { type: string }, { users: [user.id] }),
        )
        .then(() => {
          committedMs[n] = performance.now();
        }),
    );
  }
  await Promise.all(writes);
  await reading;
  return Array.from({ length: total - WARM_UP_WRITES }, (_, index) => {
    const n = index + WARM_UP_WRITES;
    // The event may reach the reader before the writer's await continues.
    return Math.max(0, (receivedMs[n] as number) - (committedMs[n] as number));
  });
}

/**
 * Publish, receive in a subscriber, answer, receive the answer: the cost of two hops without our
 * code.
 */
async function natsRoundTrips(url: string): Promise<number[]> {
  const { username, password, host } = new URL(url);
  const options = { servers: host, user: username, pass: password };
  const [server, client] = [await connectNats(options), await connectNats(options)];
  server.subscribe('bench.echo', {
    callback: (_error, message) => void message.respond(message.data),
  });
  await server.flush();
  const times: number[] = [];
  for (let n = 0; n < 2000; n += 1) {
    const startedMs = performance.now();
    await client.request('bench.echo', 'x'.repeat(100), { timeout: 2000 });
    times.push(performance.now() - startedMs);
    if (n % 10 === 0) await sleep(1);
  }
  await Promise.all([server.close(), client.close()]);
  return times;
}

function report(latencies: number[], bare: number[]): Figure[] {
  latencies.sort((a, b) => a - b);
  bare.sort((a, b) => a - b);
  const table = [['path', 'p50 ms', 'p99 ms', 'max ms']];
  for (const [name, values] of [
    ['commit to client', latencies],
    ['bare NATS round trip', bare],
  ] as const) {
    table.push([name, ...[0.5, 0.99, 1].map((q) => quantile(values, q).toFixed(2))]);
  }
  printTable(table);
  console.error(
    `${WRITES_PER_SECOND} writes/s for ${SECONDS} s, ${IDLE_QUEUES} idle queues open, api and relay in separate processes.`,
  );
  return (
    [
      ['events.p50', 0.5, GOAL_P50_MS],
      ['events.p99', 0.99, GOAL_P99_MS],
    ] as const
  ).map(([figure, q, goal]) => {
    const [ours, floor] = [quantile(latencies, q), quantile(bare, q)];
    return {
      figure,
      ours: round(ours, 2),
      bare: round(floor, 2),
      ratio: round(ours / floor, 1),
      unit: 'ms',
      goal,
      met: ours <= goal,
    };
  });
}

async function openIdleQueues(ctx: Context, origin: string): Promise<{ close(): void }> {
  const closing = new AbortController();
  for (let index = 0; index < IDLE_USERS; index += 1) {
    const { basic } = await createPerson(ctx, `idle${index}`);
    const caller = { origin, basic };
    for (let queue = 0; queue < IDLE_QUEUES / IDLE_USERS; queue += 1) {
      void keepPolling(caller, await registerFor(caller, 'drafts'), closing.signal);
    }
  }
  return { close: () => closing.abort() };
}
