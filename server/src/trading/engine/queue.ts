// What waits for the engine. Bounded: whoever finds it full is told so at once, and has lost nothing.

/** One request, and how to answer it. */
export interface Intake {
  readonly kind: 'command' | 'read';
  readonly text: string;
  /** Zero: whenever it is taken. */
  readonly deadlineMs: number;
  /** The row of operator_commands that it came from. */
  readonly operatorId?: number;
  answer(line: string): void;
}

export class IntakeQueue {
  readonly #max: number;
  #items: Intake[] = [];
  /** Shared by all who wait, so that none of them is forgotten. */
  #waiting: PromiseWithResolvers<void> | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  get length(): number {
    return this.#items.length;
  }

  /** False when it is full. */
  push(item: Intake): boolean {
    if (this.#items.length >= this.#max) return false;
    this.#items.push(item);
    this.nudge();
    return true;
  }

  /** For what the engine asks of itself, and for what must be done again: neither is refused. */
  putBack(items: readonly Intake[]): void {
    this.#items = [...items, ...this.#items];
    this.nudge();
  }

  take(max: number): Intake[] {
    if (this.#items.length <= max) {
      const all = this.#items;
      this.#items = [];
      return all;
    }
    return this.#items.splice(0, max);
  }

  /** Resolves when something waits, or when `nudge` is called. */
  wait(): Promise<void> {
    if (this.#items.length > 0) return Promise.resolve();
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  nudge(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
