// `bench peers`: the same room here and on ejabberd, whose archive is in the same PostgreSQL. Eight people send as fast as
// each hears that the last message is stored; one message goes to 1,000 and to 5,000 who listen; and what one of them costs
// in memory. Both sides take turns, with their clients on the same cores.
import { setTimeout as sleep } from 'node:timers/promises';
import { startDeployment, type TestDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { printTable, type Figure } from '../figure.ts';
import { createPerson, registerFor, type Caller } from './chat-calls.ts';
import { addChannel, FOR_MANY_CLIENTS } from './chat-world.ts';
import { startEjabberd } from './ejabberd.ts';
import { ask, open, toMessage, type Line } from './lines.ts';
import { openLongPolls, type LongPolls } from './long-polls.ts';
import { perSecond } from './per-second.ts';
import { residentBytes } from './resident.ts';
import { median, quantile, round, spread } from './stats.ts';
import { enterRoom, type Room } from './xmpp.ts';

const SENDERS = 8;
const ROUNDS = 5;
const EIGHT = { inFlight: SENDERS, seconds: 3 };
const SIZES = [1000, 5000];
/** Each with ten devices, as in `bench fanout`. */
const PEOPLE = 500;
const WARM_UP = 3;
const MESSAGES = 20;
/** Long enough for every client of ours to poll again. */
const PAUSE_MS = 1500;
const CONTENT = 'The spread on BTC-USDT is back to two ticks; see the desk and depth(20).';
const GOAL_RATE = 1;
const GOAL_FANOUT = 1.5;

interface Sides {
  readonly api: { readonly origin: string; readonly port: number; readonly pid: number };
  readonly ejabberd: { readonly port: number; readonly pid: number };
  readonly callers: readonly Caller[];
  readonly senders: readonly Sender[];
}

interface Sender {
  readonly line: Line;
  readonly request: string;
}

export async function benchPeers(): Promise<Figure[]> {
  const deployment = await startDeployment(FOR_MANY_CLIENTS);
  const { ctx, environment, postgres } = deployment;
  const ejabberd = await startEjabberd(postgres.ownerUrl);
  const people = await createPeople(deployment);
  const ids = people.map(({ user }) => user.id);
  await addChannel(ctx.database.pool, 'desk', ids[0] ?? 0, ids);
  const api = await startRialtoProcess('api', environment);
  const relay = await startRialtoProcess('relay', environment);
  const senders: Sender[] = [];
  try {
    for (const { basic } of people.slice(0, SENDERS)) {
      const request = toMessage(api.port, basic, 'desk', CONTENT);
      senders.push({ line: await open(api.port), request });
    }
    const sides: Sides = {
      api: { origin: api.origin, port: api.port, pid: api.pid },
      ejabberd: { port: ejabberd.port, pid: ejabberd.pid ?? 0 },
      callers: people.map(({ basic }) => ({ origin: api.origin, basic })),
      senders,
    };
    const figures = [await compareRates(sides)];
    for (const size of SIZES) figures.push(...(await compareFanOut(sides, size)));
    return figures;
  } finally {
    for (const { line } of senders) line.close();
    await api.stop();
    await relay.stop();
    await ejabberd.remove();
    await deployment.close();
  }
}

async function createPeople({ ctx }: TestDeployment) {
  const people = [];
  for (let n = 0; n < PEOPLE; n += 1) people.push(await createPerson(ctx, `reader${n}`));
  return people;
}

const sendOurs = ({ senders }: Sides, n: number): Promise<void> => {
  const { line, request } = senders[n] as Sender;
  return ask(line, request);
};

async function openOurs({ api, callers }: Sides, count: number): Promise<LongPolls> {
  const pollers = [];
  for (let n = 0; n < count; n += 1) {
    const caller = callers[n % PEOPLE] as Caller;
    pollers.push({ basic: caller.basic, queue: await registerFor(caller, 'message') });
  }
  return openLongPolls(api.port, pollers);
}

/** Eight senders, who listen as well. */
async function compareRates(sides: Sides): Promise<Figure> {
  const polls = await openOurs(sides, SENDERS);
  const room = await enterRoom(sides.ejabberd.port, SENDERS);
  const rates: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    const ours = await perSecond(EIGHT, (n) => sendOurs(sides, n));
    const theirs = await perSecond(
      EIGHT,
      (n) => room.occupants[n]?.say(CONTENT) ?? Promise.resolve(),
    );
    // The first round is a warm-up.
    if (turn === 0) continue;
    rates.ours.push(ours);
    rates.theirs.push(theirs);
  }
  polls.close();
  room.close();
  const [ours, theirs] = [median(rates.ours), median(rates.theirs)];
  printTable([
    ['durable messages of eight senders', 'a second', 'spread'],
    ['ours', round(ours).toString(), spread(rates.ours)],
    ['ejabberd', round(theirs).toString(), spread(rates.theirs)],
  ]);
  return {
    figure: 'peers.rate',
    ours: round(ours),
    ejabberd: round(theirs),
    ratio: round(ours / theirs, 2),
    unit: 'messages/s',
    goal: GOAL_RATE,
    met: ours / theirs >= GOAL_RATE,
  };
}

