// The public log as its tables show it, for the doctor: how far it is, whether its chain holds, and when it was signed.
import type pg from 'pg';
import { checkContinues, PublicLogBrokenError } from './heads.ts';
import { findNewestHead, readProgress, readSizes, type HeadRow } from './store.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

export interface PublicLogOverview {
  /** Zero while the log has not begun. */
  readonly lastEvent: number;
  /** The age of the oldest journal row that the log lacks; zero when it lacks none. */
  readonly lagSeconds: number;
  readonly head: HeadRow | undefined;
  readonly bytes: number;
  /** What is wrong with the chain of its newest part. */
  readonly trouble: string | undefined;
}

/** The doctor must be quick; `rialto verify-log` checks the whole. */
const EVENTS_MAX = 100_000;

export async function readPublicLogOverview(db: Queryable, shard = 0): Promise<PublicLogOverview> {
  const end = await readProgress(db, shard);
  const head = await findNewestHead(db);
  const { lagSeconds, bytes } = await readSizes(db, shard);
  const isNear = head !== undefined && end.lastEvent - head.event < EVENTS_MAX;
  let trouble: string | undefined;
  try {
    if (end.lastEvent > 0) await checkContinues(db, isNear ? head : undefined, end);
  } catch (error) {
    if (!(error instanceof PublicLogBrokenError)) throw error;
    trouble = error.message;
  }
  return { lastEvent: end.lastEvent, lagSeconds, head, bytes, trouble };
}
