// Generated from contracts/ by packages/sdk/generate. Do not edit; run: npm run gen
import type { CallOptions, NoParams } from '../options.ts';
import type { Placed, StatementIn } from './variants.ts';
import type {
  AccountBalancesParams,
  AccountFee,
  AccountFeesParams,
  AccountInfo,
  AccountLedgerParams,
  AccountLedgerResult,
  AccountReservesParams,
  AccountStatementParams,
  AddressBookEntry,
  AmendedOrder,
  ApiKey,
  ApiKeyCreateParams,
  ApiKeyDeleteParams,
  ApiKeyRotateParams,
  ApiKeyUpdateParams,
  Auction,
  Balance,
  BestPrice,
  CanceledAll,
  Candle,
  Coin,
  DeletedKey,
  DepositAddress,
  Depth,
  FeeTier,
  LastPrice,
  Market,
  MarketDetail,
  NewApiKey,
  Order,
  OrderAmendParams,
  OrderBook,
  OrderCancelAllAfterParams,
  OrderCancelAllParams,
  OrderCancelBatchParams,
  OrderCancelBatchResult,
  OrderCancelParams,
  OrderCreateBatchParams,
  OrderCreateBatchResult,
  OrderCreateParams,
  OrderGetParams,
  OrderHistoryParams,
  OrderHistoryResult,
  OrderLimitBuyParams,
  OrderLimitSellParams,
  OrderList,
  OrderListCancelParams,
  OrderListCreateBracketParams,
  OrderListCreateOcoParams,
  OrderListGetParams,
  OrderListOpenParams,
  OrderMarketBuyParams,
  OrderMarketSellParams,
  OrderOpenParams,
  OrderPreventedMatchesParams,
  OrderPreventedMatchesResult,
  OrderReceipt,
  OrderReceiptParams,
  OrderReplaceParams,
  OrderStoplimitBuyParams,
  OrderStoplimitSellParams,
  OrderTestParams,
  OrderTradesParams,
  OrderTradesResult,
  OrderWithTrades,
  PublicAuctionParams,
  PublicAuditHeadResult,
  PublicBestPricesParams,
  PublicCandlesticksParams,
  PublicCoinsInfoParams,
  PublicDepthParams,
  PublicEventLogCheckpointParams,
  PublicEventLogCheckpointResult,
  PublicEventLogHeadParams,
  PublicEventLogHeadResult,
  PublicEventLogParams,
  PublicExchangeInfoParams,
  PublicLastPricesParams,
  PublicLastTradesParams,
  PublicLogPage,
  PublicMarketsParams,
  PublicOrderbookParams,
  PublicPingResult,
  PublicReserveAddressesParams,
  PublicSigningKey,
  PublicSwaggerResult,
  PublicTickersParams,
  PublicTimeResult,
  PublicTrade,
  RateLimit,
  Replacement,
  ReserveAddress,
  ReserveLeaf,
  Reserves,
  Status,
  StreamTicket,
  SubAccount,
  SubAccountCloseParams,
  SubAccountCreateParams,
  SubAccountListParams,
  SubAccountTransferParams,
  SubAccountTransfersParams,
  SubAccountTransfersResult,
  SubAccountUpdateParams,
  TestedOrder,
  Ticker,
  Timer,
  Transfer,
  WalletCreateDepositAddressParams,
  WalletDepositAddressParams,
  WalletDepositsParams,
  WalletDepositsResult,
  WalletWithdrawAddressAddParams,
  WalletWithdrawAddressRemoveParams,
  WalletWithdrawAddressesParams,
  WalletWithdrawCancelParams,
  WalletWithdrawConfirmParams,
  WalletWithdrawParams,
  WalletWithdrawQuoteParams,
  WalletWithdrawalsParams,
  WalletWithdrawalsResult,
  WithdrawQuote,
  Withdrawal,
} from './types.generated.ts';

