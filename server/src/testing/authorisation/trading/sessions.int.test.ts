// Calls every private route under /json/v1 with the session of its owner, of somebody else, of a guest, of a person who
// was deactivated, of one whose account is suspended, and with one that has ended: about orders, lists, keys,
// sub-accounts and transfers of the owner. The expected results are written by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyPair } from '../../../accounts/audit/head.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { endOwnSessions } from '../../../accounts/sessions/actions.ts';
import { suspendAccount } from '../../../trading/operators/acts.ts';
import type { OrderList } from '../../../trading/order-lists/list.ts';
import type { Order } from '../../../trading/orders/order.ts';
import { ROUTES } from '../../../trading/routes.ts';
import { createSubAccount } from '../../../trading/sub-accounts/actions.ts';
import { examplePerson } from '../../example.ts';
import { RICH } from '../../live-venue.ts';
import { signIn, type SignedIn } from '../../session.ts';
import { exampleTrader, type Trader, type TradingAnswer } from '../../trader.ts';
import {
  BRACKET,
  LIMIT,
  OCO,
  openDesk,
  placeLiquidity,
  placeOco,
  resultOf,
  SHORT_REQUESTS,
  toCancel,
  type Desk,
} from '../../trading/desk.ts';
import {
  DEPOSIT_ADDRESSES,
  NAMING,
  NAMING_LISTS,
  NETWORK_REQUESTS,
  ON_NETWORKS,
  TAKES,
} from './rules.ts';

type Params = Record<string, string>;

const PRIVATE = ROUTES.filter(({ access }) => access !== 'public');

const ACTORS = [
  'owner',
  'another person',
  'guest',
  'deactivated person',
  'suspended person',
  'session that has ended',
  'nobody',
] as const;
type Actor = (typeof ACTORS)[number];

/** What the owner has. Each route that ends something ends one of them. */
interface World {
  readonly hand: Trader;
  readonly open: Order[];
  readonly finished: Order;
  readonly lists: OrderList[];
  readonly subAccounts: bigint[];
  readonly keys: string[];
  readonly transferId: string;
}

const TAKEN = 6;
const LABEL = 'label-of-the-owner';

let desk: Desk;
let world: World;
let sessions: Record<Actor, SignedIn>;
/** Names of the owner that nobody else may read anywhere. */
let secrets: string[];

beforeAll(async () => {
  const { privateKey } = createKeyPair();
  desk = await openDesk(
    { stepUp: async () => {}, settings: { PUBLIC_SIGNING_KEY: privateKey } },
    { phase: 'continuous' },
  );
  const { server, venue } = desk;
  const { ctx } = server;
  const maker = await desk.trader();
  await desk.place(maker, { side: 'sell' });
  await desk.place(await desk.trader());
  await placeLiquidity(desk, maker);
  world = await openWorld();
  const other = await desk.trader();
  const [guest, gone] = [await examplePerson(ctx, { role: ROLE.guest }), await examplePerson(ctx)];
  const suspended = await desk.trader();
  await venue.perform(suspendAccount(Number(suspended.accountId), false, 'For the matrix.'));
  const left = await examplePerson(ctx);
  sessions = {
    owner: await signIn(server, world.hand.userId),
    'another person': await signIn(server, other.userId),
    guest: await signIn(server, guest),
    'deactivated person': await signIn(server, gone),
    'suspended person': await signIn(server, suspended.userId),
    'session that has ended': await signIn(server, left),
    nobody: { ...(await signIn(server, left)), ask: strangersAsk },
  };
  await endOwnSessions(ctx, left);
  await ctx.db.updateTable('users').set({ isActive: false }).where('id', '=', gone.id).execute();
  secrets = [
    LABEL,
    ...world.open.map(({ clientOrderId }) => clientOrderId),
    ...world.open.map(({ orderId }) => `"orderId":"${orderId}"`),
    ...world.lists.map(({ orderListId }) => `"orderListId":"${orderListId}"`),
    `"transferId":"${world.transferId}"`,
    ...world.keys,
  ];
}, 240_000);
afterAll(() => desk.close());

const strangersAsk: SignedIn['ask'] = async (method, path, params = {}) => {
  const { ask } = sessions.owner;
  return ask(method, path, params, { cookie: '' });
};

