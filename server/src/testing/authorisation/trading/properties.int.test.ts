// Fields that a route does not declare have no effect: a private route refuses them, a public one ignores them, and
// no answer has an undocumented field. Checked for every route, from the declarations.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn, type SignedIn } from '../../session.ts';
import { exampleTrader, send, type Trader, type TradingAnswer } from '../../trader.ts';
import { undocumented } from '../../undocumented.ts';
import { RICH } from '../../live-venue.ts';
import { createSubAccount } from '../../../trading/sub-accounts/actions.ts';
import type { TradingRoute } from '../../../trading/http/route.ts';
import {
  BRACKET,
  LIMIT,
  OCO,
  openDesk,
  placeLiquidity,
  placeOco,
  SHORT_REQUESTS,
  type Desk,
} from '../../trading/desk.ts';
import type { OrderList } from '../../../trading/order-lists/list.ts';
import type { Order } from '../../../trading/orders/order.ts';
import { ROUTES } from '../../../trading/routes.ts';
import { NETWORK_REQUESTS, ON_NETWORKS } from './rules.ts';

type Params = Record<string, string>;

/** Names of fields that some row or answer of accounts, orders, balances and people has, and a few of other venues. */
const EXTRA: Params = {
  account: '1',
  accountId: '1',
  account_id: '1',
  userId: '1',
  user_id: '1',
  id: '1',
  orderId: '1',
  role: '100',
  owner: 'true',
  is_admin: 'true',
  isSuspended: 'false',
  permissions: '["withdraw"]',
  ipAllowlist: '[]',
  markets: '[]',
  balance: '1000000',
  available: '1000000',
  held: '0',
  fee: '0',
  feeTier: 'vip',
  makerFee: '0',
  takerFee: '0',
  rebate: '1',
  status: 'filled',
  filledVolume: '1',
  remainingVolume: '0',
  engineSeq: '1',
  createdAt: '1',
  price: '1',
  volume: '1',
  symbol: 'ethusdt',
  keyId: 'svc_key_0000000000000000',
  secret: 'x',
  email: 'x@example.com',
  realm_id: '1',
  subAccount: '1',
};

let desk: Desk;
let trader: Trader;
/** The trader, signed in with a browser. */
let session: SignedIn;
let other: Trader;
let order: Order;
/** To be replaced. */
let spare: Order;
let list: OrderList;
/** To be changed and rotated. */
let spareKey: string;
let subAccounts: bigint[];

beforeAll(async () => {
  desk = await openDesk({ stepUp: async () => {} }, { phase: 'continuous' });
  trader = await desk.trader(RICH, { permissions: ['read', 'trade', 'transfer'] });
  session = await signIn(desk.server, trader.userId);
  const { ctx } = desk.server;
  spareKey = (await exampleTrader(ctx, { userId: trader.userId })).keyId;
  const head = { id: trader.accountId, userId: trader.userId };
  subAccounts = [];
  for (const label of ['kept', 'closed']) {
    subAccounts.push((await createSubAccount(desk.server.ctx, head, label)).account.id);
  }
  other = await desk.trader();
  // Market orders need another side; they have a market of their own.
  await placeLiquidity(desk, other);
  // A trade, so that no list is empty.
  await desk.place(other, { side: 'sell' });
  await desk.place(trader);
  order = await desk.place(trader, { price: '6000.00' });
  spare = await desk.place(trader, { price: '6000.00' });
  list = await placeOco(desk, trader);
}, 120_000);
afterAll(() => desk.close());

function paramsOf(route: string): Params {
  const named = { orderId: order.orderId };
  const fresh: Params = { ...LIMIT, price: '3000.00' };
  const requests: Readonly<Record<string, Params>> = {
    privateApiKeyCreate: { permissions: '["read"]' },
    privateApiKeyUpdate: { keyId: spareKey, label: 'spare' },
    privateApiKeyRotate: { keyId: spareKey },
    privateApiKeyDelete: { keyId: trader.keyId },
    privateOrderCreate: fresh,
    privateOrderTest: fresh,
    privateOrderCreateBatch: { orders: JSON.stringify([fresh]) },
    privateOrderCancel: named,
    privateOrderCancelBatch: { orderIds: JSON.stringify([order.orderId]) },
    // In a market without orders, so that the others keep theirs.
    privateOrderCancelAll: { symbol: 'ethusdt' },
    privateOrderCancelAllAfter: { timeout: '0' },
    privateOrderAmend: { ...named, volume: '0.009000' },
    privateOrderReplace: { ...fresh, orderId: spare.orderId },
    ...SHORT_REQUESTS,
    privateOrderGet: named,
    privateOrderListCreateOco: OCO,
    privateOrderListCreateBracket: BRACKET,
    privateOrderListCancel: { orderListId: list.orderListId },
    privateOrderListGet: { orderListId: list.orderListId },
    privateAccountStatement: { from: '1700000000000', to: '1700000001000' },
    ...NETWORK_REQUESTS,
    privateSubAccountCreate: { label: 'kept' },
    privateSubAccountUpdate: { accountId: String(subAccounts[0]), label: 'kept' },
    privateSubAccountClose: { accountId: String(subAccounts[1]) },
    privateSubAccountTransfer: {
      fromAccountId: String(trader.accountId),
      toAccountId: String(subAccounts[0]),
      coin: 'usdt',
      amount: '1',
      clientTransferId: 'once',
    },
    publicDepth: { symbol: 'btcusdt' },
    publicReserveAddresses: { coin: 'btc', network: 'BTC' },
    publicOrderbook: { symbol: 'btcusdt' },
    publicLastTrades: { symbol: 'btcusdt' },
    publicAuction: { symbol: 'btcusdt' },
  };
  return requests[route] ?? {};
}

