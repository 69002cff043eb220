// Everything that a message left behind, to compare the two ways of sending.
import { expect } from 'vitest';
import type pg from 'pg';

/** By this connection, which may read every table. */
export function traces(connection: () => Pick<pg.Client, 'query'>) {
  const query = async <T extends object>(text: string, ...values: unknown[]): Promise<T[]> =>
    (await connection().query<T>(text, values)).rows;

  /** Where the event log ends, once everything is in it. */
  async function head(): Promise<bigint> {
    const waiting = async () => (await query('SELECT FROM outbox')).length;
    await expect.poll(waiting).toBe(0);
    const [row] = await query<{ at: string }>(
      'SELECT coalesce(max(position), 0)::text AS at FROM event_log',
    );
    return BigInt(row?.at ?? 0);
  }

  /** Without what differs between any two messages. */
  async function traceOf(id: number, after: bigint): Promise<unknown> {
    const log = () =>
      query<{ type: string; payload: string; audience: unknown }>(
        'SELECT type, payload, audience FROM event_log WHERE position > $1 ORDER BY position',
        after,
      );
    await expect.poll(async () => (await log()).some(({ type }) => type === 'message')).toBe(true);
    const events = (await log()).map((event) => ({
      ...event,
      payload: JSON.parse(event.payload, (key, value: unknown) =>
        NUMBERED.includes(key) && typeof value === 'number' ? key : value,
      ) as unknown,
    }));
    return {
      events,
      rows: await query(
        `SELECT to_jsonb(m) - '{id,seq,place_seq,sent_at}'::text[] AS row FROM messages m WHERE id = $1`,
        id,
      ),
      flags: await query(
        'SELECT user_id, flags FROM message_flags WHERE message_id = $1 ORDER BY user_id',
        id,
      ),
      followed: await query(
        `SELECT user_id, channel_id, topic, visibility_policy FROM user_topics ORDER BY user_id, channel_id, topic`,
      ),
      calls: await query('SELECT bot_id, trigger FROM bot_calls WHERE message_id = $1', id),
      read: await query(
        `SELECT w.user_id, coalesce(get_bit(b.bits, (m.seq % 8192)::int) = 1, m.seq <= w.read_through) AS is_read
           FROM messages m JOIN read_marks w ON w.home_id = m.home_id
           LEFT JOIN read_blocks b ON b.user_id = w.user_id AND b.home_id = m.home_id AND b.block = (m.seq / 8192)::int
          WHERE m.id = $1 ORDER BY w.user_id`,
        id,
      ),
    };
  }

  return { query, head, traceOf };
}

const NUMBERED = ['id', 'seq', 'timestamp', 'last_updated', 'scheduled_message_id'];
