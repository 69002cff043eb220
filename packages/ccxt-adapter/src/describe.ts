// What the library knows of the venue before it has asked: methods, paths, limits.
import { EXCEPTIONS } from './errors.ts';

const GET_PUBLIC = [
  'swagger',
  'ping',
  'time',
  'exchange_info',
  'coins_info',
  'orderbook',
  'markets',
  'depth',
  'auction',
  'last_trades',
  'tickers',
  'last_prices',
  'best_prices',
  'candlesticks',
  'fees',
  'status',
  'audit_head',
  'event_log',
  'event_log/checkpoint',
  'event_log/head',
  'signing_keys',
  'reserves',
  'reserve_addresses',
];

const GET_PRIVATE = [
  'account/info',
  'account/balances',
  'account/fees',
  'account/ledger',
  'account/statement',
  'account/rate_limits',
  'account/reserves',
  'sub_account/list',
  'sub_account/transfers',
  'order/get',
  'order/open',
  'order/history',
  'order/trades',
  'order/prevented_matches',
  'order/receipt',
  'order_list/get',
  'order_list/open',
  'wallet/deposit_address',
  'wallet/deposits',
  'wallet/withdraw_quote',
  'wallet/withdrawals',
  'wallet/withdraw_addresses',
];

const POST_PRIVATE = [
  'sub_account/create',
  'sub_account/update',
  'sub_account/transfer',
  'order/create',
  'order/test',
  'order/create_batch',
  'order/cancel_batch',
  'order/cancel_all_after',
  'order/amend',
  'order/replace',
  'order/limit/buy',
  'order/limit/sell',
  'order/market/buy',
  'order/market/sell',
  'order/stoplimit/buy',
  'order/stoplimit/sell',
  'order_list/create_oco',
  'order_list/create_bracket',
  'wallet/create_deposit_address',
  'wallet/withdraw',
];

const DELETE_PRIVATE = [
  'sub_account/close',
  'order/cancel',
  'order/cancel_all',
  'order_list/cancel',
  'wallet/withdraw_cancel',
];

/** Every request weighs the same. */
const weighed = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, 1]));

/** The unified methods, each with the paths that it needs. `has` is true when the venue serves all of them. */
export const METHODS: Readonly<Record<string, readonly string[]>> = {
  fetchTime: ['/public/time'],
  fetchStatus: ['/public/status'],
  fetchMarkets: ['/public/markets'],
  fetchCurrencies: ['/public/coins_info'],
  fetchOrderBook: ['/public/depth'],
  fetchTicker: ['/public/tickers'],
  fetchTickers: ['/public/tickers'],
  fetchLastPrices: ['/public/last_prices'],
  fetchBidsAsks: ['/public/best_prices'],
  fetchTrades: ['/public/last_trades'],
  fetchOHLCV: ['/public/candlesticks'],
  fetchDepositWithdrawFees: ['/public/coins_info'],
  fetchBalance: ['/private/account/balances'],
  fetchAccounts: ['/private/account/info', '/private/sub_account/list'],
  fetchTradingFee: ['/private/account/fees'],
  fetchTradingFees: ['/private/account/fees'],
  fetchLedger: ['/private/account/ledger', '/private/account/info'],
  transfer: ['/private/sub_account/transfer'],
  fetchTransfers: ['/private/sub_account/transfers'],
  createOrder: ['/private/order/create', '/private/order/test'],
  createOrders: ['/private/order/create_batch'],
  createMarketBuyOrderWithCost: ['/private/order/create'],
  editOrder: ['/private/order/amend', '/private/order/replace'],
  cancelOrder: ['/private/order/cancel'],
  cancelOrders: ['/private/order/cancel_batch'],
  cancelAllOrders: ['/private/order/cancel_all'],
  cancelAllOrdersAfter: ['/private/order/cancel_all_after'],
  fetchOrder: ['/private/order/get'],
  fetchOpenOrders: ['/private/order/open'],
  fetchOrders: ['/private/order/history'],
  fetchClosedOrders: ['/private/order/history'],
  fetchCanceledOrders: ['/private/order/history'],
  fetchOrderTrades: ['/private/order/trades'],
  fetchMyTrades: ['/private/order/trades'],
  fetchDepositAddress: ['/private/wallet/deposit_address'],
  createDepositAddress: ['/private/wallet/create_deposit_address'],
  fetchDepositAddressesByNetwork: ['/private/wallet/deposit_address'],
  fetchDeposits: ['/private/wallet/deposits'],
  fetchWithdrawals: ['/private/wallet/withdrawals'],
  fetchDepositsWithdrawals: ['/private/wallet/deposits', '/private/wallet/withdrawals'],
  withdraw: ['/private/wallet/withdraw'],
};

