// Marking many messages as read while others send: senders do not wait, and the final state is right.
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { settle } from '../../../testing/verify-events.ts';
import {
  ok,
  send,
  sendDirect,
  useMessageWorld,
  fetchIds,
  type Actor,
} from '../../../testing/chat/world.ts';
import { MEASURED } from '../../../testing/measured.ts';

vi.setConfig({ testTimeout: 120_000 });
const world = useMessageWorld();

const isUnread = { operator: 'is', operand: 'unread' };

const UNREAD = 100_000;

/** Inserts messages as if they had been sent one after the other. */
async function addUnread(channelId: number, count: number): Promise<void> {
  await world.server.ctx.db.transaction().execute(async (tx) => {
    await sql`SET LOCAL statement_timeout = 0`.execute(tx);
    await sql`
      INSERT INTO messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, content, rendered,
                            client, sent_at, content_words)
      SELECT nextval('message_ids'), m.conversation_id, m.home_id, m.seq + n, m.place_seq + n, m.sender_id,
             m.topic, m.content, m.rendered, m.client, m.sent_at, ''
        FROM messages m, generate_series(1, ${count}::int) AS n
       WHERE m.id = (SELECT max(id) FROM messages WHERE conversation_id =
                      (SELECT conversation_id FROM channels WHERE id = ${channelId}))
       ORDER BY n`.execute(tx);
    await sql`
      UPDATE conversation_counters SET seq = seq + ${count}, last_seq = last_seq + ${count},
             last_id = (SELECT max(id) FROM messages m WHERE m.conversation_id = conversation_counters.conversation_id)
       WHERE conversation_id = (SELECT conversation_id FROM channels WHERE id = ${channelId})`.execute(
      tx,
    );
  });
}

/** Locks the read state of `who` while `work` runs, so that any marking for them stays unfinished. */
async function whileMarksAreHeld(who: Actor, work: () => Promise<void>): Promise<void> {
  await world.server.ctx.db.transaction().execute(async (tx) => {
    await sql`SELECT FROM read_marks WHERE user_id = ${who.id} FOR UPDATE`.execute(tx);
    await work();
  });
}

const isWaiting = async () => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(world.server.ctx.db);
  return (rows[0]?.count ?? 0) > 0;
};

describe('while somebody marks many messages as read, others can send', () => {
  const doors: [string, (who: Actor, channelId: number, sender: Actor) => Promise<unknown>][] = [
    ['everything', (who) => who.client.post('/mark_all_as_read')],
    ['a channel', (who, id) => who.client.post('/mark_stream_as_read', { stream_id: id })],
    [
      'a topic',
      (who, id) => who.client.post('/mark_topic_as_read', { stream_id: id, topic_name: 't' }),
    ],
    [
      'messages of a muted person',
      (who, _id, by) => who.client.post(`/users/me/muted_users/${by.id}`),
    ],
  ];
  for (const [what, mark] of doors) {
    it(`marking ${what} locks nobody's conversation`, async () => {
      const reader = await world.person();
      const writer = await world.person();
      const other = await world.person();
      const id = await world.channel(`marked ${what}`, [reader, writer, other]);
      await send(writer, id, 't', 'unread');
      await sendDirect(writer, [reader, other], 'unread too');
      // Creates the rows that marking locks.
      ok(await reader.client.post('/mark_all_as_read'));
      await send(writer, id, 't', 'unread again');
      await sendDirect(writer, [reader, other], 'unread again');
      let marking: Promise<unknown> = Promise.resolve();
      await whileMarksAreHeld(reader, async () => {
        marking = mark(reader, id, writer);
        await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true);
        expect(await send(other, id, 't', 'sent meanwhile')).toBeGreaterThan(0);
        expect(await sendDirect(other, [reader, writer], 'sent meanwhile')).toBeGreaterThan(0);
      });
      expect(await marking).toMatchObject({ status: 200 });
    });
  }
});

it(
  'a send during the marking of very many messages does not wait for its end',
  MEASURED,
  async () => {
    const { db } = world.server.ctx;
    const [reader, writer] = [await world.person(), await world.person()];
    const id = await world.channel(`very many for ${reader.id}`, [reader, writer]);
    await send(writer, id, 't', 'first');
    await addUnread(id, UNREAD);
    let isMarking = true;
    const markingBegan = performance.now();
    const marking = reader.client.post('/mark_stream_as_read', { stream_id: id }).finally(() => {
      isMarking = false;
    });
    const sendsMs: number[] = [];
    while (isMarking) {
      const began = performance.now();
      await send(writer, id, 't', 'x');
      sendsMs.push(performance.now() - began);
    }
    const markingMs = performance.now() - markingBegan;
    expect(await marking).toMatchObject({ status: 200 });
    // A send that waited for a lock would take about as long as the marking.
    expect(sendsMs.length).toBeGreaterThan(3);
    expect(Math.max(...sendsMs)).toBeLessThan(markingMs / 2);
    const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM messages
     WHERE conversation_id = (SELECT conversation_id FROM channels WHERE id = ${id})`.execute(db);
    expect(rows[0]?.count).toBeGreaterThan(UNREAD);
    const left = await fetchIds(reader, isUnread, { operator: 'channel', operand: id });
    expect(left.length).toBeLessThanOrEqual(sendsMs.length);
  },
);

it('earlier messages are read, and clients agree with the server about messages sent meanwhile', async () => {
  const { server, ada, bob } = world;
  const reader = await world.person();
  const channels = [
    await world.channel('race one', [reader, ada, bob]),
    await world.channel('race two', [reader, ada, bob]),
    await world.channel('race three', [reader, ada, bob]),
  ];
  for (let round = 0; round < 6; round += 1) {
    const before: number[] = [];
    for (const id of channels) before.push(await send(ada, id, 't', 'before'));
    before.push(await sendDirect(bob, [reader], 'before'));
    await settle(server);
    const queue = ok(
      await reader.client.post('/register', { event_types: ['message', 'update_message_flags'] }),
    );
    const known = new Set<number>(before);
    let isOver = false;
    const writers = [ada, bob].flatMap((who) =>
      channels.map(async (id) => {
        while (!isOver) await send(who, id, 't', 'meanwhile');
      }),
    );
    ok(await reader.client.post('/mark_all_as_read'));
    isOver = true;
    await Promise.all(writers);
    await settle(server);
    const { queue_id, last_event_id } = queue;
    const { events } = ok(
      await reader.client.get('/events', { queue_id, last_event_id, dont_block: true }),
    ) as { events: FlagEvent[] };
    for (const event of events) {
      if (event.type === 'message') known.add(event.message.id);
      else if (event.op === 'add' && event.all) known.clear();
      else if (event.op === 'add') for (const id of event.messages) known.delete(id);
      else for (const id of event.messages) known.add(id);
    }
    const unread = await fetchIds(reader, isUnread);
    expect(unread.filter((id) => before.includes(id))).toEqual([]);
    expect([...known].sort((a, b) => a - b)).toEqual(unread);
  }
});

type FlagEvent =
  | { readonly type: 'message'; readonly message: { readonly id: number } }
  | {
      readonly type: 'update_message_flags';
      readonly op: 'add' | 'remove';
      readonly all: boolean;
      readonly messages: readonly number[];
    };
