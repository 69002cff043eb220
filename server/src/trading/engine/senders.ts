// Remembers which messages an engine has accepted, so that it accepts none of them twice. It lives
// as long as an epoch: a message for another epoch names it, and is refused for that.
import type { Stamp } from './signature.ts';
import type { EngineTime } from './time.ts';

/** Messages of one sender that may overtake each other on the way. */
const NUMBERS_KEPT = 1024;
/** Processes that talk to one engine, and those they replaced within the tolerance. */
const SENDERS_MAX = 1024;

export type Judgement = 'taken' | 'replayed' | 'stale' | 'too_many_senders';

interface Heard {
  /** At index (number modulo length), the last such number that came. */
  readonly numbers: Float64Array;
  highest: number;
  newestMs: number;
}

export class Senders {
  readonly #toleranceMs: number;
  /** Only messages with our signature get here. */
  readonly #senders = new Map<string, Heard>();
  /** The newest message of any forgotten sender. */
  #forgottenMs = Number.NEGATIVE_INFINITY;

  /** How far a sender's clock may be from the engine's, transit included. */
  constructor(toleranceMs: number) {
    this.#toleranceMs = toleranceMs;
  }

  get size(): number {
    return this.#senders.size;
  }

  /** Anything but 'taken': the message may have been carried out before. */
  take({ sender, number, sentMs }: Stamp, time: Pick<EngineTime, 'now' | 'distanceTo'>): Judgement {
    if (time.distanceTo(sentMs) > this.#toleranceMs) return 'stale';
    let heard = this.#senders.get(sender);
    if (heard === undefined) {
      if (this.#senders.size >= SENDERS_MAX) this.#forgetQuiet(time.now());
      if (this.#senders.size >= SENDERS_MAX) return 'too_many_senders';
      // It may come from a forgotten sender; whatever the clocks did since, it is refused.
      if (sentMs <= this.#forgottenMs) return 'stale';
      heard = { numbers: new Float64Array(NUMBERS_KEPT), highest: 0, newestMs: 0 };
      this.#senders.set(sender, heard);
    }
    const place = number % NUMBERS_KEPT;
    // Numbers begin with one, so an empty place matches no number.
    if (number <= heard.highest - NUMBERS_KEPT || heard.numbers[place] === number || number === 0) {
      return 'replayed';
    }
    heard.numbers[place] = number;
    heard.highest = Math.max(heard.highest, number);
    heard.newestMs = Math.max(heard.newestMs, sentMs);
    return 'taken';
  }

  #forgetQuiet(nowMs: number): void {
    for (const [sender, { newestMs }] of this.#senders) {
      if (nowMs - newestMs <= this.#toleranceMs) continue;
      this.#forgottenMs = Math.max(this.#forgottenMs, newestMs);
      this.#senders.delete(sender);
    }
  }
}
