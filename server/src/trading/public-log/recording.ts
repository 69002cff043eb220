// What the follower keeps in memory: the queues of all books and the end of the chain. Steps of the engine go in,
// numbered and chained events come out.
import type { Step } from '@rialto/matching';
import { bookText, Chain, sha256Hex, type PublicEvent, type Recorder } from '@rialto/public-log';
import { DAY_MS } from '../../platform/std/time.ts';
import type { LoggedEvent } from './pages.ts';
import type { Progress } from './store.ts';

/** Where a log stands, as far as its events decide it. */
export type LogEnd = Pick<Progress, 'lastEvent' | 'lastHash' | 'checkpointEvent' | 'checkpointMs'>;

export interface Recorded {
  /** The hash before the first of them. */
  readonly previousHash: string;
  readonly events: readonly LoggedEvent[];
  /** The text of all books at each event of type checkpoint. */
  readonly books: ReadonlyArray<{ readonly event: number; readonly text: string }>;
  readonly end: LogEnd;
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

export class Recording {
  readonly #recorder: Recorder;
  readonly #chain: Chain;
  readonly #checkpointEvery: number;
  #checkpointEvent: number;
  #checkpointMs: number;
  #previousHash: string;
  #events: LoggedEvent[] = [];
  #books: Array<{ event: number; text: string }> = [];

  constructor(recorder: Recorder, end: LogEnd, checkpointEvery: number) {
    this.#recorder = recorder;
    this.#chain = new Chain(BigInt(end.lastEvent), end.lastHash);
    this.#previousHash = end.lastHash;
    this.#checkpointEvent = end.checkpointEvent;
    this.#checkpointMs = end.checkpointMs;
    this.#checkpointEvery = checkpointEvery;
  }

  get lastEvent(): number {
    return Number(this.#chain.seq);
  }

  take(step: Step): void {
    // The log of a venue that begins now. Its first event has the engine's time, like all others.
    if (this.lastEvent === 0) this.checkpoint(step.engineSeq - 1, step.time);
    const events = this.#recorder.take(step);
    if (events.length === 0) return;
    for (const event of events) this.#append(event);
    const isDue =
      this.lastEvent - this.#checkpointEvent >= this.#checkpointEvery ||
      dayOf(step.time) !== dayOf(this.#checkpointMs);
    if (isDue) this.checkpoint(step.engineSeq, step.time);
  }

  checkpoint(engineSeq: number, timeMs: number): void {
    const text = bookText(this.#recorder.books);
    const event = this.#append({
      time: String(timeMs),
      type: 'checkpoint',
      engineSeq: String(engineSeq),
      bookHash: sha256Hex(text),
    });
    this.#checkpointEvent = event;
    this.#checkpointMs = timeMs;
    this.#books.push({ event, text });
  }

  #append(given: PublicEvent): number {
    const { seq, text, hash } = this.#chain.append(given);
    const event = Number(seq);
    this.#events.push({ event, text, hash });
    return event;
  }

  /** What was recorded since the last call. */
  drain(): Recorded {
    const recorded = {
      previousHash: this.#previousHash,
      events: this.#events,
      books: this.#books,
      end: {
        lastEvent: this.lastEvent,
        lastHash: this.#chain.hash,
        checkpointEvent: this.#checkpointEvent,
        checkpointMs: this.#checkpointMs,
      },
    };
    this.#previousHash = this.#chain.hash;
    this.#events = [];
    this.#books = [];
    return recorded;
  }
}
