// The private streams of this process: takes the engine's batches in the order of the log, and hands each account's
// pushes, numbered, to the connections that follow the account. Only batches that name a followed account are decoded.
import type { Batch } from '../../batches/batch.ts';
import { listPushes } from '../../batches/pushes.ts';
import type { WalletEvent } from '../../custody/events.ts';
import { AccountStream, type StreamSource } from './account-stream.ts';

export interface PrivateFeed {
  /** Every batch of the log, in order. */
  take(batch: Batch): void;
  /** A deposit or a withdrawal changed. */
  takeWallet(event: WalletEvent): void;
  /** The log has a gap for us: what followed it cannot be numbered any more. */
  lose(): void;
  /** The stream of an account, which lives while somebody follows it. */
  follow(account: number): AccountStream;
  /** The last engine event that was taken with its whole row; zero before the first. */
  engineSeq(): number;
  /** Resolves when that has reached `wanted`; false after `withinMs`. */
  reach(wanted: number, withinMs: number): Promise<boolean>;
}

export function createPrivateFeed(source: StreamSource): PrivateFeed {
  const streams = new Map<number, AccountStream>();
  /** The parts of a row whose last part has not come yet. */
  let open: Batch[] = [];
  let rowSeq: number | undefined;
  let engineSeq = 0;
  let moved = Promise.withResolvers<void>();

  function lose(): void {
    open = [];
    rowSeq = undefined;
    for (const stream of streams.values()) stream.lose();
    streams.clear();
  }

  function finish(last: Batch, parts: readonly Batch[]): void {
    rowSeq = last.seq;
    engineSeq = last.engineSeq;
    if (streams.size > 0) tell(parts, last.seq);
    moved.resolve();
    moved = Promise.withResolvers<void>();
  }

  function tell(parts: readonly Batch[], seq: number): void {
    const named = new Map<number, Batch[]>();
    for (const part of parts) {
      for (const account of part.accounts) {
        if (!streams.has(account)) continue;
        const of = named.get(account);
        if (of === undefined) named.set(account, [part]);
        else of.push(part);
      }
    }
    for (const [account, own] of named) {
      const pushes = listPushes(own, account);
      if (pushes.length > 0) streams.get(account)?.take(seq, pushes);
    }
  }

  const isNext = (batch: Batch, after: number): boolean =>
    batch.part === open.length && batch.seq === after + 1;

  return {
    take(batch) {
      // Parts of a row that began before we did are of no use. Whoever followed an account by then had its number from
      // a time after that row. A gap later would leave pushes out.
      if (rowSeq !== undefined && !isNext(batch, rowSeq)) lose();
      if (batch.part === 0) open = [];
      if (batch.part !== open.length) return;
      open.push(batch);
      if (!batch.isLast) return;
      const parts = open;
      open = [];
      finish(batch, parts);
    },
    takeWallet: (event) => streams.get(Number(event.accountId))?.takeWallet(event),
    lose,
    follow(account) {
      let stream = streams.get(account);
      if (stream === undefined) {
        const made = new AccountStream(source, account, rowSeq, () => {
          if (streams.get(account) === made) streams.delete(account);
        });
        streams.set(account, (stream = made));
      }
      return stream;
    },
    engineSeq: () => engineSeq,
    async reach(wanted, withinMs) {
      const untilMs = performance.now() + withinMs;
      while (engineSeq < wanted) {
        const leftMs = untilMs - performance.now();
        if (leftMs <= 0) return false;
        const late = Promise.withResolvers<void>();
        const timer = setTimeout(late.resolve, leftMs);
        await Promise.race([moved.promise, late.promise]);
        clearTimeout(timer);
      }
      return true;
    },
  };
}