async function compareFanOut(sides: Sides, size: number): Promise<Figure[]> {
  const bytes = { ours: residentBytes(sides.api.pid), theirs: residentBytes(sides.ejabberd.pid) };
  const polls = await openOurs(sides, size);
  const room = await enterRoom(sides.ejabberd.port, size);
  await sleep(PAUSE_MS);
  bytes.ours = (residentBytes(sides.api.pid) - bytes.ours) / size;
  bytes.theirs = (residentBytes(sides.ejabberd.pid) - bytes.theirs) / size;
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let n = 0; n < WARM_UP + MESSAGES; n += 1) {
    const ours = await timeUntilLast(polls, () => sendOurs(sides, 0));
    await sleep(PAUSE_MS);
    const theirs = await timeUntilLast(room, async () => room.occupants[0]?.say(CONTENT));
    await sleep(PAUSE_MS);
    if (n < WARM_UP) continue;
    times.ours.push(ours);
    times.theirs.push(theirs);
  }
  polls.close();
  room.close();
  // What has left must not count for the next size.
  await sleep(PAUSE_MS);
  return report(size, times, bytes);
}

async function timeUntilLast(
  listeners: Pick<LongPolls | Room, 'received'>,
  send: () => Promise<unknown>,
): Promise<number> {
  const startMs = performance.now();
  const received = listeners.received(1);
  await send();
  await received;
  return performance.now() - startMs;
}

function report(
  size: number,
  times: { ours: number[]; theirs: number[] },
  bytes: { ours: number; theirs: number },
): Figure[] {
  const sorted = (of: number[]) => of.toSorted((a, b) => a - b);
  const [ours, theirs] = [sorted(times.ours), sorted(times.theirs)];
  const ratio = quantile(ours, 0.5) / quantile(theirs, 0.5);
  const cells = (of: number[], each: number) => [
    ...[0.5, 0.99].map((q) => quantile(of, q).toFixed(1)),
    round(each / 1024, 1).toString(),
  ];
  printTable([
    [`one message to the last of ${size}`, 'p50 ms', 'p99 ms', 'KB each'],
    ['ours', ...cells(ours, bytes.ours)],
    ['ejabberd', ...cells(theirs, bytes.theirs)],
  ]);
  return [
    {
      figure: `peers.fanout.${size}`,
      ours: round(quantile(ours, 0.5), 1),
      ejabberd: round(quantile(theirs, 0.5), 1),
      p99: round(quantile(ours, 0.99), 1),
      ejabberdP99: round(quantile(theirs, 0.99), 1),
      oursBytes: round(bytes.ours),
      ejabberdBytes: round(bytes.theirs),
      ratio: round(ratio, 2),
      unit: 'ms',
      goal: GOAL_FANOUT,
      met: ratio <= GOAL_FANOUT,
    },
  ];
}
