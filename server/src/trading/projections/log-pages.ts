// Reads the engine's batches from the event log, page by page and one page ahead, and groups them into whole rows of
// the journal.
import { assert } from '../../platform/std/assert.ts';
import type { Queryable } from './bulk.ts';
import type { OutcomeBatch, Counters } from './fold.ts';
import { openBatch } from './project.ts';
import { readBatches, type BatchEvent, type Checkpoint } from './store.ts';

/** Bytes of events in one transaction: some five thousand orders, whose rows take three times as many. */
const BYTES_PER_TRANSACTION = 2 * 1024 * 1024;

/** A parsed event. */
export interface OpenEvent {
  readonly position: number;
  readonly atMs: number;
  readonly shard: number;
  readonly seq: number;
  readonly engineSeq: number;
  /** Whether it is the last of its journal row. */
  readonly isLast: boolean;
  readonly batch: OutcomeBatch;
}

export interface Page {
  readonly after: number;
  readonly through: number;
  readonly events: readonly OpenEvent[];
}

export interface Rows {
  readonly batches: readonly OutcomeBatch[];
  /** The events that they came from. */
  readonly events: readonly OpenEvent[];
  /** Whether the first parts of another row follow, but not its last part. */
  readonly isCut: boolean;
  /** From here on: of the last of these rows. */
  readonly seq: number;
  readonly engineSeq: number;
  readonly position: number;
  readonly atMs: number;
}

export class LogPages {
  /** How far the log was read. Between the checkpoint and here it has no trading events. */
  lookedThrough = 0;
  readonly #pool: Queryable;
  #ahead: Promise<Page> | undefined;

  constructor(pool: Queryable) {
    this.#pool = pool;
  }

  /** The page after this position, which may have been read ahead. */
  async take(db: Queryable, after: number, head: number, counters: Counters): Promise<Page> {
    const ahead = await this.#ahead?.catch(() => undefined);
    this.#ahead = undefined;
    if (ahead?.after === after && ahead.events.length > 0) return ahead;
    return readPage(db, after, head, counters, BYTES_PER_TRANSACTION);
  }

  /** Everything after this position, for a row of the journal that is longer than a page. */
  takeAll(db: Queryable, after: number, head: number, counters: Counters): Promise<Page> {
    return readPage(db, after, head, counters, Number.MAX_SAFE_INTEGER);
  }

  readAhead(after: number, head: number, counters: Counters): void {
    if (after >= head) return;
    this.#ahead = readPage(this.#pool, after, head, counters, BYTES_PER_TRANSACTION);
    // `take` notices a failure, and reads the page again.
    this.#ahead.catch(() => {});
  }
}

async function readPage(
  db: Queryable,
  after: number,
  head: number,
  counters: Counters,
  bytesMax: number,
): Promise<Page> {
  const { events, through } = await readBatches(db, after, head, bytesMax);
  return { after, through, events: events.map((event) => openEvent(event, counters)) };
}

const HEADER =
  /^\{"type":"trading_batch","shard":(\d+),"seq":(\d+),"engineSeq":(\d+),"part":(\d+),"parts":(\d+),/;

function openEvent({ position, atMs, payload }: BatchEvent, counters: Counters): OpenEvent {
  const header = HEADER.exec(payload);
  assert(header !== null, 'a trading batch begins with its header', { position });
  const [shard = 0, seq = 0, engineSeq = 0, part = 0, parts = 0] = header.slice(1).map(Number);
  const batch = openBatch(payload, counters);
  return { position, atMs, shard, seq, engineSeq, isLast: part + 1 === parts, batch };
}

/**
 * The complete journal rows among the events after the checkpoint. Rows that are already projected are skipped; a row
 * whose last part is missing waits for the next turn.
 */
export function chooseRows(
  events: readonly OpenEvent[],
  checkpoint: Pick<Checkpoint, 'seq' | 'engineSeq' | 'logPosition'>,
  shard: number,
): Rows | 'gap' {
  const taken: OpenEvent[] = [];
  let whole = 0;
  let { seq, engineSeq, logPosition: position } = checkpoint;
  let atMs = 0;
  for (const event of events) {
    if (event.shard !== shard || event.seq <= checkpoint.seq) continue;
    if (event.seq !== seq + 1) return 'gap';
    taken.push(event);
    if (!event.isLast) continue;
    ({ seq, engineSeq, position, atMs } = event);
    whole = taken.length;
  }
  const isCut = taken.length > whole;
  const kept = taken.slice(0, whole);
  const batches = kept.map(({ batch }) => batch);
  return { batches, events: kept, isCut, seq, engineSeq, position, atMs };
}
