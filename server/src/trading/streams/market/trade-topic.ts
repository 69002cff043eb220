// The channel of a market's trades.
import { toPublicTrade, type TradeOnTape } from '../../trades/trade.ts';
import type { Precision } from '../../books/print.ts';
import type { TapedStep, TapedTrade } from './tape.ts';
import { pushText, SharedTopic, type TopicOptions } from './shared-topic.ts';

/** Trades of the snapshot. */
export const TRADES_SHOWN = 50;

export interface TradeTopicOptions extends TopicOptions {
  readonly symbol: string;
}

/** `trades:{symbol}`: the last trades, then those of each step. */
export class TradeTopic extends SharedTopic {
  // A trade that was skipped would be missing for ever.
  protected override readonly skips = false;
  readonly #symbol: string;
  /** As texts, oldest first. */
  #texts: string[] = [];
  #timeMs = 0;

  constructor(options: TradeTopicOptions) {
    super(options);
    this.#symbol = options.symbol;
  }

  /** `trades` newest first, as the tables give them. */
  reset(
    trades: readonly TradeOnTape[],
    precision: Precision,
    since: readonly TapedStep[],
    nowMs: number,
  ): void {
    this.#timeMs = nowMs;
    this.#texts = trades.map((trade) => JSON.stringify(toPublicTrade(trade, precision))).reverse();
    for (const step of since) this.#add(this.#own(step), step.timeMs);
    if (this.isFollowed) this.publishSnapshot();
  }

  onStep(step: TapedStep): void {
    const own = this.#own(step);
    if (own.length === 0) return;
    const texts = this.#add(own, step.timeMs);
    this.publish(pushText(this.name, 'update', step.timeMs, `[${texts.join(',')}]`), step.timeMs);
  }

  #own({ trades }: TapedStep): readonly TapedTrade[] {
    return trades.filter(({ symbol }) => symbol === this.#symbol);
  }

  #add(trades: readonly TapedTrade[], timeMs: number): string[] {
    if (trades.length === 0) return [];
    const texts = trades.map((trade) => JSON.stringify(toPublicTrade(trade, trade)));
    this.#texts.push(...texts);
    if (this.#texts.length > TRADES_SHOWN) this.#texts = this.#texts.slice(-TRADES_SHOWN);
    this.#timeMs = timeMs;
    return texts;
  }

  protected begin(): void {
    // It is kept up whether or not somebody follows.
  }

  protected printSnapshot(): string {
    return pushText(this.name, 'snapshot', this.#timeMs, `[${this.#texts.join(',')}]`);
  }
}
