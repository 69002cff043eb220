// Orders and own trades.
import {
  ArgumentsRequired,
  type Dict,
  type Int,
  type Market,
  type Order,
  type OrderRequest,
  type OrderSide,
  type OrderType,
  type Str,
  type Trade,
} from 'ccxt';
import { toException, type VenueError } from '../errors.ts';
import type { Amount } from '../text.ts';
import { RialtoMarkets, toResultKind } from './markets.ts';
import { toOrderRequest, type OrderAsked, type Steps } from './order-request.ts';

const STATUSES: Readonly<Record<string, string>> = {
  pending: 'open',
  open: 'open',
  partially_filled: 'open',
  filled: 'closed',
  canceled: 'canceled',
  expired: 'expired',
  rejected: 'rejected',
};

/** What the venue can change in a working order. Anything else needs a new order in its place. */
const AMENDABLE = new Set([
  'clientOrderId',
  'amendId',
  'triggerPrice',
  'stopPrice',
  'icebergAmount',
]);

/** An element of a batch's answer. */
export type Outcome = { status: 'true'; order: Dict } | { status: 'false'; error: VenueError };

export class RialtoOrders extends RialtoMarkets {
  override async createOrder(
    symbol: string,
    type: OrderType,
    side: OrderSide,
    amount?: Amount,
    price?: Amount,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const request = this.toCreate({ symbol, type, side, amount, price, params });
    const path = params['test'] === true ? '/private/order/test' : '/private/order/create';
    return this.toCreated(request, await this.ask('POST', path, request));
  }

  /** What createOrder sends, by HTTP and on the socket. */
  protected toCreate(asked: OrderAsked): Dict {
    return toOrderRequest(asked, this.stepsOf(asked.symbol));
  }

  private stepsOf(symbol: string): Steps {
    return {
      id: String(this.market(symbol).id),
      amount: (value) => this.amountToPrecision(symbol, value),
      price: (value) => this.priceToPrecision(symbol, value),
      cost: (value) => this.costToPrecision(symbol, value),
    };
  }

  /** The new order. A tried one has no number, and an acknowledged one has little more: both show what was asked for. */
  protected toCreated(request: Dict, answer: Dict): Order {
    if (answer['status'] !== undefined) return this.parseOrder(answer);
    return this.extend(this.parseOrder({ ...request, ...answer, status: '' }), { info: answer });
  }

  override async createMarketBuyOrderWithCost(
    symbol: string,
    cost: Amount,
    params: Dict = {},
  ): Promise<Order> {
    return this.createOrder(symbol, 'market', 'buy', undefined, undefined, { ...params, cost });
  }

  override async createOrders(orders: OrderRequest[], params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const requests = orders.map((order) => this.toCreate(order));
    const all = { orders: requests, ...params };
    return this.toCreatedAll(requests, await this.ask('POST', '/private/order/create_batch', all));
  }

  /** The outcomes of a batch, in the order of its requests. */
  protected toCreatedAll(requests: readonly Dict[], outcomes: Outcome[]): Order[] {
    return outcomes.map((outcome, index) =>
      outcome.status === 'true'
        ? this.toCreated(requests[index] ?? {}, outcome.order)
        : this.toRefused({ ...requests[index], status: 'rejected' }, outcome.error),
    );
  }

  /** An order of a batch that the venue refused: `info` is its error, and `info.exception` what createOrder would throw. */
  private toRefused(known: Dict, error: VenueError): Order {
    const info = { ...error, exception: toException(this.id, error) };
    return this.extend(this.parseOrder(known), { info });
  }

  /**
   * Amends the order, which keeps its number and, when only the amount shrinks, its place. Anything that an amendment
   * cannot change, and `params.replace`, cancels it and places another in one step.
   */
  override async editOrder(
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
    const path = edit.isAmendment ? '/private/order/amend' : '/private/order/replace';
    const answer = await this.ask('POST', path, edit.request);
    return this.parseOrder(edit.isAmendment ? answer : answer['created']);
  }

  /** What editOrder sends, by HTTP and on the socket. */
  protected toEdit(id: Str, asked: OrderAsked): { isAmendment: boolean; request: Dict } {
    const { symbol, amount, price, params: { replace = false, ...params } = {} } = asked;
    const steps = this.stepsOf(symbol);
    const isAmendment =
      replace !== true && Object.keys(params).every((name) => AMENDABLE.has(name));
    if (!isAmendment) {
      const { cancelClientOrderId, mode, ...rest } = params;
      const request = this.toCreate({ ...asked, params: rest });
      return { isAmendment, request: { orderId: id, cancelClientOrderId, mode, ...request } };
    }
    const { triggerPrice, stopPrice = triggerPrice, icebergAmount, ...rest } = params;
    const request = {
      ...this.toName(id, rest),
      amendId: rest['amendId'],
      volume: amount === undefined ? undefined : steps.amount(amount),
      price: price === undefined ? undefined : steps.price(price),
      stopPrice: stopPrice === undefined ? undefined : steps.price(stopPrice),
      visibleVolume: icebergAmount === undefined ? undefined : steps.amount(icebergAmount),
    };
    return { isAmendment, request };
  }

  /** The order's number, or the client's own. */
  protected toName(id: Str, { clientOrderId }: Dict): Dict {
    if (clientOrderId !== undefined) return { clientOrderId };
    if (id === undefined || id === '') {
      throw new ArgumentsRequired(`${this.id} needs the id of an order, or params.clientOrderId.`);
    }
    return { orderId: id };
  }

