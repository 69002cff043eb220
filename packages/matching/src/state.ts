// Everything the core knows. Only apply() and restore() change a state; a state that a throw left
// half changed must not be used again.

import { assert } from './assert.ts';
import { BookSide } from './book.ts';
import type { MarketConfig, Money, Phase } from './command.ts';
import { DueHeap } from './heap.ts';
import * as names from './names.ts';
import { reasonNumber } from './names.ts';
import type { Bucket, StatusReason, WithdrawalStatus } from './outcome.ts';
import { FinishedOrders } from './finished.ts';
import { OwnOrders } from './own-orders.ts';
import * as record from './record.ts';
import { OrderPool } from './record.ts';
import { widen } from './room.ts';
import { SteadyMap } from './steady-map.ts';
import { ClientKey } from './client-key.ts';
import { ClientTable, IdTable } from './tables.ts';
import { Tape } from './tape.ts';
import { Trails } from './trails.ts';
import { TriggerList } from './triggers.ts';
import { CORE_VERSION } from './version.ts';
import * as wide from './wide.ts';
import { Scale, fromBigint, toBigint } from './wide.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { BUY, SELL } = names;
const { NONE } = record;
const { LIMBS } = wide;

const SCALES: readonly Scale[] = Array.from({ length: 19 }, (_, n) => new Scale(n));

export interface CoreConfig {
  /** Orders and trades of shard n count from n × 10^15. */
  shard: number;
  /** How many finished orders (and finished movements of money) are remembered. */
  memory: number;
  /**
   * Orders for which room is made at the start. More are admitted; it is tuning and not part of the
   * state.
   */
  capacity: number;
  /** The rules that the state begins with; `upgrade` changes them later. */
  rules: number;
  /**
   * How many orders one step of a sweep ends at most, and how many timers one command fires. Never
   * changed.
   */
  sweepStep: number;
}

/** About half a millisecond of work. */
export const DEFAULT_SWEEP_STEP = 200;

export const DEFAULT_CONFIG: CoreConfig = {
  shard: 0,
  memory: 1_000_000,
  capacity: 4_096,
  rules: CORE_VERSION,
  sweepStep: DEFAULT_SWEEP_STEP,
};

/** What is left of a command that ends many orders. */
export interface Sweep {
  id: number;
  /** Indices, or NONE where it does not matter. A sweep without an account is one of a whole market. */
  readonly market: number;
  readonly account: number;
  readonly side: number;
  readonly reason: number;
  /** Orders placed later have a higher id, and are not concerned. */
  readonly throughId: number;
  /** Slot of the account's order that is looked at next. Kept only where some are passed over. */
  next: number;
  /** Of a market, after its book: which list of conditional orders comes next, … */
  list: number;
  /** … and the last one of it that was looked at; zero at its beginning. */
  stop: number;
  lastId: number;
}

export interface Coin {
  name: string;
  networks: string[];
}

export class Tier {
  readonly number: number;
  makerPpm = 0;
  takerPpm = 0;
  constructor(number: number) {
    this.number = number;
  }
}

/** A user's account, or one of the venue's own, which have negative indices. */
export class Account {
  readonly index: number;
  readonly id: number;
  readonly name: string;
  /** Index of the account at the head of the family. */
  readonly parent: number;
  /** Of the head of a family: the others, by index; undefined while there are none. */
  others: number[] | undefined = undefined;
  tier: Tier;
  suspended = false;
  /** Row of balances by coin; zero where there is none yet. */
  readonly rows: number[] = [];
  /** Live orders by market: those that wait for a trigger, and all others. */
  readonly pending: number[] = [];
  readonly open: number[] = [];
  /** Live orders by market, to be read by the page; undefined where there never was one. */
  readonly own: (OwnOrders | undefined)[] = [];
  /** Live orders, oldest first. */
  head = NONE;
  tail = NONE;
  /** Unfinished sweeps that pass over some of the account's orders, and so keep a place among them. */
  readonly sweeps: Sweep[] = [];

  constructor(index: number, id: number, name: string, parent: number, tier: Tier) {
    this.index = index;
    this.id = id;
    this.name = name;
    this.parent = parent;
    this.tier = tier;
  }
}

export const FEES = -1;
export const SUSPENSE = -2;
export const ADJUSTMENTS = -3;
export const CAPITAL = -4;
/** Owner numbers on the tape from here down are custody accounts, by network. */
export const CUSTODY_BASE = -10;

