// From tape to plain objects. The names of accounts, coins and markets are looked up in the state;
// they are only ever added to, so a tape may be decoded at any later time.

import { assert, fail } from './assert.ts';
import {
  BUCKETS,
  BUY,
  CAUSES,
  JOURNALS,
  PHASES,
  REASONS,
  SIDES,
  STATUSES,
  STPS,
  TIFS,
  TYPES,
} from './names.ts';
import type {
  AccountChange,
  Bucket,
  Fill,
  Journal,
  LedgerOwner,
  Order,
  Outcome,
  Posting,
  Rejection,
  Result,
  ReversalChange,
  Step,
  TradeSide,
  WithdrawalChange,
} from './outcome.ts';
import type { MarketConfig } from './command.ts';
import { isBracket, isInList, positionOf, trailOf } from './link.ts';
import * as rec from './record.ts';
import { ADJUSTMENTS, CAPITAL, CUSTODY_BASE, FEES, SUSPENSE } from './state.ts';
import type { Directory } from './directory.ts';
import { clientText } from './client-key.ts';
import * as tape from './tape.ts';
import type { Tape } from './tape.ts';
import type { Refusal } from './core/reject.ts';
import type { SweepStep } from './sweeps.ts';
import { toBigint } from './wide.ts';

/** An order from the words of its record, wherever they lie. */
export function decodeOrder(
  s: Directory,
  f64: Float64Array,
  u32: Uint32Array,
  cell: number,
): Order {
  const word = cell * 2;
  const flags = u32[word + rec.FLAGS]!;
  const decimals = u32[word + rec.DECIMALS]!;
  const link = u32[word + rec.LINK]!;
  return {
    orderId: f64[cell + rec.ID]!,
    account: s.accounts[u32[word + rec.ACCOUNT]!]!.id,
    clientOrderId: clientText(u32, word + rec.CLIENT),
    symbol: s.markets[u32[word + rec.MARKET]!]!.config.symbol,
    side: SIDES[u32[word + rec.SIDE]!]!,
    type: TYPES[u32[word + rec.TYPE]!]!,
    timeInForce: TIFS[u32[word + rec.TIF]!]!,
    postOnly: (flags & rec.FLAG_POST_ONLY) !== 0,
    stpMode: STPS[u32[word + rec.STP]!]!,
    priceDecimals: decimals & 0xff,
    volumeDecimals: decimals >> 8,
    price: f64[cell + rec.PRICE]!,
    stopPrice: f64[cell + rec.STOP]!,
    trailingDelta: trailOf(link),
    orderListId: isInList(link) ? f64[cell + rec.ID]! - positionOf(link) : 0,
    orderListKind: isInList(link) ? (isBracket(link) ? 'bracket' : 'oco') : '',
    volume: f64[cell + rec.VOLUME]!,
    total: toBigint(f64, cell + rec.TOTAL),
    visibleVolume: f64[cell + rec.VISIBLE]!,
    filledVolume: f64[cell + rec.FILLED]!,
    remainingVolume: f64[cell + rec.REMAINING]!,
    preventedVolume: f64[cell + rec.PREVENTED]!,
    filledTotal: toBigint(f64, cell + rec.FILLED_TOTAL),
    fee: toBigint(f64, cell + rec.FEE),
    rebate: toBigint(f64, cell + rec.REBATE),
    held: toBigint(f64, cell + rec.HELD),
    status: STATUSES[u32[word + rec.STATUS]!]!,
    statusReason: REASONS[u32[word + rec.REASON]!]!,
    createdAt: f64[cell + rec.CREATED]!,
    updatedAt: f64[cell + rec.UPDATED]!,
    lastTradeAt: f64[cell + rec.LAST_TRADE]!,
    triggeredAt: f64[cell + rec.TRIGGERED]!,
    expireTime: f64[cell + rec.EXPIRE]!,
    engineSeq: f64[cell + rec.SEQ]!,
  };
}

