// How far the local clock is from the server's. Every answer of the trading API has the server's time; the one that took
// least to come back says most.

interface Sample {
  readonly offsetMs: number;
  /** Half of the way there and back: the offset is right within this. */
  readonly errorMs: number;
}

const SAMPLES_MAX = 16;

export class ServerClock {
  #samples: Sample[] = [];

  /** The server's time now, in whole milliseconds, as far as it is known. */
  now(): number {
    return Math.round(Date.now() + this.offsetMs);
  }

  /** What is added to the local time; 0 before the first answer. */
  get offsetMs(): number {
    return this.#best()?.offsetMs ?? 0;
  }

  /** How far the offset may be off; undefined before the first answer. */
  get errorMs(): number | undefined {
    return this.#best()?.errorMs;
  }

  note(serverMs: number, sentMs: number, receivedMs: number): void {
    if (!Number.isFinite(serverMs) || receivedMs < sentMs) return;
    const offsetMs = serverMs - (sentMs + receivedMs) / 2;
    const errorMs = (receivedMs - sentMs) / 2;
    const best = this.#best();
    // The local clock was set, or the machine slept: what was measured before is worth nothing.
    const hasJumped =
      best !== undefined && Math.abs(offsetMs - best.offsetMs) > errorMs + best.errorMs + JUMP_MS;
    if (hasJumped) this.#samples = [];
    this.#samples.push({ offsetMs, errorMs });
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift();
  }

  /** Forgets everything but the last answer. */
  resynchronise(): void {
    this.#samples = this.#samples.slice(-1);
  }

  #best(): Sample | undefined {
    return this.#samples.reduce<Sample | undefined>(
      (best, sample) => (best === undefined || sample.errorMs < best.errorMs ? sample : best),
      undefined,
    );
  }
}

/** Clocks drift by less than this between two answers. */
const JUMP_MS = 500;
