// Sends every private operation of the WebSocket, and asks for every private channel, as every kind of caller. What an
// operation that is a route answers is what the rules of the routes say; the rest is written by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANNELS } from '../../../trading/streams/channels.ts';
import { OPERATIONS } from '../../../trading/streams/operations.ts';
import { LIMIT, openDesk, toCancel, type Desk, type Params } from '../../trading/desk.ts';
import { openStream, type StreamAnswer, type StreamClient } from '../../trading/stream.ts';
import { openActors, type ActorWorld } from './actors.ts';
import { ACTORS, expectedOf, NAMING, RELATIONS, type Actor, type Relation } from './rules.ts';

/** The routes that operations are. */
const ROUTE_OF: Readonly<Record<string, string>> = {
  'order.create': 'privateOrderCreate',
  'order.test': 'privateOrderTest',
  'order.create_batch': 'privateOrderCreateBatch',
  'order.cancel': 'privateOrderCancel',
  'order.cancel_batch': 'privateOrderCancelBatch',
  'order.cancel_all': 'privateOrderCancelAll',
  'order.cancel_all_after': 'privateOrderCancelAllAfter',
  'order.amend': 'privateOrderAmend',
  'order.replace': 'privateOrderReplace',
  'order.get': 'privateOrderGet',
  'order.open': 'privateOrderOpen',
};
/** The permission that the other operations take. */
const TAKES: Readonly<Record<string, 'read' | 'trade' | 'any'>> = {
  resume: 'read',
  cancel_on_disconnect: 'trade',
  logout: 'any',
};

let desk: Desk;
let worlds: ActorWorld[];
let theirs: { open: Params; finished: Params };
beforeAll(async () => {
  desk = await openDesk({
    settings: { STREAM_FRAMES_PER_SECOND_MAX: '10000', STREAM_CONNECTIONS_PER_ADDRESS_MAX: '1000' },
  });
  // Conditional orders need a price.
  await desk.trade('64000.00');
  const stranger = await desk.trader();
  const name = async (n: number): Promise<Params> => {
    const clientOrderId = `theirs-${n}`;
    const { orderId } = await desk.place(stranger, { price: '6500.00', clientOrderId });
    return { orderId, clientOrderId };
  };
  theirs = { open: await name(1), finished: await name(2) };
  await desk.delete(stranger, 'order/cancel', { orderId: theirs.finished['orderId'] ?? '' });
  worlds = await openActors(desk);
}, 120_000);
afterAll(() => desk.close());

it('every private operation has a rule, and every rule an operation', () => {
  const names = OPERATIONS.filter(({ access }) => access === 'private').map(({ name }) => name);
  expect([...Object.keys(ROUTE_OF), ...Object.keys(TAKES)].sort()).toEqual(names.sort());
});

function orderOf(one: ActorWorld, relation: Relation): Params {
  const { orderId, clientOrderId } = {
    'own, open': one.open.at(-1) ?? one.finished,
    'own, finished': one.finished,
    "another's, open": theirs.open,
    "another's, finished": theirs.finished,
    nonexistent: { orderId: '999999999', clientOrderId: 'nobody' },
  }[relation] as { orderId: string; clientOrderId: string };
  return { orderId, clientOrderId };
}

function membersOf(op: string, { orderId = '', clientOrderId = '' }: Params): object {
  const order = { ...LIMIT, price: '3000.00' };
  const requests: Readonly<Record<string, object>> = {
    'order.create': order,
    'order.test': order,
    'order.create_batch': { orders: [order] },
    'order.cancel': { orderId },
    'order.cancel_batch': { clientOrderIds: [clientOrderId] },
    'order.cancel_all': { symbol: 'ethusdt' },
    'order.cancel_all_after': { timeout: '0' },
    'order.amend': { orderId, volume: '0.009000' },
    'order.replace': { ...order, ...toCancel({ orderId }) },
    'order.get': { clientOrderId },
  };
  if (op === 'resume') return { fromSeq: '0' };
  if (op === 'cancel_on_disconnect') return { enabled: false };
  return requests[op] === undefined ? {} : { params: requests[op] };
}

function outcomeOf(op: string, { error, result }: StreamAnswer): string {
  if (error !== undefined) return error.code;
  if (!op.endsWith('_batch')) return 'ok';
  return (result as { error?: { code: string } }[])[0]?.error?.code ?? 'ok';
}

/** What the actor's login is answered; the routes check the same at their door. */
const atLogin = (actor: Actor): string => {
  const code = expectedOf('privateAccountInfo', actor, undefined);
  return code === '3008' ? 'ok' : code;
};

function expectedAt(op: string, actor: Actor, relation: Relation | undefined): string {
  const route = ROUTE_OF[op];
  if (route !== undefined) return expectedOf(route, actor, relation);
  if (TAKES[op] === 'any') return 'ok';
  return expectedOf(
    TAKES[op] === 'read' ? 'privateAccountInfo' : 'privateOrderCancelAll',
    actor,
    undefined,
  );
}

describe.each(ACTORS)('%s', (actor) => {
  it('gets on the socket what the rules say', async () => {
    const one = worlds.find((world) => world.actor === actor) as ActorWorld;
    const connect = (): Promise<StreamClient> => openStream(desk.server);
    let client = await connect();
    const isKnown = actor !== 'nobody' && atLogin(actor) === 'ok';
    if (actor !== 'nobody') {
      const answer = await client.login(one.key);
      expect(answer.error?.code ?? 'ok').toBe(atLogin(actor));
      if (!isKnown) {
        expect(await client.closed).toBe(4001);
        client = await connect();
      }
    }
    const wrong: string[] = [];
    // Last, because it ends what the others need.
    const operations = OPERATIONS.filter(({ access }) => access === 'private').toSorted(
      (a, b) => Number(a.name === 'logout') - Number(b.name === 'logout'),
    );
    for (const { pattern } of CHANNELS.filter(({ access }) => access === 'private')) {
      const outcome = (await client.ask('subscribe', { channels: [pattern] })).error?.code ?? 'ok';
      const expected = isKnown ? expectedAt('resume', actor, undefined) : '3014';
      if (outcome !== expected) wrong.push(`${pattern}: ${outcome}, not ${expected}`);
    }
    for (const { name } of operations) {
      const route = ROUTE_OF[name] ?? '';
      for (const relation of NAMING.has(route) ? RELATIONS : [undefined]) {
        const named = relation === undefined ? {} : orderOf(one, relation);
        const answer = await client.ask(name, { ...membersOf(name, named) });
        const outcome = outcomeOf(name, answer);
        const expected = isKnown ? expectedAt(name, actor, relation) : '3014';
        if (outcome !== expected) {
          wrong.push(
            `${name}, ${relation}: ${outcome}, not ${expected}: ${JSON.stringify(answer)}`,
          );
        }
        const isUsed = name !== 'order.get' && relation === 'own, open' && outcome === 'ok';
        if (isUsed) one.open.pop();
      }
    }
    expect(wrong).toEqual([]);
    await client.close();
  });
});
