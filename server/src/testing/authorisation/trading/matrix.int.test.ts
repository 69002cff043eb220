// Calls every private route with every kind of key, about orders in each relation to the account.
// http/permissions.int.test.ts tests what a key may do and from which address; this tests whose order it is, and
// whether the key is still valid.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyPair } from '../../../accounts/audit/head.ts';
import { ratioOfTimes } from '../../side-by-side.ts';
import type { TradingAnswer, Trader } from '../../trader.ts';
import {
  BRACKET,
  LIMIT,
  OCO,
  openDesk,
  placeLiquidity,
  placeOco,
  SHORT_REQUESTS,
  toCancel,
  type Desk,
} from '../../trading/desk.ts';
import type { Order } from '../../../trading/orders/order.ts';
import { MEASURED } from '../../measured.ts';
import { ROUTES } from '../../../trading/routes.ts';
import type { OrderList } from '../../../trading/order-lists/list.ts';
import { openActors, type ActorWorld } from './actors.ts';
import {
  ACTORS,
  expectedOf,
  NAMING,
  NAMING_LISTS,
  NETWORK_REQUESTS,
  type Relation,
  RELATIONS,
  TAKES,
} from './rules.ts';

type Params = Record<string, string>;

const PRIVATE = ROUTES.filter(({ access }) => access !== 'public');
/** An id as long as those of real orders. */
const idLike = (id: string): string => '9'.repeat(id.length);

let desk: Desk;
let actors: ActorWorld[];
let stranger: Trader;
let theirs: { open: Order; finished: Order; lists: { open: OrderList; finished: OrderList } };

beforeAll(async () => {
  const { privateKey } = createKeyPair();
  // The last answer on a connection has a header more than the others, so none is the last.
  const settings = { PUBLIC_SIGNING_KEY: privateKey, REQUESTS_PER_CONNECTION_MAX: '0' };
  desk = await openDesk({ settings }, { phase: 'continuous' });
  stranger = await desk.trader();
  // A list needs a last price.
  await desk.place(stranger, { side: 'sell' });
  await desk.place(await desk.trader());
  // Market orders need another side; they have a market of their own.
  await placeLiquidity(desk, stranger);
  const open = await desk.place(stranger, { price: '4000.00', clientOrderId: 'of-a-stranger-1' });
  const finished = await desk.place(stranger, {
    price: '4000.00',
    clientOrderId: 'of-a-stranger-2',
  });
  await desk.delete(stranger, 'order/cancel', { orderId: finished.orderId });
  const lists = {
    open: await placeOco(desk, stranger),
    finished: await placeOco(desk, stranger),
  };
  await desk.delete(stranger, 'order_list/cancel', { orderListId: lists.finished.orderListId });
  theirs = { open, finished, lists };
  actors = await openActors(desk);
}, 120_000);
afterAll(() => desk.close());

it('every private route has a rule, and every rule a route', () => {
  expect(Object.keys(TAKES).sort()).toEqual(PRIVATE.map(({ name }) => name).sort());
});

type By = 'id' | 'client id';

/** Parameters that name the order of the relation. A list has only one kind of id. */
function orderOf(route: string, one: ActorWorld, relation: Relation, by: By): Params {
  if (NAMING_LISTS.has(route)) return listOf(one, relation);
  const order = {
    'own, open': one.open.at(-1) ?? one.finished,
    'own, finished': one.finished,
    "another's, open": theirs.open,
    "another's, finished": theirs.finished,
    nonexistent: {
      orderId: idLike(theirs.open.orderId),
      clientOrderId: 'of-a-stranger-9',
    },
  }[relation];
  return by === 'id' ? { orderId: order.orderId } : { clientOrderId: order.clientOrderId };
}

function listOf(one: ActorWorld, relation: Relation): Params {
  const { orderListId } = {
    'own, open': one.lists.open.at(-1) ?? one.lists.finished,
    'own, finished': one.lists.finished,
    "another's, open": theirs.lists.open,
    "another's, finished": theirs.lists.finished,
    nonexistent: { orderListId: idLike(theirs.lists.open.orderListId) },
  }[relation];
  return { orderListId };
}

