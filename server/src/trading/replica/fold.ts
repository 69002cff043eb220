// What one process remembers of the markets, folded from the engine's steps. Pure: the same steps give the same
// memory, and what memory shows equals what the projections write from the same steps.
import type { TradePrint, PublicStep } from '@rialto/matching';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/std/time.ts';
import { AMOUNT_DECIMALS } from '../amount.ts';
import type { TradedInterval } from '../candles/candle.ts';
import { KEPT_MINUTES, type KeptMinutes } from '../candles/resolution.ts';
import { addTrade, firstTrade } from '../candles/trade.ts';
import type { TradeOnTape } from '../trades/trade.ts';

/** What is kept of each market; an eighth more before the oldest are dropped together. */
export interface Limits {
  readonly tradesMax: number;
  readonly tradesMs: number;
}

/** Where something older ends, of which memory has only what came after. */
export interface Older {
  /** Tables that have this engine event have everything that memory lacks. */
  readonly engineSeq: number;
}

export interface RecentTrade extends TradeOnTape {
  readonly symbol: string;
  readonly engineSeq: number;
}

export interface OlderTrades extends Older {
  /** The newest trade that memory lacks. */
  readonly tradeId: bigint;
  readonly timeMs: bigint;
}

/** Of which stretch the candles of each length are kept: a day and some more of minutes, days of hours, a week of days. */
export const KEPT_BACK_MS: Readonly<Record<KeptMinutes, number>> = {
  1: 25 * HOUR_MS,
  60: 2 * DAY_MS,
  1440: 7 * DAY_MS,
};

export interface RecentCandle extends TradedInterval {
  /** The engine event of its last trade. */
  readonly engineSeq: number;
}

/** Candles of one length, as the tables have them. */
export interface RecentCandles {
  /** Oldest first: every candle that begins at `fromMs` or later and has trades. */
  readonly candles: RecentCandle[];
  /** The start of a candle. */
  fromMs: number;
  /** Of the candles before; undefined if the market had no trade then. */
  older: OlderCandles | undefined;
}

export interface OlderCandles extends Older {
  /** The price of the last trade before `fromMs`. */
  readonly close: bigint;
}

export interface MarketMemory {
  /** Oldest first, without a gap up to the present. */
  readonly trades: RecentTrade[];
  /** Undefined if these are all trades that the market ever had. */
  olderTrades: OlderTrades | undefined;
  readonly candles: Readonly<Record<KeptMinutes, RecentCandles>>;
  /** Undefined while it is what the tables had when memory was filled. */
  lastPrice: LastPrice | undefined;
  /** Decimals of its prices. */
  quotePrecision: number;
}

/** Of the last trade; zero if the market has had none since its prices were reset. */
export interface LastPrice {
  readonly units: bigint;
  readonly timeMs: number;
}

/** A row of the journal, or one of its parts. */
export interface Part {
  readonly seq: number;
  readonly engineSeq: number;
  readonly part: number;
  readonly isLast: boolean;
  readonly publicSteps: readonly PublicStep[];
}

/** How much longer than its limit something may become, so that it is cut in stretches and not with every trade. */
const slackOf = (limit: number): number => limit + Math.ceil(limit / 8);

export class Memory {
  readonly markets = new Map<string, MarketMemory>();
  readonly #limits: Limits;
  #seq: number;
  #engineSeq: number;
  /** Parts of the row after `#seq` that were taken. */
  #parts = 0;

  /** Nothing yet, at the end of a row of the journal. */
  constructor(limits: Limits, { seq, engineSeq }: { seq: number; engineSeq: number }) {
    this.#limits = limits;
    this.#seq = seq;
    this.#engineSeq = engineSeq;
  }

  /** The last row of the journal that was taken as a whole. */
  get seq(): number {
    return this.#seq;
  }

  /** The last event of that row: memory has everything up to here. */
  get engineSeq(): number {
    return this.#engineSeq;
  }

