// Numbers committed events. Any number of relays may run, be paused or be killed at any moment: the
// row lock on event_head, taken and released within one statement, keeps the log gapless and
// causal.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Bus } from '../bus/bus.ts';
import { SUBJECTS } from '../bus/subjects.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { rarely } from '../observe/rarely.ts';
import { Bell } from '../std/bell.ts';
import { pause } from '../std/wait.ts';
import { encodeBatch, encodeHead } from './batch.ts';
import { toEvent, type LogRow } from './log.ts';

export interface RelayOptions {
  pool: pg.Pool;
  bus: Bus;
  log: Log;
  metrics: Metrics;
  pollMs: number;
}

const BATCH_MAX = 1000;
/**
 * A longer payload, with the outcomes of many orders, does not come here: it is moved within the
 * database, and its consumers read it from the log. Parsing and rewriting it would cost more than
 * that.
 */
const PAYLOAD_BYTES = 64 * 1024;

type MovedRow = Omit<LogRow, 'payload'> & { payload: string | null };
/** How long competing relays wait for a silent one. Nothing but this time is lost. */
const LEASE = '1 second';
const ERROR_PAUSE_MS = 200;
/** An outage is worth a line now and then, not one per try. */
const COMPLAIN_EVERY_MS = 5000;
/** Partitions are created this many positions ahead; far more than one batch. */
const PARTITIONS_AHEAD = 20 * BATCH_MAX;

export interface Relay {
  stop(): Promise<void>;
}

export function startRelay({ pool, bus, log, metrics, pollMs }: RelayOptions): Relay {
  const id = randomUUID();
  const stopping = new AbortController();
  let ensuredThrough = 0;
  const complain = rarely(COMPLAIN_EVERY_MS);
  const bell = new Bell();
  const ringing = bus.subscribe(SUBJECTS.outboxBell, () => bell.ring());

  async function moveBatch(): Promise<number> {
    const startedMs = performance.now();
    const { rows } = await pool.query<MovedRow>({
      name: 'relay-events',
      text: `SELECT position, xid, type, audience, rights_of,
                    CASE WHEN octet_length(payload) <= $4 THEN payload END AS payload
               FROM relay_events($1, $2, $3)`,
      values: [id, BATCH_MAX, LEASE, PAYLOAD_BYTES],
    });
    const head = Number(rows.at(-1)?.position ?? 0);
    if (head === 0) return 0;
    const whole = rows.filter((row): row is LogRow => row.payload !== null);
    bus.publish(
      SUBJECTS.log,
      whole.length === rows.length ? encodeBatch(whole.map(toEvent)) : encodeHead(head),
    );
    metrics.eventsRelayed(rows.length, (performance.now() - startedMs) / 1000);
    if (head + PARTITIONS_AHEAD / 2 > ensuredThrough) {
      await ensurePartitions();
      ensuredThrough = head + PARTITIONS_AHEAD;
    }
    return rows.length;
  }

  async function ensurePartitions(): Promise<void> {
    await pool.query('SELECT ensure_event_partitions($1)', [PARTITIONS_AHEAD]);
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (ensuredThrough === 0) {
          await ensurePartitions();
          ensuredThrough = 1;
        }
        bell.clear();
        const moved = await moveBatch();
        if (moved === BATCH_MAX) continue;
      } catch (error) {
        complain((keptBack) =>
          log.warn(
            { err: error, keptBack },
            'The relay could not reach the outbox; it tries again.',
          ),
        );
        ensuredThrough = 0;
        await pause(ERROR_PAUSE_MS, stopping.signal);
        continue;
      }
      // Anything committed since the statement began has rung it.
      if (!stopping.signal.aborted) await bell.wait(pollMs);
    }
  }

  const running = loop();
  return {
    async stop() {
      stopping.abort();
      ringing.unsubscribe();
      bell.ring();
      await running;
    },
  };
}
