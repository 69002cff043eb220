// `bench fanout --full`: 20,000 live queues on one api process for ten minutes, or as many as the limit of open files allows,
// with ten messages a second, each to one channel of a hundred queues. Every message must reach every queue of its channel.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { printTable, type Figure } from '../figure.ts';
import { call, createPerson, registerFor, type Caller } from './chat-calls.ts';
import { addChannel, FOR_MANY_CLIENTS } from './chat-world.ts';
import { openLongPolls, type LongPolls } from './long-polls.ts';
import { residentBytes } from './resident.ts';
import { quantile, round } from './stats.ts';

/** In each channel, each with ten devices. */
const PEOPLE = 10;
const DEVICES = 10;
const CHANNELS_MAX = 200;
/** Every queue is a socket of the api process and one of this process; both need some for themselves. */
const CHANNELS = Math.min(CHANNELS_MAX, Math.floor((filesMax() - 1000) / (PEOPLE * DEVICES)));
const QUEUES = CHANNELS * PEOPLE * DEVICES;
const SECONDS = 600;
const EVERY_MS = 100;
const GOAL_P99_MS = 200;

interface Desk {
  readonly name: string;
  readonly sender: Caller;
  readonly polls: LongPolls;
}

export async function benchHeld(): Promise<Figure[]> {
  const deployment = await startDeployment(FOR_MANY_CLIENTS);
  const { ctx, environment } = deployment;
  const api = await startRialtoProcess('api', environment);
  const relay = await startRialtoProcess('relay', environment);
  const desks: Desk[] = [];
  try {
    const before = residentBytes(api.pid);
    for (let n = 0; n < CHANNELS; n += 1) {
      const people = [];
      for (let p = 0; p < PEOPLE; p += 1) people.push(await createPerson(ctx, `p${n}x${p}`));
      const ids = people.map(({ user }) => user.id);
      await addChannel(ctx.database.pool, `desk ${n}`, ids[0] ?? 0, ids);
      const callers = people.map(({ basic }) => ({ origin: api.origin, basic }));
      const pollers = [];
      for (const caller of callers) {
        for (let device = 0; device < DEVICES; device += 1) {
          pollers.push({ basic: caller.basic, queue: await registerFor(caller, 'message') });
        }
      }
      const polls = await openLongPolls(api.port, pollers);
      desks.push({ name: `desk ${n}`, sender: callers[0] as Caller, polls });
    }
    const opened = residentBytes(api.pid);
    console.error(`${QUEUES} queues are open; ${SECONDS} s with a message every ${EVERY_MS} ms.`);
    const times = await hold(desks);
    return report(times, { before, opened, after: residentBytes(api.pid) });
  } finally {
    for (const { polls } of desks) polls.close();
    await api.stop();
    await relay.stop();
    await deployment.close();
  }
}

/** Messages start at fixed times, whether or not the one before has arrived everywhere. */
async function hold(desks: readonly Desk[]): Promise<number[]> {
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const startMs = performance.now();
  for (let n = 0; n < (SECONDS * 1000) / EVERY_MS; n += 1) {
    const dueMs = startMs + n * EVERY_MS;
    await sleep(Math.max(0, dueMs - performance.now()));
    running.push(sendTo(desks[n % desks.length] as Desk, dueMs, times));
  }
  await Promise.all(running);
  return times.sort((a, b) => a - b);
}

async function sendTo(desk: Desk, dueMs: number, times: number[]): Promise<void> {
  const received = desk.polls.received(1);
  await call(desk.sender, 'POST', '/messages', {
    form: { type: 'channel', to: desk.name, topic: 'bench', content: 'Two ticks.' },
  });
  await received;
  times.push(performance.now() - dueMs);
}

function report(
  times: readonly number[],
  bytes: { before: number; opened: number; after: number },
): Figure[] {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  const megabytes = (of: number) => round(of / 2 ** 20).toString();
  printTable([
    [`${QUEUES} queues for ${SECONDS} s`, 'p50 ms', 'p99 ms', 'max ms', 'messages'],
    [
      'to the last of 100 queues',
      ...[p50, p99, times.at(-1) ?? 0].map((ms) => ms.toFixed(1)),
      String(times.length),
    ],
  ]);
  printTable([
    ['resident memory of the api process', 'MB'],
    ['without queues', megabytes(bytes.before)],
    ['with all of them', megabytes(bytes.opened)],
    ['at the end', megabytes(bytes.after)],
  ]);
  return [
    {
      figure: 'fanout.held',
      ours: round(p99, 1),
      p50: round(p50, 1),
      queues: QUEUES,
      bytesBefore: bytes.before,
      bytesOpened: bytes.opened,
      bytesAfter: bytes.after,
      unit: 'ms',
      goal: GOAL_P99_MS,
      met: p99 <= GOAL_P99_MS,
    },
  ];
}

/** How many files and sockets a process may have open here. */
function filesMax(): number {
  const limit = /^Max open files\s+\d+\s+(\d+)/m.exec(
    readFileSync('/proc/self/limits', 'utf8'),
  )?.[1];
  return limit === undefined ? Infinity : Number(limit);
}
