// `bench fanout`: one message to 5,000 live queues of one api process, from the send request until the last
// client has it; and what a queue costs in memory. The clients run beside it on the same cores. With --full it also
// holds 20,000 queues for ten minutes (held.ts).
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/src/platform/engines/process.ts';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { RIALTO_BINARY, startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { printTable, type Figure } from '../figure.ts';
import { call, createPerson, registerFor, type Caller } from './chat-calls.ts';
import { addChannel, FOR_MANY_CLIENTS } from './chat-world.ts';
import { benchHeld } from './held.ts';
import { probeHeap } from './live-heap.ts';
import { openLongPolls, type LongPolls, type Poller } from './long-polls.ts';
import { quantile, round } from './stats.ts';

const QUEUES = 5000;
/**
 * Ten devices each: with one person, shared state between their queues would flatter the figure.
 */
const PEOPLE = 500;
const WARM_UP = 5;
const MESSAGES = 30;
/** Long enough for every client to poll again: a queue without a poll is not live. */
const PAUSE_MS = 2000;
const IN_FLIGHT = 8;
const GOAL_P99_MS = 200;
const GOAL_BYTES = 8 * 1024;

export async function benchFanout({ full }: { full: boolean }): Promise<Figure[]> {
  const figures = await benchOneMessage();
  return full ? [...figures, ...(await benchHeld())] : figures;
}

async function benchOneMessage(): Promise<Figure[]> {
  const deployment = await startDeployment(FOR_MANY_CLIENTS);
  const { ctx, environment } = deployment;
  const people = [];
  for (let n = 0; n < PEOPLE; n += 1) people.push(await createPerson(ctx, `reader${n}`));
  const ids = people.map(({ user }) => user.id);
  await addChannel(ctx.database.pool, 'everybody', ids[0] ?? 0, ids);
  const inspectorPort = await freePort();
  const api = await startRialtoProcess('api', environment, [
    `--inspect=127.0.0.1:${inspectorPort}`,
    RIALTO_BINARY,
    'serve',
    '--roles',
    'api',
  ]);
  const relay = await startRialtoProcess('relay', environment);
  const callers = people.map(({ basic }) => ({ origin: api.origin, basic }));
  const heap = await probeHeap(inspectorPort);
  let polls: LongPolls | undefined;
  try {
    const sender = callers[0] as Caller;
    // One queue per person first, so that what the node stores about a person does not count as
    // part of a queue.
    await forEach(callers, (caller) => registerFor(caller, 'message'));
    const before = await heap.measure();
    const pollers: Poller[] = [];
    await forEach(
      Array.from({ length: QUEUES }, (_, n) => callers[n % PEOPLE] as Caller),
      async (caller) => {
        pollers.push({ basic: caller.basic, queue: await registerFor(caller, 'message') });
      },
    );
    const registered = await heap.measure();
    polls = await openLongPolls(api.port, pollers);
    await sleep(1000);
    const polling = await heap.measure();
    const times = await measure(sender, polls);
    return report(times, {
      queue: (registered - before) / QUEUES,
      poll: (polling - registered) / QUEUES,
    });
  } finally {
    polls?.close();
    heap.close();
    await api.stop();
    await relay.stop();
    await deployment.close();
  }
}

/** A few at a time. */
async function forEach<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let one = all[next++]; one !== undefined; one = all[next++]) await work(one);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

async function measure(sender: Caller, polls: LongPolls): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + MESSAGES; n += 1) {
    const startMs = performance.now();
    const received = polls.received(1);
    await call(sender, 'POST', '/messages', {
      form: { type: 'channel', to: 'everybody', topic: 'bench', content: `Message ${n}` },
    });
    await received;
    if (n >= WARM_UP) times.push(performance.now() - startMs);
    await sleep(PAUSE_MS);
  }
  return times.sort((a, b) => a - b);
}

function report(times: readonly number[], bytes: { queue: number; poll: number }): Figure[] {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  printTable([
    ['one message to the last of', 'p50 ms', 'p99 ms', 'max ms'],
    [`${QUEUES} queues`, ...[p50, p99, times.at(-1) ?? 0].map((ms) => ms.toFixed(1))],
  ]);
  printTable([
    ['memory', 'bytes each'],
    ['a queue', round(bytes.queue).toString()],
    ['its poll and socket, in the heap', round(bytes.poll).toString()],
  ]);
  console.error(
    `${MESSAGES} messages, ${PEOPLE} people with ${QUEUES / PEOPLE} queues each; every client polls again at once, in one process on the same cores.`,
  );
  return [
    {
      figure: 'fanout.p99',
      ours: round(p99, 1),
      p50: round(p50, 1),
      unit: 'ms',
      goal: GOAL_P99_MS,
      met: p99 <= GOAL_P99_MS,
    },
    {
      figure: 'fanout.memory',
      ours: round(bytes.queue),
      poll: round(bytes.poll),
      unit: 'bytes a queue',
      goal: GOAL_BYTES,
      met: bytes.queue <= GOAL_BYTES,
    },
  ];
}
