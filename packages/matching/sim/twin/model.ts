// The state of the slow twin: plain objects, unsorted arrays, bigint money in one map. Nothing here
// is derived, cached or indexed, and the twin shares only the shapes of commands and outcomes with
// the fast core. A mistake must be made twice before the two agree on it.

import type { Command, MarketConfig, OrderTerms, Phase, Side, StpMode } from '../../src/command.ts';
import { REJECTION_CODES } from '../../src/outcome.ts';
import type {
  BookChange,
  Journal,
  LedgerOwner,
  Bucket,
  Order,
  Rejection,
  RejectionName,
  Result,
  Step,
  StepCause,
  StatusReason,
  DetailValue,
} from '../../src/outcome.ts';

export interface MadeAmendment {
  command: CommandOf<'amend'>;
  keptPriority: boolean;
}

export interface TwinOrder extends Order {
  /** The visible part now; equal to the remainder unless the order is an iceberg. */
  shown: number;
  /** Place in the queue of its level; zero while not in the book. */
  joined: number;
  resting: boolean;
  isFinal: boolean;
  timerSeq: number;
  terms: OrderTerms;
  /** Of a trailing stop: does it follow the price, and what is the best price that it has seen? */
  isFollowing: boolean;
  extreme: number;
  /** Total still to be spent, for buys by total. */
  unspent: bigint;
  /** The newest that came with an id, oldest first. */
  amendments?: MadeAmendment[];
  /** The list it is a leg of. */
  list?: TwinList;
  /** An exit whose entry has not ended. */
  dormant?: boolean;
}

/** An OCO: limit leg, stop leg. A bracket: entry, take profit, stop loss. */
export interface TwinList {
  kind: 'oco' | 'bracket';
  legs: TwinOrder[];
}

export interface TwinMarket {
  config: MarketConfig;
  phase: Phase;
  phaseDue: number;
  phaseSeq: number;
  phaseNext: Phase;
  updateId: number;
  lastPrice: number;
  /** Every trade since the price history began. */
  history: Array<{ time: number; price: number }>;
  live: TwinOrder[];
}

export interface TwinAccount {
  id: number;
  parent: number;
  tier: number;
  suspended: boolean;
  timerDue: number;
  timerSeq: number;
}

export interface TwinWithdrawal {
  id: string;
  account: number;
  coin: string;
  network: string;
  amount: bigint;
  fee: bigint;
  status: 'pending' | 'settled' | 'canceled';
}

type Moved = Extract<Result, { kind: 'moved' }>;

export interface TwinCause {
  key: string;
  terms: string;
  seq: number;
  result: Moved;
}

/** What is left of a command that ends many orders. Without an account it concerns a whole market. */
export interface TwinSweep {
  id: number;
  account: number | undefined;
  symbol: string | undefined;
  side: Side | undefined;
  reason: StatusReason;
  throughId: number;
  /** The order that was looked at last, … */
  lastId: number;
  /** … and the conditional one, as it was then. */
  last: TwinOrder | undefined;
}

/** How a venue begins. */
export interface Beginning {
  shard: number;
  memory: number;
  rules: number;
  sweepStep: number;
}

/** How many finished orders or causes are forgotten at most when another one finishes. */
const FORGETS_AT_ONCE = 4;

export class TwinState {
  shardBase: number;
  memory: number;
  rules: number;
  readonly sweepStep: number;
  sweeps: TwinSweep[] = [];
  sweepCount = 0;
  money: 'real' | 'simulated' | '' = '';
  coins = new Map<string, string[]>();
  tiers = new Map<number, { maker: number; taker: number }>([[0, { maker: 0, taker: 0 }]]);
  accounts: TwinAccount[] = [];
  balances = new Map<string, bigint>();
  markets: TwinMarket[] = [];
  finished: TwinOrder[] = [];
  forgottenThrough = 0;
  withdrawals: TwinWithdrawal[] = [];
  causes: TwinCause[] = [];
  causesForgottenThrough = 0;
  orderCount = 0;
  tradeCount = 0;
  engineSeq = 0;
  timerSeq = 0;
  joins = 0;
  time = 0;

