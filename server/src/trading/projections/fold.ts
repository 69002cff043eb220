// Turns the core's outcomes into rows. Pure: it gets the previous balances of the stretch and the
// counters, and needs nothing else. So a replay of the journal through the core gives the same
// rows, to the byte.
import type {
  AskedTerms,
  Journal,
  MarketConfig,
  Order,
  Outcome,
  Posting,
  ReversalChange,
  Step,
  Trade,
} from '@rialto/matching';
import { assert } from '../../platform/std/assert.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/std/time.ts';
import { KEPT_MINUTES } from '../candles/resolution.ts';
import type {
  AccountRow,
  BalanceRow,
  CandleRow,
  ClientOrderRow,
  EntryKind,
  EntryRow,
  MarketRow,
  MovementRow,
  PreventedRow,
  TradeRow,
  VenueBalanceRow,
  VolumeRow,
} from './rows.ts';

/** Counters of the checkpoint: the same journal gives the same ids. */
export interface Counters {
  lastOrderId: number;
  lastEntryId: number;
}

export interface OutcomeBatch {
  readonly outcomes: readonly Outcome[];
  /** The original terms of the orders above the counter, by order id. */
  readonly asked: ReadonlyMap<number, AskedTerms>;
}

/** Of a trade whose double entry has not come yet. */
const NO_LINES = {
  firstEntryId: 0,
  buyerQuoteAfter: 0n,
  buyerBaseAfter: 0n,
  sellerBaseAfter: 0n,
  sellerQuoteAfter: 0n,
};

const keyOf = (owner: number | string, coin: string): string => `${owner} ${coin}`;
/** For each count of decimals: how many units of 10^-18 its last decimal has. */
const SCALES = Array.from({ length: 19 }, (_, decimals) => 10n ** BigInt(18 - decimals));
function scaleOf(decimals: number): bigint {
  const scale = SCALES[decimals];
  assert(scale !== undefined, 'nothing is finer than the ledger', { decimals });
  return scale;
}

/** The user balances that the batches touch, as (account, coin). */
export function touchedBalances(
  batches: readonly OutcomeBatch[],
): Array<[account: number, coin: string]> {
  const touched = new Map<string, Set<number>>();
  for (const { outcomes } of batches) {
    for (const { steps } of outcomes) {
      for (const { journals } of steps) {
        for (const { postings } of journals) {
          for (const { owner, coin } of postings) {
            if (typeof owner !== 'number') continue;
            const accounts = touched.get(coin);
            if (accounts === undefined) touched.set(coin, new Set([owner]));
            else accounts.add(owner);
          }
        }
      }
    }
  }
  return [...touched].flatMap(([coin, accounts]) =>
    [...accounts].map((account): [number, string] => [account, coin]),
  );
}

type Optional = 'fee' | 'missing' | 'cover';
type Moved = Omit<MovementRow, 'createdMs' | 'updatedMs' | 'engineSeq' | Optional> &
  Partial<Pick<MovementRow, Optional>>;

export class Fold {
  readonly counters: Counters;
  readonly orders = new Map<number, Order>();
  readonly clientOrders: ClientOrderRow[] = [];
  readonly trades: TradeRow[] = [];
  readonly entries: EntryRow[] = [];
  readonly prevented: PreventedRow[] = [];
  readonly balances: Map<string, BalanceRow>;
  readonly venueBalances = new Map<string, VenueBalanceRow>();
  readonly movements = new Map<string, MovementRow>();
  readonly candles = new Map<string, CandleRow>();
  readonly volumes = new Map<string, VolumeRow>();
  readonly markets = new Map<string, MarketRow>();
  readonly accounts = new Map<number, AccountRow>();
  /** Orders above this one are new in this stretch. */
  readonly lastOldOrderId: number;
  /** Folded steps. */
  stepCount = 0;

  constructor({ lastOrderId, lastEntryId }: Counters, before: readonly BalanceRow[]) {
    this.counters = { lastOrderId, lastEntryId };
    this.lastOldOrderId = lastOrderId;
    this.balances = new Map(before.map((row) => [keyOf(row.account, row.coin), row]));
  }

  add({ outcomes, asked }: OutcomeBatch): void {
    for (const { steps } of outcomes) {
      for (const step of steps) this.#addStep(step, asked);
    }
  }

