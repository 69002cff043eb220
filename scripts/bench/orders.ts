// `bench orders`: durable orders. Sends them directly to the engine, compared with a bare journal
// that gets the same bytes at the same load, and through signed HTTP with everything on this
// machine, one by one and in batches. The processes are those of production: separate engine, api, relay and worker, with NATS
// and Redis in between.
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess, type RialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { printTable, type Figure } from '../figure.ts';
import { createCpuMeter } from './orders-cpu.ts';
import { BATCH, benchBatches, type BatchStep } from './orders-batch.ts';
import { benchDoor, type DoorStep } from './orders-door.ts';
import { measureBytes } from './orders-lag.ts';
import { benchSignedHttp, openTraders, type HttpStep } from './orders-http.ts';
import { benchSockets } from './orders-ws.ts';
import { OPEN_LOOP_HEAD, openLoopCells } from './open-loop.ts';
import { round } from './stats.ts';

const DOOR_STEPS = [7_500, 15_000, 30_000, 60_000];
const DOOR_GOAL = 0.6;
/** Share of the bare journal's rate, at the same load. */
const DOOR_P99_FACTOR = 2;
/** Of the tables for readers, at the sustained rate. */
const LAG_GOAL_MS = 1000;
const BYTES_GOAL = 300;
const HTTP_STEPS = [1_250, 2_500, 4_000, 8_000];
const HTTP_GOAL = 8_000;
const HTTP_P99_GOAL_MS = 25;
const BATCH_STEPS = [2_500, 5_000, 10_000, 25_000];
const BATCH_GOAL = 25_000;
/** Numbers of orders that no other step uses. */
const BATCH_FIRST = 64_000_000;
const SOCKET_STEPS = [3_000, 6_000, 12_000, 16_000];
const SOCKET_GOAL = 12_000;
const QUICK = { seconds: 3, steps: [3_000, 12_000], http: [3_000] };

export async function benchOrders(): Promise<Figure[]> {
  return [...(await measureDoor()), ...(await measureHttp())];
}

/** Starts each role in its own process, and returns the deployment with them. */
async function startAll(roles: readonly string[]) {
  const deployment = await startDeployment({
    MONEY: 'simulated',
    TRADING_RATE_LIMIT: '1000000',
    // The clients keep their connections.
    REQUESTS_PER_CONNECTION_MAX: '0',
    STREAM_FRAMES_PER_SECOND_MAX: '1000000',
    STREAM_CONNECTIONS_PER_ADDRESS_MAX: '1000',
  });
  const processes: RialtoProcess[] = [];
  for (const role of roles) processes.push(await startRialtoProcess(role, deployment.environment));
  return {
    deployment,
    processes,
    cpu: createCpuMeter(
      [
        ...processes.map(({ roles: name, pid }) => ({ name, pid })),
        { name: 'nats', pid: deployment.nats.pid },
        { name: 'redis', pid: deployment.redis.pid },
      ],
      deployment.postgres,
      deployment.ctx.database.pool,
    ),
    async close() {
      await Promise.all(processes.map((process) => process.stop()));
      await deployment.close();
    },
  };
}

async function measureDoor(): Promise<Figure[]> {
  const all = await startAll(['engine', 'relay', 'worker']);
  let steps: DoorStep[];
  let bytes: number;
  try {
    steps = await benchDoor(all.deployment, DOOR_STEPS, all.cpu);
    bytes = await measureBytes(all.deployment.ctx);
  } finally {
    await all.close();
  }
  printTable([
    ['through the engine’s door', ...OPEN_LOOP_HEAD, 'events behind ms', 'tables behind ms'],
    ...steps.flatMap(({ ours, bare, eventsLagMs, tablesLagMs }) => [
      ['ours', ...openLoopCells(ours), String(round(eventsLagMs)), String(round(tablesLagMs))],
      ['bare journal', ...openLoopCells(bare), '', ''],
    ]),
  ]);
  const { ours, bare, cost, costToTables, eventsLagMs, tablesLagMs } = steps.at(-1) as DoorStep;
  const ratio = ours.perSecond / bare.perSecond;
  const engine: Figure = {
    figure: 'orders.engine',
    ours: ours.perSecond,
    bare: bare.perSecond,
    ratio: round(ratio, 2),
    unit: 'orders/s',
    offered: ours.offered,
    ms: { p50: ours.p50, p99: ours.p99, p999: ours.p999 },
    bareMs: { p50: bare.p50, p99: bare.p99, p999: bare.p999 },
    p99Within: DOOR_P99_FACTOR * bare.p99 >= ours.p99,
    lagMs: { events: round(eventsLagMs), tables: round(tablesLagMs) },
    microsecondsAnOrder: cost,
    microsecondsToTables: costToTables,
    steps: steps.map((step) => [step.ours.offered, step.ours.perSecond, step.ours.p99]),
    goal: DOOR_GOAL,
    met: ratio >= DOOR_GOAL,
  };
  // The rate that the engine takes without refusing anything.
  const sustained = steps.findLast((step) => step.ours.refused === 0) ?? steps[0];
  const lag = round(sustained?.tablesP99Ms ?? Number.NaN);
  return [
    engine,
    {
      figure: 'projection.lag',
      value: lag,
      unit: 'ms p99',
      offered: sustained?.ours.offered,
      steps: steps.map((step) => [step.ours.offered, round(step.tablesP99Ms)]),
      goal: LAG_GOAL_MS,
      met: lag <= LAG_GOAL_MS,
    },
    {
      figure: 'projection.bytes',
      value: round(bytes),
      unit: 'bytes a command',
      goal: BYTES_GOAL,
      met: bytes <= BYTES_GOAL,
    },
  ];
}

