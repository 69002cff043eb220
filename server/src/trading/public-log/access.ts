// Reads the public log for its readers: events with their hashes, checkpoints with their books, heads and keys.
import type { Context } from '../../platform/context.ts';
import { assert } from '../../platform/std/assert.ts';
import { followStretch, pageOf, unpackPage, unpackText, type LoggedEvent } from './pages.ts';
import { findCheckpoint, readStored } from './store.ts';

export { findHeadCovering, findNewestHead, listKeys } from './store.ts';

type LogContext = Pick<Context, 'database'>;

/** A book of a million orders has some 50 bytes for each. */
const BOOK_BYTES_MAX = 256 * 1024 * 1024;

/** At most `limit` events from this one on. */
export async function listEvents(
  { database }: LogContext,
  from: number,
  limit: number,
): Promise<LoggedEvent[]> {
  const through = from + limit - 1;
  const { pages, tail } = await readStored(database.pool, pageOf(from), pageOf(through));
  const events: LoggedEvent[] = [];
  for (const stretch of [...pages.map(unpackPage), ...tail]) {
    const last = stretch.firstEvent + stretch.texts.length - 1;
    if (stretch.firstEvent > through || last < from) continue;
    for (const one of followStretch(stretch)) {
      if (one.event > through) break;
      if (one.event >= from) events.push(one);
    }
  }
  return events;
}

export interface Checkpoint extends LoggedEvent {
  /** The text of all visible books at this event. */
  readonly book: string;
}

/** The newest checkpoint at or before an event. */
export async function findCheckpointAt(
  ctx: LogContext,
  through: number,
): Promise<Checkpoint | undefined> {
  const found = await findCheckpoint(ctx.database.pool, through);
  if (found === undefined) return undefined;
  const [event] = await listEvents(ctx, found.event, 1);
  assert(event !== undefined, 'the event of a checkpoint is in the log', { event: found.event });
  return { ...event, book: unpackText(found.book, BOOK_BYTES_MAX) };
}