  /** What the command in progress has produced so far. */
  steps: Step[] = [];
  step: Step | undefined;
  touched = new Set<TwinOrder>();
  booksBefore = new Map<TwinMarket, Map<string, number>>();
  /** Prices that may trigger orders. A look back is no new trade. */
  tradedPrices: Array<{ market: TwinMarket; price: number; isLookBack: boolean }> = [];
  /** Brackets whose entries ended in the step, and for how much their exits begin. */
  beginnings: Array<{ list: TwinList; lots: number }> = [];

  constructor({ shard, memory, rules, sweepStep }: Beginning) {
    this.shardBase = shard * 1e15;
    this.memory = memory;
    this.rules = rules;
    this.sweepStep = sweepStep;
  }
}

export const pow10 = (n: number): bigint => 10n ** BigInt(n);

export function money(market: TwinMarket, ticks: number, lots: number): bigint {
  const { basePrecision, quotePrecision } = market.config;
  return BigInt(ticks) * BigInt(lots) * pow10(18 - basePrecision - quotePrecision);
}

export const baseUnits = (market: TwinMarket, lots: number): bigint =>
  BigInt(lots) * pow10(18 - market.config.basePrecision);

/** A trailing stop becomes a market order unless it has a price. */
export const isMarketKind = (type: string, hasPrice: boolean): boolean =>
  type.endsWith('market') || (type === 'trailing_stop' && !hasPrice);
export const isConditional = (type: string): boolean =>
  type.startsWith('stop') || type.startsWith('take_profit') || type === 'trailing_stop';

export const findAccount = (s: TwinState, id: number): TwinAccount | undefined =>
  s.accounts.find((a) => a.id === id);
export const getAccount = (s: TwinState, id: number): TwinAccount => {
  const found = findAccount(s, id);
  if (found === undefined) throw new Error(`twin: no account ${id}`);
  return found;
};
export const findMarket = (s: TwinState, symbol: string): TwinMarket | undefined =>
  s.markets.find((m) => m.config.symbol === symbol);

export const familyOf = (s: TwinState, id: number): number => getAccount(s, id).parent;

export function rejected(
  name: RejectionName,
  details: Record<string, DetailValue> = {},
  order?: Order,
): Extract<Result, { kind: 'rejected' }> {
  const code = REJECTION_CODES[name];
  const rejection: Rejection = order === undefined ? { code, details } : { code, details, order };
  return { kind: 'rejected', rejection };
}

export function view(o: TwinOrder): Order {
  const {
    orderId,
    account,
    clientOrderId,
    symbol,
    side,
    type,
    timeInForce,
    postOnly,
    stpMode,
    priceDecimals,
    volumeDecimals,
    price,
    stopPrice,
    trailingDelta,
    orderListId,
    orderListKind,
    volume,
    total,
    visibleVolume,
    filledVolume,
    remainingVolume,
    preventedVolume,
    filledTotal,
    fee,
    rebate,
    held,
    status,
    statusReason,
    createdAt,
    updatedAt,
    lastTradeAt,
    triggeredAt,
    expireTime,
    engineSeq,
  } = o;
  return {
    orderId,
    account,
    clientOrderId,
    symbol,
    side,
    type,
    timeInForce,
    postOnly,
    stpMode,
    priceDecimals,
    volumeDecimals,
    price,
    stopPrice,
    trailingDelta,
    orderListId,
    orderListKind,
    volume,
    total,
    visibleVolume,
    filledVolume,
    remainingVolume,
    preventedVolume,
    filledTotal,
    fee,
    rebate,
    held,
    status,
    statusReason,
    createdAt,
    updatedAt,
    lastTradeAt,
    triggeredAt,
    expireTime,
    engineSeq,
  };
}

/** The visible book as a map from "side price" to lots, by adding up every order. */
export function visibleBook(market: TwinMarket): Map<string, number> {
  const levels = new Map<string, number>();
  for (const o of market.live) {
    if (!o.resting) continue;
    const key = `${o.side} ${o.price}`;
    levels.set(key, (levels.get(key) ?? 0) + o.shown);
  }
  return levels;
}

