// What the core answers, as plain objects. The hot path writes the same facts as numbers on a tape
// (tape.ts), and decode.ts turns a tape into these.

import type { MarketConfig, OrderType, Phase, Side, StpMode, TimeInForce } from './command.ts';

export type OrderStatus =
  'pending' | 'open' | 'partially_filled' | 'filled' | 'canceled' | 'expired' | 'rejected';

export type StatusReason =
  | ''
  | 'user'
  | 'cancel_all'
  | 'dead_man'
  | 'disconnect'
  | 'ioc_remainder'
  | 'fok_unfilled'
  | 'market_remainder'
  | 'slippage_limit'
  | 'gtd'
  | 'post_only_cross'
  | 'stp'
  | 'market_closed'
  | 'admin'
  | 'amended_to_filled'
  /** The other leg of its list traded, triggered or ended. */
  | 'list_sibling'
  | 'insufficient_funds_at_trigger';

export type ListKind = 'oco' | 'bracket';

/** An order as it stands after a change. Zero stands for "absent" in prices, times and volumes. */
export interface Order {
  orderId: number;
  account: number;
  clientOrderId: string;
  symbol: string;
  side: Side;
  type: OrderType;
  /** Empty for market kinds, which take no time in force. */
  timeInForce: TimeInForce | '';
  postOnly: boolean;
  stpMode: StpMode;
  /** Decimals in which this record's prices and volumes are expressed. */
  priceDecimals: number;
  volumeDecimals: number;
  price: number;
  stopPrice: number;
  /** Basis points of a trailing stop. */
  trailingDelta: number;
  /** The id of the list it belongs to, which is the order id of the list's first leg; 0 without a list. */
  orderListId: number;
  /** Empty without a list. */
  orderListKind: ListKind | '';
  volume: number;
  /** Requested quote amount of a buy by total, 10^-18. */
  total: bigint;
  visibleVolume: number;
  filledVolume: number;
  remainingVolume: number;
  preventedVolume: number;
  filledTotal: bigint;
  /** Fees paid so far in the coin the order receives, 10^-18. */
  fee: bigint;
  /** Rebates got so far in the coin the order gives, 10^-18. */
  rebate: bigint;
  /** What the order holds of the coin it gives, 10^-18. */
  held: bigint;
  status: OrderStatus;
  statusReason: StatusReason;
  createdAt: number;
  updatedAt: number;
  lastTradeAt: number;
  triggeredAt: number;
  expireTime: number;
  engineSeq: number;
}

export interface TradeSide {
  orderId: number;
  account: number;
  /** Rate applied, in millionths; negative where a rebate was paid. */
  feePpm: number;
  /** Taken from what this side received. */
  fee: bigint;
}

export interface Trade {
  tradeId: number;
  symbol: string;
  priceTicks: number;
  lots: number;
  priceDecimals: number;
  volumeDecimals: number;
  /** Price times volume in the quote coin, 10^-18. */
  total: bigint;
  takerSide: Side;
  buyer: TradeSide;
  seller: TradeSide;
  /** Paid to the maker out of the taker's fee, in the coin of that fee. */
  rebate: bigint;
}

export interface PreventedMatch {
  symbol: string;
  takerOrderId: number;
  makerOrderId: number;
  priceTicks: number;
  /** Volume by which both orders shrank; zero in the modes that expire an order. */
  lots: number;
  mode: StpMode;
}

export type Bucket = 'available' | 'hold' | 'pendingWithdraw';

/** A user account id, a venue account, or `custody:{network}`. */
export type LedgerOwner = number | string;

export interface Posting {
  owner: LedgerOwner;
  coin: string;
  bucket: Bucket;
  amount: bigint;
  /** The bucket's balance after this posting. */
  after: bigint;
}

export type JournalKind =
  | 'trade'
  | 'hold'
  | 'release'
  | 'amend'
  | 'deposit'
  | 'withdrawal'
  | 'withdrawal_settled'
  | 'withdrawal_canceled'
  | 'transfer'
  | 'adjustment'
  | 'capital'
  | 'reversal'
  | 'chain_cost';

