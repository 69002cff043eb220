// Clients that trade while everything around them dies. Each repeats a request until it knows the
// outcome, as the documentation tells clients to do. Now and then it gives up, or repeats a
// completed request.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '@rialto/matching';
import type { Random } from '../../server/src/testing/random.ts';
import { EngineFailure, type Engine } from '../../server/src/trading/engine/door.ts';
import type { ClientCommand } from '../../server/src/trading/engine/command.ts';
import type { Trader } from '../../server/src/testing/trader.ts';
import { toRequest } from './requests.ts';
import { trailingStop, twoExits } from './kinds.ts';
import { MIDDLE, place } from './market.ts';
import { describeOrder, describeOrders, keyOf, orderIdOf, toLine, toLines } from './records.ts';
import type { Answer, Asked, Records, Told } from './records.ts';

const SPREAD = 12_000;
/** One order in this many is a trailing stop. */
const TRAILING_CHANCE = 6;

/** Sends the request once, and returns the outcome. */
type Ask = (command: ClientCommand) => Promise<Answer>;

export interface ClientsOptions {
  readonly engine: Engine;
  readonly records: Records;
  readonly door: readonly number[];
  readonly http: readonly Trader[];
  /** Origins of the api processes; a request goes to any of them. */
  readonly origins: readonly string[];
  random(name: string): Random;
  /** Mean pause of a client between two requests. */
  readonly pauseMs: number;
}

export interface Clients {
  stop(): Promise<void>;
}

export function startClients(options: ClientsOptions): Clients {
  const { engine, records, door, http, origins, pauseMs } = options;
  let isOver = false;
  const runs = [
    ...door.map((account) => ({ account, via: 'door' as const, ask: askDoor(engine) })),
    ...http.map((trader) => {
      const random = options.random(`origin ${trader.accountId}`);
      return {
        account: Number(trader.accountId),
        via: 'http' as const,
        ask: askHttp(trader, () => random.pick(origins)),
      };
    }),
  ].map(async ({ account, via, ask }) => {
    const random = options.random(`client ${account}`);
    const client = createClient({ account, via, ask, random, records });
    while (!isOver) {
      await client();
      await sleep(random.below(2 * pauseMs));
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(runs);
    },
  };
}

interface ClientOptions {
  readonly account: number;
  readonly via: Asked['via'];
  readonly ask: Ask;
  readonly random: Random;
  readonly records: Records;
}

/** How often a client repeats a request before it gives up. */
const ATTEMPTS = 400;
const RETRY_MS = 50;

function createClient(options: ClientOptions): () => Promise<void> {
  const { account, via, ask, random, records } = options;
  const live: number[] = [];
  let count = 0;

  /**
   * Repeats until the outcome is known. One in ten stays unknown: both outcomes are then right, but
   * only once.
   */
  async function settle(key: string, command: ClientCommand): Promise<Answer> {
    const asked = records.open(key, via, command);
    const givesUp = random.below(10) === 0;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await ask(command);
      records.add(asked, answer);
      const isKnown =
        answer.kind === 'done' || (answer.kind === 'nothing' && !answer.why.startsWith('away'));
      if (isKnown || attempt > ATTEMPTS || (givesUp && answer.kind === 'unknown')) return answer;
      await sleep(RETRY_MS);
    }
  }

  async function placeOne(): Promise<void> {
    count += 1;
    const clientOrderId = `${via}-${count}`;
    const command =
      random.below(TRAILING_CHANCE) === 0
        ? trailingStop(account, random, clientOrderId)
        : plainLimit(clientOrderId);
    const answer = await settle(keyOf.place(account, clientOrderId), command);
    if (answer.kind !== 'done') return;
    live.push(orderIdOf(answer.said));
    // A client that lost its memory repeats a completed request: it must get the same order.
    if (random.below(10) === 0) await settle(keyOf.place(account, clientOrderId), command);
  }

  function plainLimit(clientOrderId: string) {
    return place(account, {
      side: random.pick(['buy', 'sell'] as const),
      price: MIDDLE - SPREAD + random.below(2 * SPREAD),
      volume: 100 + random.below(2000),
      clientOrderId,
      ...(random.below(8) === 0 ? { timeInForce: 'IOC' as const } : {}),
    });
  }

  async function placeList(): Promise<void> {
    count += 1;
    const id = `${via}-list-${count}`;
    const command = twoExits(account, random, id);
    const answer = await settle(keyOf.list(account, id), command);
    if (answer.kind !== 'done') return;
    // Either leg may be canceled: the other must go with it.
    live.push(orderIdOf(answer.said) + random.below(2));
    if (random.below(10) === 0) await settle(keyOf.list(account, id), command);
  }

  async function cancelOne(): Promise<void> {
    const [orderId] = live.splice(random.below(live.length), 1);
    if (orderId === undefined) return placeOne();
    await settle(keyOf.cancel(account, orderId), { type: 'cancel', account, orderId });
  }

  return async () => {
    const draw = random.below(100);
    if (draw < 25 && live.length > 0) await cancelOne();
    else if (draw < 35) await placeList();
    else await placeOne();
  };
}