/** Seconds of price history behind the automatic halt, and one older price to compare with. */
const HISTORY = 512;
export const HALT_WINDOW_SECONDS = 300;

export class Market {
  readonly index: number;
  config: MarketConfig;
  phase: Phase = 'pre_open';
  /** The phase that follows by itself when the market's timer is due. */
  nextPhase: Phase = 'pre_open';
  readonly base: number;
  readonly quote: number;
  updateId = 0;
  /** Zero before the first trade. */
  lastPrice = 0;
  readonly bids: BookSide;
  readonly asks: BookSide;
  readonly rising: TriggerList;
  readonly falling: TriggerList;
  readonly trails: Trails;
  /** Lots of live limit kinds by side; at most LIMITS.sideLotsMax. */
  readonly openLots = new Float64Array(2);
  /** Unfinished sweeps of the whole market. While there is one, nothing is placed, amended or triggered. */
  sweeping = 0;
  /** Step in which the visible book was last touched. */
  touchedSeq = 0;

  /** Ledger units of one tick times one lot, and of one lot. */
  quoteScale = SCALES[0]!;
  baseScale = SCALES[0]!;
  /** The configured minimumQuoteSize and maxMarketOrderBid as wide integers. */
  readonly minimumWords = new Float64Array(LIMBS);
  readonly maximumWords = new Float64Array(LIMBS);

  /** Last price of each second with trades, oldest first, in a ring. */
  readonly seconds = new Float64Array(HISTORY);
  readonly prices = new Float64Array(HISTORY);
  historyHead = 0;
  historyCount = 0;

  constructor(index: number, config: MarketConfig, base: number, quote: number, pool: OrderPool) {
    this.index = index;
    this.base = base;
    this.quote = quote;
    this.config = config;
    this.bids = new BookSide(BUY, pool);
    this.asks = new BookSide(SELL, pool);
    this.rising = new TriggerList(true, pool);
    this.falling = new TriggerList(false, pool);
    this.trails = new Trails(pool);
    this.configure(config);
  }

  configure(config: MarketConfig): void {
    this.config = config;
    const { basePrecision, quotePrecision } = config;
    this.quoteScale = SCALES[18 - basePrecision - quotePrecision]!;
    this.baseScale = SCALES[18 - basePrecision]!;
    fromBigint(this.minimumWords, 0, config.minimumQuoteSize);
    fromBigint(this.maximumWords, 0, config.maxMarketOrderBid);
  }

  bookOf(side: number): BookSide {
    return side === BUY ? this.bids : this.asks;
  }

  /** The price made last in or before the second, or zero. Forgets what is older than that. */
  priceAsOf(second: number): number {
    while (
      this.historyCount > 1 &&
      this.seconds[(this.historyHead + 1) & (HISTORY - 1)]! <= second
    ) {
      this.historyHead = (this.historyHead + 1) & (HISTORY - 1);
      this.historyCount -= 1;
    }
    if (this.historyCount === 0 || this.seconds[this.historyHead]! > second) return 0;
    return this.prices[this.historyHead]!;
  }

  /** Seconds and their last prices, oldest first. */
  *history(): Generator<[second: number, price: number]> {
    for (let i = 0; i < this.historyCount; i++) {
      const at = (this.historyHead + i) & (HISTORY - 1);
      yield [this.seconds[at]!, this.prices[at]!];
    }
  }

  /** Forgets all prices but the last, which is taken for one of the second. */
  restartHistory(second: number): void {
    this.historyHead = 0;
    this.historyCount = 0;
    if (this.lastPrice > 0) this.recordPrice(second, this.lastPrice);
  }

  /** To be called after priceAsOf, which keeps the ring within 300 seconds and one. */
  recordPrice(second: number, price: number): void {
    const last = (this.historyHead + this.historyCount - 1) & (HISTORY - 1);
    if (this.historyCount > 0 && this.seconds[last] === second) {
      this.prices[last] = price;
      return;
    }
    assert(this.historyCount < HISTORY, 'the price history is full');
    const at = (this.historyHead + this.historyCount) & (HISTORY - 1);
    this.seconds[at] = second;
    this.prices[at] = price;
    this.historyCount += 1;
  }
}

export interface Withdrawal {
  id: string;
  account: number;
  coin: number;
  network: string;
  amount: bigint;
  fee: bigint;
  status: WithdrawalStatus;
}

