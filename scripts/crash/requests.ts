// Commands as requests of the HTTP API.
import type { OcoTerms, OrderTerms } from '@rialto/matching';
import type { ClientCommand } from '../../server/src/trading/engine/command.ts';
import { formatAmount, formatFixed } from '../../server/src/trading/amount.ts';
import { PRICE_DECIMALS, VOLUME_DECIMALS } from './market.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly params: Record<string, string>;
}

export function toRequest(command: ClientCommand): Request {
  if (command.type === 'cancel') {
    const params = { orderId: String(command.orderId) };
    return { method: 'DELETE', path: '/private/order/cancel', params };
  }
  if (command.type === 'place') {
    return { method: 'POST', path: '/private/order/create', params: orderParams(command.order) };
  }
  if (command.type === 'place_list' && command.list.kind === 'oco') {
    const params = ocoParams(command.list);
    return { method: 'POST', path: '/private/order_list/create_oco', params };
  }
  throw new Error(`${command.type} has no endpoint here.`);
}

const price = (ticks: number | undefined): string | undefined =>
  ticks === undefined ? undefined : formatFixed(BigInt(ticks), PRICE_DECIMALS);
const volume = (lots: number | undefined): string | undefined =>
  lots === undefined ? undefined : formatFixed(BigInt(lots), VOLUME_DECIMALS);

function orderParams(order: OrderTerms): Record<string, string> {
  return present({
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    price: price(order.price),
    volume: volume(order.volume),
    total: order.total === undefined ? undefined : formatAmount(order.total),
    trailingDelta: order.trailingDelta === undefined ? undefined : String(order.trailingDelta),
    clientOrderId: order.clientOrderId,
    timeInForce: order.timeInForce,
  });
}

function ocoParams(list: OcoTerms): Record<string, string> {
  return present({
    symbol: list.symbol,
    side: list.side,
    volume: volume(list.volume),
    limitPrice: price(list.limitPrice),
    stopPrice: price(list.stopPrice),
    stopLimitPrice: price(list.stopLimitPrice),
    limitClientOrderId: list.limitClientOrderId,
    stopClientOrderId: list.stopClientOrderId,
  });
}

const present = (params: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