/** Adds a trade and its double entry to the step. */
function decodeTrade(s: Directory, t: Tape, at: number, step: Step): void {
  const { f64, i32 } = t;
  const market = s.markets[i32[(at + 7) * 2]!]!;
  const packed = i32[(at + 7) * 2 + 1]!;
  const takerBuys = (packed & 0xff) === BUY;
  const { symbol, base: baseCoin, quote: quoteCoin } = market.config;
  const side = (n: number): TradeSide => ({
    orderId: f64[at + 3 + n]!,
    account: s.accounts[i32[(at + 6) * 2 + n]!]!.id,
    feePpm: i32[(at + 5) * 2 + n]!,
    fee: toBigint(f64, at + 11 + n * 3),
  });
  const [taker, maker] = [side(0), side(1)];
  const [buyer, seller] = takerBuys ? [taker, maker] : [maker, taker];
  const total = toBigint(f64, at + 8);
  const rebate = toBigint(f64, at + 17);
  const base = toBigint(f64, at + 20);
  const reserved = toBigint(f64, at + 23);
  step.trades.push({
    tradeId: f64[at]!,
    symbol,
    priceTicks: f64[at + 1]!,
    lots: f64[at + 2]!,
    priceDecimals: (packed >> 8) & 0xff,
    volumeDecimals: packed >> 16,
    total,
    takerSide: takerBuys ? 'buy' : 'sell',
    buyer,
    seller,
    rebate,
  });
  const postings: Posting[] = [];
  const post = (
    owner: LedgerOwner,
    coin: string,
    bucket: Bucket,
    amount: bigint,
    after: number,
  ): void => {
    if (amount !== 0n) {
      postings.push({ owner, coin, bucket, amount, after: toBigint(f64, at + after) });
    }
  };
  post(buyer.account, quoteCoin, 'hold', -reserved, 26);
  post(buyer.account, quoteCoin, 'available', reserved - total, 29);
  post(buyer.account, baseCoin, 'available', base - buyer.fee, 32);
  post(seller.account, baseCoin, 'hold', -base, 35);
  post(seller.account, quoteCoin, 'available', total - seller.fee, 38);
  post('fees', quoteCoin, 'available', seller.fee, 41);
  post('fees', baseCoin, 'available', buyer.fee, 44);
  if (rebate > 0n) {
    const coin = takerBuys ? baseCoin : quoteCoin;
    post('fees', coin, 'available', -rebate, 47);
    post(maker.account, coin, 'available', rebate, 50);
  }
  step.journals.push({ kind: 'trade', reference: f64[at]!, postings });
}

/** Adds the double entry of an order's hold to the step. */
function decodeHoldMove(s: Directory, t: Tape, at: number, step: Step): void {
  const { f64, u32 } = t;
  const owner = s.accounts[u32[(at + 1) * 2]!]!.id;
  const packed = u32[(at + 1) * 2 + 1]!;
  const coin = s.coins[packed >> 8]!.name;
  const amount = toBigint(f64, at + 2);
  const toHold = (packed & 1) === 1;
  const available: Posting = {
    owner,
    coin,
    bucket: 'available',
    amount: toHold ? -amount : amount,
    after: toBigint(f64, at + 5),
  };
  const hold: Posting = {
    owner,
    coin,
    bucket: 'hold',
    amount: toHold ? amount : -amount,
    after: toBigint(f64, at + 8),
  };
  step.journals.push({
    kind: JOURNALS[(packed >> 1) & 0x7f]!,
    reference: f64[at]!,
    postings: toHold ? [available, hold] : [hold, available],
  });
}

function ownerName(s: Directory, owner: number): LedgerOwner {
  if (owner >= 0) return s.accounts[owner]!.id;
  if (owner === FEES) return 'fees';
  if (owner === SUSPENSE) return 'suspense';
  if (owner === ADJUSTMENTS) return 'adjustments';
  if (owner === CAPITAL) return 'capital';
  return `custody:${s.networks[CUSTODY_BASE - owner]!}`;
}

function newStep(t: Tape, at: number): Step {
  return {
    engineSeq: t.f64[at]!,
    time: t.f64[at + 1]!,
    cause: CAUSES[t.u32[(at + 2) * 2]!]!,
    orders: [],
    trades: [],
    prevented: [],
    journals: [],
    books: [],
    phases: [],
    uncrosses: [],
    timers: [],
    withdrawals: [],
    reversals: [],
    accounts: [],
    markets: [],
  };
}

