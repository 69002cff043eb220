// The engine's batches as the event log brings them: read in pages, the next one ahead of its turn, and
// taken apart into whole rows of the journal.
import { assert } from '../../platform/std/assert.ts';
import type { Queryable } from './bulk.ts';
import type { OutcomeBatch, Counters } from './fold.ts';
import { openBatch } from './project.ts';
import { readBatches, type BatchEvent, type Checkpoint } from './store.ts';

/** Text of events that one transaction expands: some five thousand orders, whose rows are three times that. */
const BYTES_PER_TRANSACTION = 2 * 1024 * 1024;

/** An event that was taken apart. */
interface OpenEvent {
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
  /** Parts of another row follow, without its last. */
  readonly isCut: boolean;
  /** Of the last row among them. */
  readonly seq: number;
  readonly engineSeq: number;
  readonly position: number;
  readonly atMs: number;
}

export class LogPages {
  /** The log was looked at through here; beyond the checkpoint there was nothing of ours. */
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

  /** Everything after this position: for a row of the journal that is more than a page. */
  takeAll(db: Queryable, after: number, head: number, counters: Counters): Promise<Page> {
    return readPage(db, after, head, counters, Number.MAX_SAFE_INTEGER);
  }

  readAhead(after: number, head: number, counters: Counters): void {
    if (after >= head) return;
    this.#ahead = readPage(this.#pool, after, head, counters, BYTES_PER_TRANSACTION);
    // `take` looks at its failure, and reads again.
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
 * The whole journal rows among the events that follow the checkpoint. Rows that are known already are passed
 * over, and a row whose last part is not among the events is left for the next time.
 */
export function chooseRows(
  events: readonly OpenEvent[],
  checkpoint: Checkpoint,
  shard: number,
): Rows | 'gap' {
  const batches: OutcomeBatch[] = [];
  let whole = 0;
  let { seq, engineSeq, logPosition: position } = checkpoint;
  let atMs = 0;
  for (const event of events) {
    if (event.shard !== shard || event.seq <= checkpoint.seq) continue;
    if (event.seq !== seq + 1) return 'gap';
    batches.push(event.batch);
    if (!event.isLast) continue;
    ({ seq, engineSeq, position, atMs } = event);
    whole = batches.length;
  }
  const isCut = batches.length > whole;
  return { batches: batches.slice(0, whole), isCut, seq, engineSeq, position, atMs };
}
