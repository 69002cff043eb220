// `bench fanout`: one message to 5,000 live queues of one api process, from the send request until the last
// client has it; and what a queue costs in memory. The clients run beside it on the same cores. In turns with it, bare
// node:http gives the same answer to as many waiting requests. With --full it also holds 20,000 queues for ten minutes
// (held.ts).
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/src/platform/engines/process.ts';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { RIALTO_BINARY, startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { printTable, type Figure } from '../figure.ts';
import { call, callForText, createPerson, registerFor, type Caller } from './chat-calls.ts';
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
  const bare = fork(fileURLToPath(new URL('fanout-bare.ts', import.meta.url)));
  const [barePort] = (await once(bare, 'message')) as [number];
  const polls: LongPolls[] = [];
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
    const ours = await openLongPolls(api.port, pollers);
    polls.push(ours);
    await sleep(1000);
    const polling = await heap.measure();
    const ofBare = await openLongPolls(barePort, pollers);
    polls.push(ofBare);
    const times = await measure(sender, ours, { process: bare, polls: ofBare });
    return report(times, {
      queue: (registered - before) / QUEUES,
      poll: (polling - registered) / QUEUES,
    });
  } finally {
    for (const of of polls) of.close();
    bare.disconnect();
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

interface Bare {
  readonly process: ChildProcess;
  readonly polls: LongPolls;
}

interface Times {
  readonly ours: readonly number[];
  readonly bare: readonly number[];
}

async function measure(sender: Caller, polls: LongPolls, bare: Bare): Promise<Times> {
  const [ours, ofBare]: [number[], number[]] = [[], []];
  const queue = await registerFor(sender, 'message');
  let answer = '';
  for (let n = 0; n < WARM_UP + MESSAGES; n += 1) {
    const times = await timeOf(polls, () =>
      call(sender, 'POST', '/messages', {
        form: { type: 'channel', to: 'everybody', topic: 'bench', content: `Message ${n}` },
      }),
    );
    // The bytes that every client of the first message got.
    answer ||= await callForText(
      sender,
      'GET',
      `/events?queue_id=${queue.queue_id}&last_event_id=${queue.last_event_id}`,
    );
    await sleep(PAUSE_MS);
    const bareTimes = await timeOf(bare.polls, async () => bare.process.send(answer));
    await sleep(PAUSE_MS);
    if (n < WARM_UP) continue;
    ours.push(times);
    ofBare.push(bareTimes);
  }
  const [sortedOurs, sortedBare] = [ours, ofBare].map((of) => of.sort((a, b) => a - b));
  return { ours: sortedOurs ?? [], bare: sortedBare ?? [] };
}

/** Milliseconds from the start of `send` until the last client has its event. */
async function timeOf(polls: LongPolls, send: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  const received = polls.received(1);
  await send();
  await received;
  return performance.now() - startMs;
}

function report({ ours, bare }: Times, bytes: { queue: number; poll: number }): Figure[] {
  const [p50, p99] = [quantile(ours, 0.5), quantile(ours, 0.99)];
  const [bareP50, bareP99] = [quantile(bare, 0.5), quantile(bare, 0.99)];
  printTable([
    ['one message to the last of', 'p50 ms', 'p99 ms'],
    [`${QUEUES} queues`, ...[p50, p99].map((ms) => ms.toFixed(1))],
    [`${QUEUES} requests to bare node:http`, ...[bareP50, bareP99].map((ms) => ms.toFixed(1))],
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
      bare: round(bareP99, 1),
      bareP50: round(bareP50, 1),
      ratio: round(p50 / bareP50, 2),
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
