// One queue for both products while processes die: api nodes, relays and engines are killed at random from a seed, under
// orders and messages. What the clients got must be exactly what the journal and the messages say, once and in order.
// ONE_QUEUE=full is the whole proof: 10,000 orders and 1,000 messages. ONE_QUEUE_SEED and ONE_QUEUE_KILLS vary it.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TradingEvent } from '../server/src/bridges/queue/events.ts';
import { decodeCommand } from '../server/src/trading/engine/command.ts';
import { Machine } from '../server/src/trading/engine/machine.ts';
import { firstConfig } from '../server/src/trading/engine/recover.ts';
import { Batch } from '../server/src/trading/batches/batch.ts';
import { listChanges } from '../server/src/trading/batches/changes.ts';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { examplePerson, type Person } from '../server/src/testing/example.ts';
import { liveVenue } from '../server/src/testing/live-venue.ts';
import { createRandom, type Random } from '../server/src/testing/random.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import type { Trader } from '../server/src/testing/trader.ts';

const IS_FULL = process.env['ONE_QUEUE'] === 'full';
const SEED = Number(process.env['ONE_QUEUE_SEED'] ?? 1);
const ORDERS = IS_FULL ? 10_000 : 500;
const MESSAGES = IS_FULL ? 1000 : 60;
const KILLS = Number(process.env['ONE_QUEUE_KILLS'] ?? 20);
const START_MS = 600_000;
/** Far more than it takes: on a machine that is busy with other tests, twenty starts take long. */
const RUN_MS = IS_FULL ? 1_800_000 : 600_000;
const PEOPLE = 4;
const TYPES = ['order', 'trade', 'balance', 'message'];

type Received = (TradingEvent | { type: 'message'; message: { id: number } }) & { id: number };

interface Client {
  readonly person: Person;
  readonly trader: Trader;
  readonly queueId: string;
  /** The engine event that the queue starts after. */
  readonly engineSeq: number;
  last: number;
  readonly received: Received[];
}

let deployment: TestDeployment;
let apis: RialtoProcess[];
let others: RialtoProcess[];
let clients: Client[];
const random = createRandom(SEED);
/** Orders and messages go on until the last death, more slowly once there are enough. */
let isKilling = true;

beforeAll(async () => {
  deployment = await startDeployment({
    MONEY: 'simulated',
    TRADING_RATE_LIMIT: '1000000',
    CHAT_RATE_LIMIT: '1000000',
    CHAT_RATE_LIMIT_POLLS: '1000000',
    HEARTBEAT_SECONDS: '2',
  });
  const start = (roles: string) => startRialtoProcess(roles, deployment.environment);
  // One after the other: together they would start no sooner on a small machine.
  others = [];
  for (const roles of ['engine', 'relay,worker', 'engine', 'relay,worker']) {
    others.push(await start(roles));
  }
  apis = [await start('api'), await start('api')];
  const venue = await liveVenue(deployment, {
    phase: 'continuous',
    terms: { btcusdt: { maxOpenOrders: 100_000 } },
  });
  clients = [];
  for (let n = 0; n < PEOPLE; n += 1) {
    const person = await examplePerson(deployment.ctx);
    const trader = await venue.trader(undefined, { userId: person.id });
    const { queue_id, last_event_id, trading } = await ask<{
      queue_id: string;
      last_event_id: number;
      trading: { engineSeq: string };
    }>(person, 'POST', '/register', {
      event_types: JSON.stringify(TYPES),
      fetch_event_types: '[]',
    });
    const engineSeq = Number(trading.engineSeq);
    const queue = { queueId: queue_id, last: last_event_id, engineSeq };
    clients.push({ person, trader, ...queue, received: [] });
  }
}, START_MS);

afterAll(async () => {
  for (const one of [...(apis ?? []), ...(others ?? [])]) one.kill('SIGKILL');
  await deployment?.close();
});