export function beginStep(s: TwinState, time: number, cause: StepCause): Step {
  s.engineSeq += 1;
  s.time = time;
  s.step = {
    engineSeq: s.engineSeq,
    time,
    cause,
    orders: [],
    trades: [],
    prevented: [],
    uncrosses: [],
    journals: [],
    books: [],
    phases: [],
    timers: [],
    withdrawals: [],
    reversals: [],
    accounts: [],
    markets: [],
  };
  s.steps.push(s.step);
  s.touched.clear();
  s.booksBefore.clear();
  s.tradedPrices = [];
  return s.step;
}

export function getStep(s: TwinState): Step {
  if (s.step === undefined) throw new Error('twin: no step is open');
  return s.step;
}

/** To be called before anything visible changes in the market's book. */
export function noteBook(s: TwinState, market: TwinMarket): void {
  if (!s.booksBefore.has(market)) s.booksBefore.set(market, visibleBook(market));
}

export function touch(s: TwinState, o: TwinOrder): void {
  const step = getStep(s);
  o.engineSeq = step.engineSeq;
  o.updatedAt = step.time;
  s.touched.add(o);
}

export function endStep(s: TwinState): void {
  const step = getStep(s);
  for (const o of s.touched) step.orders.push(view(o));
  for (const [market, before] of s.booksBefore) {
    const after = visibleBook(market);
    const change: BookChange = {
      symbol: market.config.symbol,
      updateId: 0,
      priceDecimals: market.config.quotePrecision,
      volumeDecimals: market.config.basePrecision,
      levels: [],
    };
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const lots = after.get(key) ?? 0;
      if ((before.get(key) ?? 0) === lots) continue;
      const [side, price] = key.split(' ');
      change.levels.push({
        side: side === 'buy' ? 'buy' : 'sell',
        priceTicks: Number(price),
        lots,
      });
    }
    if (change.levels.length === 0) continue;
    market.updateId += 1;
    change.updateId = market.updateId;
    step.books.push(change);
  }
  s.step = undefined;
}

export const balanceKey = (owner: LedgerOwner, coin: string, bucket: Bucket): string =>
  `${owner}|${coin}|${bucket}`;
export const balanceOf = (s: TwinState, owner: LedgerOwner, coin: string, bucket: Bucket): bigint =>
  s.balances.get(balanceKey(owner, coin, bucket)) ?? 0n;

/** Posts one double entry; entries of zero are left out. */
export function post(
  s: TwinState,
  kind: Journal['kind'],
  reference: number | string,
  entries: Array<[LedgerOwner, string, Bucket, bigint]>,
): void {
  const journal: Journal = { kind, reference, postings: [] };
  for (const [owner, coin, bucket, amount] of entries) {
    if (amount === 0n) continue;
    const key = balanceKey(owner, coin, bucket);
    const after = (s.balances.get(key) ?? 0n) + amount;
    s.balances.set(key, after);
    journal.postings.push({ owner, coin, bucket, amount, after });
  }
  getStep(s).journals.push(journal);
}

export const coinGiven = (market: TwinMarket, side: string): string =>
  side === 'buy' ? market.config.quote : market.config.base;
export const coinReceived = (market: TwinMarket, side: string): string =>
  side === 'buy' ? market.config.base : market.config.quote;

export function getMarketOf(s: TwinState, o: TwinOrder): TwinMarket {
  const market = findMarket(s, o.symbol);
  if (market === undefined) throw new Error(`twin: no market ${o.symbol}`);
  return market;
}

/** Gives back everything the order still holds. */
export function releaseAll(s: TwinState, o: TwinOrder): void {
  if (o.held === 0n) return;
  const coin = coinGiven(getMarketOf(s, o), o.side);
  post(s, 'release', o.orderId, [
    [o.account, coin, 'hold', -o.held],
    [o.account, coin, 'available', o.held],
  ]);
  o.held = 0n;
}