const STRETCH = { from: '1700000000000', to: '1700000001000' };
/** The last one is closed, so each call names another. */
const toClose = ({ subAccounts }: ActorWorld): Params => ({
  accountId: String(subAccounts.length > 1 ? subAccounts.pop() : 0),
});

function paramsOf(route: string, one: ActorWorld, named: Params): Params {
  if (route === 'privateSubAccountClose') return toClose(one);
  const { orderId, clientOrderId } = named;
  const accountId = String(one.subAccounts[0]);
  const order: Params = { ...LIMIT, price: '3000.00' };
  const requests: Readonly<Record<string, Params>> = {
    // Another key than the one under test: no key deletes another.
    privateApiKeyDelete: { keyId: one.hand.keyId },
    privateOrderCreate: order,
    privateOrderTest: order,
    privateOrderCreateBatch: { orders: JSON.stringify([order]) },
    privateOrderCancel: named,
    privateOrderCancelBatch:
      orderId === undefined
        ? { clientOrderIds: JSON.stringify([clientOrderId]) }
        : { orderIds: JSON.stringify([orderId]) },
    // In a market without orders, so that the rest of the matrix keeps its own.
    privateOrderCancelAll: { symbol: 'ethusdt' },
    privateOrderCancelAllAfter: { timeout: '0' },
    privateOrderAmend: { ...named, volume: '0.009000' },
    privateOrderReplace: { ...order, ...toCancel(named) },
    ...SHORT_REQUESTS,
    privateOrderGet: named,
    privateOrderListCreateOco: OCO,
    privateOrderListCreateBracket: BRACKET,
    privateOrderListCancel: named,
    privateOrderListGet: named,
    privateAccountStatement: STRETCH,
    ...NETWORK_REQUESTS,
    privateSubAccountCreate: { label: 'sub 0' },
    privateSubAccountUpdate: { accountId, label: 'sub 0' },
    privateSubAccountTransfer: {
      fromAccountId: String(one.hand.accountId),
      toAccountId: accountId,
      coin: 'usdt',
      amount: '1',
      clientTransferId: `matrix-${accountId}`,
    },
    privateOrderReceipt: named,
  };
  return requests[route] ?? {};
}

/** `ok` or the error code; for a list of outcomes, that of its only entry. */
function outcomeOf(route: string, { body }: TradingAnswer): string {
  if (body.error !== undefined) return body.error.code;
  if (!route.endsWith('Batch')) return 'ok';
  const [item] = body.result as { error?: { code: string } }[];
  return item?.error?.code ?? 'ok';
}

const CHANGING = new Set([
  'date',
  'x-svc-request-id',
  'x-svc-ratelimit-remaining',
  'x-svc-ratelimit-reset',
]);

/** The answer without values that differ every time, and without the name of the order. */
function blank({ status, text, headers }: TradingAnswer, named: Params): string {
  let plain = text.replace(/"serverTime":"\d+"/, '');
  for (const name of Object.values(named)) plain = plain.replaceAll(`"${name}"`, '~');
  const kept = [...headers].filter(([name]) => !CHANGING.has(name));
  return JSON.stringify([status, plain, kept]);
}