  #addStep(step: Step, asked: ReadonlyMap<number, AskedTerms>): void {
    this.stepCount += 1;
    // The legs of a list come in any order, so each is compared with the ids before the step.
    const { lastOrderId } = this.counters;
    for (const order of step.orders) this.#addOrder(order, asked, lastOrderId);
    const trades = new Map<number, TradeRow>();
    for (const trade of step.trades) trades.set(trade.tradeId, this.#addTrade(step, trade));
    for (const change of step.reversals) this.#addReversal(step, change);
    for (const journal of step.journals) this.#post(step, journal, trades);
    for (const [number, match] of step.prevented.entries()) {
      const ids = [match.takerOrderId, match.makerOrderId];
      const order = step.orders.find(({ orderId }) => ids.includes(orderId));
      // Both are of one market, so either tells the decimals; in an auction only the younger one changes.
      assert(order !== undefined, 'a prevented match changes one of its orders');
      const { priceDecimals, volumeDecimals } = order;
      const { engineSeq, time: timeMs } = step;
      this.prevented.push({ match, number, priceDecimals, volumeDecimals, timeMs, engineSeq });
    }
    for (const config of step.markets) this.#configure(config, step.time);
    for (const { symbol, phase, until } of step.phases) {
      this.#market(symbol).phase = { phase, until };
    }
    for (const { account, tier, suspended } of step.accounts) {
      this.accounts.set(account, { account, tier, suspended });
    }
  }