/** Reads one record that belongs to a step. */
function decodeInStep(s: Directory, t: Tape, kind: number, at: number, step: Step): void {
  const { f64, u32, i32 } = t;
  const [w0, w1] = [u32[at * 2]!, u32[at * 2 + 1]!];
  switch (kind) {
    case tape.ORDER:
      step.orders.push(decodeOrder(s, f64, u32, at));
      return;
    case tape.TRADE:
      decodeTrade(s, t, at, step);
      return;
    case tape.PREVENTED_MATCH:
      step.prevented.push({
        symbol: s.markets[u32[(at + 4) * 2]!]!.config.symbol,
        takerOrderId: f64[at]!,
        makerOrderId: f64[at + 1]!,
        priceTicks: f64[at + 2]!,
        lots: f64[at + 3]!,
        mode: STPS[u32[(at + 4) * 2 + 1]!]!,
      });
      return;
    case tape.HOLD_MOVE:
      decodeHoldMove(s, t, at, step);
      return;
    case tape.JOURNAL: {
      const journal: Journal = {
        kind: JOURNALS[w0]!,
        reference: t.notes[w1] as string,
        postings: [],
      };
      step.journals.push(journal);
      return;
    }
    case tape.POSTING: {
      const amount = toBigint(f64, at + 1);
      const after = toBigint(f64, at + 4);
      step.journals.at(-1)!.postings.push({
        owner: ownerName(s, i32[at * 2]!),
        coin: s.coins[w1 >> 4]!.name,
        bucket: BUCKETS[(w1 >> 2) & 3]!,
        amount: (w1 & 2) === 0 ? amount : -amount,
        after: (w1 & 1) === 0 ? after : -after,
      });
      return;
    }
    case tape.BOOK:
      step.books.push({
        symbol: s.markets[u32[(at + 1) * 2]!]!.config.symbol,
        updateId: f64[at]!,
        priceDecimals: u32[(at + 1) * 2 + 1]! & 0xff,
        volumeDecimals: u32[(at + 1) * 2 + 1]! >> 8,
        levels: [],
      });
      return;
    case tape.LEVEL_CHANGE:
      step.books.at(-1)!.levels.push({
        side: SIDES[u32[(at + 2) * 2]!]!,
        priceTicks: f64[at]!,
        lots: f64[at + 1]!,
      });
      return;
    case tape.PHASE:
      step.phases.push({
        symbol: s.markets[u32[(at + 1) * 2]!]!.config.symbol,
        phase: PHASES[u32[(at + 1) * 2 + 1]!]!,
        until: f64[at]!,
      });
      return;
    case tape.UNCROSS:
      step.uncrosses.push({
        symbol: s.markets[u32[(at + 4) * 2]!]!.config.symbol,
        priceTicks: f64[at]!,
        lots: f64[at + 1]!,
        imbalanceLots: f64[at + 2]!,
        referenceTicks: f64[at + 3]!,
        priceDecimals: u32[(at + 4) * 2 + 1]! & 0xff,
        volumeDecimals: u32[(at + 4) * 2 + 1]! >> 8,
      });
      return;
    case tape.TIMER:
      step.timers.push({
        account: s.accounts[u32[(at + 1) * 2]!]!.id,
        triggerTime: f64[at]!,
      });
      return;
    case tape.NOTE:
      if (w0 === tape.NOTE_WITHDRAWAL) step.withdrawals.push(t.notes[w1] as WithdrawalChange);
      else if (w0 === tape.NOTE_REVERSAL) step.reversals.push(t.notes[w1] as ReversalChange);
      else if (w0 === tape.NOTE_ACCOUNT) step.accounts.push(t.notes[w1] as AccountChange);
      else step.markets.push(t.notes[w1] as MarketConfig);
      return;
    default:
      fail(`no such record on the tape: ${kind}`);
  }
}

/** The order with this id as the last step that changed it left it. */
function orderInSteps(steps: Step[], orderId: number): Order {
  for (let i = steps.length - 1; i >= 0; i--) {
    const found = steps[i]!.orders.find((o) => o.orderId === orderId);
    if (found !== undefined) return found;
  }
  return fail(`a result speaks of order ${orderId}, which no step changed`);
}

/** Reads one outcome that begins at a cell, and says where the next one begins. */
export function decodeOutcome(
  s: Directory,
  t: Tape,
  from: number,
): { outcome: Outcome; next: number } {
  const steps: Step[] = [];
  const { result, next } = readOutcome(s, t, from, {
    takeStep: (at) => void steps.push(newStep(t, at)),
    takeRecord: (kind, at) => decodeInStep(s, t, kind, at, steps.at(-1)!),
    findOrder: (orderId) => orderInSteps(steps, orderId),
  });
  return { outcome: { steps, result }, next };
}

/** Only the result of the outcome that begins at a cell. Of the steps, it decodes the orders that the result speaks of. */
export function decodeResult(s: Directory, t: Tape, from: number): Result {
  const { f64, u32 } = t;
  const changed: number[] = [];
  return readOutcome(s, t, from, {
    takeStep: () => {},
    takeRecord(kind, at) {
      if (kind === tape.ORDER) changed.push(at);
    },
    findOrder(orderId) {
      // As the last step that changed it left it.
      const at = changed.findLast((one) => f64[one + rec.ID] === orderId);
      if (at === undefined)
        return fail(`a result speaks of order ${orderId}, which no step changed`);
      return decodeOrder(s, f64, u32, at);
    },
  }).result;
}

/** What becomes of the records before a result. */
interface StepReader {
  takeStep(at: number): void;
  takeRecord(kind: number, at: number): void;
  /** The order as the last step that changed it left it. */
  findOrder(orderId: number): Order;
}