/** Methods of orders that the library builds on createOrder. */
const BUILT_ON_CREATE = [
  'createLimitOrder',
  'createLimitBuyOrder',
  'createLimitSellOrder',
  'createMarketOrder',
  'createMarketBuyOrder',
  'createMarketSellOrder',
  'createPostOnlyOrder',
  'createStopOrder',
  'createStopLimitOrder',
  'createStopMarketOrder',
  'createStopLossOrder',
  'createTakeProfitOrder',
  'createTrailingPercentOrder',
  'createTriggerOrder',
];

const SPOT_ONLY = {
  CORS: true,
  spot: true,
  margin: false,
  swap: false,
  future: false,
  option: false,
};

const HAS = {
  ...SPOT_ONLY,
  ...Object.fromEntries(BUILT_ON_CREATE.map((name) => [name, true])),
  ...Object.fromEntries(Object.keys(METHODS).map((name) => [name, true])),
};

/** What orders can carry, as the library lists it. */
const CREATE_ORDER = {
  marginMode: false,
  triggerPrice: true,
  triggerPriceType: undefined,
  triggerDirection: false,
  stopLossPrice: true,
  takeProfitPrice: true,
  attachedStopLossTakeProfit: undefined,
  timeInForce: { IOC: true, FOK: true, PO: true, GTD: true },
  hedged: false,
  trailing: true,
  leverage: false,
  marketBuyByCost: true,
  marketBuyRequiresPrice: false,
  selfTradePrevention: true,
  iceberg: true,
};

const LISTS = { marginMode: false, trigger: false, trailing: false, symbolRequired: false };
const GROWING = { ...LISTS, limit: 500, daysBack: undefined, untilDays: undefined };

const FEATURES = {
  spot: {
    sandbox: false,
    createOrder: CREATE_ORDER,
    createOrders: { max: 20 },
    fetchMyTrades: GROWING,
    fetchOrder: LISTS,
    fetchOpenOrders: { ...LISTS, limit: 1000 },
    fetchOrders: GROWING,
    fetchClosedOrders: { ...GROWING, daysBackCanceled: undefined },
    fetchOHLCV: { limit: 1000 },
  },
  swap: { linear: undefined, inverse: undefined },
  future: { linear: undefined, inverse: undefined },
};

const RESOLUTIONS = '1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M'.split(' ');

/** What `describe` adds to the library's own. `precisionMode` is the library's number for steps. */
export const DESCRIPTION = {
  id: 'rialto',
  name: 'Rialto',
  countries: [],
  version: 'v1',
  rateLimit: 100,
  certified: false,
  pro: false,
  has: HAS,
  timeframes: Object.fromEntries(RESOLUTIONS.map((name) => [name, name])),
  urls: { api: {}, doc: [] },
  api: {
    public: { get: weighed(GET_PUBLIC) },
    private: {
      get: weighed(GET_PRIVATE),
      post: weighed(POST_PRIVATE),
      delete: weighed(DELETE_PRIVATE),
    },
  },
  requiredCredentials: { apiKey: true, secret: true },
  precisionMode: 4,
  fees: { trading: { tierBased: true, percentage: true, feeSide: 'get' } },
  exceptions: { exact: EXCEPTIONS, broad: {} },
  features: FEATURES,
  options: {
    // A clock that is wrong by more than a second would have every request refused.
    adjustForTimeDifference: true,
    // Signatures cover method and path. A proxy that rewrites paths needs false.
    boundSignatures: true,
    recvWindow: undefined,
    paginationCalls: 10,
  },
};
