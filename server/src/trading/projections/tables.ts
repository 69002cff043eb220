// The projections' tables, column by column.
import { formatFixed } from '@rialto/matching';
import type { MarketConfig, Order } from '@rialto/matching';
import { DAY_MS } from '../../platform/std/time.ts';
import { clientKey } from '../order-tables.ts';
import { overwrite, type Table } from './bulk.ts';
import type {
  BalanceRow,
  CandleRow,
  EntryRow,
  MovementRow,
  OrderRow,
  MatchedAccounts,
  PreventedRow,
  TradeRow,
  VenueBalanceRow,
  VolumeRow,
} from './rows.ts';

type Columns<R> = Table<R>['columns'];

/** Columns of orders in which zero is written as NULL, which takes no room. Rows of older releases have zeros. */
export const ZERO_IS_NULL: readonly string[] = [
  'price',
  'stop_price',
  'order_list_id',
  'visible_volume',
  'filled_volume',
  'remaining_volume',
  'prevented_volume',
  'last_trade_ms',
  'triggered_ms',
  'expire_ms',
];

const withoutZeros = <R>(columns: Columns<R>): Columns<R> =>
  columns.map(([column, type, of]) =>
    ZERO_IS_NULL.includes(column) ? [column, type, (row) => of(row) || null] : [column, type, of],
  );

export const ORDER_COLUMNS: Columns<Order> = withoutZeros<Order>([
  ['order_id', 'bigint', (o) => o.orderId],
  ['account_id', 'bigint', (o) => o.account],
  ['client_order_id', 'text', (o) => o.clientOrderId],
  ['symbol', 'text', (o) => o.symbol],
  ['side', 'text', (o) => o.side],
  ['type', 'text', (o) => o.type],
  ['time_in_force', 'text', (o) => o.timeInForce],
  ['post_only', 'boolean', (o) => o.postOnly],
  ['stp_mode', 'text', (o) => o.stpMode],
  ['price_decimals', 'smallint', (o) => o.priceDecimals],
  ['volume_decimals', 'smallint', (o) => o.volumeDecimals],
  ['price', 'bigint', (o) => o.price],
  ['stop_price', 'bigint', (o) => o.stopPrice],
  ['trailing_delta', 'smallint', (o) => o.trailingDelta],
  ['order_list_id', 'bigint', (o) => o.orderListId],
  ['order_list_kind', 'text', (o) => o.orderListKind],
  ['volume', 'bigint', (o) => o.volume],
  ['total', 'numeric', (o) => o.total],
  ['visible_volume', 'bigint', (o) => o.visibleVolume],
  ['filled_volume', 'bigint', (o) => o.filledVolume],
  ['remaining_volume', 'bigint', (o) => o.remainingVolume],
  ['prevented_volume', 'bigint', (o) => o.preventedVolume],
  ['filled_total', 'numeric', (o) => o.filledTotal],
  ['fee', 'numeric', (o) => o.fee],
  ['rebate', 'numeric', (o) => o.rebate],
  ['held', 'numeric', (o) => o.held],
  ['status', 'text', (o) => o.status],
  ['status_reason', 'text', (o) => o.statusReason],
  ['created_ms', 'bigint', (o) => o.createdAt],
  ['updated_ms', 'bigint', (o) => o.updatedAt],
  ['last_trade_ms', 'bigint', (o) => o.lastTradeAt],
  ['triggered_ms', 'bigint', (o) => o.triggeredAt],
  ['expire_ms', 'bigint', (o) => o.expireTime],
  ['engine_seq', 'bigint', (o) => o.engineSeq],
]);
const ROW_COLUMNS: Columns<OrderRow> = [
  ...ORDER_COLUMNS.map(([column, type, of]): Columns<OrderRow>[number] => [
    column,
    type,
    ({ order }) => of(order),
  ]),
  ['accepted_seq', 'bigint', (o) => o.acceptedSeq],
  ['asked', 'text', (o) => o.asked],
];

/** Orders that have ended. Each comes once, and never changes. */
export const ORDERS: Pick<Table<OrderRow>, 'name' | 'columns'> = {
  name: 'trading_orders',
  columns: ROW_COLUMNS,
};

