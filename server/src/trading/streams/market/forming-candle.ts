// The candle that forms now, and the one before it, kept by trades and by the clock. Pure.
import type { TradedInterval } from '../../candles/candle.ts';
import { shift, startOf, type Resolution } from '../../candles/resolution.ts';
import { addTrade, firstTrade } from '../../candles/trade.ts';
import type { TradeOnTape } from '../../trades/trade.ts';

export interface CandlePush {
  readonly interval: TradedInterval;
  readonly isClosed: boolean;
}

/** A pause of the process may leave this many intervals to close at once; older ones are skipped. */
const CLOSED_AT_ONCE_MAX = 1000;

export class FormingCandle {
  readonly #resolution: Resolution;
  #current: TradedInterval | undefined;
  #closed: TradedInterval | undefined;
  #isChanged = false;
  #toClose: TradedInterval[] = [];

  /** `current` is the interval of `nowMs` if it had trades, `close` the last price before it. */
  constructor(
    resolution: Resolution,
    nowMs: number,
    current: TradedInterval | undefined,
    close: bigint | undefined,
  ) {
    this.#resolution = resolution;
    this.#current =
      current ??
      (close === undefined ? undefined : flat(startOf(resolution, Math.floor(nowMs)), close));
  }

  /** Undefined before the market's first trade. */
  get current(): TradedInterval | undefined {
    return this.#current;
  }

  take(trade: TradeOnTape): void {
    const timeMs = Number(trade.timeMs);
    const startMs = startOf(this.#resolution, timeMs);
    this.#roll(startMs);
    if (this.#current === undefined) {
      this.#current = firstTrade(startMs, trade);
      this.#isChanged = true;
    } else if (startMs === this.#current.startMs) {
      this.#current = addTrade(this.#current, trade);
      this.#isChanged = true;
    } else if (startMs === this.#closed?.startMs) this.#amend(this.#closed, trade);
  }

  /** A trade of the interval before, which our clock has closed a little too early. */
  #amend(closed: TradedInterval, trade: TradeOnTape): void {
    this.#closed = addTrade(closed, trade);
    this.#toClose = this.#toClose.filter(({ startMs }) => startMs !== closed.startMs);
    this.#toClose.push(this.#closed);
    const { current } = this;
    if (current !== undefined && current.tradeCount === 0n) {
      this.#current = flat(current.startMs, trade.price);
      this.#isChanged = true;
    }
  }

  /** What is to be told now: intervals that have closed, then the one that forms, if it changed. */
  tick(nowMs: number): CandlePush[] {
    this.#roll(startOf(this.#resolution, Math.floor(nowMs)));
    const pushes: CandlePush[] = this.#toClose.map((interval) => ({ interval, isClosed: true }));
    this.#toClose = [];
    if (this.#isChanged && this.#current !== undefined) {
      pushes.push({ interval: this.#current, isClosed: false });
    }
    this.#isChanged = false;
    return pushes;
  }

  #roll(startMs: number): void {
    let { current } = this;
    if (current === undefined || startMs <= current.startMs) return;
    for (let count = 0; current.startMs < startMs; count += 1) {
      const nextMs = shift(this.#resolution, current.startMs, 1);
      if (count < CLOSED_AT_ONCE_MAX) this.#toClose.push(current);
      this.#closed = current;
      current = flat(nextMs, current.close);
    }
    this.#current = current;
    this.#isChanged = true;
  }
}

const flat = (startMs: number, close: bigint): TradedInterval => ({
  startMs,
  open: close,
  high: close,
  low: close,
  close,
  volume: 0n,
  total: 0n,
  tradeCount: 0n,
});
