// Streams of the own account, and orders on the socket.
import {
  BadRequest,
  type Balances,
  type Dict,
  type Int,
  type Order,
  type OrderRequest,
  type OrderSide,
  type OrderType,
  type Str,
  type Trade,
} from 'ccxt';
import type { Amount } from '../text.ts';
import { hashOf, type Client, type Sent } from './connection.ts';
import { RialtoMarketStreams } from './markets.ts';
import { RecentItems } from './recent.ts';

interface OwnWatched {
  readonly orders: RecentItems<Order>;
  readonly trades: RecentItems<Trade>;
  balances: Dict[];
  /** The channels that were followed, on this connection or an earlier one. */
  readonly channels: Set<string>;
  /** The number of the last push; undefined before the first. */
  streamSeq: string | undefined;
  /** Pushes were missed, and the venue does not keep them any more: the next snapshot is news. */
  isBehind: boolean;
}

const RECENT_MAX = 1000;

export abstract class RialtoAccountStreams extends RialtoMarketStreams {
  declare own: OwnWatched;

  override afterConstruct(): void {
    super.afterConstruct();
    this.own = {
      orders: new RecentItems(RECENT_MAX),
      trades: new RecentItems(RECENT_MAX),
      balances: [],
      channels: new Set(),
      streamSeq: undefined,
      isBehind: false,
    };
  }

  protected override take(client: Client, kind: string, channel: string, push: Sent): void {
    if (push.streamSeq !== undefined) this.own.streamSeq = push.streamSeq;
    if (kind === 'orders') this.takeOrders(client, push);
    else if (kind === 'my_trades') this.takeOwnTrades(client, push);
    else if (kind === 'balances') this.takeBalances(client, push);
    else super.take(client, kind, channel, push);
  }

  /**
   * After a drop: has the venue send what was missed. If it does not keep that any more, the channels begin anew with
   * snapshots.
   */
  protected override async afterLogin({ subscriptions }: Client): Promise<void> {
    const { streamSeq, channels } = this.own;
    if (streamSeq === undefined || channels.size === 0) return;
    try {
      await this.operate('resume', { fromSeq: streamSeq, channels: [...channels] });
      for (const channel of channels) subscriptions[channel] = true;
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      this.own.isBehind = true;
    }
  }

  /** Waits for the next push of a channel of the own account, unless there is something that nobody has read. */
  private async followOwn(
    channel: string,
    recent?: RecentItems<unknown>,
    scope?: string,
  ): Promise<void> {
    // Snapshots have the number from which a later connection resumes; trades have none.
    const isNumbered = this.own.streamSeq !== undefined || channel !== 'my_trades';
    const channels = isNumbered ? [channel] : [channel, 'balances'];
    for (const one of channels) this.own.channels.add(one);
    await this.logIn();
    const following = this.follow(channels, [hashOf(channel, scope)]);
    if (recent?.isUnread(scope) !== true) return following;
    // The caller who comes next hears of a failure.
    following.catch(() => {});
  }

  /** Orders that have changed. Those that are open at the first call have not. */
  override async watchOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    _params: Dict = {},
  ): Promise<Order[]> {
    await this.loadMarkets();
    const scope = symbol === undefined ? undefined : this.market(symbol).symbol;
    await this.followOwn('orders', this.own.orders, scope);
    const orders = this.read(this.own.orders, scope);
    return this.filterBySinceLimit(orders, since, limit, 'timestamp', true) as Order[];
  }

  private takeOrders(client: Client, { type, data }: Sent): void {
    if (type === 'snapshot' && !this.own.isBehind) return;
    if (type === 'snapshot') this.own.isBehind = false;
    for (const sent of [data ?? []].flat()) {
      const order = this.parseOrder(sent);
      this.own.orders.add(String(order.id), order.symbol, order);
      client.resolve(true, hashOf('orders', order.symbol));
    }
    client.resolve(true, 'orders');
  }

  override async watchMyTrades(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    _params: Dict = {},
  ): Promise<Trade[]> {
    await this.loadMarkets();
    const scope = symbol === undefined ? undefined : this.market(symbol).symbol;
    await this.followOwn('my_trades', this.own.trades, scope);
    const trades = this.read(this.own.trades, scope);
    return this.filterBySinceLimit(trades, since, limit, 'timestamp', true) as Trade[];
  }

  private takeOwnTrades(client: Client, { data }: Sent): void {
    for (const sent of [data ?? []].flat()) {
      const trade = this.parseTrade(sent);
      this.own.trades.add(`${trade.id} ${trade.order}`, trade.symbol, trade);
      client.resolve(true, hashOf('my_trades', trade.symbol));
    }
    client.resolve(true, 'my_trades');
  }

  /** Every balance, first as it is and then after each change. */
  override async watchBalance(_params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    await this.followOwn('balances');
    return this.balance as Balances;
  }

  private takeBalances(client: Client, { type, data }: Sent): void {
    const sent = [data ?? []].flat();
    const changed = new Set(sent.map(({ coin }) => coin));
    const kept = type === 'snapshot' ? [] : this.own.balances;
    this.own.balances = [...kept.filter(({ coin }) => !changed.has(coin)), ...sent];
    this.balance = this.parseBalance(this.own.balances);
    client.resolve(true, 'balances');
  }

  /** Sends an operation of the own account with its parameters. */
  private async operateOwn<T = Dict>(op: string, params: Dict = {}): Promise<T> {
    await this.loadMarkets();
    await this.logIn();
    return this.operate<T>(op, { params });
  }

  override async createOrderWs(
    symbol: string,
    type: OrderType,
    side: OrderSide,
    amount?: Amount,
    price?: Amount,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const request = this.toCreate({ symbol, type, side, amount, price, params });
    const op = params['test'] === true ? 'order.test' : 'order.create';
    return this.toCreated(request, await this.operateOwn(op, request));
  }

  override async createOrdersWs(orders: OrderRequest[], params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const requests = orders.map((order) => this.toCreate(order));
    const all = { orders: requests, ...params };
    return this.toCreatedAll(requests, await this.operateOwn('order.create_batch', all));
  }

  override async editOrderWs(
    id: Str,
    symbol: string,
    type: OrderType,
    side: OrderSide,
    amount?: Amount,
    price?: Amount,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const edit = this.toEdit(id, { symbol, type, side, amount, price, params });
    if (edit.isAmendment)
      return this.parseOrder(await this.operateOwn('order.amend', edit.request));
    return this.parseOrder((await this.operateOwn('order.replace', edit.request))['created']);
  }

  override async cancelOrderWs(id: Str, symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets();
    const request = this.toCancel(id, symbol, params);
    return this.parseOrder(await this.operateOwn('order.cancel', request));
  }

  override async cancelOrdersWs(ids: string[], _symbol?: Str, params: Dict = {}): Promise<Order[]> {
    const { request, toOrders } = this.toCancelAll(ids, params);
    return toOrders(await this.operateOwn('order.cancel_batch', request));
  }

  override async cancelAllOrdersWs(symbol?: Str, params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const request = { symbol: market?.id, ...params };
    return this.toCanceled(await this.operateOwn('order.cancel_all', request), market);
  }

  override async fetchOrderWs(id: Str, _symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets();
    const request = { ...params, ...this.toName(id, params) };
    return this.parseOrder(await this.operateOwn('order.get', request));
  }

  override async fetchOpenOrdersWs(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const request = { symbol: market?.id, ...params };
    const orders = await this.operateOwn<Dict[]>('order.open', request);
    return this.parseOrders(orders, market, since, limit);
  }
}
