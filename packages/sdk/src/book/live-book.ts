/// <reference lib="esnext.disposable" preserve="true" />
// A market's book that follows the stream by itself, and starts again whenever it would be wrong.
import type { Streams } from '../streams/streams.ts';
import type { StreamEvent, Subscription } from '../streams/subscription.ts';
import { LocalBook, type BookFault } from './local-book.ts';

type DepthChannel = `depth:${string}` | `depth_fast:${string}`;

export interface LiveBookOptions {
  /** Every event of the engine by itself, instead of every 100 ms. */
  readonly isFast?: boolean;
  /** Called after each change, and after each fresh start. */
  readonly onChange?: (book: LiveBook) => void;
  /** Called when the book no longer followed and was asked for again. */
  readonly onFault?: (fault: BookFault) => void;
}

/** Faults in a row after which the venue and this library disagree, and starting again would not help. */
const FAULTS_MAX = 10;

export class LiveBook extends LocalBook {
  /** Resolves with the first snapshot; rejects if the market does not exist. */
  readonly ready: Promise<this>;
  /** When the venue sent the last change, in ms since 1970; empty before the first one. */
  time = '';
  /** Pushes that were applied, with right checksums, since the start. */
  applied = 0;
  /** Times that the book had to be asked for again. */
  faults = 0;
  #streams: Streams;
  #options: LiveBookOptions;
  #subscription: Subscription<DepthChannel>;
  #isCurrent = false;
  #faultsInRow = 0;
  #ready = Promise.withResolvers<this>();

  constructor(streams: Streams, symbol: string, options: LiveBookOptions = {}) {
    super(symbol);
    this.#streams = streams;
    this.#options = options;
    this.ready = this.#ready.promise;
    this.ready.catch(() => {});
    const channel: DepthChannel = `${options.isFast === true ? 'depth_fast' : 'depth'}:${symbol}`;
    this.#subscription = streams.subscribe(channel, (event) => this.#take(event));
    this.#subscription.ready.catch((error: unknown) => this.#ready.reject(error));
  }

  /** False while the book is being asked for again: what it shows is old then. */
  get isCurrent(): boolean {
    return this.#isCurrent && this.#streams.isConnected;
  }

  close(): void {
    this.#isCurrent = false;
    this.#subscription.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #take(event: StreamEvent<DepthChannel>): void {
    if (event.type !== 'snapshot' && event.type !== 'update') return;
    // After a fault, differences mean nothing until the snapshot comes.
    if (event.type === 'update' && !this.#isCurrent) return;
    const fault = event.type === 'snapshot' ? this.replace(event.data) : this.apply(event.data);
    if (fault !== undefined) return this.#startAgain(event.channel, fault);
    this.#isCurrent = true;
    this.#faultsInRow = 0;
    this.applied += 1;
    this.time = event.time;
    this.#ready.resolve(this);
    this.#options.onChange?.(this);
  }

  #startAgain(channel: DepthChannel, fault: BookFault): void {
    this.#isCurrent = false;
    this.faults += 1;
    this.#faultsInRow += 1;
    this.#options.onFault?.(fault);
    if (this.#faultsInRow < FAULTS_MAX) return this.#streams.restart(channel);
    const error = new Error(
      `The book of ${this.symbol} was wrong ${FAULTS_MAX} times in a row (${fault}). Update the SDK, or read GET /public/depth.`,
    );
    this.#ready.reject(error);
    this.#subscription.finish(error);
  }
}
