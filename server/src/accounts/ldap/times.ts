// How long the directory takes to check a password. Directories hash slowly for known people and
// answer at once for others, so the time would reveal who is known. Unknown names therefore wait as
// long as one of the last real checks took.

const KEPT = 64;

export class BindTimes {
  readonly #taken: number[] = [];
  #next = 0;

  async measure<T>(work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const result = await work();
    this.#taken[this.#next] = performance.now() - startedMs;
    this.#next = (this.#next + 1) % KEPT;
    return result;
  }

  /** One of the last times, in milliseconds; zero while there is none. */
  draw(random: () => number = Math.random): number {
    return this.#taken[Math.floor(random() * this.#taken.length)] ?? 0;
  }
}
