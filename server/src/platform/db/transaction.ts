// One transaction per action: its rows, its events and its jobs are committed together or not at all.
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Cause } from '../cause.ts';
import { Emissions } from '../events/emit.ts';
import type { Audience, EmitOptions, OutgoingEvent } from '../events/event.ts';
import type { EnqueueOptions, JobKind } from '../jobs/kind.ts';
import { addJob } from '../jobs/queue.ts';
import { pause } from '../std/wait.ts';
import type { Db } from './pool.ts';
import type { DB } from './schema.generated.ts';

export interface Tx extends Transaction<DB> {
  /** Emits `event` to `audience`, if and only if this transaction commits. */
  emit(event: OutgoingEvent, audience: Audience, options?: EmitOptions): void;
  /** Runs `job` later, if and only if this transaction commits. */
  enqueue<I>(job: JobKind<I>, input: I, options?: EnqueueOptions): Promise<void>;
  /** Runs `work`; if it throws, its rows and events are rolled back and the error is rethrown. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` last of all before the commit: for contended resources, such as the end of a chain.
   */
  beforeCommit(work: () => Promise<void>): void;
  /** On whose behalf it runs; undefined for what the server does by itself. */
  readonly cause: Cause | undefined;
}

export type Isolation = 'read committed' | 'repeatable read';

export interface TransactionOptions {
  isolation?: Isolation;
  cause?: Cause;
}

/** Nothing was acknowledged, so a transaction that lost a race may simply run again. */
const ATTEMPTS_MAX = 5;
const RETRY_CODES = new Set(['40001', '40P01']);

export async function runInTransaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions,
  onCommitted: (emitted: number) => void,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const emissions = new Emissions();
      const result = await db
        .transaction()
        .setIsolationLevel(options.isolation ?? 'read committed')
        .execute(async (transaction) => {
          const last: (() => Promise<void>)[] = [];
          const tx = extend(transaction, emissions, last, options.cause);
          const value = await work(tx);
          await emissions.flush(tx);
          for (const finish of last) await finish();
          return value;
        });
      onCommitted(emissions.count);
      return result;
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isRetryable(error)) throw error;
      await pause(Math.random() * 10 * attempt);
    }
  }
}

function extend(
  transaction: Transaction<DB>,
  emissions: Emissions,
  last: (() => Promise<void>)[],
  cause: Cause | undefined,
): Tx {
  let savepoints = 0;
  const tx: Tx = Object.assign(transaction, {
    cause,
    beforeCommit: (work: () => Promise<void>) => {
      last.push(work);
    },
    emit: (event: OutgoingEvent, audience: Audience, options?: EmitOptions) =>
      emissions.add(event, audience, options),
    enqueue: <I>(job: JobKind<I>, input: I, options?: EnqueueOptions) =>
      addJob(tx, job, input, options),
    savepoint: async <R>(work: () => Promise<R>): Promise<R> => {
      savepoints += 1;
      const name = sql.ref(`savepoint_${savepoints}`);
      const mark = emissions.mark();
      const lastCount = last.length;
      await sql`SAVEPOINT ${name}`.execute(transaction);
      try {
        const result = await work();
        await sql`RELEASE SAVEPOINT ${name}`.execute(transaction);
        return result;
      } catch (error) {
        emissions.rollbackTo(mark);
        last.length = lastCount;
        await sql`ROLLBACK TO SAVEPOINT ${name}`.execute(transaction);
        throw error;
      }
    },
  });
  return tx;
}

function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && RETRY_CODES.has(error.code ?? '');
}
