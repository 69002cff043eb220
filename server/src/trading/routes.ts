// Every trading route, by hand: what is not in this list does not exist.
import { getAccountFees, getAccountInfo, getBalances, getRateLimits } from './account/routes.ts';
import { getOrderBook } from './books/routes.ts';
import { getCoinsInfo } from './coins/routes.ts';
import { getFees } from './fees/routes.ts';
import type { TradingRoute } from './http/route.ts';
import { getExchangeInfo } from './markets/routes.ts';
import { getPing, getSwagger, getTime } from './service/routes.ts';

export const ROUTES: readonly TradingRoute[] = [
  getSwagger,
  getPing,
  getTime,
  getExchangeInfo,
  getCoinsInfo,
  getOrderBook,
  getFees,
  getAccountInfo,
  getBalances,
  getAccountFees,
  getRateLimits,
];
