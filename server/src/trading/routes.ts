// The list of all trading routes, kept by hand: what is not in it does not exist.
import {
  getAccountFees,
  getAccountInfo,
  getBalances,
  getLedger,
  getRateLimits,
} from './account/routes.ts';
import { getAuction } from './auctions/routes.ts';
import { getDepositAddress, postDepositAddress } from './custody/addresses/routes.ts';
import {
  deleteWithdrawAddress,
  getWithdrawAddresses,
  postWithdrawAddress,
} from './custody/address-book/routes.ts';
import { getDeposits } from './custody/deposits/routes.ts';
import { getOwnReserves, getReserveAddresses, getReserves } from './custody/reserves/routes.ts';
import {
  deleteWithdraw,
  getWithdrawals,
  getWithdrawQuote,
  postWithdraw,
  postWithdrawConfirm,
} from './custody/withdrawals/routes.ts';
import { getDepth, getOrderBook } from './books/routes.ts';
import { getCandlesticks } from './candles/routes.ts';
import { getCoinsInfo } from './coins/routes.ts';
import { getFees } from './fees/routes.ts';
import type { TradingRoute } from './http/route.ts';
import {
  deleteApiKey,
  getApiKeys,
  postApiKey,
  postApiKeyRotation,
  postApiKeyUpdate,
} from './keys/routes.ts';
import { getExchangeInfo, getMarkets } from './markets/routes.ts';
import {
  deleteOrderList,
  getOpenOrderLists,
  getOrderList,
  postBracket,
  postOco,
} from './order-lists/routes.ts';
import {
  deleteAllOrders,
  deleteOrder,
  getOpenOrders,
  getOrder,
  getOrderHistory,
  getTrades,
  postAmend,
  postCancelAllAfter,
  postCancelBatch,
  postOrder,
  postOrderBatch,
  postTestOrder,
} from './orders/routes.ts';
import { getPreventedMatches } from './orders/prevented/routes.ts';
import { postReplacement } from './orders/replacing/routes.ts';
import { SHORTHANDS } from './orders/shorthand/routes.ts';
import {
  getEventLog,
  getEventLogCheckpoint,
  getEventLogHead,
  getSigningKeys,
} from './public-log/routes.ts';
import { getReceipt } from './receipts/routes.ts';
import { getAuditHead, getPing, getStatus, getSwagger, getTime } from './service/routes.ts';
import { getStatement } from './statements/routes.ts';
import { postStreamTicket } from './streams/tickets/routes.ts';
import {
  deleteSubAccount,
  getSubAccounts,
  getTransfers,
  postSubAccount,
  postSubAccountUpdate,
  postTransfer,
} from './sub-accounts/routes.ts';
import { getBestPrices, getLastPrices, getTickers } from './tickers/routes.ts';
import { getLastTrades } from './trades/routes.ts';

export const ROUTES: readonly TradingRoute[] = [
  getSwagger,
  getPing,
  getTime,
  getExchangeInfo,
  getCoinsInfo,
  getOrderBook,
  getMarkets,
  getDepth,
  getAuction,
  getLastTrades,
  getTickers,
  getLastPrices,
  getBestPrices,
  getCandlesticks,
  getFees,
  getStatus,
  getAuditHead,
  getEventLog,
  getEventLogCheckpoint,
  getEventLogHead,
  getSigningKeys,
  getReserves,
  getReserveAddresses,
  getAccountInfo,
  getBalances,
  getAccountFees,
  getLedger,
  getStatement,
  getOwnReserves,
  getRateLimits,
  getDepositAddress,
  postDepositAddress,
  getDeposits,
  getWithdrawQuote,
  postWithdraw,
  postWithdrawConfirm,
  deleteWithdraw,
  getWithdrawals,
  getWithdrawAddresses,
  postWithdrawAddress,
  deleteWithdrawAddress,
  postApiKey,
  getApiKeys,
  postApiKeyUpdate,
  postApiKeyRotation,
  deleteApiKey,
  postSubAccount,
  getSubAccounts,
  postSubAccountUpdate,
  deleteSubAccount,
  postTransfer,
  getTransfers,
  postOrder,
  postTestOrder,
  postOrderBatch,
  deleteOrder,
  postCancelBatch,
  deleteAllOrders,
  postCancelAllAfter,
  postAmend,
  postReplacement,
  ...SHORTHANDS,
  getOrder,
  getOpenOrders,
  getOrderHistory,
  getTrades,
  getPreventedMatches,
  postOco,
  postBracket,
  deleteOrderList,
  getOrderList,
  getOpenOrderLists,
  getReceipt,
  postStreamTicket,
];
