// `bench queue`: how long the first poll takes of a queue that is 5,000,000 positions behind and that no node holds, such as
// a phone's after a night. Compared with the SQL that reads the same events, in turns on the same PostgreSQL. Once with a
// busy chat, where the answer may be that registering again is cheaper, and once with a quiet one, where it must be events.
import pg from 'pg';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { TRADING_BATCH } from '../../server/src/platform/events/event.ts';
import { printTable, type Figure } from '../figure.ts';
import {
  callForText,
  createPerson,
  registerFor,
  type Caller,
  type Registered,
} from './chat-calls.ts';
import { quantile, round } from './stats.ts';

const BEHIND = 5_000_000;
/** Rows that are written at once. */
const PIECE = 250_000;
/** In a busy chat every n-th event is of the chat, in a quiet one every m-th; the others are batches of the engine. */
const BUSY_EVERY = 10;
const QUIET_EVERY = 1000;
/** Of the events of the chat, every n-th is for the queue's owner. */
const OWN_EVERY = 50;
const SAMPLES = 8;
const GOAL_MS = 300;

const BARE = `
  SELECT position, payload FROM event_log
   WHERE position > $1 AND type <> '${TRADING_BATCH}' AND audience -> 'users' @> to_jsonb($2::int)
   ORDER BY position LIMIT 10000`;

export async function benchQueue(): Promise<Figure[]> {
  const deployment = await startDeployment({ LOG_LEVEL: 'silent', CHAT_RATE_LIMIT: '1000000' });
  const { ctx, environment, postgres } = deployment;
  const pool = new pg.Pool({ connectionString: postgres.ownerUrl, max: 1 });
  try {
    const { user, basic } = await createPerson(ctx, 'sleeper');
    const busyQueues: Registered[] = [];
    const quietQueues: Registered[] = [];
    const first = await startRialtoProcess('api', environment);
    try {
      for (let n = 0; n < SAMPLES; n += 1) {
        busyQueues.push(await registerFor({ origin: first.origin, basic }, 'user_settings'));
        quietQueues.push(await registerFor({ origin: first.origin, basic }, 'user_settings'));
      }
    } finally {
      await first.stop();
    }
    const startMs = performance.now();
    await writeLog(pool, user.id);
    console.error(`${BEHIND} events written in ${round((performance.now() - startMs) / 1000)} s.`);
    const after = Math.floor((quietQueues[0]?.last_event_id ?? 0) / 4096);
    const bare = () => pool.query({ name: 'cold', text: BARE, values: [after, user.id] });
    const busy = await measure(environment, basic, busyQueues, bare);
    await pool.query(
      `DELETE FROM event_log WHERE type <> '${TRADING_BATCH}' AND position % ${QUIET_EVERY} <> 0`,
    );
    await pool.query('VACUUM ANALYZE event_log');
    const quiet = await measure(environment, basic, quietQueues, bare);
    const table = [['cold queue', 'ours p50', 'longest', 'bare p50 ms', 'answers']];
    for (const [name, { ours, bares, answers }] of Object.entries({ busy, quiet })) {
      const times = [quantile(ours, 0.5), quantile(ours, 1), quantile(bares, 0.5)];
      table.push([name, ...times.map((ms) => ms.toFixed(1)), [...answers].join(', ')]);
    }
    printTable(table);
    const answers = new Set([...busy.answers, ...quiet.answers]);
    const isSound = [...answers].every((one) => one === 'events' || one === 'BAD_EVENT_QUEUE_ID');
    const longest = Math.max(quantile(busy.ours, 1), quantile(quiet.ours, 1));
    return [
      {
        figure: 'queue.cold',
        ours: round(longest, 1),
        busy: round(quantile(busy.ours, 0.5), 1),
        busyBare: round(quantile(busy.bares, 0.5), 1),
        quiet: round(quantile(quiet.ours, 0.5), 1),
        quietBare: round(quantile(quiet.bares, 0.5), 1),
        answers: [...answers],
        unit: 'ms',
        goal: GOAL_MS,
        met: longest <= GOAL_MS && isSound && quiet.answers.has('events'),
      },
    ];
  } finally {
    await pool.end();
    await deployment.close();
  }
}

/** As the relay would have written it, at the head of the log. */
async function writeLog(pool: pg.Pool, userId: number): Promise<void> {
  await pool.query('SET synchronous_commit = off');
  const payload = JSON.stringify({
    type: 'user_settings',
    op: 'update',
    property: 'emojiset',
    value: 'text',
  });
  for (let written = 0; written < BEHIND; written += PIECE) {
    await pool.query('SELECT ensure_event_partitions($1)', [PIECE]);
    await pool.query(
      `INSERT INTO event_log (position, xid, type, payload, audience, rights_of, at)
       SELECT h.position + n, pg_current_xact_id(),
              CASE WHEN c.is_chat THEN 'user_settings' ELSE '${TRADING_BATCH}' END, $2,
              CASE WHEN NOT c.is_chat THEN '{}'
                   WHEN (h.position + n) % ${BUSY_EVERY * OWN_EVERY} = 0 THEN jsonb_build_object('users', jsonb_build_array($3::int))
                   ELSE jsonb_build_object('channel', 1000000 + n % 100, 'who', 'subscribers') END,
              '{}', now()
         FROM event_head h, generate_series(1, $1::int) AS n,
              LATERAL (SELECT (h.position + n) % ${BUSY_EVERY} = 0 AS is_chat) AS c`,
      [PIECE, payload, userId],
    );
    await pool.query('UPDATE event_head SET position = position + $1', [PIECE]);
  }
  await pool.query('SELECT ensure_event_partitions($1)', [PIECE]);
  await pool.query('VACUUM ANALYZE event_log');
}

async function measure(
  environment: Record<string, string>,
  basic: string,
  queues: readonly Registered[],
  bare: () => Promise<unknown>,
): Promise<{ ours: number[]; bares: number[]; answers: Set<string> }> {
  const api = await startRialtoProcess('api', environment);
  const caller: Caller = { origin: api.origin, basic };
  const [ours, bares]: [number[], number[]] = [[], []];
  const answers = new Set<string>();
  try {
    for (const { queue_id: id, last_event_id: last } of queues) {
      const path = `/events?queue_id=${id}&last_event_id=${last}&dont_block=true`;
      const startMs = performance.now();
      const text = await callForText(caller, 'GET', path);
      const betweenMs = performance.now();
      await bare();
      bares.push(performance.now() - betweenMs);
      ours.push(betweenMs - startMs);
      const { events, code } = JSON.parse(text) as { events?: unknown[]; code?: string };
      answers.add(events === undefined ? (code ?? text) : events.length > 0 ? 'events' : 'nothing');
    }
  } finally {
    await api.stop();
  }
  const ascending = (values: number[]) => values.sort((a, b) => a - b);
  return { ours: ascending(ours), bares: ascending(bares), answers };
}