/** Every operation of the trading API, in groups. */
export interface TradingMethods {
  readonly public: {
    /** This document. */
    swagger(params?: NoParams, options?: CallOptions): Promise<PublicSwaggerResult>;
    /** Whether the service answers. */
    ping(params?: NoParams, options?: CallOptions): Promise<PublicPingResult>;
    /** The time of the server; the same reading as `serverTime`. */
    time(params?: NoParams, options?: CallOptions): Promise<PublicTimeResult>;
    /** The listed markets, by symbol; with `symbol`, a list of that one. */
    exchangeInfo(params?: PublicExchangeInfoParams, options?: CallOptions): Promise<readonly Market[]>;
    /** The coins and the networks they move on; with `symbol`, a list of that one. */
    coinsInfo(params?: PublicCoinsInfoParams, options?: CallOptions): Promise<readonly Coin[]>;
    /** The price levels of a market, best first; all of them, up to 1000 on each side. */
    orderbook(params: PublicOrderbookParams, options?: CallOptions): Promise<OrderBook>;
    /** The listed markets with their phase, steps, limits and rates. */
    markets(params?: PublicMarketsParams, options?: CallOptions): Promise<readonly MarketDetail[]>;
    /** The same book with what is needed to follow it: its update id and a checksum. */
    depth(params: PublicDepthParams, options?: CallOptions): Promise<Depth>;
    /** What the auction of a market would trade if it ended now, by the visible book. */
    auction(params: PublicAuctionParams, options?: CallOptions): Promise<Auction>;
    /** Trades of a market: the newest first, or from a given one or time on, the oldest first. */
    lastTrades(params: PublicLastTradesParams, options?: CallOptions): Promise<readonly PublicTrade[]>;
    /** The last 24 hours of every market, or of one. */
    tickers(params?: PublicTickersParams, options?: CallOptions): Promise<readonly Ticker[]>;
    /** The price of the last trade in every market, or in one. */
    lastPrices(params?: PublicLastPricesParams, options?: CallOptions): Promise<readonly LastPrice[]>;
    /** The best bid and ask of every market, or of one. */
    bestPrices(params?: PublicBestPricesParams, options?: CallOptions): Promise<readonly BestPrice[]>;
    /** Candles of a market, oldest first, without gaps. */
    candlesticks(params: PublicCandlesticksParams, options?: CallOptions): Promise<readonly Candle[]>;
    /** The fee tiers. */
    fees(params?: NoParams, options?: CallOptions): Promise<readonly FeeTier[]>;
    /** Whether orders are taken, and how far behind history is. */
    status(params?: NoParams, options?: CallOptions): Promise<Status>;
    /** The newest signed head of the audit log, for whoever wants to be able to tell later that the log was changed. Null: none was signed yet. */
    auditHead(params?: NoParams, options?: CallOptions): Promise<PublicAuditHeadResult>;
    /** The public log: every change of the books, every trade and every phase, numbered and chained, without names. `npx rialto fetch-log` downloads it and `npx rialto verify-log` checks it. `head` is the first signed head over these events, or null. An answer that is full and signed may be cached for ever. */
    eventLog(params?: PublicEventLogParams, options?: CallOptions): Promise<PublicLogPage>;
    /** The newest checkpoint of the public log, or the newest at or before an event, with all visible books at that event: the log can be checked from there on. Null: the log has none there. */
    eventLogCheckpoint(params?: PublicEventLogCheckpointParams, options?: CallOptions): Promise<PublicEventLogCheckpointResult>;
    /** The newest signed head of the public log, or the first that covers an event. Keep some: with one nobody can rewrite the log before it unnoticed. Null: none was signed. */
    eventLogHead(params?: PublicEventLogHeadParams, options?: CallOptions): Promise<PublicEventLogHeadResult>;
    /** The public keys with which the venue has signed heads of the public log and receipts of orders, oldest first; the last is in use. */
    signingKeys(params?: NoParams, options?: CallOptions): Promise<readonly PublicSigningKey[]>;
    /** The newest proof of reserves: what the venue owes in each coin, with the root of the tree, and what it holds on chains as of which blocks. */
    reserves(params?: NoParams, options?: CallOptions): Promise<Reserves>;
    /** The addresses of the newest proof of reserves that had something of a coin on a network, in the order of their letters. */
    reserveAddresses(params: PublicReserveAddressesParams, options?: CallOptions): Promise<readonly ReserveAddress[]>;
  };
  readonly account: {
    /** The account that the key belongs to. */
    info(params?: NoParams, options?: CallOptions): Promise<AccountInfo>;
    /** What the account has, per coin, as it is now. */
    balances(params?: AccountBalancesParams, options?: CallOptions): Promise<readonly Balance[]>;
    /** The rates that the account pays, per market. */
    fees(params?: AccountFeesParams, options?: CallOptions): Promise<readonly AccountFee[]>;
    /** Everything that changed the account’s total in a coin. Holds move money within the total and have no entry. */
    ledger(params?: AccountLedgerParams, options?: CallOptions): Promise<AccountLedgerResult>;
    /** A file, without the envelope: what the account had at the beginning of a stretch of time, every entry of its ledger, and what it had at the end, which is exactly their sum. The same stretch always gives the same bytes; their SHA-256 is in a header. */
    statement<const P extends AccountStatementParams>(params: P, options?: CallOptions): Promise<StatementIn<P>>;
    /** The leaves of the account in the newest proof of reserves, each with its path to the root. Save the answer: `rialto verify-reserves` checks it without a connection. */
    reserves(params?: AccountReservesParams, options?: CallOptions): Promise<readonly ReserveLeaf[]>;
    /** The limits in force and how much of them is used. */
    rateLimits(params?: NoParams, options?: CallOptions): Promise<readonly RateLimit[]>;
  };
  readonly wallet: {
    /** Where the account gets a coin from outside; the first call makes the address. All coins of one network share it. Without `network`, the default network of the coin. */
    depositAddress(params: WalletDepositAddressParams, options?: CallOptions): Promise<DepositAddress>;
    /** A fresh deposit address of the account; old ones stay valid. Without `network`, the default network of the coin. */
    createDepositAddress(params: WalletCreateDepositAddressParams, options?: CallOptions): Promise<DepositAddress>;
    /** What came to the deposit addresses of the account, also before it is credited. */
    deposits(params?: WalletDepositsParams, options?: CallOptions): Promise<WalletDepositsResult>;
    /** What a withdrawal would cost, how much may still be withdrawn today, and which checks would fail. Without `network`, the default network of the coin. */
    withdrawQuote(params: WalletWithdrawQuoteParams, options?: CallOptions): Promise<WithdrawQuote>;
    /** Asks for a withdrawal: the amount is held at once. A key withdraws to usable addresses of the address book only; a session confirms with `withdraw_confirm` within 30 minutes. The same `clientWithdrawId` with the same terms answers the withdrawal that was made, with the header `X-SVC-IDEMPOTENT-REPLAY: true`; after a refusal the id is free again. */
    withdraw(params: WalletWithdrawParams, options?: CallOptions): Promise<Withdrawal>;
    /** Confirms a withdrawal that a session asked for, with a second factor. */
    withdrawConfirm(params: WalletWithdrawConfirmParams, options?: CallOptions): Promise<Withdrawal>;
    /** Takes a withdrawal back, as long as nothing of it is signed. */
    withdrawCancel(params: WalletWithdrawCancelParams, options?: CallOptions): Promise<Withdrawal>;
    /** The withdrawals of the account, with what became of them. */
    withdrawals(params?: WalletWithdrawalsParams, options?: CallOptions): Promise<WalletWithdrawalsResult>;
    /** The address book of the account and its family, oldest first. */
    withdrawAddresses(params?: WalletWithdrawAddressesParams, options?: CallOptions): Promise<readonly AddressBookEntry[]>;
    /** Adds an address to the book. Coins may go there 24 hours later. An address that is in the book already keeps its time. */
    withdrawAddressAdd(params: WalletWithdrawAddressAddParams, options?: CallOptions): Promise<AddressBookEntry>;
    /** Removes an address from the book. Withdrawals that are under way go on. */
    withdrawAddressRemove(params: WalletWithdrawAddressRemoveParams, options?: CallOptions): Promise<AddressBookEntry>;
  };
  readonly apiKey: {
    /** Makes a key for one of your accounts, and shows its secret once. An account has at most 30 keys. */
    create(params: ApiKeyCreateParams, options?: CallOptions): Promise<NewApiKey>;
    /** The keys of all your accounts, oldest first, without their secrets. */
    list(params?: NoParams, options?: CallOptions): Promise<readonly ApiKey[]>;
    /** Changes the terms of a key; what is absent stays. A later `expireTime` renews it. */
    update(params: ApiKeyUpdateParams, options?: CallOptions): Promise<ApiKey>;
    /** Makes a key with the same terms, and ends the old one after an overlap in which both work. The new secret is shown once. One rotation at a time. */
    rotate(params: ApiKeyRotateParams, options?: CallOptions): Promise<NewApiKey>;
    /** Deletes a key, at once and for good. A key deletes only itself: for one that may have leaked. A session deletes any key of its owner. */
    delete(params: ApiKeyDeleteParams, options?: CallOptions): Promise<DeletedKey>;
  };
  readonly subAccount: {
    /** Opens a sub-account of the main account: with money, keys, rate limit and order limits of its own, and one family with the others for self-trade prevention and fees. A label that is in use answers the sub-account that has it, with the header `X-SVC-IDEMPOTENT-REPLAY: true`. Its owner makes its keys, signed in with a browser. */
    create(params: SubAccountCreateParams, options?: CallOptions): Promise<SubAccount>;
    /** The sub-accounts of a main account, oldest first; a key of a sub-account sees that one. */
    list(params?: SubAccountListParams, options?: CallOptions): Promise<readonly SubAccount[]>;
    /** Gives a sub-account another label. */
    update(params: SubAccountUpdateParams, options?: CallOptions): Promise<SubAccount>;
    /** Closes a sub-account that has no money and no orders, for good. Its keys are deleted; its history stays. */
    close(params: SubAccountCloseParams, options?: CallOptions): Promise<SubAccount>;
    /** Moves money between two accounts of the family. A key of the main account names any two of them, a key of a sub-account gives from that one only. The same `clientTransferId` with the same terms answers the transfer that was made, with the header `X-SVC-IDEMPOTENT-REPLAY: true`; after a refusal the id is free again. */
    transfer(params: SubAccountTransferParams, options?: CallOptions): Promise<Transfer>;
    /** Transfers within the family; a key of a sub-account sees those that the account gave or got. What was refused is not among them. */
    transfers(params?: SubAccountTransfersParams, options?: CallOptions): Promise<SubAccountTransfersResult>;
  };
  readonly order: {
    /** Places an order. The same `clientOrderId` with the same parameters answers the existing order as it is now, with the header `X-SVC-IDEMPOTENT-REPLAY: true`; a caller that lost an answer simply repeats the call. */
    create<const P extends OrderCreateParams>(params: P, options?: CallOptions): Promise<Placed<P>>;
    /** Checks an order as a placement would, and places nothing. */
    test(params: OrderTestParams, options?: CallOptions): Promise<TestedOrder>;
    /** Places several orders in one step of the limit; the answer has an entry for each, in the order asked. In the mode `all_or_none` either all are accepted or the first refusal is the answer, with its place in `details.index`. */
    createBatch(params: OrderCreateBatchParams, options?: CallOptions): Promise<OrderCreateBatchResult>;
    /** Cancels an order, named by one of its ids. */
    cancel(params?: OrderCancelParams, options?: CallOptions): Promise<Order>;
    /** Cancels up to 50 orders in one step; the answer has an entry for each, first those named by `orderIds`, then those by `clientOrderIds`. */
    cancelBatch(params?: OrderCancelBatchParams, options?: CallOptions): Promise<OrderCancelBatchResult>;
    /** Cancels all open and pending orders, of one market or one side if named. A key that is bound to markets cancels in those. */
    cancelAll(params?: OrderCancelAllParams, options?: CallOptions): Promise<CanceledAll>;
    /** Arms the account’s timer: unless it is set again before, all open and pending orders are canceled when it runs out, also across a restart of the service. */
    cancelAllAfter(params: OrderCancelAllAfterParams, options?: CallOptions): Promise<Timer>;
    /** Changes an order, which keeps its id. Lowering the volume keeps its place in the queue; a volume at or below what is filled cancels the rest. The same `amendId` with the same parameters changes nothing more and answers the order as it is now, with the header `X-SVC-IDEMPOTENT-REPLAY: true`. */
    amend(params?: OrderAmendParams, options?: CallOptions): Promise<AmendedOrder>;
    /** Cancels an order and places another, with nothing in between; what the first one held pays for the second. The order to cancel is named by `orderId` or `cancelClientOrderId`, all other parameters are those of the new order. If only one half was done, the answer is 409 with the code of the half that failed, and `details.canceled` and `details.created` hold both, as in a batch. With a `clientOrderId`, the same call again answers both orders as they are now and cancels nothing (header `X-SVC-IDEMPOTENT-REPLAY: true`). */
    replace(params: OrderReplaceParams, options?: CallOptions): Promise<Replacement>;
    /** Places an order: `create` with `type` `limit` and `side` `buy`. */
    limitBuy<const P extends OrderLimitBuyParams>(params: P, options?: CallOptions): Promise<Placed<P>>;
    /** Places an order: `create` with `type` `limit` and `side` `sell`. */
    limitSell<const P extends OrderLimitSellParams>(params: P, options?: CallOptions): Promise<Placed<P>>;
    /** Places an order: `create` with `type` `market` and `side` `buy`. */
    marketBuy<const P extends OrderMarketBuyParams>(params: P, options?: CallOptions): Promise<Placed<P>>;
    /** Places an order: `create` with `type` `market` and `side` `sell`. */
    marketSell<const P extends OrderMarketSellParams>(params: P, options?: CallOptions): Promise<Placed<P>>;
    /** Places an order: `create` with `type` `stop_limit` and `side` `buy`. */
    stoplimitBuy<const P extends OrderStoplimitBuyParams>(params: P, options?: CallOptions): Promise<Placed<P>>;
    /** Places an order: `create` with `type` `stop_limit` and `side` `sell`. */
    stoplimitSell<const P extends OrderStoplimitSellParams>(params: P, options?: CallOptions): Promise<Placed<P>>;
    /** One order as it is now, with its trades. */
    get(params?: OrderGetParams, options?: CallOptions): Promise<OrderWithTrades>;
    /** Open and pending orders as they are now, oldest first; at most 1000. */
    open(params?: OrderOpenParams, options?: CallOptions): Promise<readonly Order[]>;
    /** Every order of the account, by time of creation. */
    history(params?: OrderHistoryParams, options?: CallOptions): Promise<OrderHistoryResult>;
    /** The account’s trades, by time. */
    trades(params?: OrderTradesParams, options?: CallOptions): Promise<OrderTradesResult>;
    /** Matches with the account’s own family that self-trade prevention stopped, by time. An order of another account of the family stays unnamed. */
    preventedMatches(params?: OrderPreventedMatchesParams, options?: CallOptions): Promise<OrderPreventedMatchesResult>;
    /** The receipt of an order with a `clientOrderId`: the venue’s signature that it took the order, with which terms, as which engine event and when. `npx rialto verify-receipt` checks it, and its place in the public log. */
    receipt(params?: OrderReceiptParams, options?: CallOptions): Promise<OrderReceipt>;
  };
  readonly orderList: {
    /** Places a limit order and a stop of which at most one trades. They share one hold. As soon as one trades or triggers, the other is canceled, with the reason `list_sibling`. The same client ids with the same parameters answer the existing list, with the header `X-SVC-IDEMPOTENT-REPLAY: true`. */
    createOco(params: OrderListCreateOcoParams, options?: CallOptions): Promise<OrderList>;
    /** Places an entry with two exits of the other side. The exits wait until the entry has ended, and are then an OCO for what it filled; if it filled nothing, they are canceled. If the market takes no orders at that moment, for instance because the fill has halted it, they are canceled with the reason `market_closed`. The same client ids with the same parameters answer the existing list, with the header `X-SVC-IDEMPOTENT-REPLAY: true`. */
    createBracket(params: OrderListCreateBracketParams, options?: CallOptions): Promise<OrderList>;
    /** Cancels every leg of a list that is live. */
    cancel(params: OrderListCancelParams, options?: CallOptions): Promise<OrderList>;
    /** One list as it is now. */
    get(params: OrderListGetParams, options?: CallOptions): Promise<OrderList>;
    /** Lists with a live leg as they are now, oldest first; at most 500. */
    open(params?: OrderListOpenParams, options?: CallOptions): Promise<readonly OrderList[]>;
  };
  readonly streams: {
    /** A ticket for one WebSocket connection of this session at `/json/v1/ws`. Pass it as the second subprotocol: `new WebSocket(url, ["rialto", "ticket." + ticket])`. */
    ticket(params?: NoParams, options?: CallOptions): Promise<StreamTicket>;
  };
}

