// The actors of the matrix: each has an account with money and with orders, which a second key placed, because the
// key under test may have no rights.
import { PERMISSIONS, type Permission } from '../../../accounts/trading-keys/key.ts';
import { deleteTradingKey } from '../../../accounts/trading-keys/actions.ts';
import { exampleTrader, send, type Trader, type TradingAnswer } from '../../trader.ts';
import { createSubAccount } from '../../../trading/sub-accounts/actions.ts';
import { suspendAccount } from '../../../trading/operators/acts.ts';
import { placeOco, type Desk } from '../../trading/desk.ts';
import type { OrderList } from '../../../trading/order-lists/list.ts';
import type { Order } from '../../../trading/orders/order.ts';
import { ACTORS, type Actor } from './rules.ts';

export interface ActorWorld {
  readonly actor: Actor;
  /** Another key of the account, with all permissions; it stops working when the account does. */
  readonly hand: Trader;
  ask(method: string, path: string, params: Record<string, string>): Promise<TradingAnswer>;
  /** The key under test; the actor without credentials does not send it. */
  readonly key: Trader;
  readonly open: Order[];
  readonly finished: Order;
  readonly lists: { readonly open: OrderList[]; readonly finished: OrderList };
  /** Empty sub-accounts, of which each may be closed once. */
  readonly subAccounts: bigint[];
}

const HERE = ['127.0.0.0/8', '::1/128', '::ffff:127.0.0.1/128'];
const ELSEWHERE = ['198.51.100.7/32'];
const KEYS: Readonly<Partial<Record<Actor, Partial<Parameters<typeof exampleTrader>[1]>>>> = {
  'key to read': { permissions: ['read'] },
  'key to trade': { permissions: ['trade'] },
  'key to transfer': { permissions: ['transfer'] },
  'key to withdraw': { permissions: ['withdraw'], ipAllowlist: HERE },
  'key to everything': { permissions: [...PERMISSIONS], ipAllowlist: HERE },
  'key for another address': { ipAllowlist: ELSEWHERE },
  'key for another market': { markets: ['ethusdt'] },
};
const USUAL: readonly Permission[] = ['read', 'trade', 'transfer'];

/** As many orders as the matrix uses up: each route that ends an order ends one of them. */
const OPEN = 8;
/** One is kept, and the others are closed. */
const SUB_ACCOUNTS = 3;

export async function openActors(desk: Desk): Promise<ActorWorld[]> {
  const worlds: ActorWorld[] = [];
  for (const actor of ACTORS) worlds.push(await openActor(desk, actor));
  return worlds;
}

async function openActor(desk: Desk, actor: Actor): Promise<ActorWorld> {
  const { server, venue } = desk;
  const { ctx } = server;
  const hand = await desk.trader();
  const { userId } = hand;
  const expiresAt = actor === 'expired key' ? { expiresAt: new Date(Date.now() - 60_000) } : {};
  const key = await exampleTrader(ctx, {
    permissions: USUAL,
    ...KEYS[actor],
    ...expiresAt,
    userId,
  });
  const open: Order[] = [];
  for (let n = 0; n < OPEN; n += 1) {
    const clientOrderId = `open-${hand.accountId}-${n}`;
    open.push(await desk.place(hand, { price: `${6000 + n}.00`, clientOrderId }));
  }
  const finished = await desk.place(hand, {
    price: '5000.00',
    clientOrderId: `gone-${hand.accountId}`,
  });
  await desk.delete(hand, 'order/cancel', { orderId: finished.orderId });
  const lists = {
    open: [await placeOco(desk, hand), await placeOco(desk, hand)],
    finished: await placeOco(desk, hand),
  };
  await desk.delete(hand, 'order_list/cancel', { orderListId: lists.finished.orderListId });
  const subAccounts: bigint[] = [];
  for (let n = 0; n < SUB_ACCOUNTS; n += 1) {
    const head = { id: hand.accountId, userId };
    subAccounts.push((await createSubAccount(ctx, head, `sub ${n}`)).account.id);
  }
  if (actor === 'deleted key') await deleteTradingKey(ctx, key.keyId);
  if (actor === 'key of a suspended account') {
    await venue.perform(suspendAccount(Number(hand.accountId), false, 'For the matrix.'));
  }
  if (actor === 'key of a deactivated person') {
    await ctx.db.updateTable('users').set({ isActive: false }).where('id', '=', userId).execute();
  }
  return {
    actor,
    hand,
    key,
    open,
    finished,
    lists,
    subAccounts,
    ask(method, path, params) {
      const url = `${server.baseUrl}${path}`;
      if (actor !== 'nobody') return key.call(url, { method, params });
      return send(`${url}?${new URLSearchParams(params).toString()}`, { method });
    },
  };
}
