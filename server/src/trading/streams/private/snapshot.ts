// The state that a private channel begins with. The engine is read while it works, so what it answers may lie anywhere
// between two of its events; the pushes between the two, applied on top, make the state of the later one exactly.
import type { Order as EngineOrder } from '@rialto/matching';
import type { TradingContext } from '../../context.ts';
import { listBalances } from '../../account/access.ts';
import type { Balance } from '../../account/shapes.ts';
import { toOrder, type Order } from '../../orders/order.ts';
import { isLive } from '../../order-tables.ts';
import { printOrders } from '../../orders/access.ts';
import { notReady, type AccountStream } from './account-stream.ts';
import type { PrivateFeed } from './feed.ts';
import type { NumberedPush } from './numbered.ts';
import { printBalance } from '../../batches/printing.ts';

/** As many as the route of open orders answers. */
export const SNAPSHOT_ORDERS_MAX = 1000;
const PATIENCE_MS = 5000;

export class Base {
  readonly #orders: Map<string, Order>;
  readonly #balances: Map<string, Balance>;

  constructor(orders: readonly Order[], balances: readonly Balance[]) {
    this.#orders = new Map(orders.map((order) => [order.orderId, order]));
    this.#balances = new Map(balances.map((balance) => [balance.coin, balance]));
  }

  /** In their order. */
  apply({ push }: NumberedPush): void {
    if (push.channel === 'orders') {
      const { order, pair } = push;
      const id = String(order.orderId);
      if (isLive(order)) this.#orders.set(id, toOrder(order, pair));
      else this.#orders.delete(id);
    }
    if (push.channel === 'balances') {
      for (const one of push.balances) {
        this.#balances.set(one.coin, printBalance(one, push.timeMs));
      }
    }
  }

  printOrders(): string {
    const orders = [...this.#orders.values()].sort((a, b) => Number(a.orderId) - Number(b.orderId));
    return JSON.stringify(orders.slice(0, SNAPSHOT_ORDERS_MAX));
  }

  printBalances(): string {
    return JSON.stringify([...this.#balances.values()]);
  }
}

/** Reads what these channels need. When it returns, the feed has passed everything that was read. */
export async function readBase(
  ctx: TradingContext,
  feed: PrivateFeed,
  stream: AccountStream,
  channels: readonly string[],
): Promise<Base> {
  const { account } = stream;
  const wantsOrders = channels.includes('orders');
  const wantsBalances = channels.includes('balances');
  if (!wantsOrders && !wantsBalances) return new Base([], []);
  const [orders, balances] = await Promise.all([
    wantsOrders ? readOpen(ctx, account) : [],
    wantsBalances ? readBalances(ctx, account) : [],
  ]);
  const { engineSeq } = await ctx.engine.read('head', {});
  const isReached = engineSeq <= stream.baseEngineSeq || (await feed.reach(engineSeq, PATIENCE_MS));
  if (!isReached) throw notReady();
  return new Base(orders, balances);
}

async function readOpen(ctx: TradingContext, account: number): Promise<Order[]> {
  const orders: EngineOrder[] = await ctx.engine.read('open', {
    account,
    limit: SNAPSHOT_ORDERS_MAX,
  });
  return printOrders(ctx, orders);
}

/** Every coin that the venue lists. */
async function readBalances(ctx: TradingContext, account: number): Promise<Balance[]> {
  const coins = [...(await ctx.coins()).bySymbol.keys()];
  return listBalances(ctx, { account: { id: BigInt(account) } }, coins);
}
