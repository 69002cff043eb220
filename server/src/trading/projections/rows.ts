// The rows that result from a stretch of the journal: one per order, balance, market and candle
// however often it changed, and one per trade and per ledger entry of another kind.
import type {
  AskedTerms,
  MarketConfig,
  Order,
  Phase,
  PreventedMatch,
  Trade,
} from '@rialto/matching';

export interface BalanceRow {
  readonly account: number;
  readonly coin: string;
  available: bigint;
  hold: bigint;
  pendingWithdraw: bigint;
  updatedMs: number;
}

export interface VenueBalanceRow {
  readonly owner: string;
  readonly coin: string;
  amount: bigint;
  updatedMs: number;
}

export type EntryKind = 'deposit' | 'withdrawal' | 'withdrawal_fee' | 'transfer' | 'adjustment';

/** Of a movement of money: the lines of trades are derived from the trades. */
export interface EntryRow {
  readonly entryId: number;
  readonly account: number;
  readonly coin: string;
  readonly kind: EntryKind;
  readonly direction: 'in' | 'out';
  readonly amount: bigint;
  readonly before: bigint;
  readonly after: bigint;
  readonly referenceType: MovementKind;
  readonly referenceId: string;
  readonly network: string;
  readonly timeMs: number;
  readonly engineSeq: number;
}

export type MovementKind =
  'deposit' | 'withdrawal' | 'transfer' | 'adjustment' | 'capital' | 'reversal' | 'chain_cost';

export interface MovementRow {
  readonly kind: MovementKind;
  readonly reference: string;
  readonly coin: string;
  readonly amount: bigint;
  readonly from: string;
  to: string;
  fee: bigint;
  /** Of a reversal: what nobody had of the amount, and whether adjustments were to cover it. */
  readonly missing: bigint;
  readonly cover: boolean;
  status: 'pending' | 'settled' | 'canceled';
  readonly createdMs: number;
  updatedMs: number;
  engineSeq: number;
}

export interface TradeRow {
  readonly trade: Trade;
  readonly timeMs: number;
  readonly engineSeq: number;
  /** The number of its first line in the ledger; the others follow it. */
  firstEntryId: number;
  /** Totals of the accounts after the trade, from which its lines are derived. */
  buyerQuoteAfter: bigint;
  buyerBaseAfter: bigint;
  sellerBaseAfter: bigint;
  sellerQuoteAfter: bigint;
}

/** An order, and with a client id what was asked for. */
export interface OrderRow {
  readonly order: Order;
  /** The engine event that took it; null if that is also its last one, or not known. */
  readonly acceptedSeq: number | string | null;
  /** See asked.ts; null without a client id. */
  readonly asked: string | null;
}

/** The first state of an order with a client id. */
export interface ClientOrderRow {
  readonly order: Order;
  readonly asked: AskedTerms;
}

export interface PreventedRow {
  readonly match: PreventedMatch;
  readonly number: number;
  readonly priceDecimals: number;
  readonly volumeDecimals: number;
  readonly timeMs: number;
  readonly engineSeq: number;
}

/** Whose orders a prevented match would have been of. */
export interface MatchedAccounts {
  readonly takerAccount: number;
  readonly makerAccount: number;
}

/** Units of 10^-18 throughout. */
export interface CandleRow {
  readonly symbol: string;
  readonly minutes: number;
  readonly startMs: number;
  readonly open: bigint;
  high: bigint;
  low: bigint;
  close: bigint;
  volume: bigint;
  total: bigint;
  tradeCount: number;
}

export interface VolumeRow {
  readonly account: number;
  readonly symbol: string;
  readonly dayMs: number;
  total: bigint;
}

/** The changes of a market; absent fields stay as they are. */
export interface MarketRow {
  readonly symbol: string;
  config?: MarketConfig;
  /** The time of the first configuration, and its price precision. */
  firstConfig?: { readonly timeMs: number; readonly quotePrecision: number };
  /** Prices were reset since, because the market became coarser. */
  isReset?: boolean;
  phase?: { readonly phase: Phase; readonly until: number };
  lastPrice?:
    { readonly units: bigint; readonly decimals: number; readonly timeMs: number } | undefined;
}

export interface AccountRow {
  readonly account: number;
  readonly tier: number;
  readonly suspended: boolean;
}
