// `bench streams`: 2,000 subscribers of one busy book at 50 updates a second, on one api process, beside the bare library
// `ws` that sends the same bytes to as many, in turns. The channel is `depth_fast`: one push for each change of the book.
// On a machine with few cores the clients compete with the server, so the ratio is of processor time: deliveries a second
// of processor time, ours by the bare library's. `--full` then looks how many subscribers one process holds.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { liveVenue } from '../../server/src/testing/live-venue.ts';
import { startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { createEngineClient, type EngineClient } from '../../server/src/trading/engine/client.ts';
import { printTable, type Figure } from '../figure.ts';
import { readUsage } from './orders-cpu.ts';
import { quantile, round } from './stats.ts';
import type { OpenClients, Received, ToClients } from './streams-clients.ts';

const SUBSCRIBERS = 2000;
const UPDATES_PER_SECOND = 50;
/** Orders that rest at the same time: as each is placed, the oldest is canceled. */
const RESTING = 60;
const SECONDS = 10;
const QUICK_SECONDS = 4;
const TURNS = 3;
const GOAL_RATIO = 0.7;
const GOAL_P99_MS = 250;
/** How many subscribers one process is tried with. */
const STEPS = [2000, 3000, 4000, 6000, 8000, 12_000, 16_000];
/** How long the last updates may take to arrive. */
const SETTLE_MS = 20_000;
const CHANNEL = 'depth_fast:btcusdt';

const nowMs = () => performance.timeOrigin + performance.now();

export async function benchStreams({
  quick,
  full = false,
}: {
  quick: boolean;
  full?: boolean;
}): Promise<Figure[]> {
  const deployment = await startDeployment({
    MONEY: 'simulated',
    TRADING_RATE_LIMIT: '1000000',
    CONNECTIONS_PER_ADDRESS_MAX: '100000',
    CONNECTIONS_MAX: '100000',
    STREAM_CONNECTIONS_PER_ADDRESS_MAX: '100000',
  });
  const { ctx, environment } = deployment;
  const others = await startRialtoProcess('engine,relay,worker', environment);
  const api = await startRialtoProcess('api', environment);
  const bare = fork(fileURLToPath(new URL('streams-bare.ts', import.meta.url)));
  const clients = startClients();
  const engine = createEngineClient({
    bus: ctx.bus,
    pool: ctx.database.pool,
    secrets: ctx.secrets,
    clock: ctx.clock,
    log: ctx.log,
    answerMs: 5000,
    underWayMax: 1000,
  });
  try {
    const [barePort] = (await once(bare, 'message')) as [number];
    const venue = await liveVenue({ ctx }, { terms: { btcusdt: { maxOpenOrders: 5000 } } });
    const trader = await venue.trader();
    const book = createBusyBook(engine, Number(trader.accountId));
    const frame = JSON.stringify({ op: 'subscribe', channels: [CHANNEL] });
    const ofOurs = { group: 'ours', port: api.port, path: '/v1/ws', frame };
    const rssBefore = residentBytes(api.pid);
    await clients.open({ ...ofOurs, count: SUBSCRIBERS });
    const rss = (residentBytes(api.pid) - rssBefore) / SUBSCRIBERS;
    const ofBare = { group: 'bare', port: barePort, path: '/', frame: undefined };
    await clients.open({ ...ofBare, count: SUBSCRIBERS });
    const seconds = quick ? QUICK_SECONDS : SECONDS;
    const ours: Turn[] = [];
    const others: Turn[] = [];
    await measureOurs(clients, book, api.pid, 1);
    await clients.record('ours');
    for (let turn = 0; turn < TURNS; turn += 1) {
      ours.push(await measureOurs(clients, book, api.pid, seconds));
      const texts = await clients.recorded('ours');
      others.push(await measureBare(clients, bare, texts, seconds));
    }
    const figures = report(ours, others, { rss, seconds });
    if (full) figures.push(await findMost(clients, book, api.pid, ofOurs));
    return figures;
  } finally {
    bare.disconnect();
    clients.close();
    await engine.stop();
    await api.stop();
    await others.stop();
    await deployment.close();
  }
}

interface Turn extends Received {
  readonly updates: number;
  readonly cpuUs: number;
  /** From the moment before the order was sent until a client had it; and from its answer, which follows the commit. */
  readonly sentMs: readonly number[];
  readonly answeredMs: readonly number[];
}

interface BusyBook {
  /** Changes the book so often a second, and returns when each price was sent and answered. */
  run(seconds: number): Promise<Map<string, { sentMs: number; answeredMs: number }>>;
}

function createBusyBook(engine: EngineClient, account: number): BusyBook {
  const resting: number[] = [];
  let placed = 0;
  const times = new Map<string, { sentMs: number; answeredMs: number }>();

  async function place(): Promise<void> {
    placed += 1;
    const price = 6_300_000 + (placed % 50_000);
    const sentMs = nowMs();
    const { result } = await engine.submit({
      type: 'place',
      account,
      order: {
        symbol: 'btcusdt',
        side: 'buy',
        type: 'limit',
        price,
        priceDecimals: 2,
        volume: 1 + (placed % 900),
        volumeDecimals: 4,
      },
    });
    if (result.kind !== 'placed') throw new Error(JSON.stringify(result));
    resting.push(result.order.orderId);
    times.set((price / 100).toFixed(2), { sentMs, answeredMs: nowMs() });
  }

  async function cancel(): Promise<void> {
    const orderId = resting.shift();
    if (orderId !== undefined) await engine.submit({ type: 'cancel', account, orderId });
  }

  return {
    async run(seconds) {
      while (resting.length < RESTING) await place();
      times.clear();
      const startedMs = performance.now();
      const changes: Promise<void>[] = [];
      for (let n = 0; n < seconds * UPDATES_PER_SECOND; n += 1) {
        const dueMs = startedMs + (n * 1000) / UPDATES_PER_SECOND;
        const waitMs = dueMs - performance.now();
        if (waitMs > 0) await sleep(waitMs);
        changes.push(n % 2 === 0 ? place() : cancel());
      }
      await Promise.all(changes);
      return new Map(times);
    },
  };
}

async function measureOurs(
  clients: Clients,
  book: BusyBook,
  pid: number,
  seconds: number,
  count = SUBSCRIBERS,
): Promise<Turn> {
  await clients.start('ours');
  const before = readUsage(pid).us;
  const times = await book.run(seconds);
  const updates = seconds * UPDATES_PER_SECOND;
  const received = await clients.stop('ours', updates * count);
  const cpuUs = readUsage(pid).us - before;
  const since = (from: 'sentMs' | 'answeredMs') =>
    received.samples
      .flatMap(([price, atMs]) => {
        const time = times.get(price);
        return time === undefined ? [] : [atMs - time[from]];
      })
      .sort((a, b) => a - b);
  return { ...received, updates, cpuUs, sentMs: since('sentMs'), answeredMs: since('answeredMs') };
}

/** Sends what our clients got, at the same pace. */
async function measureBare(
  clients: Clients,
  bare: ChildProcess,
  texts: readonly string[],
  seconds: number,
): Promise<Turn> {
  const pid = bare.pid ?? 0;
  await clients.start('bare');
  const before = readUsage(pid).us;
  const sent = new Map<string, number>();
  const startedMs = performance.now();
  const updates = seconds * UPDATES_PER_SECOND;
  for (let n = 0; n < updates; n += 1) {
    const text = texts[n % texts.length] ?? '';
    const waitMs = startedMs + (n * 1000) / UPDATES_PER_SECOND - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const price = /"bids":\[\{"price":"([0-9.]+)","volume":"(?!0\.0+")/.exec(text)?.[1];
    if (price !== undefined && n < texts.length) sent.set(price, nowMs());
    bare.send(text);
  }
  const received = await clients.stop('bare', updates * SUBSCRIBERS);
  const cpuUs = readUsage(pid).us - before;
  const sentMs = received.samples
    .flatMap(([price, atMs]) => (sent.has(price) ? [atMs - (sent.get(price) ?? 0)] : []))
    .sort((a, b) => a - b);
  return { ...received, updates, cpuUs, sentMs, answeredMs: [] };
}

const perCpuSecond = (turns: readonly Turn[]) => {
  const frames = turns.reduce((sum, turn) => sum + turn.frames, 0);
  const cpuUs = turns.reduce((sum, turn) => sum + turn.cpuUs, 0);
  return (frames / cpuUs) * 1e6;
};

function report(
  ours: readonly Turn[],
  bare: readonly Turn[],
  { rss, seconds }: { rss: number; seconds: number },
): Figure[] {
  const all = (turns: readonly Turn[], from: 'sentMs' | 'answeredMs') =>
    turns.flatMap((turn) => turn[from]).sort((a, b) => a - b);
  const row = (name: string, turns: readonly Turn[]) => {
    const frames = turns.reduce((sum, turn) => sum + turn.frames, 0);
    const expected = turns.reduce((sum, turn) => sum + turn.updates, 0) * SUBSCRIBERS;
    const cpuUs = turns.reduce((sum, turn) => sum + turn.cpuUs, 0);
    const sent = all(turns, 'sentMs');
    return [
      name,
      `${round((frames / expected) * 100, 1)} %`,
      String(round(perCpuSecond(turns))),
      `${round(cpuUs / 1e4 / turns.length / seconds, 0)} %`,
      round(quantile(sent, 0.5), 1).toFixed(1),
      round(quantile(sent, 0.99), 1).toFixed(1),
    ];
  };
  const head = ['', 'delivered', 'frames a CPU second', 'of one core', 'p50 ms', 'p99 ms'];
  printTable([head, row('ours', ours), row('bare ws', bare)]);
  const answered = all(ours, 'answeredMs');
  const frames = ours.reduce((sum, turn) => sum + turn.frames, 0);
  const bytes = ours.reduce((sum, turn) => sum + turn.bytes, 0);
  const cpuUs = ours.reduce((sum, turn) => sum + turn.cpuUs, 0);
  const ratio = perCpuSecond(ours) / perCpuSecond(bare);
  const p99 = quantile(all(ours, 'sentMs'), 0.99);
  console.error(
    `${SUBSCRIBERS} subscribers of ${CHANNEL}, ${UPDATES_PER_SECOND} updates a second, ${ours.length} turns of ${seconds} s each; ours from the order's sending (its commit included), bare from the call.`,
  );
  console.error(
    `A subscriber: ${round(bytes / frames)} bytes an update, ${round(cpuUs / ours.length / seconds / SUBSCRIBERS, 1)} µs of processor time a second, ${round(rss / 1024, 1)} KiB of memory. After the answer to the order: p50 ${round(quantile(answered, 0.5), 1)} ms, p99 ${round(quantile(answered, 0.99), 1)} ms.`,
  );
  return [
    {
      figure: 'streams.bare',
      ours: round(perCpuSecond(ours)),
      bare: round(perCpuSecond(bare)),
      ratio: round(ratio, 2),
      unit: 'frames a CPU second',
      ms: { p50: round(quantile(all(ours, 'sentMs'), 0.5), 1), p99: round(p99, 1) },
      afterAnswerMs: {
        p50: round(quantile(answered, 0.5), 1),
        p99: round(quantile(answered, 0.99), 1),
      },
      bytesAnUpdate: round(bytes / frames),
      cpuMicrosecondsASecond: round(cpuUs / ours.length / seconds / SUBSCRIBERS, 1),
      residentBytes: round(rss),
      goal: GOAL_RATIO,
      met: ratio >= GOAL_RATIO,
    },
  ];
}

/** Adds subscribers until an update takes longer than it may. */
async function findMost(
  clients: Clients,
  book: BusyBook,
  pid: number,
  ofOurs: Omit<OpenClients, 'count'>,
): Promise<Figure> {
  const rows = [['subscribers', 'delivered', 'p50 ms', 'p99 ms']];
  let held = 0;
  let open = SUBSCRIBERS;
  for (const count of STEPS) {
    if (count > open) await clients.open({ ...ofOurs, count: count - open });
    open = Math.max(count, open);
    const turn = await measureOurs(clients, book, pid, SECONDS, open);
    const { sentMs, frames, updates, closed } = turn;
    const [p50, p99] = [quantile(sentMs, 0.5), quantile(sentMs, 0.99)];
    const delivered = frames / updates / open;
    rows.push([String(open), `${round(delivered * 100, 1)} %`, p50.toFixed(1), p99.toFixed(1)]);
    if (!(p99 <= GOAL_P99_MS) || closed > 0 || delivered < 0.99) break;
    held = open;
  }
  printTable(rows);
  return {
    figure: 'streams.most',
    ours: held,
    unit: `subscribers with p99 within ${GOAL_P99_MS} ms`,
    goal: SUBSCRIBERS,
    met: held >= SUBSCRIBERS,
  };
}

interface Clients {
  open(request: OpenClients): Promise<void>;
  start(group: string): Promise<void>;
  stop(group: string, expected: number): Promise<Received>;
  record(group: string): Promise<void>;
  recorded(group: string): Promise<string[]>;
  close(): void;
}

function startClients(): Clients {
  const child = fork(fileURLToPath(new URL('streams-clients.ts', import.meta.url)));
  async function ask<T>(message: ToClients): Promise<T> {
    const answer = once(child, 'message');
    child.send(message);
    const [value] = (await answer) as [T];
    return value;
  }
  return {
    open: (request) => ask({ open: request }),
    start: (group) => ask({ start: group }),
    stop: (group, expected) => ask({ stop: group, expected, withinMs: SETTLE_MS }),
    record: (group) => ask({ record: group }),
    recorded: (group) => ask({ record: group }),
    close: () => child.disconnect(),
  };
}

/** The memory that a process occupies. */
function residentBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? 0) * 1024;
}