/** Where an order is that was placed in this stretch. */
export const ORDER_DAYS: Table<Order> = {
  name: 'order_days',
  columns: [
    ['day_ms', 'bigint', ({ createdAt }) => createdAt - (createdAt % DAY_MS)],
    ['first_order_id', 'bigint', ({ orderId }) => orderId],
  ],
  onConflict: 'ON CONFLICT DO NOTHING',
};

export const ACCOUNT_ORDER_DAYS: Table<Order> = {
  name: 'account_order_days',
  columns: [
    ['account_id', 'bigint', ({ account }) => account],
    ['day_ms', 'bigint', ({ createdAt }) => createdAt - (createdAt % DAY_MS)],
  ],
  onConflict: 'ON CONFLICT DO NOTHING',
};

export const ORDER_CLIENT_IDS: Table<Order> = {
  name: 'order_client_ids',
  columns: [
    ['client_key', 'bigint', ({ account, clientOrderId }) => clientKey(account, clientOrderId)],
    ['order_id', 'bigint', ({ orderId }) => orderId],
  ],
};

export const LIVE_ORDERS: Table<OrderRow> = {
  name: 'trading_live_orders',
  columns: ROW_COLUMNS,
  // The identity of an order does not change; only its progress does.
  onConflict: overwrite(['order_id'], ROW_COLUMNS, [
    'account_id',
    'client_order_id',
    'symbol',
    'side',
    'type',
    'time_in_force',
    'post_only',
    'stp_mode',
    'trailing_delta',
    'order_list_id',
    'order_list_kind',
    'created_ms',
    'accepted_seq',
    'asked',
  ]),
};

export const TRADES: Table<TradeRow> = {
  name: 'trading_trades',
  columns: [
    ['trade_id', 'bigint', ({ trade }) => trade.tradeId],
    ['symbol', 'text', ({ trade }) => trade.symbol],
    ['price_decimals', 'smallint', ({ trade }) => trade.priceDecimals],
    ['volume_decimals', 'smallint', ({ trade }) => trade.volumeDecimals],
    ['price', 'bigint', ({ trade }) => trade.priceTicks],
    ['volume', 'bigint', ({ trade }) => trade.lots],
    ['total', 'numeric', ({ trade }) => trade.total],
    ['taker_side', 'text', ({ trade }) => trade.takerSide],
    ['buyer_order_id', 'bigint', ({ trade }) => trade.buyer.orderId],
    ['buyer_account_id', 'bigint', ({ trade }) => trade.buyer.account],
    ['buyer_fee_ppm', 'integer', ({ trade }) => trade.buyer.feePpm],
    ['buyer_fee', 'numeric', ({ trade }) => trade.buyer.fee],
    ['seller_order_id', 'bigint', ({ trade }) => trade.seller.orderId],
    ['seller_account_id', 'bigint', ({ trade }) => trade.seller.account],
    ['seller_fee_ppm', 'integer', ({ trade }) => trade.seller.feePpm],
    ['seller_fee', 'numeric', ({ trade }) => trade.seller.fee],
    ['rebate', 'numeric', ({ trade }) => trade.rebate],
    ['time_ms', 'bigint', ({ timeMs }) => timeMs],
    ['engine_seq', 'bigint', ({ engineSeq }) => engineSeq],
    ['first_entry_id', 'bigint', ({ firstEntryId }) => firstEntryId],
    ['buyer_quote_after', 'numeric', ({ buyerQuoteAfter }) => buyerQuoteAfter],
    ['buyer_base_after', 'numeric', ({ buyerBaseAfter }) => buyerBaseAfter],
    ['seller_base_after', 'numeric', ({ sellerBaseAfter }) => sellerBaseAfter],
    ['seller_quote_after', 'numeric', ({ sellerQuoteAfter }) => sellerQuoteAfter],
  ],
};

export const ENTRIES: Table<EntryRow> = {
  name: 'ledger_entries',
  columns: [
    ['account_id', 'bigint', (e) => e.account],
    ['entry_id', 'bigint', (e) => e.entryId],
    ['coin', 'text', (e) => e.coin],
    ['kind', 'text', (e) => e.kind],
    ['direction', 'text', (e) => e.direction],
    ['amount', 'numeric', (e) => e.amount],
    ['balance_before', 'numeric', (e) => e.before],
    ['balance_after', 'numeric', (e) => e.after],
    ['reference_type', 'text', (e) => e.referenceType],
    ['reference_id', 'text', (e) => e.referenceId],
    ['network', 'text', (e) => e.network],
    ['time_ms', 'bigint', (e) => e.timeMs],
    ['engine_seq', 'bigint', (e) => e.engineSeq],
  ],
};