/**
 * One double entry. (kind, reference, engineSeq of the step) is unique for ever; for trades and money
 * movements (kind, reference) alone is. One exception: at the end of an auction, the last leg of a list
 * may trade in part and then end, and release both times.
 */
export interface Journal {
  kind: JournalKind;
  /** Trade id, order id, or the id that the caller gave to a movement of money. */
  reference: number | string;
  postings: Posting[];
}

export interface LevelChange {
  side: Side;
  priceTicks: number;
  /** Visible volume now; zero removes the level. */
  lots: number;
}

/** The visible book of one market changed; `updateId` grows by one with each such change. */
export interface BookChange {
  symbol: string;
  updateId: number;
  priceDecimals: number;
  volumeDecimals: number;
  levels: LevelChange[];
}

export interface PhaseChange {
  symbol: string;
  phase: Phase;
  /** When the phase ends by itself; zero if it does not. */
  until: number;
}

export interface TimerChange {
  account: number;
  /** Zero when the timer is off. */
  triggerTime: number;
}

export type WithdrawalStatus = 'pending' | 'settled' | 'canceled';

export interface WithdrawalChange {
  withdrawalId: string;
  account: number;
  status: WithdrawalStatus;
  /** Its terms, which are compared with a repeated request after the core has forgotten it. */
  network: string;
  fee: bigint;
}

/** What became of a reversed deposit. One that could take nothing has no double entry, and only this. */
export interface ReversalChange {
  /** The reference of its double entry: `network:depositId:part`. */
  reversalId: string;
  account: number | 'suspense' | 'adjustments';
  coin: string;
  network: string;
  /** What was asked for, and how much of it nobody had. */
  amount: bigint;
  missing: bigint;
  cover: boolean;
}

export interface AccountChange {
  account: number;
  parent: number;
  tier: number;
  suspended: boolean;
}

/** Why a step ran. Everything but `command` is started by the core itself. */
export type StepCause =
  | 'command'
  | 'batch_order'
  | 'trigger'
  | 'gtd'
  | 'dead_man'
  | 'phase_end'
  | 'sweep'
  /** The exits of a bracket begin. */
  | 'list';

/** How an auction ended. Price and volume are 0 if nothing could trade. */
export interface Uncross {
  symbol: string;
  priceTicks: number;
  lots: number;
  /** What is left over at that price: above zero on the side of the buyers, below on that of the sellers. */
  imbalanceLots: number;
  referenceTicks: number;
  priceDecimals: number;
  volumeDecimals: number;
}

/** One engine event: it has the next engineSeq, and its effects are indivisible. */
export interface Step {
  engineSeq: number;
  time: number;
  cause: StepCause;
  /** Every order the step changed, once, as it stood when the step ended. */
  orders: Order[];
  trades: Trade[];
  prevented: PreventedMatch[];
  journals: Journal[];
  books: BookChange[];
  phases: PhaseChange[];
  /**
   * Usually one, whose price all trades of the step have. More only where orders that would have met their own
   * family ended, and the rest still met: each has its own price and trades, in this order.
   */
  uncrosses: Uncross[];
  timers: TimerChange[];
  withdrawals: WithdrawalChange[];
  reversals: ReversalChange[];
  accounts: AccountChange[];
  markets: MarketConfig[];
}