  /** A coarser precision resets a market's prices; a finer one keeps them. */
  #configure(config: MarketConfig, timeMs: number): void {
    const row = this.#market(config.symbol);
    const { quotePrecision } = config;
    // Its previous precision is in the previous configuration or trade, if this stretch has either.
    const before = row.config?.quotePrecision ?? row.lastPrice?.decimals ?? quotePrecision;
    if (quotePrecision < before) {
      row.isReset = true;
      row.lastPrice = undefined;
    }
    row.firstConfig ??= { timeMs, quotePrecision };
    row.config = config;
  }

  #market(symbol: string): MarketRow {
    let row = this.markets.get(symbol);
    if (row === undefined) this.markets.set(symbol, (row = { symbol }));
    return row;
  }

  #addOrder(order: Order, asked: ReadonlyMap<number, AskedTerms>, lastKnownId: number): void {
    if (order.orderId > lastKnownId) {
      this.counters.lastOrderId = Math.max(this.counters.lastOrderId, order.orderId);
      const terms = asked.get(order.orderId);
      assert(order.clientOrderId === '' || terms !== undefined, 'a new order says what was asked', {
        orderId: order.orderId,
      });
      if (terms !== undefined) this.clientOrders.push({ order, asked: terms });
    }
    this.orders.set(order.orderId, order);
  }

  #addTrade({ time, engineSeq }: Step, trade: Trade): TradeRow {
    const added = { ...NO_LINES, trade, timeMs: time, engineSeq };
    this.trades.push(added);
    const { symbol, total } = trade;
    const price = BigInt(trade.priceTicks) * scaleOf(trade.priceDecimals);
    const volume = BigInt(trade.lots) * scaleOf(trade.volumeDecimals);
    for (const minutes of KEPT_MINUTES) {
      const startMs = time - (time % (minutes * MINUTE_MS));
      const key = `${symbol} ${minutes} ${startMs}`;
      const candle = this.candles.get(key);
      if (candle === undefined) {
        const prices = { open: price, high: price, low: price, close: price };
        this.candles.set(key, {
          symbol,
          minutes,
          startMs,
          ...prices,
          volume,
          total,
          tradeCount: 1,
        });
        continue;
      }
      if (price > candle.high) candle.high = price;
      if (price < candle.low) candle.low = price;
      candle.close = price;
      candle.volume += volume;
      candle.total += total;
      candle.tradeCount += 1;
    }
    const dayMs = time - (time % DAY_MS);
    for (const { account } of [trade.buyer, trade.seller]) {
      const key = `${account} ${symbol} ${dayMs}`;
      const row = this.volumes.get(key);
      if (row === undefined) this.volumes.set(key, { account, symbol, dayMs, total });
      else row.total += total;
    }
    this.#market(symbol).lastPrice = { units: price, decimals: trade.priceDecimals, timeMs: time };
    return added;
  }

  /** Updates the balances by the double entry, and adds ledger entries for changed totals. */
  #post(step: Step, journal: Journal, trades: ReadonlyMap<number, TradeRow>): void {
    switch (journal.kind) {
      case 'trade': {
        const row = trades.get(Number(journal.reference));
        assert(row !== undefined, 'a trade’s double entry belongs to a trade of its step');
        this.#numberLines(row, journal.postings);
        break;
      }
      case 'deposit':
      case 'transfer':
      case 'adjustment':
        this.#enterMovement(step, journal.kind, String(journal.reference), journal.postings);
        break;
      case 'reversal':
        this.#enterReversal(step, String(journal.reference), journal.postings);
        break;
      case 'capital':
      case 'chain_cost':
        // It concerns no user's account, so it leaves no entry.
        this.#moveBetween(step, journal.kind, String(journal.reference), journal.postings);
        break;
      case 'withdrawal':
      case 'withdrawal_settled':
      case 'withdrawal_canceled':
        this.#enterWithdrawal(step, journal.kind, String(journal.reference), journal.postings);
        break;
      case 'hold':
      case 'release':
      case 'amend':
        break;
    }
    for (const { owner, coin, bucket, after } of journal.postings) {
      if (typeof owner === 'number') {
        const row = this.#balance(owner, coin);
        row[bucket] = after;
        row.updatedMs = step.time;
        continue;
      }
      const key = keyOf(owner, coin);
      const row = this.venueBalances.get(key);
      if (row === undefined) {
        this.venueBalances.set(key, { owner, coin, amount: after, updatedMs: step.time });
      } else {
        row.amount = after;
        row.updatedMs = step.time;
      }
    }
  }

  #balance(account: number, coin: string): BalanceRow {
    const key = keyOf(account, coin);
    let row = this.balances.get(key);
    if (row === undefined) {
      row = { account, coin, available: 0n, hold: 0n, pendingWithdraw: 0n, updatedMs: 0 };
      this.balances.set(key, row);
    }
    return row;
  }

  #total(account: number, coin: string): bigint {
    const { available, hold, pendingWithdraw } = this.#balance(account, coin);
    return available + hold + pendingWithdraw;
  }

  /** Keeps what the trade's lines are derived from (see ledger.ts), and counts those. */
  #numberLines(row: TradeRow, postings: readonly Posting[]): void {
    const { buyer, seller, total, takerSide, rebate, lots, volumeDecimals } = row.trade;
    const [quote, base] = coinsOf(row.trade, postings);
    const volume = BigInt(lots) * scaleOf(volumeDecimals);
    const [maker, given] = takerSide === 'buy' ? [seller, base] : [buyer, quote];
    row.firstEntryId = this.counters.lastEntryId + 1;
    /** The total after these changes, each of which is a line unless it is zero. */
    const totalAfter = (account: number, coin: string, ...changes: bigint[]): bigint => {
      if (account === maker.account && coin === given) changes.push(rebate);
      this.counters.lastEntryId += changes.filter((change) => change !== 0n).length;
      return changes.reduce((sum, change) => sum + change, this.#total(account, coin));
    };
    row.buyerQuoteAfter = totalAfter(buyer.account, quote, -total);
    row.buyerBaseAfter = totalAfter(buyer.account, base, volume, -buyer.fee);
    row.sellerBaseAfter = totalAfter(seller.account, base, -volume);
    row.sellerQuoteAfter = totalAfter(seller.account, quote, total, -seller.fee);
  }

  #enter(
    { time: timeMs, engineSeq }: Step,
    account: number,
    coin: string,
    refer: Pick<EntryRow, 'referenceType' | 'referenceId'> & { network?: string },
    changes: ReadonlyArray<[EntryKind, bigint]>,
  ): void {
    let before = this.#total(account, coin);
    for (const [kind, change] of changes) {
      if (change === 0n) continue;
      const after = before + change;
      this.counters.lastEntryId += 1;
      this.entries.push({
        entryId: this.counters.lastEntryId,
        account,
        coin,
        kind,
        direction: change > 0n ? 'in' : 'out',
        amount: change > 0n ? change : -change,
        before,
        after,
        network: '',
        ...refer,
        timeMs,
        engineSeq,
      });
      before = after;
    }
  }

  #enterMovement(
    step: Step,
    kind: 'deposit' | 'transfer' | 'adjustment',
    id: string,
    postings: readonly Posting[],
  ): void {
    const [giver, taker] = this.#moveBetween(step, kind, id, postings);
    // The core names a deposit by its network and its id there.
    const network = kind === 'deposit' ? String(giver.owner).replace('custody:', '') : '';
    const referenceId = network === '' ? id : id.slice(network.length + 1);
    const refer = { referenceType: kind, referenceId, network } as const;
    for (const { owner, coin, amount } of [giver, taker]) {
      if (typeof owner === 'number') this.#enter(step, owner, coin, refer, [[kind, amount]]);
    }
  }

  /** Records a movement that is complete at once, and returns its two sides. */
  #moveBetween(
    step: Step,
    kind: 'deposit' | 'transfer' | 'adjustment' | 'capital' | 'chain_cost',
    id: string,
    postings: readonly Posting[],
  ): [giver: Posting, taker: Posting] {
    const giver = postings.find(({ amount }) => amount < 0n);
    const taker = postings.find(({ amount }) => amount > 0n);
    assert(giver !== undefined && taker !== undefined, 'a movement has two sides', { kind, id });
    this.#move(step, {
      kind,
      reference: id,
      coin: taker.coin,
      amount: taker.amount,
      from: String(giver.owner),
      to: String(taker.owner),
      status: 'settled',
    });
    return [giver, taker];
  }

  /** A reversal is on record with what it asked for, even if it could take nothing. */
  #addReversal(step: Step, change: ReversalChange): void {
    const { reversalId, coin, account, network, amount, missing, cover } = change;
    const sides = { from: String(account), to: `custody:${network}` };
    const move = { kind: 'reversal', reference: reversalId, coin, amount, ...sides } as const;
    this.#move(step, { ...move, missing, cover, status: 'settled' });
  }

  /** What an account loses by a reversal is a deposit that goes out again. */
  #enterReversal(step: Step, id: string, postings: readonly Posting[]): void {
    const change = step.reversals.find(({ reversalId }) => reversalId === id);
    assert(change !== undefined, 'a reversal that moves says so', { id });
    const { network } = change;
    const referenceId = id.slice(network.length + 1);
    const refer = { referenceType: 'reversal', referenceId, network } as const;
    for (const { owner, coin, amount } of postings) {
      if (typeof owner === 'number') this.#enter(step, owner, coin, refer, [['deposit', amount]]);
    }
  }

  /** A withdrawal leaves the total when it is settled, not when it is requested. */
  #enterWithdrawal(
    step: Step,
    kind: 'withdrawal' | 'withdrawal_settled' | 'withdrawal_canceled',
    id: string,
    postings: readonly Posting[],
  ): void {
    const pending = postings.find(({ bucket }) => bucket === 'pendingWithdraw');
    assert(pending !== undefined, 'a withdrawal moves what is on its way out', { id });
    const { owner, coin, amount: posted } = pending;
    assert(typeof owner === 'number', 'a withdrawal is an account’s', { id });
    const amount = posted < 0n ? -posted : posted;
    const change = step.withdrawals.find(({ withdrawalId }) => withdrawalId === id);
    assert(change !== undefined, 'a withdrawal that moves says so', { id });
    const { network, fee, status } = change;
    const move = { kind: 'withdrawal', reference: id, coin, amount, from: String(owner) } as const;
    this.#move(step, { ...move, to: `custody:${network}`, fee, status });
    if (kind !== 'withdrawal_settled') return;
    const refer = { referenceType: 'withdrawal', referenceId: id } as const;
    this.#enter(step, owner, coin, refer, [
      ['withdrawal', fee - amount],
      ['withdrawal_fee', -fee],
    ]);
  }

  #move(step: Step, move: Moved): void {
    const key = `${move.kind} ${move.reference}`;
    const createdMs = this.movements.get(key)?.createdMs ?? step.time;
    const { time: updatedMs, engineSeq } = step;
    const usual = { fee: 0n, missing: 0n, cover: false };
    this.movements.set(key, { ...usual, ...move, createdMs, updatedMs, engineSeq });
  }
}

/** The quote and the base coin of a trade: a seller always gives base out of its hold. */
function coinsOf(trade: Trade, postings: readonly Posting[]): [quote: string, base: string] {
  const given = postings.find(
    ({ owner, bucket, amount }) =>
      owner === trade.seller.account && bucket === 'hold' && amount < 0n,
  );
  assert(given !== undefined, 'a seller gives what it held', { tradeId: trade.tradeId });
  return [trade.symbol.slice(given.coin.length), given.coin];
}