/** Method and path of every operation. */
export const TRADING_ROUTES: readonly string[] = [
  'GET /public/swagger',
  'GET /public/ping',
  'GET /public/time',
  'GET /public/exchange_info',
  'GET /public/coins_info',
  'GET /public/orderbook',
  'GET /public/markets',
  'GET /public/depth',
  'GET /public/auction',
  'GET /public/last_trades',
  'GET /public/tickers',
  'GET /public/last_prices',
  'GET /public/best_prices',
  'GET /public/candlesticks',
  'GET /public/fees',
  'GET /public/status',
  'GET /public/audit_head',
  'GET /public/event_log',
  'GET /public/event_log/checkpoint',
  'GET /public/event_log/head',
  'GET /public/signing_keys',
  'GET /public/reserves',
  'GET /public/reserve_addresses',
  'GET /private/account/info',
  'GET /private/account/balances',
  'GET /private/account/fees',
  'GET /private/account/ledger',
  'GET /private/account/statement',
  'GET /private/account/reserves',
  'GET /private/account/rate_limits',
  'GET /private/wallet/deposit_address',
  'POST /private/wallet/create_deposit_address',
  'GET /private/wallet/deposits',
  'GET /private/wallet/withdraw_quote',
  'POST /private/wallet/withdraw',
  'POST /private/wallet/withdraw_confirm',
  'DELETE /private/wallet/withdraw_cancel',
  'GET /private/wallet/withdrawals',
  'GET /private/wallet/withdraw_addresses',
  'POST /private/wallet/withdraw_address_add',
  'DELETE /private/wallet/withdraw_address_remove',
  'POST /private/api_key/create',
  'GET /private/api_key/list',
  'POST /private/api_key/update',
  'POST /private/api_key/rotate',
  'DELETE /private/api_key/delete',
  'POST /private/sub_account/create',
  'GET /private/sub_account/list',
  'POST /private/sub_account/update',
  'DELETE /private/sub_account/close',
  'POST /private/sub_account/transfer',
  'GET /private/sub_account/transfers',
  'POST /private/order/create',
  'POST /private/order/test',
  'POST /private/order/create_batch',
  'DELETE /private/order/cancel',
  'POST /private/order/cancel_batch',
  'DELETE /private/order/cancel_all',
  'POST /private/order/cancel_all_after',
  'POST /private/order/amend',
  'POST /private/order/replace',
  'POST /private/order/limit/buy',
  'POST /private/order/limit/sell',
  'POST /private/order/market/buy',
  'POST /private/order/market/sell',
  'POST /private/order/stoplimit/buy',
  'POST /private/order/stoplimit/sell',
  'GET /private/order/get',
  'GET /private/order/open',
  'GET /private/order/history',
  'GET /private/order/trades',
  'GET /private/order/prevented_matches',
  'POST /private/order_list/create_oco',
  'POST /private/order_list/create_bracket',
  'DELETE /private/order_list/cancel',
  'GET /private/order_list/get',
  'GET /private/order_list/open',
  'GET /private/order/receipt',
  'POST /streams/ticket',
];