const timestamp = (ms: number): string => new Date(ms).toISOString();

export const BALANCES: Table<BalanceRow> = {
  name: 'balances',
  columns: [
    ['account_id', 'bigint', (b) => b.account],
    ['coin', 'text', (b) => b.coin],
    ['available', 'numeric', (b) => b.available],
    ['held', 'numeric', (b) => b.hold],
    ['pending_withdraw', 'numeric', (b) => b.pendingWithdraw],
    ['updated_at', 'timestamptz', (b) => timestamp(b.updatedMs)],
  ],
  onConflict: `ON CONFLICT (account_id, coin) DO UPDATE SET available = excluded.available,
    held = excluded.held, pending_withdraw = excluded.pending_withdraw, updated_at = excluded.updated_at`,
};

const VENUE_COLUMNS: Columns<VenueBalanceRow> = [
  ['owner', 'text', (b) => b.owner],
  ['coin', 'text', (b) => b.coin],
  ['amount', 'numeric', (b) => b.amount],
  ['updated_ms', 'bigint', (b) => b.updatedMs],
];
export const VENUE_BALANCES: Table<VenueBalanceRow> = {
  name: 'venue_balances',
  columns: VENUE_COLUMNS,
  onConflict: overwrite(['owner', 'coin'], VENUE_COLUMNS),
};

export const MOVEMENTS: Table<MovementRow> = {
  name: 'trading_movements',
  columns: [
    ['kind', 'text', (m) => m.kind],
    ['reference', 'text', (m) => m.reference],
    ['coin', 'text', (m) => m.coin],
    ['amount', 'numeric', (m) => m.amount],
    ['from_owner', 'text', (m) => m.from],
    ['to_owner', 'text', (m) => m.to],
    ['fee', 'numeric', (m) => m.fee],
    ['missing', 'numeric', (m) => m.missing],
    ['cover', 'boolean', (m) => m.cover],
    ['status', 'text', (m) => m.status],
    ['created_ms', 'bigint', (m) => m.createdMs],
    ['updated_ms', 'bigint', (m) => m.updatedMs],
    ['engine_seq', 'bigint', (m) => m.engineSeq],
  ],
  // Only a withdrawal comes a second time, when it is settled or canceled.
  onConflict: `ON CONFLICT (kind, reference) DO UPDATE SET to_owner = excluded.to_owner,
    fee = excluded.fee, status = excluded.status, updated_ms = excluded.updated_ms,
    engine_seq = excluded.engine_seq`,
};

export const CANDLES: Table<CandleRow> = {
  name: 'candles',
  columns: [
    ['symbol', 'text', (c) => c.symbol],
    ['minutes', 'integer', (c) => c.minutes],
    ['start_ms', 'bigint', (c) => c.startMs],
    ['open', 'numeric', (c) => c.open],
    ['high', 'numeric', (c) => c.high],
    ['low', 'numeric', (c) => c.low],
    ['close', 'numeric', (c) => c.close],
    ['volume', 'numeric', (c) => c.volume],
    ['total', 'numeric', (c) => c.total],
    ['trade_count', 'bigint', (c) => c.tradeCount],
  ],
  onConflict: `ON CONFLICT (symbol, minutes, start_ms) DO UPDATE SET
    high = greatest(candles.high, excluded.high), low = least(candles.low, excluded.low),
    close = excluded.close, volume = candles.volume + excluded.volume,
    total = candles.total + excluded.total, trade_count = candles.trade_count + excluded.trade_count`,
};

export const VOLUMES: Table<VolumeRow> = {
  name: 'account_volumes',
  columns: [
    ['account_id', 'bigint', (v) => v.account],
    ['symbol', 'text', (v) => v.symbol],
    ['day_ms', 'bigint', (v) => v.dayMs],
    ['total', 'numeric', (v) => v.total],
  ],
  onConflict: `ON CONFLICT (account_id, symbol, day_ms) DO UPDATE
    SET total = account_volumes.total + excluded.total`,
};