async function ask<T>(
  { basic }: Person,
  method: string,
  path: string,
  params: Record<string, string>,
): Promise<T & { result: string; code?: string }> {
  const { origin } = random.pick(apis);
  const response = await fetch(
    `${origin}/api/v1${path}?${new URLSearchParams(params).toString()}`,
    {
      method,
      headers: { authorization: basic },
      signal: AbortSignal.timeout(20_000),
    },
  );
  return (await response.json()) as T & { result: string };
}

/** One poll at any node. A node that is down or dies costs a pause; only the known reason ends a queue. */
async function poll(client: Client): Promise<void> {
  let answer: { result: string; code?: string; events: Received[] };
  try {
    answer = await ask(client.person, 'GET', '/events', {
      queue_id: client.queueId,
      last_event_id: String(client.last),
    });
  } catch {
    return sleep(20);
  }
  expect(answer.code, 'the queue must not end').not.toBe('BAD_EVENT_QUEUE_ID');
  if (answer.result !== 'success') return sleep(50);
  for (const event of answer.events) {
    expect(event.id, 'ids rise').toBeGreaterThan(client.last);
    client.last = event.id;
    if (TYPES.includes(event.type)) client.received.push(event);
  }
}

/** Places and cancels until enough was accepted. An answer that is lost does not matter: the journal decides. */
async function trade(): Promise<void> {
  let accepted = 0;
  const one = async ({ trader }: Client, random: Random) => {
    while (accepted < ORDERS || isKilling) {
      const { origin } = random.pick(apis);
      const params = {
        symbol: 'btcusdt',
        type: 'limit',
        side: random.pick(['buy', 'sell']),
        price: `${63_990 + random.below(21)}.00`,
        volume: `0.0${1 + random.below(9)}`,
        recvWindow: '60000',
      };
      const path = `${origin}/v1/private/order/create`;
      const answer = await trader.call(path, { method: 'POST', params }).catch(() => undefined);
      if (answer?.body.status === 'true') accepted += 1;
      await sleep(accepted < ORDERS ? 10 : 100);
    }
  };
  await Promise.all(
    clients.flatMap((client, n) =>
      Array.from({ length: IS_FULL ? 8 : 2 }, (_, m) =>
        one(client, createRandom(SEED + 10 * n + m)),
      ),
    ),
  );
}

async function talk(): Promise<void> {
  const to = JSON.stringify(clients.map(({ person }) => person.id));
  for (let sent = 0; sent < MESSAGES || isKilling;) {
    const { person } = random.pick(clients);
    const params = { type: 'direct', to, content: `message ${sent}` };
    const answer = await ask(person, 'POST', '/messages', params).catch(() => undefined);
    if (answer?.result === 'success') sent += 1;
    await sleep(sent < MESSAGES ? 50 : 500);
  }
}

/** A start that takes too long on a busy machine is tried again. */
async function revive(victim: RialtoProcess): Promise<void> {
  try {
    await victim.restart();
  } catch {
    victim.kill('SIGKILL');
    await revive(victim);
  }
}

/** Kills one process after the other, and brings each back. */
async function kill(): Promise<void> {
  const down = new Set<RialtoProcess>();
  const revivals: Promise<void>[] = [];
  const victims = [...apis, ...others];
  for (let count = 0; count < KILLS; count += 1) {
    await sleep(200 + random.below(600));
    // One of each pair stays, so that there is progress between the deaths.
    const up = victims.filter(
      (one) => !down.has(one) && ![...down].some(({ roles }) => roles === one.roles),
    );
    const victim = up.length === 0 ? undefined : random.pick(up);
    if (victim === undefined) {
      count -= 1;
      continue;
    }
    down.add(victim);
    victim.kill('SIGKILL');
    revivals.push(revive(victim).then(() => void down.delete(victim)));
  }
  await Promise.all(revivals);
  isKilling = false;
}