async function openWorld(): Promise<World> {
  const { ctx } = desk.server;
  const hand = await desk.trader(RICH, { permissions: ['read', 'trade', 'transfer'] });
  const { userId } = hand;
  const open: Order[] = [];
  for (let n = 0; n < 2 * TAKEN; n += 1) {
    const clientOrderId = `secret-of-the-owner-${n}`;
    open.push(await desk.place(hand, { price: `${6000 + n}.00`, clientOrderId }));
  }
  const finished = await desk.place(hand, { price: '5000.00', clientOrderId: 'gone-of-the-owner' });
  await desk.delete(hand, 'order/cancel', { orderId: finished.orderId });
  const lists = [
    await placeOco(desk, hand),
    await placeOco(desk, hand),
    await placeOco(desk, hand),
  ];
  const keys: string[] = [];
  for (let n = 0; n < TAKEN; n += 1) {
    keys.push((await exampleTrader(ctx, { userId, label: LABEL })).keyId);
  }
  const subAccounts: bigint[] = [];
  const head = { id: hand.accountId, userId };
  for (let n = 0; n < TAKEN; n += 1) {
    subAccounts.push((await createSubAccount(ctx, head, `${LABEL}-${n}`)).account.id);
  }
  const moved = await desk.post(hand, 'sub_account/transfer', {
    fromAccountId: String(hand.accountId),
    toAccountId: String(subAccounts[0]),
    coin: 'usdt',
    amount: '1',
    clientTransferId: 'secret-transfer',
  });
  const { transferId } = resultOf<{ transferId: string }>(moved);
  return { hand, open, finished, lists, subAccounts, keys, transferId };
}

/** About the owner's things, whoever asks. */
function paramsOf(route: string, by: 'id' | 'client id'): Params {
  const order = world.open.at(-1) as Order;
  const named = NAMING_LISTS.has(route)
    ? { orderListId: (world.lists.at(-1) as OrderList).orderListId }
    : by === 'id'
      ? { orderId: order.orderId }
      : { clientOrderId: order.clientOrderId };
  const keyId = world.keys.at(-1) ?? '';
  const [kept, last] = [String(world.subAccounts[0]), String(world.subAccounts.at(-1))];
  const fresh: Params = { ...LIMIT, price: '3000.00' };
  const requests: Readonly<Record<string, Params>> = {
    privateApiKeyCreate: { permissions: '["read"]', accountId: kept },
    privateApiKeyUpdate: { keyId, label: 'changed' },
    privateApiKeyRotate: { keyId },
    privateApiKeyDelete: { keyId },
    privateOrderCreate: fresh,
    privateOrderTest: fresh,
    privateOrderCreateBatch: { orders: JSON.stringify([fresh]) },
    privateOrderCancelBatch:
      'orderId' in named
        ? { orderIds: JSON.stringify([named.orderId]) }
        : { clientOrderIds: JSON.stringify(Object.values(named)) },
    privateOrderCancelAll: { symbol: 'ethusdt' },
    privateOrderCancelAllAfter: { timeout: '0' },
    privateOrderAmend: { ...named, volume: '0.009000' },
    privateOrderReplace: { ...fresh, ...toCancel(named) },
    ...SHORT_REQUESTS,
    privateOrderListCreateOco: OCO,
    privateOrderListCreateBracket: BRACKET,
    privateAccountStatement: { from: '1700000000000', to: '1700000001000' },
    ...NETWORK_REQUESTS,
    privateSubAccountCreate: { label: 'matrix' },
    privateSubAccountUpdate: { accountId: kept, label: `${LABEL}-0` },
    privateSubAccountClose: { accountId: last },
    privateSubAccountTransfer: {
      fromAccountId: String(world.hand.accountId),
      toAccountId: kept,
      coin: 'usdt',
      amount: '1',
      clientTransferId: `matrix-${by === 'id' ? 1 : 2}`,
    },
  };
  return requests[route] ?? (NAMING.has(route) ? named : {});
}

/** What somebody with an account of their own is told about the things of another. */
const FOREIGN: Readonly<Record<string, string>> = {
  privateApiKeyCreate: '7001',
  privateApiKeyUpdate: '7003',
  privateApiKeyRotate: '7003',
  privateApiKeyDelete: '7003',
  privateSubAccountUpdate: '7001',
  privateSubAccountClose: '7001',
  privateSubAccountTransfer: '7001',
};

