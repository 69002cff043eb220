// Reads the log for a queue that is not held in memory. A queue that is too far behind is not read at all:
// registering again is faster.
import type pg from 'pg';
import { readWithin } from '../db/read-within.ts';
import { isVisibleIn } from '../db/snapshot.ts';
import { EVERYBODY, positionOf, type LoggedEvent } from '../events/event.ts';
import { readBounds } from '../events/log.ts';
import type { Directory } from './directory.ts';
import { expandedFrom, wantsExpansion, type Expander } from './expander.ts';
import {
  isNews,
  lengthOf,
  passes,
  PENDING_BYTES,
  PENDING_MAX,
  toPending,
  type Pending,
  type QueueDescription,
  type WantsEvent,
} from './queue.ts';
import { countAmong, listConcerning, readEventsFor, type Concern } from './store.ts';

export interface ReplayOptions {
  readonly readers: pg.Pool;
  readonly wantedByDefault: WantsEvent;
  readonly directory: Directory;
  readonly expander: Expander | undefined;
  readonly replayMax: number;
}

const REBUILD_PAGE = PENDING_MAX;
/** Rows that are opened one by one come in smaller pages, so that other requests get their turn in between. */
const EXPANDED_PAGE = 500;
/** A queue this near is read however long that takes: when a busy node restarts, thousands of clients must not register. */
const NEAR = 20_000;
/**
 * The events of a queue farther behind are looked for and read for this long, both together. A client that waits longer has
 * its state sooner by registering again, and the database has less to do.
 */
const FAR_MS = 200;
/**
 * It first asks an index where its events are, and waits this long of that for the answer. With more of them than this it
 * reads the rows in their order, whomever they concern, at some microseconds each.
 */
const ASK_MS = 100;
const OWN_MAX = 10_000;

/** Reads the queue's events after `fromId`; undefined when the client has to register again. */
export type Replay = (
  description: QueueDescription,
  fromId: number,
  through: number,
) => Promise<{ pending: Pending[]; isComplete: boolean } | undefined>;

export function createReplay({
  readers,
  wantedByDefault,
  directory,
  expander,
  replayMax,
}: ReplayOptions): Replay {
  async function replay(
    description: QueueDescription,
    fromId: number,
    through: number,
  ): Promise<{ pending: Pending[]; isComplete: boolean } | undefined> {
    const { userId } = description;
    const concern = {
      userId,
      channelIds: directory.channelsOf(userId),
      isWide: directory.isWide(description),
      withBatches: wantsExpansion(expander, description),
    };
    const after = positionOf(fromId);
    const isFar = through - after > NEAR;
    // The event of `fromId` itself may have further unacknowledged texts.
    let cursor = after - 1;
    const untilMs = isFar ? performance.now() + FAR_MS : undefined;
    const among = isFar && !concern.isWide ? await findOwn(concern, cursor, through) : undefined;
    const isBounded = among !== undefined && !concern.withBatches;
    if (!isBounded && (await isTooFar(concern, after, through, untilMs))) return undefined;
    let pending: Pending[] = [];
    let isComplete = false;
    let bytes = 0;
    while (!isComplete && pending.length < REBUILD_PAGE && bytes < PENDING_BYTES) {
      const from = cursor;
      const limit = concern.withBatches ? EXPANDED_PAGE : REBUILD_PAGE;
      // Undefined when there was not enough time.
      const page = await readWithin(readers, untilMs, (db) =>
        readEventsFor(db, concern, from, through, limit, among),
      );
      // Not even what was found is sent: what was not read may hold a change of rights, which the rest depends on.
      if (page === undefined) return undefined;
      const { events, isAll } = page;
      for (const event of events) {
        // The initial state already includes this change of rights.
        const isChange = event.position > after && touches(event, userId);
        if (isChange && !isVisibleIn(description.snapshot, event.xid)) return undefined;
        if (event.type === expander?.source) {
          if (!isNews(description, event)) continue;
          const texts = expander.expand(event, description);
          pending.push(...toPending(expandedFrom(event), texts));
          bytes += lengthOf(texts);
          continue;
        }
        // Rights did not change in between, so the present ones applied all along.
        const isWithdrawn = directory.withdraws(event);
        const isPassed = passes(description, event, wantedByDefault);
        if (!isPassed && isWithdrawn === undefined) continue;
        if (!directory.admits(description, event.audience)) continue;
        const texts = directory.shape(event, description);
        if (isWithdrawn !== undefined && texts.length > 0) {
          pending = pending.filter(({ event: earlier }) => !isWithdrawn(earlier, description));
        }
        if (!isPassed) continue;
        pending.push(...toPending(event, texts));
        bytes += lengthOf(texts);
      }
      isComplete = isAll;
      cursor = events.at(-1)?.position ?? cursor;
    }
    // Checked after the read: a trim in between must be noticed.
    const { head, trimmedThrough } = await readBounds(readers);
    return after >= trimmedThrough && after <= head ? { pending, isComplete } : undefined;
  }

  /** Where the queue's events are, but for batches; undefined when there are too many to say so in time. */
  function findOwn(concern: Concern, after: number, through: number) {
    const untilMs = performance.now() + ASK_MS;
    return readWithin(readers, untilMs, (db) =>
      listConcerning(db, concern, after, through, OWN_MAX),
    );
  }

  /** What the queue does not read does not count, however much of it there is. */
  async function isTooFar(
    concern: Concern,
    after: number,
    through: number,
    untilMs: number | undefined,
  ): Promise<boolean> {
    if (through - after <= replayMax) return false;
    const count = await readWithin(readers, untilMs, (db) =>
      countAmong(db, concern, after, through, replayMax + 1),
    );
    return count === undefined || count > replayMax;
  }

  return replay;
}

const touches = ({ rightsOf }: LoggedEvent, userId: number): boolean =>
  rightsOf.includes(userId) || rightsOf.includes(EVERYBODY);
