// The commands of the core. Every command is plain data, so a journal of commands is the whole
// history of a venue. `time` is milliseconds since the epoch, stamped by the engine at intake, and
// never decreases from one command to the next.

export type Side = 'buy' | 'sell';

export type OrderType =
  | 'limit'
  | 'market'
  | 'stop_limit'
  | 'stop_market'
  | 'take_profit_limit'
  | 'take_profit_market'
  | 'trailing_stop';

export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTD';

export type StpMode = 'expire_taker' | 'expire_maker' | 'expire_both' | 'decrement';

export type Phase =
  'pre_open' | 'auction' | 'post_only' | 'continuous' | 'cancel_only' | 'halted' | 'delisted';

/** The venue's own ledger accounts that may give or take in an adjustment. */
export type VenueOwner = 'fees' | 'suspense' | 'adjustments' | 'capital';

/** The kind of money a venue deals in. Once it is set, it never changes. */
export type Money = 'real' | 'simulated';

/**
 * The network of deposits out of nothing. A simulated venue takes no other; a real venue refuses
 * it.
 */
export const SIMULATED_NETWORK = 'SIMULATED';

/** A user account by its id, or one of the venue's accounts. */
export type OwnerRef = number | VenueOwner;

/**
 * Prices count ticks of 10^-quotePrecision and volumes count lots of 10^-basePrecision. Shares of a
 * whole (bands, rates) are integers in millionths, "ppm". Amounts of money are bigint in 10^-18.
 */
export interface MarketConfig {
  symbol: string;
  base: string;
  quote: string;
  basePrecision: number;
  quotePrecision: number;
  minimumQuoteSize: bigint;
  maxMarketOrderAskLots: number;
  maxMarketOrderBid: bigint;
  minimumVolumeLots: number;
  maximumVolumeLots: number;
  minimumPriceTicks: number;
  maximumPriceTicks: number;
  listingPriceTicks: number;
  priceBandPpm: number;
  marketSlippagePpm: number;
  /** 0 switches the automatic halt off. */
  haltPpm: number;
  haltMinutes: number;
  defaultStpMode: StpMode;
  maxOpenOrders: number;
  maxConditionalOrders: number;
  icebergParts: number;
  /**
   * How long the auction lasts that follows an automatic halt. Absent or 0: the market takes post-only orders
   * for a minute instead.
   */
  auctionSeconds?: number;
}

/**
 * The terms of one order. Prices and volumes are decimal numbers written as an integer and its count
 * of decimals (64250.1 is 642501 with 1), because a count of ticks would change its meaning when an
 * operator raises the precision of a market while the command is on its way.
 */
export interface OrderTerms {
  symbol: string;
  side: Side;
  type: OrderType;
  price?: number;
  stopPrice?: number;
  /** Decimals of `price` and `stopPrice`. */
  priceDecimals?: number;
  /** How far a trailing stop stays behind the best price since it is active, in basis points. */
  trailingDelta?: number;
  volume?: number;
  visibleVolume?: number;
  /** Decimals of `volume` and `visibleVolume`. */
  volumeDecimals?: number;
  /** Quote amount to spend, in 10^-18. */
  total?: bigint;
  timeInForce?: TimeInForce;
  expireTime?: number;
  postOnly?: boolean;
  stpMode?: StpMode;
  clientOrderId?: string;
}

/** Names an order of the account, by one of the two ids. */
export interface OrderRef {
  orderId?: number;
  clientOrderId?: string;
}

/** Who is behind a cancellation; it becomes the order's statusReason. */
export type CancelReason = 'user' | 'disconnect' | 'admin';

interface Timed {
  time: number;
}

/**
 * `checkpoint` is the engine sequence up to which the caller searched the projection for the client
 * id (or cause id) before sending the command. The core forgets finished ids in order; where it has
 * forgotten something the caller cannot have seen, it answers `lookup_again`.
 */
interface LookedUp {
  checkpoint?: number;
}

export interface ListCoin extends Timed {
  type: 'list_coin';
  coin: string;
  networks: readonly string[];
}
export interface OpenAccount extends Timed {
  type: 'open_account';
  account: number;
  /** The account whose family this one joins; its own id for a family of its own. */
  parent: number;
}
export interface DefineFeeTier extends Timed {
  type: 'define_fee_tier';
  tier: number;
  makerPpm: number;
  takerPpm: number;
}
export interface SetFeeTier extends Timed {
  type: 'set_fee_tier';
  account: number;
  tier: number;
}
/** The tiers of whole families from now on, as computed once a day; a family is named by its parent. */
export interface SetFeeTiers extends Timed {
  type: 'set_fee_tiers';
  /** The day they are for, counted from the epoch. */
  day: number;
  tiers: ReadonlyArray<{ account: number; tier: number }>;
}
export interface SuspendAccount extends Timed {
  type: 'suspend_account';
  account: number;
  suspended: boolean;
  cancelOrders: boolean;
}
/** How many finished orders, and finished movements of money, are remembered from now on. */
export interface SetMemory extends Timed {
  type: 'set_memory';
  memory: number;
}
export interface CreditDeposit extends Timed, LookedUp {
  type: 'credit_deposit';
  depositId: string;
  network: string;
  coin: string;
  to: number | 'suspense' | 'adjustments';
  amount: bigint;
}
/**
 * Takes back a credited deposit that its network has undone for good. The account gives what it has available of
 * the amount, and `adjustments` the rest if `cover` says so; custody gets what was taken. What is missing stays
 * missing until another part asks for it.
 */