/** Why the core refuses. The codes are those of the public error catalogue and never change. */
export const REJECTION_CODES = {
  PARAMETER_MISSING: 2001,
  PARAMETER_INVALID: 2002,
  PARAMETER_RANGE: 2003,
  PARAMETER_CONFLICT: 2009,
  NOT_SUPPORTED: 2010,
  ACCOUNT_SUSPENDED: 3011,
  UNKNOWN_SYMBOL: 4001,
  UNKNOWN_COIN: 4002,
  UNKNOWN_NETWORK: 4003,
  MARKET_CLOSED: 4004,
  PRICE_PRECISION: 4005,
  VOLUME_PRECISION: 4006,
  ORDER_TOO_SMALL: 4007,
  POST_ONLY_WOULD_TAKE: 4008,
  PRICE_OUT_OF_BAND: 4009,
  ORDER_TOO_LARGE: 4010,
  ORDER_NOT_FOUND: 4011,
  CLIENT_ORDER_ID_CONFLICT: 4012,
  ORDER_FINAL: 4013,
  NO_LIQUIDITY: 4014,
  TOO_MANY_OPEN_ORDERS: 4015,
  WOULD_TRIGGER_IMMEDIATELY: 4016,
  FOK_NOT_FILLABLE: 4017,
  NO_REFERENCE_PRICE: 4018,
  AMEND_NO_CHANGE: 4019,
  INSUFFICIENT_FUNDS: 5001,
  DEPOSIT_NOT_ACTIVE: 5004,
  WITHDRAW_NOT_ACTIVE: 5005,
  WITHDRAW_FINAL: 5010,
  CLIENT_ID_CONFLICT: 5011,
  SUB_ACCOUNT_UNKNOWN: 7001,
} as const;

export type RejectionName = keyof typeof REJECTION_CODES;
export type RejectionCode = (typeof REJECTION_CODES)[RejectionName];

/** The name of each code. */
export const REJECTIONS = Object.fromEntries(
  Object.entries(REJECTION_CODES).map(([name, code]) => [code, name]),
) as Readonly<Record<RejectionCode, RejectionName>>;

export type DetailValue = string | number | bigint | boolean;

export interface Rejection {
  code: RejectionCode;
  /** Values for the message to people: the offending parameter, the permitted range … */
  details: Readonly<Record<string, DetailValue>>;
  /** For ORDER_FINAL, FOK_NOT_FILLABLE and a PARAMETER_CONFLICT on `onlyIf`: the order concerned. */
  order?: Order;
}

export interface Fill {
  priceTicks: number;
  lots: number;
}

export type Result =
  | { kind: 'done' }
  | { kind: 'placed'; order: Order; replay: boolean }
  | { kind: 'rejected'; rejection: Rejection }
  | { kind: 'lookup_again'; forgottenThrough: number }
  | { kind: 'batch'; items: Result[] }
  /** An all_or_none batch that changed nothing, with the first refused order. */
  | { kind: 'batch_rejected'; index: number; rejection: Rejection }
  | {
      kind: 'tested';
      fills: Fill[];
      fee: bigint;
      feeCoin: string;
      hold: bigint;
      holdCoin: string;
    }
  /** A list was placed, or had been placed before; its orders by position. */
  | { kind: 'listed'; orders: Order[]; replay: boolean }
  /** Of a replacement: the cancel and the placement. The second is absent if the first stopped it. */
  | { kind: 'replaced'; canceled: Result; created: Result | undefined }
  | { kind: 'canceled'; order: Order }
  /** `sweepId` names the sweep that ends the rest, step by step; 0 if nothing is left. */
  | { kind: 'canceled_all'; orderIds: number[]; sweepId: number }
  /** One step of a sweep, and whether it was the last. */
  | { kind: 'swept'; sweepId: number; orderIds: number[]; done: boolean }
  /** `replay` says that the amendment had been made before; the order is as it is now. */
  | { kind: 'amended'; order: Order; keptPriority: boolean; replay: boolean }
  | { kind: 'timer'; triggerTime: number }
  /**
   * A movement of money; `replay` says that it had been made before and nothing moved now. A reversed deposit
   * also says what was taken and what was missing of its amount.
   */
  | { kind: 'moved'; replay: boolean; taken?: bigint; missing?: bigint };

export interface Outcome {
  /** In order: what was due, the command itself, what its trades triggered. */
  steps: Step[];
  result: Result;
}