function ask({ access, method, path }: TradingRoute, params: Params): Promise<TradingAnswer> {
  if (access === 'public') {
    return send(`${desk.server.baseUrl}${path}?${new URLSearchParams(params).toString()}`);
  }
  // A key that may withdraw is bound to addresses of its own; the trader has none.
  if (access === 'session' || access === 'withdraw') {
    return session.ask(method, `/json/v1${path}`, params);
  }
  return trader.call(`${desk.server.baseUrl}${path}`, { method, params });
}

/** Everything that a request could have changed: balances and orders of both traders. */
async function stateOf(): Promise<unknown> {
  const { ctx } = desk.server;
  // A list is answered only when the projection has caught up.
  for (const one of [trader, other]) await desk.get(one, 'order/history');
  const rows = await Promise.all(
    [trader, other].flatMap((one) => [
      desk.get(one, 'account/info'),
      desk.get(one, 'account/balances'),
      desk.get(one, 'account/fees'),
      desk.get(one, 'order/open'),
    ]),
  );
  const keys = await ctx.db
    .selectFrom('tradingKeys')
    .select(['keyId', 'accountId', 'permissions', 'ipAllowlist', 'markets', 'isEnabled'])
    .orderBy('keyId')
    .execute();
  const people = await ctx.db
    .selectFrom('users')
    .select(['id', 'role', 'email'])
    .orderBy('id')
    .execute();
  const text = JSON.stringify(
    [rows.map(({ body }) => body.result), keys, people],
    (_name, value) => (typeof value === 'bigint' ? String(value) : (value as unknown)),
  );
  return JSON.parse(text);
}

it('a private route refuses undeclared parameters, and names them', async () => {
  const before = await stateOf();
  const wrong: string[] = [];
  let refused = 0;
  for (const route of ROUTES.filter(({ access }) => access !== 'public')) {
    for (const [name, value] of Object.entries(EXTRA)) {
      if (name in route.params.properties) continue;
      const { body, text } = await ask(route, { ...paramsOf(route.name), [name]: value });
      refused += 1;
      const isRefused = body.error?.code === '2004';
      if (!isRefused || body.error?.details['parameter'] !== name) {
        wrong.push(`${route.name}, ${name}: ${text}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(400);
  expect(await stateOf()).toEqual(before);
});

it('undeclared fields in the orders of a batch refuse the whole batch', async () => {
  const before = await stateOf();
  const create = ROUTES.find(({ name }) => name === 'privateOrderCreateBatch') as TradingRoute;
  const single = ROUTES.find(({ name }) => name === 'privateOrderCreate') as TradingRoute;
  for (const [name, value] of Object.entries(EXTRA)) {
    if (name in single.params.properties) continue;
    const orders = [
      { ...LIMIT, price: '3000.00' },
      { ...LIMIT, price: '3000.00', [name]: value },
    ];
    const { body } = await ask(create, { orders: JSON.stringify(orders) });
    expect(body.error?.code, name).toBe('2004');
  }
  expect(await stateOf()).toEqual(before);
});

it('a public route ignores undeclared parameters', async () => {
  const before = await stateOf();
  for (const route of ROUTES.filter(({ access }) => access === 'public')) {
    const extra = Object.entries(EXTRA).filter(([name]) => !(name in route.params.properties));
    const plain = await ask(route, paramsOf(route.name));
    const answer = await ask(route, { ...paramsOf(route.name), ...Object.fromEntries(extra) });
    expect([route.name, answer.status]).toEqual([route.name, plain.status]);
    expect(Object.keys(answer.body)).toEqual(Object.keys(plain.body));
  }
  expect(await stateOf()).toEqual(before);
});

it('no answer has a field that its route does not document', async () => {
  const found: string[] = [];
  const served: string[] = [];
  // Canceling comes after all that names an order or a list, and deleting the key comes last.
  const ending = [/Cancel/, /CancelAll/, /ApiKeyDelete/];
  const last = ({ name }: TradingRoute) => ending.findLastIndex((one) => one.test(name));
  for (const route of [...ROUTES].sort((a, b) => last(a) - last(b))) {
    const { body } = await ask(route, paramsOf(route.name));
    // A file is the whole answer, without the envelope.
    const isFile = route.isBare && route.access !== 'public';
    if (body.status === 'true' || (isFile && body.error === undefined)) served.push(route.name);
    // The API document has its own test.
    if (body.error === undefined && (isFile || !route.isBare)) {
      const paths = undocumented(isFile ? body : body.result, route.returns);
      found.push(...paths.map((path) => `${route.name}: ${path}`));
    }
  }
  expect(found).toEqual([]);
  expect(served.length).toBeGreaterThan(ROUTES.length - 4 - ON_NETWORKS.size);
});
