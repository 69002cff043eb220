import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { ok, useMessageWorld, refused, send, type Actor } from '../../../testing/chat/world.ts';
import { MOVE_STEP } from '../message/limits.ts';

const world = useMessageWorld();

const topics = async (who: Actor, id: number, more = {}) =>
  ok(await who.client.get(`/users/me/${id}/topics`, more))['topics'];

it('topics are listed newest first, in their latest spelling', async () => {
  const { ada, stranger, guest, publicId } = world;
  await send(ada, publicId, 'lunch', '1');
  const none = await send(ada, publicId, '', '2');
  const work = await send(ada, publicId, 'work', '3');
  const lunch = await send(ada, publicId, 'LUNCH', '4');
  const expected = (empty: string) => [
    { name: 'LUNCH', max_id: lunch },
    { name: 'work', max_id: work },
    { name: empty, max_id: none },
  ];
  for (const who of [ada, stranger, guest]) {
    expect(await topics(who, publicId)).toEqual(expected('general chat'));
  }
  expect(await topics(ada, publicId, { allow_empty_topic_name: true })).toEqual(expected(''));
});

it('no topic is listed of a channel or a time that the reader may not read', async () => {
  const { ada, person, stranger, privateId, protectedId } = world;
  await send(ada, protectedId, 'before', '1');
  const late = await person();
  for (const name of ['vault', 'secret']) {
    const fields = { subscriptions: [{ name }], principals: [late.id] };
    ok(await ada.client.post('/users/me/subscriptions', fields));
  }
  const after = await send(ada, protectedId, 'after', '2');
  expect(await topics(late, protectedId)).toEqual([{ name: 'after', max_id: after }]);
  expect(refused(await stranger.client.get(`/users/me/${privateId}/topics`)).msg).toBe(
    'Invalid channel ID',
  );
});

it('moving a topic of 1,000 messages between channels of 50,000 subscribers writes no row for any reader', async () => {
  const { server, owner, ada, bob, channel: make } = world;
  const { db } = server.ctx;
  const [from, to] = [
    await make('big from', [owner, ada, bob]),
    await make('big to', [owner, ada, bob]),
  ];
  // In parts, because one statement would exceed the time limit.
  for (let part = 0; part < 10; part += 1) {
    await sql`
      WITH crowd AS (
        INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed)
        SELECT 'crowd' || n || '@example.com', 'Crowd ' || n, 400, decode(md5('crowd' || n), 'hex'), ''
          FROM generate_series(${part * 5000 + 1}::int, ${(part + 1) * 5000}::int) n
        RETURNING id
      )
      INSERT INTO subscriptions (user_id, channel_id, received)
      SELECT crowd.id, channel_id, '{[1,)}'
        FROM crowd, unnest(${[from, to]}::int[]) AS channel_id`.execute(db);
  }
  const first = await send(ada, from, 'huge', 'first');
  await sql`
    WITH counted AS (
      UPDATE conversation_counters SET seq = seq + 999
       WHERE conversation_id = (SELECT conversation_id FROM channels WHERE id = ${from})
      RETURNING conversation_id, seq
    )
    INSERT INTO messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, content,
                          rendered, client, sent_at, content_words)
    SELECT nextval('message_ids'), conversation_id, conversation_id, n, n, ${ada.id}, 'huge', 'x',
           '<p>x</p>', 'test', now(), words_of('x')
      FROM counted, generate_series(seq - 998, seq) AS n ORDER BY n`.execute(db);
  ok(await bob.client.post('/messages/flags', { messages: [first], op: 'add', flag: 'read' }));
  const { rows: at } = await sql<{ xid: string }>`
    SELECT pg_current_xact_id()::text AS xid`.execute(db);
  /** Rows written since then by any transaction. */
  const written = async (table: string) => {
    const { rows } = await sql`
      SELECT FROM ${sql.table(table)} WHERE xmin::text::bigint >= ${at[0]?.xid}::bigint`.execute(
      db,
    );
    return rows.length;
  };
  const outboxed = async () =>
    (await sql<{ n: bigint }>`SELECT position AS n FROM event_head`.execute(db)).rows[0]?.n ?? 0n;
  const events = await outboxed();
  ok(
    await ada.client.patch(`/messages/${first}`, {
      stream_id: to,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    }),
  );
  for (const table of ['read_marks', 'read_blocks', 'message_flags', 'subscriptions', 'users']) {
    expect(await written(table), table).toBe(0);
  }
  expect(await written('messages')).toBe(1000);
  // Three events for each step, and a few at the end.
  expect((await outboxed()) - events).toBeLessThan(BigInt(3 * Math.ceil(1000 / MOVE_STEP) + 10));
  const body = ok(
    await bob.client.get('/messages', {
      anchor: 'oldest',
      num_after: 5000,
      narrow: [
        { operator: 'channel', operand: to },
        { operator: 'is', operand: 'unread' },
      ],
    }),
  );
  expect(body['messages']).toHaveLength(999);
}, 120_000);