export const PREVENTED: Table<PreventedRow & MatchedAccounts> = {
  name: 'prevented_matches',
  columns: [
    ['engine_seq', 'bigint', (p) => p.engineSeq],
    ['number', 'integer', (p) => p.number],
    ['symbol', 'text', ({ match }) => match.symbol],
    ['taker_order_id', 'bigint', ({ match }) => match.takerOrderId],
    ['maker_order_id', 'bigint', ({ match }) => match.makerOrderId],
    ['price', 'bigint', ({ match }) => match.priceTicks],
    ['price_decimals', 'smallint', (p) => p.priceDecimals],
    ['volume', 'bigint', ({ match }) => match.lots],
    ['volume_decimals', 'smallint', (p) => p.volumeDecimals],
    ['mode', 'text', ({ match }) => match.mode],
    ['time_ms', 'bigint', (p) => p.timeMs],
    ['taker_account_id', 'bigint', (p) => p.takerAccount],
    ['maker_account_id', 'bigint', (p) => p.makerAccount],
  ],
};

export interface MarketConfigRow {
  readonly config: MarketConfig;
  readonly createdMs: number;
}

const decimal = (units: bigint | number, decimals: number): string =>
  formatFixed(BigInt(units), decimals);

const MARKET_COLUMNS: Columns<MarketConfigRow> = [
  ['symbol', 'text', ({ config }) => config.symbol],
  ['base', 'text', ({ config }) => config.base],
  ['quote', 'text', ({ config }) => config.quote],
  ['base_precision', 'smallint', ({ config }) => config.basePrecision],
  ['quote_precision', 'smallint', ({ config }) => config.quotePrecision],
  ['minimum_quote_size', 'numeric', ({ config }) => decimal(config.minimumQuoteSize, 18)],
  [
    'max_market_order_ask',
    'numeric',
    ({ config }) => decimal(config.maxMarketOrderAskLots, config.basePrecision),
  ],
  ['max_market_order_bid', 'numeric', ({ config }) => decimal(config.maxMarketOrderBid, 18)],
  ['minimum_volume', 'numeric', ({ config: c }) => decimal(c.minimumVolumeLots, c.basePrecision)],
  ['maximum_volume', 'numeric', ({ config: c }) => decimal(c.maximumVolumeLots, c.basePrecision)],
  ['minimum_price', 'numeric', ({ config: c }) => decimal(c.minimumPriceTicks, c.quotePrecision)],
  ['maximum_price', 'numeric', ({ config: c }) => decimal(c.maximumPriceTicks, c.quotePrecision)],
  ['listing_price', 'numeric', ({ config: c }) => decimal(c.listingPriceTicks, c.quotePrecision)],
  ['price_band_millionths', 'integer', ({ config }) => config.priceBandPpm],
  ['market_slippage_millionths', 'integer', ({ config }) => config.marketSlippagePpm],
  ['halt_millionths', 'integer', ({ config }) => config.haltPpm],
  ['halt_minutes', 'integer', ({ config }) => config.haltMinutes],
  ['default_stp_mode', 'text', ({ config }) => config.defaultStpMode],
  ['max_open_orders', 'integer', ({ config }) => config.maxOpenOrders],
  ['max_conditional_orders', 'integer', ({ config }) => config.maxConditionalOrders],
  ['iceberg_parts', 'integer', ({ config }) => config.icebergParts],
  ['auction_seconds', 'integer', ({ config }) => config.auctionSeconds ?? 0],
  ['created_at', 'timestamptz', ({ createdMs }) => timestamp(createdMs)],
];
export const MARKETS: Table<MarketConfigRow> = {
  name: 'markets',
  columns: MARKET_COLUMNS,
  onConflict: overwrite(['symbol'], MARKET_COLUMNS, ['created_at']),
};

/** The tables that a rebuild creates and compares. */
export const REBUILT_TABLES = [
  'trading_orders',
  'trading_live_orders',
  'order_days',
  'account_order_days',
  'order_client_ids',
  'client_orders',
  'trading_trades',
  'ledger_entries',
  'trading_movements',
  'balances',
  'venue_balances',
  'candles',
  'account_volumes',
  'prevented_matches',
  'markets',
  'trading_stream_counts',
] as const;