export interface ReverseDeposit extends Timed, LookedUp {
  type: 'reverse_deposit';
  network: string;
  depositId: string;
  /** Counts the attempts of one reversal: part 0 asks for the whole deposit, each later one for what was missing. */
  part: number;
  coin: string;
  /** Who was credited. */
  account: number | 'suspense' | 'adjustments';
  amount: bigint;
  cover: boolean;
}
export interface RequestWithdrawal extends Timed, LookedUp {
  type: 'request_withdrawal';
  withdrawalId: string;
  account: number;
  coin: string;
  network: string;
  /** What leaves the account; the fee is inside it. */
  amount: bigint;
  fee: bigint;
}
export interface SettleWithdrawal extends Timed, LookedUp {
  type: 'settle_withdrawal';
  withdrawalId: string;
}
export interface CancelWithdrawal extends Timed, LookedUp {
  type: 'cancel_withdrawal';
  withdrawalId: string;
}
export interface Transfer extends Timed, LookedUp {
  type: 'transfer';
  transferId: string;
  from: number;
  to: number;
  coin: string;
  amount: bigint;
}
export interface Adjust extends Timed, LookedUp {
  type: 'adjust';
  adjustmentId: string;
  from: OwnerRef;
  to: OwnerRef;
  coin: string;
  amount: bigint;
}
/**
 * Outside capital of the venue's own, which no user deposited: it comes in over a network into the ledger
 * account `capital`, from where adjustments move it.
 */
export interface ContributeCapital extends Timed, LookedUp {
  type: 'contribute_capital';
  /** Names the movement, in the same space as those that take capital out. */
  contributionId: string;
  coin: string;
  network: string;
  amount: bigint;
}
/** The other way: capital that the venue still has leaves over a network. */
export interface WithdrawCapital extends Timed, LookedUp {
  type: 'withdraw_capital';
  contributionId: string;
  coin: string;
  network: string;
  amount: bigint;
}
/** What a network took for a transaction of the venue's own, paid out of `adjustments`. */
export interface BookChainCost extends Timed, LookedUp {
  type: 'book_chain_cost';
  costId: string;
  network: string;
  coin: string;
  amount: bigint;
}
/** Fixes for ever which kind of money the venue deals in; repeating the same value does nothing. */
export interface SetMoney extends Timed {
  type: 'set_money';
  money: Money;
}
export interface CreateMarket extends Timed {
  type: 'create_market';
  config: MarketConfig;
}
export interface ConfigureMarket extends Timed {
  type: 'configure_market';
  config: MarketConfig;
}
export interface SetPhase extends Timed {
  type: 'set_phase';
  symbol: string;
  phase: Phase;
  /** When an auction ends by itself, with trading to follow. Absent: it lasts until the next command. */
  until?: number;
}
export interface Place extends Timed, LookedUp {
  type: 'place';
  account: number;
  order: OrderTerms;
}
export interface PlaceBatch extends Timed, LookedUp {
  type: 'place_batch';
  account: number;
  mode: 'independent' | 'all_or_none';
  orders: readonly OrderTerms[];
}
/**
 * Two exits of which at most one trades: a limit order that takes the profit, and a stop that limits the
 * loss. They share one hold and end together.
 */