  override async cancelOrder(id: Str, symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets();
    const request = this.toCancel(id, symbol, params);
    return this.parseOrder(await this.ask('DELETE', '/private/order/cancel', request));
  }

  protected toCancel(id: Str, symbol: Str, params: Dict): Dict {
    const market = symbol === undefined ? {} : { symbol: this.market(symbol).id };
    return { ...market, ...params, ...this.toName(id, params) };
  }

  override async cancelOrders(ids: string[], _symbol?: Str, params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const { request, toOrders } = this.toCancelAll(ids, params);
    return toOrders(await this.ask('POST', '/private/order/cancel_batch', request));
  }

  /** What cancelOrders sends, and how its answer is read. `params.clientOrderIds` names orders by the client's ids. */
  protected toCancelAll(
    ids: readonly string[],
    { clientOrderIds = [], ...rest }: Dict,
  ): { request: Dict; toOrders: (outcomes: Outcome[]) => Order[] } {
    const request = {
      ...(ids.length > 0 ? { orderIds: ids } : {}),
      ...(clientOrderIds.length > 0 ? { clientOrderIds } : {}),
      ...rest,
    };
    const toOrders = (outcomes: Outcome[]) =>
      outcomes.map((outcome, index) => {
        if (outcome.status === 'true') return this.parseOrder(outcome.order);
        const orderId = ids[index];
        const clientOrderId = clientOrderIds[index - ids.length];
        // An order that is final already is shown as it is.
        const final = this.safeDict(outcome.error.details, 'order', {});
        return this.toRefused({ orderId, clientOrderId, ...final }, outcome.error);
      });
    return { request, toOrders };
  }

  override async cancelAllOrders(symbol?: Str, params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const request = { symbol: market?.id, ...params };
    return this.toCanceled(await this.ask('DELETE', '/private/order/cancel_all', request), market);
  }

  protected toCanceled({ orderIds }: Dict, market?: Market): Order[] {
    return orderIds.map((orderId: string) =>
      this.parseOrder({ orderId, status: 'canceled' }, market),
    );
  }

  /** Cancels everything after so many milliseconds, unless it is called again before; 0 switches it off. */
  override async cancelAllOrdersAfter(timeout: Int, params: Dict = {}): Promise<Dict> {
    return this.ask('POST', '/private/order/cancel_all_after', { timeout, ...params });
  }

  override async fetchOrder(id: Str, _symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets();
    const request = { ...params, ...this.toName(id, params) };
    return this.parseOrder(await this.ask('GET', '/private/order/get', request));
  }

  override async fetchOpenOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const orders = await this.ask<Dict[]>('GET', '/private/order/open', {
      symbol: market?.id,
      ...params,
    });
    return this.parseOrders(orders, market, since, limit);
  }

  /** Every order, live and final. */
  override async fetchOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? {} : { symbol: this.market(symbol).id };
    const query = { ...market, ...params };
    const orders = await this.askPages('/private/order/history', since, limit, query);
    return orders.map((order) => this.parseOrder(order));
  }

  override async fetchClosedOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.fetchOrders(symbol, since, limit, { status: 'filled', ...params });
  }

  override async fetchCanceledOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.fetchOrders(symbol, since, limit, { status: 'canceled', ...params });
  }

  override async fetchMyTrades(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Trade[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? {} : { symbol: this.market(symbol).id };
    const query = { ...market, ...params };
    return this.parseTrades(await this.askPages('/private/order/trades', since, limit, query));
  }

  override async fetchOrderTrades(
    id: string,
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Trade[]> {
    return this.fetchMyTrades(symbol, since, limit, { orderId: id, ...params });
  }

  override parseOrder(info: Dict, market?: Market): Order {
    const text = (name: string): Str => this.safeString(info, name);
    const known = this.safeMarket(text('symbol'), market);
    const type = text('type');
    const status = STATUSES[info['status']];
    const stopPrice = text('stopPrice');
    const isByTotal = text('total') !== undefined;
    // A buy by total has a volume of its own only when nothing can be added any more.
    const isFinal = status !== 'open' && status !== undefined;
    const byTotal = isFinal ? { amount: text('filledVolume'), remaining: '0' } : {};
    return this.safeOrder(
      {
        id: text('orderId'),
        clientOrderId: text('clientOrderId'),
        timestamp: this.safeInteger(info, 'createdAt'),
        lastTradeTimestamp: this.safeInteger(info, 'lastTradeAt'),
        lastUpdateTimestamp: this.safeInteger(info, 'updatedAt'),
        status,
        symbol: known.symbol,
        type: type === undefined ? undefined : toResultKind(type, info['price'] ?? ''),
        timeInForce: info['postOnly'] === true ? 'PO' : text('timeInForce'),
        postOnly: info['postOnly'],
        side: text('side'),
        price: text('price'),
        triggerPrice: stopPrice,
        stopLossPrice: type?.startsWith('stop_') === true ? stopPrice : undefined,
        takeProfitPrice: type?.startsWith('take_profit_') === true ? stopPrice : undefined,
        average: text('averagePrice'),
        filled: text('filledVolume'),
        cost: text('filledTotal'),
        ...(isByTotal ? byTotal : { amount: text('volume'), remaining: text('remainingVolume') }),
        fee:
          text('feeCurrency') === undefined
            ? undefined
            : {
                cost: this.safeNumber(info, 'fee'),
                currency: this.safeCurrencyCode(text('feeCurrency')),
              },
        trades: info['trades'],
        info,
      },
      known,
    );
  }
}