/** A finished movement of money, remembered so that it is not made twice. */
export interface Cause {
  terms: string;
  seq: number;
}

/** Words of the key that client ids are hashed with. */
export const HASH_KEY_WORDS = 4;

export class State {
  readonly config: CoreConfig;
  /** The rules by which commands are carried out, see version.ts. */
  rules: number;
  /**
   * Which version's commands are carried out: this release's, or those of a row that an earlier one
   * wrote. An earlier one refused an upgrade to rules it did not know. Not part of the state, and
   * in no snapshot.
   */
  writtenBy = CORE_VERSION;
  /**
   * The secret key of the client id table, so nobody outside can know which ids share a place. Zero
   * until an upgrade sets it.
   */
  readonly hashKey = new Uint32Array(HASH_KEY_WORDS);
  /** The kind of money the venue deals in; empty until it is set, and then fixed. */
  money: Money | '' = '';
  readonly pool: OrderPool;
  readonly ids: IdTable;
  readonly clients: ClientTable;
  readonly key = new ClientKey(this.hashKey);

  /** Orders that have finished before this command, oldest first. */
  readonly finished: FinishedOrders;
  // Those that finished in this command are still in their slots, linked through NEXT.
  finishedHead = NONE;
  finishedTail = NONE;
  /** All finished orders that are remembered. */
  finishedCount = 0;
  /** When the order whose client id was forgotten last had finished. */
  forgottenThrough = 0;

  readonly coins: Coin[] = [];
  readonly coinIndex = new Map<string, number>();
  readonly networks: string[] = [];
  readonly tiers = new Map<number, Tier>();
  readonly accounts: Account[] = [];
  readonly accountIndex = new Map<number, number>();
  readonly fees: Account;
  readonly suspense: Account;
  readonly adjustments: Account;
  /** What the venue's owners brought in from outside. */
  readonly capital: Account;
  /** custody[network][coin]; signed, and never above zero in sum. */
  readonly custody: bigint[][] = [];
  readonly markets: Market[] = [];
  readonly marketIndex = new Map<string, number>();

  /** Balances: three buckets of three limbs a row. Row zero belongs to no account. */
  rows: Float64Array = new Float64Array(1024 * 3 * LIMBS);
  rowCount = 1;

  readonly withdrawals = new SteadyMap<Withdrawal>();
  readonly causes = new SteadyMap<Cause>();
  causesForgottenThrough = 0;

  /** The newest amendments that came with an id, by order id; see core/amend-ids.ts. */
  readonly amendments = new SteadyMap<string[]>();

  /** Sweeps that are not finished, oldest first. */
  readonly sweeps: Sweep[] = [];
  sweepCount = 0;

  orderCount = 0;
  tradeCount = 0;
  engineSeq = 0;
  timerSeq = 0;
  time = 0;

  readonly gtd = new DueHeap();
  readonly deadMan = new DueHeap();
  readonly phaseEnds = new DueHeap();

  // The step in progress.
  tape: Tape;
  /** For callers that bring no tape of their own. */
  readonly ownTape: Tape;
  touched = new Int32Array(256);
  touchedCount = 0;
  readonly touchedMarkets: Market[] = [];
  touchedMarketCount = 0;
  levelMarket = new Int32Array(256);
  levelSide = new Int32Array(256);
  levelPrice = new Float64Array(256);
  levelBefore = new Float64Array(256);
  levelCount = 0;
  /** Only an amendment can empty a level and fill it again within one step. */
  mayRejoin = false;
  tradeMarket: Market | undefined;
  tradePrices = new Float64Array(256);
  tradePriceCount = 0;
  /** The price is no new trade: what a halt or sweep held back is compared with the last price again. */
  looksBack = false;
  triggered = new Int32Array(64);
  triggeredHead = 0;
  triggeredTail = 0;
  /** The prices that trailing stops have followed since the chain began, and how many each fired order has seen. */
  chainPrices = new Float64Array(64);
  chainPriceCount = 0;
  pricesSeen = new Int32Array(64);
  /** Take profits of the brackets whose entries ended in the step; they begin after it, with their stops. */
  readonly begun: number[] = [];
  /** Room for intermediate amounts; each function says which cells it uses. */
  readonly scratch = new Float64Array(64);

