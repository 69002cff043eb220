// The channel of a market's candles of one resolution.
import type { Precision } from '../../books/print.ts';
import { toCandle, type TradedInterval } from '../../candles/candle.ts';
import type { Resolution } from '../../candles/resolution.ts';
import { FormingCandle, type CandlePush } from './forming-candle.ts';
import { pushText, SharedTopic, type TopicOptions } from './shared-topic.ts';
import type { TapedStep } from './tape.ts';

export interface CandleTopicOptions extends TopicOptions {
  readonly symbol: string;
  readonly resolution: Resolution;
  readonly precision: Precision;
}

/** `candles:{symbol}:{resolution}`: the candle that forms, every second if it changed, and once more when it closes. */
export class CandleTopic extends SharedTopic {
  readonly #options: CandleTopicOptions;
  readonly symbol: string;
  precision: Precision;
  #candle: FormingCandle;

  constructor(options: CandleTopicOptions) {
    super(options);
    this.#options = options;
    this.symbol = options.symbol;
    this.precision = options.precision;
    this.#candle = new FormingCandle(options.resolution, options.clock.now(), undefined, undefined);
  }

  reset(
    current: TradedInterval | undefined,
    close: bigint | undefined,
    loadedMs: number,
    since: readonly TapedStep[],
  ): void {
    this.#candle = new FormingCandle(this.#options.resolution, loadedMs, current, close);
    for (const step of since) this.onStep(step);
    this.#candle.tick(this.#options.clock.now());
    if (this.isFollowed) this.publishSnapshot();
  }

  onStep({ trades }: TapedStep): void {
    for (const trade of trades) {
      if (trade.symbol === this.symbol) this.#candle.take(trade);
    }
  }

  /** Every second. */
  onSecond(): void {
    const nowMs = this.#options.clock.now();
    for (const push of this.#candle.tick(nowMs)) {
      if (this.isFollowed) {
        this.publish(pushText(this.name, 'update', nowMs, this.#print(push)));
      }
    }
  }

  #print({ interval, isClosed }: CandlePush): string {
    const candle = toCandle(interval, this.precision, this.#options.resolution, interval.startMs);
    return JSON.stringify({ ...candle, isClosed });
  }

  protected begin(): void {
    // It is kept up whether or not somebody follows.
  }

  protected printSnapshot(): string | undefined {
    const interval = this.#candle.current;
    if (interval === undefined) return undefined;
    const data = this.#print({ interval, isClosed: false });
    return pushText(this.name, 'snapshot', this.#options.clock.now(), data);
  }
}
