// The orders that sweeps have ended, for the callers that wait for them. It is not part of the
// state: after a restart the sweep continues, and its orders are in the history.
import type { SweepStep } from '@rialto/matching';

/** Orders whose ids are kept, of all sweeps together; the oldest sweep is dropped first. */
const IDS_KEPT = 1_000_000;
const SWEEPS_KEPT = 1000;
/** Ids in one answer: printing them must not delay the engine. */
const IDS_PER_ANSWER = 2000;

interface Kept {
  readonly account: number;
  readonly orderIds: number[];
  done: boolean;
}

export interface SweepPage {
  readonly orderIds: readonly number[];
  /** The sweep is over, and these were the last of its orders. */
  readonly done: boolean;
}

export class SweepLog {
  readonly #kept = new Map<number, Kept>();
  #ids = 0;

  /** An account's command has begun a sweep. */
  begin(account: number, { sweepId, orderIds, done }: SweepStep): void {
    this.#kept.set(sweepId, { account, orderIds: [...orderIds], done });
    this.#ids += orderIds.length;
    this.#letGo();
  }

  /** A sweep has made a step; nothing is kept for sweeps that nobody waits for. */
  goOn({ sweepId, orderIds, done }: SweepStep): void {
    const kept = this.#kept.get(sweepId);
    if (kept === undefined) return;
    kept.orderIds.push(...orderIds);
    kept.done = done;
    this.#ids += orderIds.length;
    this.#letGo();
  }

  /**
   * Ids after the first `after`; undefined for another account's sweep, or one that is not known
   * here.
   */
  read(account: number, sweepId: number, after: number): SweepPage | undefined {
    const kept = this.#kept.get(sweepId);
    if (kept === undefined || kept.account !== account) return undefined;
    const orderIds = kept.orderIds.slice(after, after + IDS_PER_ANSWER);
    return { orderIds, done: kept.done && after + orderIds.length >= kept.orderIds.length };
  }

  #letGo(): void {
    for (const [sweepId, { orderIds }] of this.#kept) {
      if (this.#kept.size <= SWEEPS_KEPT && this.#ids <= IDS_KEPT) return;
      this.#kept.delete(sweepId);
      this.#ids -= orderIds.length;
    }
  }
}