describe.each(ACTORS)('%s', (actor) => {
  const find = (): ActorWorld => {
    const one = actors.find((world) => world.actor === actor);
    if (one === undefined) throw new Error(`There is no ${actor}.`);
    return one;
  };

  it('gets from every route what the rules say, for any order', async () => {
    const one = find();
    const wrong: string[] = [];
    for (const { name, method, path } of PRIVATE) {
      const relations = NAMING.has(name) ? RELATIONS : [undefined];
      for (const relation of relations) {
        for (const by of ['id', 'client id'] as const) {
          const named = relation === undefined ? {} : orderOf(name, one, relation, by);
          const answer = await one.ask(method, path, paramsOf(name, one, named));
          const outcome = outcomeOf(name, answer);
          const isOther = name === 'privateApiKeyDelete';
          let expected = expectedOf(name, actor, relation);
          // A key may delete only itself, and here it is asked to delete another.
          if (isOther && expected === 'ok') expected = '3010';
          if (outcome !== expected) {
            wrong.push(
              `${name}, ${relation}, by ${by}: ${outcome}, not ${expected}: ${answer.text}`,
            );
          }
          const isEnded = outcome === 'ok' && name.startsWith('privateOrderCancel');
          if (isEnded && relation === 'own, open') one.open.pop();
          if (name === 'privateOrderListCancel' && outcome === 'ok') one.lists.open.pop();
          const isGone = name === 'privateOrderAmend' || name === 'privateOrderReplace';
          if (outcome === 'ok' && isGone) one.open.pop();
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it("cannot tell another's order from a missing one, by the body or by any header", async () => {
    const one = find();
    for (const { name, method, path } of PRIVATE.filter((route) => NAMING.has(route.name))) {
      for (const by of ['id', 'client id'] as const) {
        const answers: string[] = [];
        for (const relation of RELATIONS.slice(2)) {
          const named = orderOf(name, one, relation, by);
          answers.push(blank(await one.ask(method, path, paramsOf(name, one, named)), named));
        }
        expect(new Set(answers).size, `${name} by ${by}: ${answers.join('\n')}`).toBe(1);
      }
    }
  });
});

it("another's trades are an empty page, like those of a missing order", async () => {
  const one = actors.find(({ actor }) => actor === 'key to everything');
  const page = async (orderId: string) =>
    (await one?.ask('GET', '/private/order/trades', { orderId }))?.body.result;
  const none = await page(idLike(theirs.open.orderId));
  expect(none).toMatchObject({ items: [] });
  expect(await page(theirs.open.orderId)).toEqual(none);
});

it("a client id of somebody else is free for one's own order, and names only that order", async () => {
  const mine = await desk.trader();
  const clientOrderId = theirs.open.clientOrderId ?? '';
  const order = await desk.place(mine, { price: '3100.00', clientOrderId });
  expect(order.orderId).not.toBe(theirs.open.orderId);
  await desk.delete(mine, 'order/cancel', { clientOrderId });
  const { body } = await desk.get(stranger, 'order/get', { clientOrderId });
  expect(body.result).toMatchObject({ orderId: theirs.open.orderId, status: 'open' });
});

it('after all that, the orders of the stranger are unchanged', async () => {
  for (const order of [theirs.open, theirs.finished]) {
    const { body } = await desk.get(stranger, 'order/get', { orderId: order.orderId });
    expect(body.result).toMatchObject({ volume: order.volume, price: order.price });
  }
});

describe('the time of an answer does not reveal it either', () => {
  /** The largest ratio of medians of alternating requests. */
  const RATIO_MAX = 1.5;

  it.each([
    'privateOrderGet',
    'privateOrderCancel',
    'privateOrderAmend',
    'privateOrderListGet',
    'privateOrderListCancel',
  ])('%s', MEASURED, async (name) => {
    const one = actors.find(({ actor }) => actor === 'key to everything');
    const route = PRIVATE.find((candidate) => candidate.name === name);
    if (one === undefined || route === undefined) throw new Error('The matrix lacks something.');
    const ask = (relation: Relation, by: By) => () =>
      one.ask(route.method, route.path, paramsOf(name, one, orderOf(name, one, relation, by)));
    for (const by of ['id', 'client id'] as const) {
      for (const relation of ["another's, open", "another's, finished"] as const) {
        const ratio = await ratioOfTimes(ask(relation, by), ask('nonexistent', by));
        expect(ratio, `${name}, ${relation}, by ${by}`).toBeLessThan(RATIO_MAX);
      }
    }
  });
});
