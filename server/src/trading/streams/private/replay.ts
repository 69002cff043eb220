// Reads an account's pushes after a number once more, from the events of the log that hold them.
import { readEventsAt } from '../../../platform/events/log.ts';
import { pause } from '../../../platform/std/wait.ts';
import { Batch } from '../../batches/batch.ts';
import { listPushes, type Push } from '../../batches/pushes.ts';
import type { TradingContext } from '../../context.ts';
import { refuse } from '../../http/errors.ts';
import {
  listStreamPages,
  RESUME_EVENTS,
  RESUME_MS,
  type StreamPage,
} from '../../projections/stream-places.ts';
import { notReady, type AccountStream } from './account-stream.ts';
import { NumberedPush } from './numbered.ts';

/** Events of the log that are decoded at once; the process does other work in between. */
const POSITIONS_AT_ONCE = 20;
const PATIENCE_MS = 5000;
const POLL_MS = 10;

/** All pushes after `afterSeq` up to where the stream is now, numbered. Throws if they are not kept any more. */
export async function readPushes(
  ctx: TradingContext,
  stream: AccountStream,
  afterSeq: number,
): Promise<NumberedPush[]> {
  await stream.ready();
  await awaitNumber(stream, afterSeq);
  const throughSeq = stream.seq;
  if (afterSeq === throughSeq) return [];
  if (throughSeq - afterSeq > RESUME_EVENTS) throw tooOld(afterSeq, throughSeq);
  const pages = await awaitPages(ctx, stream, afterSeq, throughSeq);
  const pushes: NumberedPush[] = [];
  for (const page of pages) {
    const read = await readPage(ctx, stream.account, page);
    if (read === undefined) throw tooOld(afterSeq, throughSeq);
    for (const push of read) {
      if (push.seq > afterSeq && push.seq <= throughSeq) pushes.push(push);
    }
  }
  return pushes;
}

/** A client may have been told more by another process than has come here so far. */
async function awaitNumber(stream: AccountStream, afterSeq: number): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  while (stream.seq < afterSeq) {
    if (performance.now() > untilMs) throw tooOld(afterSeq, stream.seq);
    if (stream.isLost) throw notReady();
    await pause(POLL_MS);
  }
}

/** The pages, once the projector has written the last of them. */
async function awaitPages(
  ctx: TradingContext,
  stream: AccountStream,
  afterSeq: number,
  throughSeq: number,
): Promise<StreamPage[]> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const pages = await listStreamPages(ctx.database.pool, stream.account, afterSeq);
    if ((pages.at(-1)?.lastSeq ?? 0) >= throughSeq) {
      const isWhole = pages.every(
        ({ firstSeq }, index) => firstSeq <= (pages[index - 1]?.lastSeq ?? afterSeq) + 1,
      );
      if (isWhole) return pages;
      throw tooOld(afterSeq, throughSeq);
    }
    if (performance.now() > untilMs) throw notReady();
    stream.wakeProjector();
    await pause(POLL_MS);
  }
}

/** Undefined if the log no longer has them, or they are not what was counted. */
async function readPage(
  ctx: TradingContext,
  account: number,
  { firstSeq, lastSeq, positions }: StreamPage,
): Promise<NumberedPush[] | undefined> {
  const pushes: Push[] = [];
  let row: Batch[] = [];
  const finish = () => {
    pushes.push(...listPushes(row, account));
    row = [];
  };
  for (let at = 0; at < positions.length; at += POSITIONS_AT_ONCE) {
    const wanted = positions.slice(at, at + POSITIONS_AT_ONCE);
    const events = await readEventsAt(ctx.database.pool, wanted);
    if (events.length !== wanted.length) return undefined;
    for (const event of events) {
      const batch = new Batch(event);
      if (row.length > 0 && row[0]?.seq !== batch.seq) finish();
      row.push(batch);
    }
  }
  finish();
  if (pushes.length !== lastSeq - firstSeq + 1) return undefined;
  return pushes.map((push, index) => new NumberedPush(firstSeq + index, push));
}

const tooOld = (afterSeq: number, seq: number) =>
  refuse(
    'CURSOR_INVALID',
    `What came after ${afterSeq} cannot be sent again: ${RESUME_MS / 60_000} minutes and ${RESUME_EVENTS} events are kept. Load orders, trades and balances from the API, then subscribe.`,
    { parameter: 'fromSeq', streamSeq: String(seq) },
  );