/** Ends an order: out of the book, hold given back, remembered among the finished. */
export function finish(
  s: TwinState,
  o: TwinOrder,
  status: Order['status'],
  reason: StatusReason,
  alone = false,
): void {
  const market = getMarketOf(s, o);
  noteBook(s, market);
  touch(s, o);
  o.status = status;
  o.statusReason = reason;
  o.resting = false;
  o.isFinal = true;
  releaseAll(s, o);
  market.live = market.live.filter((other) => other !== o);
  s.finished.push(o);
  for (let i = 0; i < FORGETS_AT_ONCE && s.finished.length > s.memory; i++) forgetFinished(s);
  if (alone) return;
  for (const leg of endsWith(s, o)) finish(s, leg, 'canceled', 'list_sibling', true);
}

/** The leg that may still trade instead of this one. */
export const siblingOf = (o: TwinOrder): TwinOrder | undefined => {
  const legs = o.list?.kind === 'bracket' ? o.list.legs.slice(1) : (o.list?.legs ?? []);
  return legs.includes(o) ? legs.find((leg) => leg !== o && !leg.isFinal) : undefined;
};

/** The order traded: its sibling never will. */
export function decide(s: TwinState, o: TwinOrder): void {
  const sibling = siblingOf(o);
  if (sibling !== undefined) finish(s, sibling, 'canceled', 'list_sibling', true);
}

/** The legs that end because this one did. The exits of an entry begin instead, if it gained something. */
function endsWith(s: TwinState, o: TwinOrder): TwinOrder[] {
  const { list } = o;
  if (list?.kind !== 'bracket' || list.legs[0] !== o) {
    const sibling = siblingOf(o);
    return sibling === undefined ? [] : [sibling];
  }
  const exits = list.legs.filter((leg) => !leg.isFinal);
  const unit = baseUnits(getMarketOf(s, o), 1);
  const gained = BigInt(o.filledVolume) * unit - (o.side === 'buy' ? o.fee : 0n);
  const lots = Number(gained / unit);
  if (lots === 0 || ['admin', 'market_closed'].includes(o.statusReason)) return exits;
  if (exits.length > 0) s.beginnings.push({ list, lots });
  return [];
}

/**
 * True once the order's time is over, whether or not its timer has fired. Under rules 1 it trades
 * until the timer fires.
 */
export const isExpired = (s: TwinState, o: TwinOrder, time: number): boolean =>
  s.rules >= 2 && o.expireTime > 0 && o.expireTime <= time;

export function rememberCause(
  s: TwinState,
  key: string,
  terms: string,
  result: Moved = { kind: 'moved', replay: false },
): void {
  s.causes.push({ key, terms, result, seq: s.engineSeq });
  for (let i = 0; i < FORGETS_AT_ONCE && s.causes.length > s.memory; i++) forgetCause(s);
}

export function forgetFinished(s: TwinState): void {
  const gone = s.finished.shift();
  if (gone !== undefined && gone.clientOrderId !== '') s.forgottenThrough = gone.engineSeq;
}

export function forgetCause(s: TwinState): void {
  const gone = s.causes.shift();
  if (gone !== undefined) s.causesForgottenThrough = gone.seq;
  s.withdrawals = s.withdrawals.filter((w) => gone === undefined || `w:${w.id}` !== gone.key);
}

export const liveOrders = (s: TwinState): TwinOrder[] => s.markets.flatMap((m) => m.live);

export function findOrder(
  s: TwinState,
  account: number,
  ref: { orderId?: number; clientOrderId?: string },
): TwinOrder | undefined {
  const matches = (o: TwinOrder): boolean =>
    o.account === account &&
    (ref.orderId !== undefined
      ? o.orderId === ref.orderId
      : ref.clientOrderId !== undefined &&
        ref.clientOrderId !== '' &&
        o.clientOrderId === ref.clientOrderId);
  for (const market of s.markets) {
    const found = market.live.find(matches);
    if (found !== undefined) return found;
  }
  return s.finished.find(matches);
}

export type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>;

export const STP_MODES: readonly StpMode[] = [
  'expire_taker',
  'expire_maker',
  'expire_both',
  'decrement',
];