export interface OcoTerms {
  kind: 'oco';
  symbol: string;
  side: Side;
  volume: number;
  volumeDecimals?: number;
  limitPrice: number;
  stopPrice: number;
  /** The limit of the stop. Absent: it becomes a market order, which only a sell may. */
  stopLimitPrice?: number;
  /** Decimals of all prices. */
  priceDecimals?: number;
  stpMode?: StpMode;
  limitClientOrderId?: string;
  stopClientOrderId?: string;
}
/** An entry, and an OCO of the other side that begins when the entry has ended, for what it filled. */
export interface BracketTerms {
  kind: 'bracket';
  entry: OrderTerms;
  takeProfitPrice: number;
  stopLossPrice: number;
  /** The limit of the stop loss. Absent: it becomes a market order, which only a sell may. */
  stopLossLimitPrice?: number;
  /** Decimals of the three prices of the exits. */
  priceDecimals?: number;
  takeProfitClientOrderId?: string;
  stopLossClientOrderId?: string;
}
export type ListTerms = OcoTerms | BracketTerms;
export interface PlaceList extends Timed, LookedUp {
  type: 'place_list';
  account: number;
  list: ListTerms;
}
/** Cancels one order and places another, with nothing in between. */
export interface Replace extends Timed, LookedUp, OrderRef {
  type: 'replace';
  account: number;
  /** Whether the new order is placed although the old one could not be canceled. */
  mode: 'stop_on_failure' | 'allow_failure';
  order: OrderTerms;
}
export interface TestOrder extends Timed {
  type: 'test';
  account: number;
  order: OrderTerms;
}
export interface Cancel extends Timed, OrderRef {
  type: 'cancel';
  account: number;
  symbol?: string;
  onlyIf?: 'open' | 'partially_filled';
  reason?: CancelReason;
}
export interface CancelBatch extends Timed {
  type: 'cancel_batch';
  account: number;
  orders: readonly OrderRef[];
  reason?: CancelReason;
}
export interface CancelAll extends Timed {
  type: 'cancel_all';
  account: number;
  symbol?: string;
  side?: Side;
  reason?: 'cancel_all' | 'admin' | 'disconnect';
}
/** Ends the orders of a market, of all accounts. The market stays in its phase. */
export interface CancelMarket extends Timed {
  type: 'cancel_market';
  symbol: string;
  side?: Side;
  reason?: 'admin';
}
/** Continues the oldest unfinished sweep. The engine sends it as long as there is one. */
export interface SweepOn extends Timed {
  type: 'sweep';
}
export interface CancelAllAfter extends Timed {
  type: 'cancel_all_after';
  account: number;
  timeoutMs: number;
}
export interface Amend extends Timed, OrderRef {
  type: 'amend';
  account: number;
  /** Names the amendment: repeating it with the same terms changes nothing more. */
  amendId?: string;
  price?: number;
  stopPrice?: number;
  priceDecimals?: number;
  volume?: number;
  visibleVolume?: number;
  volumeDecimals?: number;
}
/**
 * From here on the state lives by the rules of this version, and client ids are hashed with this key. The
 * engine writes it when it takes over a journal of an older version, and may write it again with a new key.
 */
export interface Upgrade extends Timed {
  type: 'upgrade';
  version: number;
  /** 32 hexadecimal digits. */
  hashKey: string;
}
/** Only lets time pass: fires what is due. */
export interface Tick extends Timed {
  type: 'tick';
}

export type Command =
  | ListCoin
  | OpenAccount
  | DefineFeeTier
  | SetFeeTier
  | SetFeeTiers
  | SuspendAccount
  | SetMemory
  | CreditDeposit
  | RequestWithdrawal
  | SettleWithdrawal
  | CancelWithdrawal
  | Transfer
  | Adjust
  | ContributeCapital
  | WithdrawCapital
  | ReverseDeposit
  | BookChainCost
  | SetMoney
  | CreateMarket
  | ConfigureMarket
  | SetPhase
  | Place
  | PlaceBatch
  | PlaceList
  | Replace
  | TestOrder
  | Cancel
  | CancelBatch
  | CancelAll
  | CancelMarket
  | SweepOn
  | CancelAllAfter
  | Amend
  | Upgrade
  | Tick;

export type CommandType = Command['type'];

/** Bounds that no configuration may exceed. */
export const LIMITS = {
  /** Ticks of a price and lots of a volume: below 2^53, with room for a factor of nine. */
  ticksMax: 1e15,
  lotsMax: 1e15,
  /** Lots open on one side of one market: below 2^53, so that sums of lots are exact numbers. */
  sideLotsMax: 9e15,
  /** Units of 10^-18 of one coin in the whole ledger: below 2^120. */
  amountMax: 10n ** 36n,
  /** The last part of a deposit's reversal. */
  reversalPartMax: 999,
  ppmMax: 1_000_000,
  feePpmMax: 100_000,
  batchPlaceMax: 20,
  batchCancelMax: 50,
  /** Families in one command that sets their tiers. */
  feeTiersMax: 1_000,
  trailingDeltaMin: 10,
  trailingDeltaMax: 2_000,
  /** The longest call phase of an auction. */
  auctionMaxMs: 86_400_000,
  /** Amendments of one order whose ids are remembered, the newest. */
  amendIdsMax: 16,
  gtdAheadMinMs: 5_000,
  gtdAheadMaxMs: 90 * 86_400_000,
  timerMinMs: 5_000,
  timerMaxMs: 300_000,
  clientIdMax: 36,
  memoryMax: 5_000_000,
  /** Live orders of a market up to which its precision may change: each of them is rewritten at once. */
  reprecisionMax: 2_000,
  /** Unfinished sweeps of one account that concern one market or one side only. */
  accountSweepsMax: 16,
  coinsMax: 4_096,
  marketsMax: 4_096,
} as const;