  /** Adds what follows. Returns false if something is missing in between; what is known already is skipped. */
  take({ seq, engineSeq, part, isLast, publicSteps }: Part): boolean {
    if (seq <= this.#seq || (seq === this.#seq + 1 && part < this.#parts)) return true;
    if (seq !== this.#seq + 1 || part !== this.#parts) return false;
    for (const step of publicSteps) this.#takeStep(step);
    this.#parts += 1;
    if (!isLast) return true;
    this.#seq = seq;
    this.#engineSeq = engineSeq;
    this.#parts = 0;
    return true;
  }

  #takeStep({ engineSeq, time, trades, markets }: PublicStep): void {
    for (const print of trades) {
      const market = this.market(print.symbol);
      const trade = toRecent(print, time, engineSeq);
      market.trades.push(trade);
      this.#dropTrades(market, time);
      for (const minutes of KEPT_MINUTES) takeTrade(minutes, market.candles[minutes], trade);
      market.lastPrice = { units: trade.price, timeMs: time };
    }
    for (const { symbol, quotePrecision } of markets) {
      const market = this.market(symbol);
      // A coarser precision resets a market's prices; a finer one keeps them.
      if (quotePrecision < market.quotePrecision) market.lastPrice = { units: 0n, timeMs: 0 };
      market.quotePrecision = quotePrecision;
    }
  }

  /** What is known of a market; a new one has never had a trade. */
  market(symbol: string): MarketMemory {
    let market = this.markets.get(symbol);
    if (market === undefined) {
      this.markets.set(symbol, (market = emptyMarket()));
    }
    return market;
  }

  #dropTrades(market: MarketMemory, nowMs: number): void {
    const { tradesMax, tradesMs } = this.#limits;
    const { trades } = market;
    const oldestMs = Number(trades[0]?.timeMs ?? nowMs);
    if (trades.length <= slackOf(tradesMax) && nowMs - oldestMs <= slackOf(tradesMs)) return;
    const sinceMs = BigInt(nowMs - tradesMs);
    const young = trades.findIndex(({ timeMs }) => timeMs >= sinceMs);
    const dropped = trades.splice(0, Math.max(young, trades.length - tradesMax)).at(-1);
    if (dropped !== undefined) market.olderTrades = dropped;
  }
}

export const emptyMarket = (): MarketMemory => ({
  trades: [],
  olderTrades: undefined,
  candles: { 1: emptyCandles(), 60: emptyCandles(), 1440: emptyCandles() },
  lastPrice: undefined,
  quotePrecision: 0,
});

const emptyCandles = (): RecentCandles => ({ candles: [], fromMs: 0, older: undefined });

function takeTrade(minutes: KeptMinutes, kept: RecentCandles, trade: RecentTrade): void {
  const { candles } = kept;
  const { engineSeq } = trade;
  const timeMs = Number(trade.timeMs);
  const startMs = timeMs - (timeMs % (minutes * MINUTE_MS));
  // Tables that were far behind when they were read: the candle is theirs.
  if (startMs < kept.fromMs) {
    kept.older = { close: trade.price, engineSeq };
    return;
  }
  const last = candles.at(-1);
  // Trades come in the order of their times.
  if (last !== undefined && last.startMs === startMs) {
    candles[candles.length - 1] = { ...addTrade(last, trade), engineSeq };
    return;
  }
  candles.push({ ...firstTrade(startMs, trade), engineSeq });
  dropCandles(minutes, kept, startMs);
}

function dropCandles(minutes: KeptMinutes, kept: RecentCandles, nowMs: number): void {
  const { candles } = kept;
  const [oldest] = candles;
  if (oldest === undefined || nowMs - oldest.startMs <= slackOf(KEPT_BACK_MS[minutes])) return;
  const fromMs = startOfKept(minutes, nowMs);
  const young = candles.findIndex(({ startMs }) => startMs >= fromMs);
  const dropped = candles.splice(0, young).at(-1);
  kept.fromMs = fromMs;
  if (dropped !== undefined) kept.older = dropped;
}

/** Where the candles of a length begin that are kept at a moment. */
export function startOfKept(minutes: KeptMinutes, nowMs: number): number {
  const sinceMs = nowMs - KEPT_BACK_MS[minutes];
  return sinceMs - (sinceMs % (minutes * MINUTE_MS));
}

const scaleOf = (decimals: number): bigint => 10n ** BigInt(AMOUNT_DECIMALS - decimals);

const toRecent = (print: TradePrint, timeMs: number, engineSeq: number): RecentTrade => ({
  symbol: print.symbol,
  tradeId: BigInt(print.tradeId),
  price: BigInt(print.priceTicks) * scaleOf(print.priceDecimals),
  volume: BigInt(print.lots) * scaleOf(print.volumeDecimals),
  total: print.total,
  takerSide: print.takerSide,
  timeMs: BigInt(timeMs),
  engineSeq,
});
