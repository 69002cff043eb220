// Which commands the engine takes while the tables are behind. New orders become fewer and fewer, so that the tables keep up
// with what is taken; nobody is kept from ending an order, and operators are not asked here at all.
import type { ClientCommand } from './command.ts';

/** The share of the limit up to which everything is taken. */
const FREE_SHARE = 0.5;

/** Commands that make new rows for the tables as often as a client wants. */
const MAKES_ROWS: ReadonlySet<string> = new Set([
  'place',
  'place_batch',
  'place_list',
  'replace',
  'amend',
] satisfies ClientCommand['type'][]);

export class Admission {
  readonly #limitMs: number;
  #share = 1;
  /** What the last commands have left over: with a share of a third each third one is taken. */
  #credit = 0;

  /** Zero: everything is taken. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** How long the tables would need for what waits. */
  learn(waitMs: number): void {
    if (this.#limitMs === 0) return;
    const left = (this.#limitMs - waitMs) / (this.#limitMs * (1 - FREE_SHARE));
    this.#share = Math.min(1, Math.max(0, left));
  }

  /** Of new orders, the share that is taken. */
  get share(): number {
    return this.#share;
  }

  admits({ type }: { readonly type: string }): boolean {
    if (this.#share === 1 || !MAKES_ROWS.has(type)) return true;
    this.#credit += this.#share;
    if (this.#credit < 1) return false;
    this.#credit -= 1;
    return true;
  }
}
