// Which writes may be sent twice, because the server sees to it that the second one changes nothing.
import type { Params } from './encode.ts';

/** By path: parameters by which the server recognises a request that it has already carried out. */
const OWN_IDS: Readonly<Record<string, readonly string[]>> = {
  '/private/order/create': ['clientOrderId'],
  '/private/order/limit/buy': ['clientOrderId'],
  '/private/order/limit/sell': ['clientOrderId'],
  '/private/order/market/buy': ['clientOrderId'],
  '/private/order/market/sell': ['clientOrderId'],
  '/private/order/stoplimit/buy': ['clientOrderId'],
  '/private/order/stoplimit/sell': ['clientOrderId'],
  '/private/order/replace': ['clientOrderId'],
  '/private/order/amend': ['amendId'],
  '/private/order_list/create_oco': ['limitClientOrderId', 'stopClientOrderId'],
  '/private/order_list/create_bracket': [
    'clientOrderId',
    'takeProfitClientOrderId',
    'stopLossClientOrderId',
  ],
  '/private/sub_account/transfer': ['clientTransferId'],
};

const BATCH = '/private/order/create_batch';

/** What they ask for is so after the first time; the second time finds it so. */
const REPEATABLE = new Set([
  ...Object.keys(OWN_IDS),
  BATCH,
  '/private/order/test',
  '/private/order/cancel',
  '/private/order/cancel_batch',
  '/private/order/cancel_all',
  '/private/order/cancel_all_after',
  '/private/order_list/cancel',
  '/private/sub_account/update',
]);

export const isRepeatable = (method: string, path: string): boolean =>
  method === 'GET' || REPEATABLE.has(path);

/** Gives every order of the request an id of its own, if the caller gave none. */
export function withIds(path: string, params: Params): Params {
  if (path === BATCH && Array.isArray(params['orders'])) {
    const orders = (params['orders'] as readonly Params[]).map((order) => ({
      ...order,
      clientOrderId: order['clientOrderId'] ?? createId(),
    }));
    return { ...params, orders };
  }
  const missing = (OWN_IDS[path] ?? []).filter((name) => params[name] === undefined);
  if (missing.length === 0) return params;
  return { ...params, ...Object.fromEntries(missing.map((name) => [name, createId()])) };
}

/** 32 hexadecimal digits; an id may have 36 characters. */
export const createId = (): string => crypto.randomUUID().replaceAll('-', '');