export function askDoor(engine: Engine): Ask {
  return async (command) => {
    try {
      return ofResult((await engine.submit(command)).result);
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      if (error.kind === 'unknown') return { kind: 'unknown' };
      return { kind: 'nothing', why: `away: ${error.kind}` };
    }
  };
}

function ofResult(result: Result): Answer {
  switch (result.kind) {
    case 'placed':
      return { kind: 'done', said: describeOrder(result.order), isReplay: result.replay };
    case 'canceled':
      return { kind: 'done', said: describeOrder(result.order), isReplay: false };
    case 'listed':
      return { kind: 'done', said: describeOrders(result.orders), isReplay: result.replay };
    case 'moved':
      return { kind: 'done', said: '', isReplay: result.replay };
    case 'done':
      return { kind: 'done', said: '', isReplay: false };
    case 'rejected':
      return { kind: 'nothing', why: `rejected ${result.rejection.code}` };
    default:
      throw new Error(`An outcome that nobody asked for: ${result.kind}`);
  }
}

/**
 * Longer than an api process waits for the engine; after that the engine is dead or unreachable.
 */
const HTTP_TIMEOUT_MS = 12_000;

function askHttp(trader: Trader, pickOrigin: () => string): Ask {
  return async (command) => {
    const { method, path, params } = toRequest(command);
    const { query, headers } = trader.prepare({ params });
    try {
      const response = await fetch(`${pickOrigin()}/v1${path}?${query}`, {
        method,
        headers,
        signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
      });
      const body = (await response.json()) as {
        result: Told | { orders: Told[] };
        error?: { code: string };
      };
      if (response.status === 200) {
        const isReplay = response.headers.get('x-svc-idempotent-replay') === 'true';
        const said = 'orders' in body.result ? toLines(body.result.orders) : toLine(body.result);
        return { kind: 'done', said, isReplay };
      }
      const code = body.error?.code ?? '';
      // 1003: the outcome is unknown. 1000: an unexpected error, so the outcome is unknown too.
      if (code === '1003' || code === '1000' || code === '') return { kind: 'unknown' };
      const isAway = code === '1001' || response.status === 429;
      return { kind: 'nothing', why: `${isAway ? 'away' : 'rejected'} ${code}` };
    } catch (error) {
      const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : {};
      // The connection was refused, so the request was not received.
      if (cause?.code === 'ECONNREFUSED') return { kind: 'nothing', why: 'away: refused' };
      return { kind: 'unknown' };
    }
  };
}

/**
 * Sends something new every few milliseconds until the first acknowledgement; returns the time it
 * took.
 */
export async function probe(
  engine: Engine,
  records: Records,
  account: number,
  sinceMs: number,
): Promise<number> {
  const deadline = performance.now() + PROBE_MS;
  let recoveredMs: number | undefined;
  let underWay = 0;
  const ask = askDoor(engine);
  while (recoveredMs === undefined) {
    if (performance.now() > deadline) {
      throw new Error(`No order was acknowledged for ${PROBE_MS} ms after a fault.`);
    }
    if (underWay < PROBES_MAX) {
      underWay += 1;
      probes += 1;
      const clientOrderId = `probe-${probes}`;
      const command = place(account, {
        side: 'buy',
        price: MIDDLE - 1_000_000,
        volume: 100,
        timeInForce: 'IOC',
        clientOrderId,
      });
      const asked = records.open(keyOf.place(account, clientOrderId), 'door', command);
      void ask(command).then((answer) => {
        underWay -= 1;
        records.add(asked, answer);
        if (answer.kind === 'done') recoveredMs ??= performance.now() - sinceMs;
      });
    }
    await sleep(10);
  }
  return recoveredMs;
}

const PROBE_MS = 60_000;
/** Requests that a dead engine had received stay unanswered for a while. */
const PROBES_MAX = 2000;
let probes = 0;
