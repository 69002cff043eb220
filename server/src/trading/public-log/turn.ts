// One turn of the follower: one transaction that writes the events of the next journal rows into the public log.
import type pg from 'pg';
import { readBounds } from '../../platform/events/log.ts';
import type { Machine } from '../engine/machine.ts';
import { replayRows, type Stretch } from '../engine/replay.ts';
import { inTransactionOf } from '../projections/access.ts';
import type { OutcomeBatch } from '../projections/fold.ts';
import { chooseRows, type LogPages } from '../projections/log-pages.ts';
import { openBatch } from '../projections/project.ts';
import type { Place } from './place.ts';
import { lockProgress, writeProgress, type Progress } from './store.ts';
import { writeRecorded } from './write.ts';

export interface Worked {
  readonly turn: 'worked';
  /** Public events that were written. */
  readonly events: number;
  /** When the engine did the last of it; zero when only other features' events were skipped. */
  readonly atMs: number;
}

/**
 * Nothing was written. `idle`: the whole event log was read. `locked`: another process holds the row. `gap`: the event
 * log no longer reaches back. `moved`: another process has worked since.
 */
export interface NothingDone {
  readonly turn: 'idle' | 'locked' | 'gap' | 'moved';
}

/** The follower needs no terms as asked, so it names an id above all. */
const NO_TERMS = { lastOrderId: Number.MAX_SAFE_INTEGER, lastEntryId: 0 };

export const takeTurn = (
  db: pg.PoolClient,
  pages: LogPages,
  shard: number,
  place: Place,
): Promise<Worked | NothingDone> =>
  inTransactionOf(db, async () => {
    const before = await lockProgress(db, shard);
    if (before === undefined) return { turn: 'locked' };
    if (isElsewhere(before, place)) return { turn: 'moved' };
    const { head, trimmedThrough } = await readBounds(db);
    const after = Math.max(before.logPosition, pages.lookedThrough);
    if (after < trimmedThrough) return { turn: 'gap' };
    const start = { ...before, ...NO_TERMS };
    let page = await pages.take(db, after, head, NO_TERMS);
    let rows = chooseRows(page.events, start, shard);
    if (rows !== 'gap' && rows.batches.length === 0 && rows.isCut) {
      // One row of the journal is longer than a page, so it is read as a whole.
      page = await pages.takeAll(db, after, head, NO_TERMS);
      rows = chooseRows(page.events, start, shard);
      // Its last part has not been numbered yet.
      if (rows !== 'gap' && rows.batches.length === 0) return { turn: 'idle' };
    }
    if (rows === 'gap') return { turn: 'gap' };
    if (rows.batches.length === 0) {
      pages.lookedThrough = page.through;
      return page.through < head ? { turn: 'worked', events: 0, atMs: 0 } : { turn: 'idle' };
    }
    for (const batch of rows.batches) record(place, batch);
    const { seq, engineSeq, position: logPosition, atMs } = rows;
    const events = await write(db, shard, place, { seq, engineSeq, logPosition });
    return { turn: 'worked', events, atMs };
  });

const isElsewhere = ({ seq, lastEvent }: Progress, place: Place): boolean =>
  seq !== place.seq || lastEvent !== place.recording.lastEvent;

function record({ recording }: Place, { outcomes }: OutcomeBatch): void {
  for (const { steps } of outcomes) {
    for (const step of steps) recording.take(step);
  }
}

async function write(
  db: pg.PoolClient,
  shard: number,
  place: Place,
  at: Pick<Progress, 'seq' | 'engineSeq' | 'logPosition'>,
): Promise<number> {
  const recorded = place.recording.drain();
  await writeRecorded(db, recorded);
  await writeProgress(db, shard, { ...at, ...recorded.end });
  place.seq = at.seq;
  return recorded.events.length;
}

/** Commands that one transaction of a replay holds at least, if there are as many. */
const REPLAYED_COMMANDS = 4000;

/**
 * The same from the journal, for a stretch that the event log no longer has. When it reaches row `through`, everything
 * in the event log up to `logPosition` is in the public log.
 */
export const replayStretch = (
  db: pg.PoolClient,
  shard: number,
  { place, machine }: { place: Place; machine: Machine },
  { through, archive, logPosition }: Stretch & { readonly logPosition: number },
): Promise<Worked | NothingDone> =>
  inTransactionOf(db, async () => {
    const before = await lockProgress(db, shard);
    if (before === undefined) return { turn: 'locked' };
    if (isElsewhere(before, place) || machine.seq !== place.seq) return { turn: 'moved' };
    let commands = 0;
    while (machine.seq < through && commands < REPLAYED_COMMANDS) {
      const from = machine.seq;
      await replayRows(db, machine, { through, archive }, (packed) => {
        const batch = openBatch(`{${packed()}}`, NO_TERMS);
        record(place, batch);
        commands += batch.outcomes.length;
        return commands < REPLAYED_COMMANDS;
      });
      if (machine.seq === from) break;
    }
    const isDone = machine.seq >= through;
    const events = await write(db, shard, place, {
      seq: machine.seq,
      engineSeq: machine.state.engineSeq,
      logPosition: isDone ? Math.max(before.logPosition, logPosition) : before.logPosition,
    });
    return { turn: 'worked', events, atMs: machine.state.time };
  });
