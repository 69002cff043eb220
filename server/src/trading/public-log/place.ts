// Begins a log, and finds the place where a log goes on: the queues of the books as the engine had them after a row
// of the journal.
import { Recorder, readQueues } from '@rialto/public-log';
import type pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { readBounds } from '../../platform/events/log.ts';
import { Archive } from '../engine/journal/archive.ts';
import { machineAt, readJournalHead } from '../engine/replay.ts';
import { inTransactionOf } from '../projections/access.ts';
import { Recording } from './recording.ts';
import { lockProgress, readProgress, writeProgress, type Progress } from './store.ts';
import { writeRecorded } from './write.ts';

type PlaceContext = Pick<Context, 'config' | 'files' | 'log'>;

/** A recording, and the row of the journal after which it stands. */
export interface Place {
  seq: number;
  readonly recording: Recording;
}

const rowsOf = ({ files, log }: PlaceContext) => ({ log, archive: new Archive(files) });

/** The place where the log goes on. */
export async function findPlace(
  db: pg.PoolClient,
  ctx: PlaceContext,
  shard: number,
  progress: Progress,
): Promise<Place> {
  const { state } = await machineAt(db, shard, progress.seq, rowsOf(ctx));
  const recorder = new Recorder(readQueues(state));
  const every = ctx.config.PUBLIC_LOG_CHECKPOINT_EVENTS;
  return { seq: progress.seq, recording: new Recording(recorder, progress, every) };
}

/**
 * Begins the log at the end of the journal, with a checkpoint: a venue may be older than its log. Undefined: another
 * process is at it.
 */
export async function beginLog(
  db: pg.PoolClient,
  ctx: PlaceContext,
  shard: number,
): Promise<Place | undefined> {
  // Read before the journal's head, so that the journal has everything that the log has up to this position.
  const { head: logPosition } = await readBounds(db);
  const seq = await readJournalHead(db, shard);
  const { state } = await machineAt(db, shard, seq, rowsOf(ctx));
  const every = ctx.config.PUBLIC_LOG_CHECKPOINT_EVENTS;
  if (seq === 0) {
    const start = await readProgress(db, shard);
    return { seq, recording: new Recording(new Recorder(), start, every) };
  }
  return inTransactionOf(db, async () => {
    const before = await lockProgress(db, shard);
    if (before === undefined || before.lastEvent !== 0) return undefined;
    const recorder = new Recorder(readQueues(state));
    const recording = new Recording(recorder, before, every);
    recording.checkpoint(state.engineSeq, state.time);
    const recorded = recording.drain();
    await writeRecorded(db, recorded);
    await writeProgress(db, shard, {
      seq,
      engineSeq: state.engineSeq,
      logPosition,
      ...recorded.end,
    });
    ctx.log.info({ seq, engineSeq: state.engineSeq }, 'The public log begins.');
    return { seq, recording };
  });
}
