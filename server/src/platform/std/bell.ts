/**
 * A wait that somebody else can end. It needs no AbortSignal: aborting one creates an exception with a stack, and bells ring
 * hundreds of times a second. One caller waits at a time.
 */
export class Bell {
  #isRung = false;
  #end: (() => void) | undefined;

  /** Ends the wait that is under way; without one, the next wait ends at once. */
  ring(): void {
    if (this.#end === undefined) this.#isRung = true;
    else this.#end();
  }

  /** Forgets a ring that nobody has waited for. */
  clear(): void {
    this.#isRung = false;
  }

  /** Waits until it rings, and at most so long. */
  wait(ms: number): Promise<void> {
    if (this.#isRung) {
      this.#isRung = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#end = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#end = end;
    });
  }
}