async function measureHttp(): Promise<Figure[]> {
  const all = await startAll(['engine', 'relay', 'worker', 'api']);
  let steps: HttpStep[];
  let batches: BatchStep[];
  try {
    const port = all.processes.at(-1)?.port ?? 0;
    const traders = await openTraders(all.deployment);
    steps = await benchSignedHttp(all.deployment, traders, { port, rates: HTTP_STEPS }, all.cpu);
    const inBatches = { port, rates: BATCH_STEPS, first: BATCH_FIRST };
    batches = await benchBatches(all.deployment, traders, inBatches, all.cpu);
  } finally {
    await all.close();
  }
  printTable([
    ['signed HTTP', ...OPEN_LOOP_HEAD, 'tables behind ms'],
    ...steps.map(({ result, tablesLagMs }) => [
      'POST /private/order/create',
      ...openLoopCells(result),
      String(round(tablesLagMs)),
    ]),
  ]);
  return [toHttpFigure(steps), toBatchFigure(batches)];
}

function toHttpFigure(steps: readonly HttpStep[]): Figure {
  const bestStep = bestOf(steps);
  const best = bestStep?.result.perSecond ?? 0;
  const half = steps.find(({ result }) => result.offered === HTTP_GOAL / 2)?.result;
  const p99 = half?.p99 ?? Number.NaN;
  return {
    figure: 'orders.http',
    value: best,
    unit: 'orders/s',
    p99AtHalf: p99,
    p99Goal: HTTP_P99_GOAL_MS,
    microsecondsAnOrder: bestStep?.cost,
    steps: steps.map(({ result }) => [result.offered, result.perSecond, result.p99]),
    goal: HTTP_GOAL,
    met: best >= HTTP_GOAL && p99 <= HTTP_P99_GOAL_MS,
  };
}

const bestOf = <S extends HttpStep>(steps: readonly S[]): S | undefined =>
  steps.toSorted((a, b) => b.result.perSecond - a.result.perSecond)[0];

function toBatchFigure(steps: readonly BatchStep[]): Figure {
  printTable([
    [`batches of ${BATCH}`, ...OPEN_LOOP_HEAD, 'tables behind ms'],
    ...steps.flatMap(({ result, bare, tablesLagMs }) => [
      ['POST /private/order/create_batch', ...openLoopCells(result), String(round(tablesLagMs))],
      ['bare journal', ...openLoopCells(bare), ''],
    ]),
  ]);
  const best = bestOf(steps);
  const value = best?.result.perSecond ?? 0;
  const bare = best?.bare.perSecond ?? Number.NaN;
  return {
    figure: 'orders.batch',
    ours: value,
    bare,
    ratio: round(value / bare, 2),
    unit: 'orders/s',
    ordersARequest: BATCH,
    ms: { p50: best?.result.p50, p99: best?.result.p99 },
    microsecondsAnOrder: best?.cost,
    steps: steps.map(({ result }) => [result.offered, result.perSecond, result.p99]),
    goal: BATCH_GOAL,
    met: value >= BATCH_GOAL,
  };
}

/** `bench orders.ws`: orders by WebSocket, and by signed HTTP beside them. */
export async function benchOrdersBySocket({ quick }: { quick: boolean }): Promise<Figure[]> {
  const seconds = quick ? QUICK.seconds : 6;
  const all = await startAll(['engine', 'relay', 'worker', 'api']);
  let sockets: HttpStep[];
  let http: HttpStep[];
  try {
    const port = all.processes.at(-1)?.port ?? 0;
    const traders = await openTraders(all.deployment);
    const httpRates = quick ? QUICK.http : [2_500, 5_000];
    const asked = { port, rates: httpRates, seconds };
    http = await benchSignedHttp(all.deployment, traders, asked, all.cpu);
    const first = httpRates.reduce((sum, rate) => sum + rate * seconds, 0);
    const rates = quick ? QUICK.steps : SOCKET_STEPS;
    const ours = { port, rates, seconds, first };
    sockets = await benchSockets(all.deployment, traders, ours, all.cpu);
  } finally {
    await all.close();
  }
  const rows = (name: string, steps: readonly HttpStep[]) =>
    steps.map(({ result, tablesLagMs }) => [
      name,
      ...openLoopCells(result),
      String(round(tablesLagMs)),
    ]);
  printTable([
    ['orders', ...OPEN_LOOP_HEAD, 'tables behind ms'],
    ...rows('signed HTTP', http),
    ...rows('WebSocket', sockets),
  ]);
  const best = bestOf(sockets);
  const value = best?.result.perSecond ?? 0;
  return [
    {
      figure: 'orders.ws',
      value,
      unit: 'orders/s',
      ms: { p50: best?.result.p50, p99: best?.result.p99 },
      http: bestOf(http)?.result.perSecond,
      microsecondsAnOrder: best?.cost,
      microsecondsByHttp: bestOf(http)?.cost,
      steps: sockets.map(({ result }) => [result.offered, result.perSecond, result.p99]),
      goal: SOCKET_GOAL,
      met: value >= SOCKET_GOAL,
    },
  ];
}