function readOutcome(
  s: Directory,
  t: Tape,
  from: number,
  { takeStep, takeRecord, findOrder }: StepReader,
): { result: Result; next: number } {
  const results: Result[] = [];
  const { f64, u32 } = t;
  let cell = from;
  for (;;) {
    assert(cell < t.length, 'the tape ends within an outcome');
    const kind = u32[cell * 2]!;
    const at = cell + 1;
    cell = at + u32[cell * 2 + 1]!;
    if (kind === tape.END) break;
    if (kind === tape.STEP) {
      takeStep(at);
      continue;
    }
    if (kind !== tape.RESULT) {
      takeRecord(kind, at);
      continue;
    }
    const argument = u32[at * 2 + 1]!;
    const value = f64[at + 1]!;
    /** The order that follows a result which speaks of one that no step changed. */
    const orderAfter = (): Order => {
      const order = decodeOrder(s, f64, u32, cell + 1);
      cell += 1 + u32[cell * 2 + 1]!;
      return order;
    };
    switch (u32[at * 2]!) {
      case tape.R_DONE:
        results.push({ kind: 'done' });
        break;
      case tape.R_PLACED:
        results.push({
          kind: 'placed',
          order: argument === 1 ? orderAfter() : findOrder(value),
          replay: false,
        });
        break;
      case tape.R_REPLAY:
        results.push({ kind: 'placed', order: orderAfter(), replay: true });
        break;
      case tape.R_REJECTED: {
        const { code, details } = t.notes[argument] as Refusal;
        const rejection: Rejection =
          value === 1 ? { code, details, order: orderAfter() } : { code, details };
        results.push({ kind: 'rejected', rejection });
        break;
      }
      case tape.R_LOOKUP_AGAIN:
        results.push({ kind: 'lookup_again', forgottenThrough: value });
        break;
      case tape.R_BATCH:
        results.push({ kind: 'batch', items: results.splice(results.length - argument, argument) });
        break;
      case tape.R_BATCH_REJECTED: {
        const refused = results.pop();
        if (refused?.kind !== 'rejected') fail('a refused batch has no refusal');
        results.push({ kind: 'batch_rejected', index: argument, rejection: refused.rejection });
        break;
      }
      case tape.R_TESTED: {
        const estimate = t.notes[argument] as {
          fills: Fill[];
          fee: bigint;
          feeCoin: string;
          hold: bigint;
          holdCoin: string;
        };
        results.push({ kind: 'tested', ...estimate });
        break;
      }
      case tape.R_CANCELED:
        results.push({
          kind: 'canceled',
          order: argument === 1 ? orderAfter() : findOrder(value),
        });
        break;
      case tape.R_CANCELED_ALL:
        results.push({
          kind: 'canceled_all',
          orderIds: t.notes[argument] as number[],
          sweepId: value,
        });
        break;
      case tape.R_AMENDED:
        results.push({
          kind: 'amended',
          order: (argument & tape.AMENDED_BEFORE) === 0 ? findOrder(value) : orderAfter(),
          keptPriority: (argument & 1) === 1,
          replay: (argument & tape.AMENDED_BEFORE) !== 0,
        });
        break;
      case tape.R_TIMER:
        results.push({ kind: 'timer', triggerTime: value });
        break;
      case tape.R_MOVED:
        results.push({ kind: 'moved', replay: argument === 1 });
        break;
      case tape.R_REVERSED:
        results.push({
          kind: 'moved',
          replay: value === 1,
          ...(t.notes[argument] as { taken: bigint; missing: bigint }),
        });
        break;
      case tape.R_LISTED:
        results.push({
          kind: 'listed',
          orders: Array.from({ length: value }, orderAfter),
          replay: argument === 1,
        });
        break;
      case tape.R_REPLACED: {
        const [canceled, created] = results.splice(results.length - argument, argument);
        if (canceled === undefined) fail('a replacement has no cancel');
        results.push({ kind: 'replaced', canceled, created });
        break;
      }
      case tape.R_SWEPT:
        results.push({ kind: 'swept', ...(t.notes[argument] as SweepStep) });
        break;
      default:
        fail('no such result on the tape');
    }
  }
  assert(results.length === 1, 'an outcome has exactly one result');
  return { result: results[0]!, next: cell };
}

/** Every outcome on a tape, in order. */
export function decodeTape(s: Directory, t: Tape): Outcome[] {
  const outcomes: Outcome[] = [];
  for (let cell = 0; cell < t.length;) {
    const { outcome, next } = decodeOutcome(s, t, cell);
    outcomes.push(outcome);
    cell = next;
  }
  return outcomes;
}