  /** `remembered`: how many orders the tables will soon hold, finished ones included. */
  constructor(config: CoreConfig, remembered: number = 0) {
    assert(
      Number.isInteger(config.shard) && config.shard >= 0 && config.shard <= 8,
      'the shard must be 0 to 8, so that ids stay below 2^53',
    );
    assert(Number.isInteger(config.memory) && config.memory >= 1, 'memory must be positive');
    assert(
      Number.isInteger(config.rules) && config.rules >= 1 && config.rules <= CORE_VERSION,
      `the rules must be 1 to ${CORE_VERSION}`,
    );
    assert(
      Number.isInteger(config.sweepStep) && config.sweepStep >= 1,
      'sweepStep must be positive',
    );
    this.config = config;
    this.rules = config.rules;
    this.pool = new OrderPool(Math.max(64, config.capacity));
    this.finished = new FinishedOrders(this.pool);
    const known = Math.max(config.capacity, remembered);
    this.ids = new IdTable(this.pool, known, this.finished);
    this.clients = new ClientTable(this.pool, known, this.finished);
    this.ownTape = new Tape();
    this.tape = this.ownTape;
    const tier = new Tier(0);
    this.tiers.set(0, tier);
    this.fees = new Account(FEES, 0, 'fees', FEES, tier);
    this.suspense = new Account(SUSPENSE, 0, 'suspense', SUSPENSE, tier);
    this.adjustments = new Account(ADJUSTMENTS, 0, 'adjustments', ADJUSTMENTS, tier);
    this.capital = new Account(CAPITAL, 0, 'capital', CAPITAL, tier);
  }
}

export function createState(config: Partial<CoreConfig> = {}, remembered: number = 0): State {
  return new State({ ...DEFAULT_CONFIG, ...config }, remembered);
}

export function findAccount(s: State, id: number): Account | undefined {
  const index = s.accountIndex.get(id);
  return index === undefined ? undefined : s.accounts[index];
}

/** Adds an account, to its family as well. The head of the family is known already. */
export function addAccount(s: State, account: Account): void {
  s.accounts.push(account);
  s.accountIndex.set(account.id, account.index);
  if (account.parent !== account.index) {
    (s.accounts[account.parent]!.others ??= []).push(account.index);
  }
}

/** A family, its head first. */
export function* familyOf(s: State, head: Account): Generator<Account> {
  yield head;
  for (const index of head.others ?? []) yield s.accounts[index]!;
}

/** The account's live orders in the market of this index. */
export function ownOrders(account: Account, market: number): OwnOrders {
  while (account.own.length <= market) account.own.push(undefined);
  return (account.own[market] ??= new OwnOrders());
}

export function findMarket(s: State, symbol: string): Market | undefined {
  const index = s.marketIndex.get(symbol);
  return index === undefined ? undefined : s.markets[index];
}

/** First limb of the account's balances in the coin. */
export function rowOf(s: State, account: Account, coin: number): number {
  const row = account.rows[coin];
  return row !== undefined && row !== 0 ? row * (3 * LIMBS) : addRow(s, account, coin);
}

function addRow(s: State, account: Account, coin: number): number {
  // Filled from the left, so that the array stays one of small integers without holes.
  while (account.rows.length <= coin) account.rows.push(0);
  if ((s.rowCount + 1) * 3 * LIMBS > s.rows.length) {
    s.rows = widen(s.rows, s.rows.length * 2);
  }
  account.rows[coin] = s.rowCount;
  return s.rowCount++ * (3 * LIMBS);
}

const BUCKET_NUMBER: Record<Bucket, number> = { available: 0, hold: 1, pendingWithdraw: 2 };

/** A balance for the outside; zero where nothing was ever posted. */
export function balanceOf(s: State, account: Account, coin: number, bucket: Bucket): bigint {
  const row = account.rows[coin] ?? 0;
  return row === 0 ? 0n : toBigint(s.rows, row * 3 * LIMBS + BUCKET_NUMBER[bucket] * LIMBS);
}

/** Unfinished sweeps, or those for one reason: the engine sends `sweep` until there is none. */
export function pendingSweeps(s: State, reason?: StatusReason): number {
  if (reason === undefined) return s.sweeps.length;
  const number = reasonNumber(reason);
  return s.sweeps.filter((sweep) => sweep.reason === number).length;
}

/** The next time at which something falls due by itself, or Infinity. The engine ticks then. */
export function nextDue(s: State): number {
  return Math.min(s.gtd.due, s.deadMan.due, s.phaseEnds.due);
}
