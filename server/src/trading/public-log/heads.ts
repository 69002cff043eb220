// Signs the end of the public log, so that it cannot be rewritten afterwards. A log that does not continue the
// previous head is never signed.
import { signHead } from '@rialto/public-log';
import type pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { followStretch, pageOf, unpackPage, type LoggedEvent } from './pages.ts';
import { findSigningKey, publishKey } from './keys.ts';
import {
  findNewestHead,
  insertHead,
  readProgress,
  readStored,
  type HeadRow,
  type Progress,
  type Stretch,
} from './store.ts';

/** The log is not the one that was signed before; only a person can decide what to do. */
export class PublicLogBrokenError extends Error {
  override name = 'PublicLogBrokenError';
}

/** Pages that are read at once while the log is followed. */
const PAGES_AT_ONCE = 16;
/** Events that the first head looks back on. */
const UNSIGNED_EVENTS_MAX = 100_000;

/** Signs the log as it is now, if it has grown. Returns how many heads were signed. */
export async function signPublicLog(ctx: Context, shard = 0): Promise<number> {
  const key = findSigningKey(ctx);
  if (key === undefined) return 0;
  const { pool } = ctx.database;
  // The end is read first: what is compared with it is at least as new.
  const end = await readProgress(pool, shard);
  const newest = await findNewestHead(pool);
  if (newest !== undefined) ctx.metrics.publicLogHead(newest.event, newest.timeMs / 1000);
  if (end.lastEvent === 0 || newest?.event === end.lastEvent) return 0;
  try {
    await checkContinues(pool, newest, end);
  } catch (error) {
    ctx.metrics.publicLogRefused();
    ctx.log.error({ err: error }, 'The public log was not signed.');
    throw error;
  }
  await publishKey(ctx);
  const timeMs = Math.floor(ctx.clock.now());
  const facts = { seq: String(end.lastEvent), hash: end.lastHash, time: String(timeMs) };
  const { keyId, signature } = signHead(facts, key);
  const head = { event: end.lastEvent, hash: end.lastHash, timeMs, keyId, signature };
  const isNew = await insertHead(pool, head);
  if (isNew) ctx.metrics.publicLogHead(head.event, timeMs / 1000);
  return isNew ? 1 : 0;
}

/** Throws unless the stored texts lead from the head to the end. */
export async function checkContinues(
  db: Pick<pg.ClientBase, 'query'>,
  head: Pick<HeadRow, 'event' | 'hash'> | undefined,
  end: Pick<Progress, 'lastEvent' | 'lastHash'>,
): Promise<void> {
  // Nothing was promised about what is before the first head.
  const first = head?.event ?? Math.max(1, end.lastEvent - UNSIGNED_EVENTS_MAX);
  let at: LoggedEvent | undefined;
  for (let page = pageOf(first); (at?.event ?? 0) < end.lastEvent; page += PAGES_AT_ONCE) {
    const { pages, tail } = await readStored(db, page, page + PAGES_AT_ONCE - 1);
    const isLast = pages.length < PAGES_AT_ONCE;
    for (const stretch of [...pages.map(unpackPage), ...(isLast ? tail : [])]) {
      at = follow(stretch, at, { head, end });
    }
    if (isLast) break;
  }
  if (at?.event !== end.lastEvent || at.hash !== end.lastHash) {
    throw new PublicLogBrokenError(
      `The public log should end with event ${end.lastEvent} and hash ${end.lastHash}; what is stored leads to event ${at?.event ?? 0} and hash ${at?.hash ?? 'none'}.`,
    );
  }
}

/** Follows one stretch up to the end; returns the last event that was reached. */
function follow(
  stretch: Stretch,
  before: LoggedEvent | undefined,
  {
    head,
    end,
  }: {
    head: Pick<HeadRow, 'event' | 'hash'> | undefined;
    end: Pick<Progress, 'lastEvent'>;
  },
): LoggedEvent | undefined {
  const { firstEvent, previousHash } = stretch;
  if (firstEvent > end.lastEvent) return before;
  const fits =
    before === undefined || (firstEvent === before.event + 1 && previousHash === before.hash);
  if (!fits) {
    throw new PublicLogBrokenError(
      `After event ${before.event} with hash ${before.hash} the public log goes on with event ${firstEvent}, which expects hash ${previousHash} before it.`,
    );
  }
  let at = before;
  for (const one of followStretch(stretch)) {
    if (one.event > end.lastEvent) break;
    if (one.event === head?.event && one.hash !== head.hash) {
      throw new PublicLogBrokenError(
        `Event ${one.event} of the public log is not the one that was signed: it hashes to ${one.hash}, its head says ${head.hash}.`,
      );
    }
    at = one;
  }
  return at;
}