/** Written by hand: what an account that is suspended may still do is to look and to reduce its risk. */
const WHILE_SUSPENDED = (name: string): boolean =>
  (TAKES[name] === 'read' && !DEPOSIT_ADDRESSES.includes(name)) ||
  /^private(Order|OrderList|WalletWithdraw)Cancel/.test(name) ||
  name === 'privateApiKeyList' ||
  name === 'streamsTicket' ||
  name === 'privateApiKeyDelete';

function expectedOf(actor: Actor, name: string): string {
  switch (actor) {
    case 'owner':
      return ON_NETWORKS.get(name) ?? 'ok';
    case 'guest':
      return '3008';
    case 'deactivated person':
    case 'session that has ended':
    case 'nobody':
      return '3012';
    default: {
      if (actor === 'suspended person' && !WHILE_SUSPENDED(name)) return '3011';
      return ON_NETWORKS.get(name) ?? FOREIGN[name] ?? (NAMING.has(name) ? '4011' : 'ok');
    }
  }
}

function outcomeOf(route: string, { body }: TradingAnswer): string {
  if (body.error !== undefined) return body.error.code;
  if (!route.endsWith('Batch')) return 'ok';
  const [item] = body.result as { error?: { code: string } }[];
  return item?.error?.code ?? 'ok';
}

/** What the owner's successful calls used up. */
function take(name: string): void {
  if (NAMING_LISTS.has(name) && name.endsWith('Cancel')) world.lists.pop();
  else if (/^privateOrder(Cancel|CancelBatch|Replace|Amend)$/.test(name)) world.open.pop();
  else if (name === 'privateApiKeyDelete' || name === 'privateApiKeyRotate') world.keys.pop();
  else if (name === 'privateSubAccountClose') world.subAccounts.pop();
}

/** The owner's things, as the database and the engine have them. */
async function stateOf(): Promise<unknown> {
  const { hand } = world;
  const { owner } = desk.server;
  const ids = [hand.userId];
  const keys = await owner.query(
    `SELECT k.key_id, k.label, k.is_enabled, k.expires_at, k.replaced_by, k.permissions
       FROM trading_keys k JOIN trading_accounts a ON a.id = k.account_id
      WHERE a.user_id = $1 ORDER BY 1`,
    ids,
  );
  const accounts = await owner.query(
    'SELECT id, label, closed_at FROM trading_accounts WHERE user_id = $1 ORDER BY 1',
    ids,
  );
  const transfers = await owner.query('SELECT count(*) FROM account_transfers');
  const read = async (path: string) => (await desk.get(hand, path)).body.result;
  return [
    keys.rows,
    accounts.rows,
    transfers.rows,
    await read('order/open'),
    await read('account/balances'),
    await read('order_list/open'),
  ];
}

it('[I6] every private route is asked', () => {
  expect(PRIVATE.map(({ name }) => name).sort()).toEqual(Object.keys(TAKES).sort());
});

// The owner comes last, because their calls change things.
describe.each(ACTORS.toReversed())('[I6] %s', (actor) => {
  it('gets from every route what the rules say', { timeout: 300_000 }, async () => {
    const before = await stateOf();
    const wrong: string[] = [];
    const told: string[] = [];
    for (const { name, method, path } of PRIVATE) {
      for (const by of NAMING.has(name) ? (['id', 'client id'] as const) : (['id'] as const)) {
        const answer = await sessions[actor].ask(method, `/json/v1${path}`, paramsOf(name, by));
        const outcome = outcomeOf(name, answer);
        const expected = expectedOf(actor, name);
        if (outcome !== expected) {
          wrong.push(`${name} by ${by}: ${outcome}, not ${expected}: ${answer.text.slice(0, 300)}`);
        }
        if (actor === 'owner') {
          if (outcome === 'ok') take(name);
        } else {
          const asked = Object.values(paramsOf(name, by)).join(' ');
          // What the caller has sent themselves may be repeated to them.
          const isAsked = (secret: string) => asked.includes(secret.split('"').at(-2) ?? secret);
          const leaked = secrets.filter(
            (secret) => answer.text.includes(secret) && !isAsked(secret),
          );
          told.push(...leaked.map((secret) => `${name}: ${secret}`));
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(told).toEqual([]);
    if (actor !== 'owner') expect(await stateOf()).toEqual(before);
  });
});