/** What the journal says of each account after an engine event, by replaying its commands. */
async function replayJournal(): Promise<(account: number, after: number) => Set<string>> {
  const { rows } = await deployment.owner.query<{ commands: string }>(
    'SELECT commands FROM trading_journal ORDER BY seq',
  );
  const machine = Machine.empty(firstConfig(0));
  const told: { account: number; engineSeq: number; what: string }[] = [];
  for (const { commands } of rows) {
    const draft = machine.begin();
    for (const line of commands.split('\n')) {
      const space = line.indexOf(' ');
      const text = line.slice(space + 1);
      const command = decodeCommand(text, Number(line.slice(0, space)));
      machine.apply(draft, command, text, { always: true });
    }
    for (const payload of machine.seal(draft).events) {
      for (const step of new Batch({ position: 1, payload }).steps) {
        for (const { account, orders, trades, engineSeq } of listChanges(step)) {
          for (const { orderId } of orders) {
            told.push({ account, engineSeq, what: `order ${orderId} ${engineSeq}` });
          }
          for (const {
            trade: { tradeId },
          } of trades) {
            told.push({ account, engineSeq, what: `trade ${tradeId}` });
          }
        }
      }
    }
  }
  return (account, after) =>
    new Set(
      told
        .filter((one) => one.account === account && one.engineSeq > after)
        .map(({ what }) => what),
    );
}

const saidIn = (event: Received): string[] => {
  switch (event.type) {
    case 'order':
      return event.orders.map(({ orderId, engineSeq }) => `order ${orderId} ${engineSeq}`);
    case 'trade':
      return event.trades.map(({ tradeId }) => `trade ${tradeId}`);
    case 'message':
      return [`message ${event.message.id}`];
    default:
      return [];
  }
};

it(
  `through ${KILLS} deaths, each queue has exactly what happened, once and in order`,
  async () => {
    let isDone = false;
    const work = Promise.all([trade(), talk(), kill()]).finally(() => {
      isDone = true;
    });
    const listen = async (client: Client, isEnough: () => boolean) => {
      while (!isEnough()) await poll(client);
    };
    const listening = Promise.all(clients.map((client) => listen(client, () => isDone)));
    await Promise.all([work, listening]);
    await expect
      .poll(
        async () =>
          (await deployment.owner.query<{ n: string }>('SELECT count(*) AS n FROM outbox')).rows[0]
            ?.n,
        { timeout: 30_000 },
      )
      .toBe('0');
    const inJournal = await replayJournal();
    const messages = await deployment.owner.query<{ id: string }>('SELECT id FROM messages');
    for (const client of clients) {
      const account = Number(client.trader.accountId);
      const expected = inJournal(account, client.engineSeq);
      for (const { id } of messages.rows) expected.add(`message ${id}`);
      const said = () => client.received.flatMap(saidIn);
      const deadline = Date.now() + 30_000;
      await listen(client, () => said().length >= expected.size || Date.now() > deadline);
      expect(said().length, 'nothing twice').toBe(new Set(said()).size);
      expect(new Set(said())).toEqual(expected);
      const ids = client.received.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      // Within a queue the engine's order and the order of ids are one.
      const seqs = client.received.flatMap((event) =>
        'engineSeq' in event ? [Number(event.engineSeq)] : [],
      );
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
      // The last balances that were told are the balances.
      const told = new Map(
        client.received.flatMap((event) =>
          event.type === 'balance' ? event.balances.map((one) => [one.coin, one] as const) : [],
        ),
      );
      const { origin } = apis[0] as RialtoProcess;
      const { body } = await client.trader.call(`${origin}/v1/private/account/balances`);
      const held = body.result as { coin: string; available: string; hold: string }[];
      for (const [coin, { available, hold }] of told) {
        expect(held.find((one) => one.coin === coin)).toMatchObject({ available, hold });
      }
      console.log(`seed ${SEED}: ${said().length} of account ${account}, once each, in order`);
    }
  },
  RUN_MS,
);
