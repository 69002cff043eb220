// The small numbers that stand for words inside the core. Positions are part of the snapshot format:
// new words go at the end.

import type { OrderType, Phase, Side, StpMode, TimeInForce } from './command.ts';
import type { Bucket, JournalKind, OrderStatus, StatusReason, StepCause } from './outcome.ts';

export const SIDES = ['buy', 'sell'] as const satisfies readonly Side[];
export const BUY = 0;
export const SELL = 1;

export const TYPES = [
  'limit',
  'market',
  'stop_limit',
  'stop_market',
  'take_profit_limit',
  'take_profit_market',
  // With a limit order as its result, and with a market order.
  'trailing_stop',
  'trailing_stop',
] as const satisfies readonly OrderType[];
/** Each once: callers do not name the order that a trailing stop becomes. */
export const ORDER_TYPES: readonly OrderType[] = [...new Set(TYPES)];
export const LIMIT = 0;
export const MARKET_TYPE = 1;
export const STOP_LIMIT = 2;
export const STOP_MARKET = 3;
export const TRAILING_LIMIT = 6;
export const TRAILING_MARKET = 7;
/**
 * Odd numbers are the market kinds, numbers from two on are conditional, four and five take profit, six and
 * seven trail.
 */
export const isMarketKind = (type: number): boolean => (type & 1) === 1;
export const isConditional = (type: number): boolean => type >= 2;
export const isTrailing = (type: number): boolean => type >= TRAILING_LIMIT;

export const TIMES_IN_FORCE = [
  'GTC',
  'IOC',
  'FOK',
  'GTD',
] as const satisfies readonly TimeInForce[];
export const TIFS: readonly (TimeInForce | '')[] = ['', ...TIMES_IN_FORCE];
export const TIF_NONE = 0;
export const GTC = 1;
export const IOC = 2;
export const FOK = 3;
export const GTD = 4;

export const STPS = [
  'expire_taker',
  'expire_maker',
  'expire_both',
  'decrement',
] as const satisfies readonly StpMode[];
export const EXPIRE_TAKER = 0;
export const EXPIRE_MAKER = 1;
export const EXPIRE_BOTH = 2;
export const DECREMENT = 3;

export const STATUSES = [
  'pending',
  'open',
  'partially_filled',
  'filled',
  'canceled',
  'expired',
  'rejected',
] as const satisfies readonly OrderStatus[];
export const PENDING = 0;
export const OPEN = 1;
export const PARTIALLY_FILLED = 2;
export const STATUS_FILLED = 3;
export const CANCELED = 4;
export const EXPIRED = 5;
export const STATUS_REJECTED = 6;

export const REASONS = [
  '',
  'user',
  'cancel_all',
  'dead_man',
  'disconnect',
  'ioc_remainder',
  'fok_unfilled',
  'market_remainder',
  'slippage_limit',
  'gtd',
  'post_only_cross',
  'stp',
  'market_closed',
  'admin',
  'amended_to_filled',
  'list_sibling',
  'insufficient_funds_at_trigger',
] as const satisfies readonly StatusReason[];
export const reasonNumber = (reason: StatusReason): number => REASONS.indexOf(reason);

export const PHASES: readonly Phase[] = [
  'pre_open',
  'auction',
  'post_only',
  'continuous',
  'cancel_only',
  'halted',
  'delisted',
];

export const BUCKETS: readonly Bucket[] = ['available', 'hold', 'pendingWithdraw'];
export const AVAILABLE = 0;
export const HOLD = 1;
export const PENDING_WITHDRAW = 2;

export const CAUSES = [
  'command',
  'batch_order',
  'trigger',
  'gtd',
  'dead_man',
  'phase_end',
  'sweep',
  'list',
] as const satisfies readonly StepCause[];

export const JOURNALS: readonly JournalKind[] = [
  'trade',
  'hold',
  'release',
  'amend',
  'deposit',
  'withdrawal',
  'withdrawal_settled',
  'withdrawal_canceled',
  'transfer',
  'adjustment',
  'capital',
  'reversal',
  'chain_cost',
];
