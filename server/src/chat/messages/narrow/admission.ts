// Limits what a search may use: its own connections, a short time, and a few searches per person at once. A search is
// the only read whose cost the caller can choose, so it must not slow down the reads of others.
import { isStatementCancelled } from '../../../platform/db/busy.ts';
import type { User } from '../../../accounts/user.ts';
import type { ApiContext } from '../../../platform/context.ts';
import { runCancellable } from '../../../platform/db/cancellable.ts';
import type { Database, Db } from '../../../platform/db/pool.ts';
import type { Departure } from '../../../platform/http/departure.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { rateLimitHit } from '../../http/errors.ts';
import type { Term } from './terms.ts';

/** When a person with too many running searches may try again. */
const RETRY_AFTER_SECONDS = 1;

/** The number of running searches of each person in this process. */
const running = new WeakMap<Database, Map<number, number>>();

type Searcher = Pick<User, 'id' | 'botOwnerId'>;

/**
 * Runs `work` for a narrow. A narrow with a search runs on the connections for searches, for at most SEARCH_MS, and
 * is cancelled when `signal` says that the caller is gone.
 */
export async function runNarrow<T>(
  ctx: ApiContext,
  reader: Searcher,
  { terms, signal }: { readonly terms: readonly Term[]; readonly signal: Departure },
  work: (db: Db) => Promise<T>,
): Promise<T> {
  if (!terms.some(({ operator }) => operator === 'search')) return work(ctx.db);
  const { database } = ctx.pooled('search');
  const leave = enter(ctx, database, reader);
  const late = AbortSignal.timeout(ctx.config.SEARCH_MS);
  const gone = new AbortController();
  const abort = () => gone.abort();
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await runCancellable(
      {
        database,
        canceller: ctx.pooled('general').database.pool,
        signal: AbortSignal.any([gone.signal, late]),
      },
      work,
    );
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (gone.signal.aborted) throw nobodyWaits();
    if (late.aborted || isStatementCancelled(error)) throw tookTooLong(ctx.config.SEARCH_MS);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    leave();
  }
}

function enter(ctx: ApiContext, database: Database, reader: Searcher): () => void {
  const counts = running.get(database) ?? new Map<number, number>();
  running.set(database, counts);
  // The searches of a bot count for its owner, so that making bots gains nothing.
  const person = reader.botOwnerId ?? reader.id;
  const own = counts.get(person) ?? 0;
  if (own >= ctx.config.SEARCHES_PER_USER_MAX) {
    ctx.metrics.refused('chat', 'searches');
    throw rateLimitHit(RETRY_AFTER_SECONDS);
  }
  counts.set(person, own + 1);
  return () => {
    const left = (counts.get(person) ?? 1) - 1;
    if (left === 0) counts.delete(person);
    else counts.set(person, left);
  };
}

const tookTooLong = (ms: number) =>
  new Refusal({
    code: 'SERVICE_UNAVAILABLE',
    message: `The search took longer than ${ms / 1000} seconds and was ended. Look for rarer words, or in one channel, or for less at once.`,
    status: 503,
    headers: { 'retry-after': '1' },
  });

/** The caller is gone, so nobody reads this refusal. */
const nobodyWaits = () =>
  new Refusal({ code: 'CLIENT_CLOSED_REQUEST', message: 'The caller has gone.', status: 499 });
