// Plain messages go by one statement. What it writes is what the long way writes; many at once keep their order; and one
// that cannot be written does not keep the others back.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { listUsersById } from '../../../../accounts/users/access.ts';
import type { User } from '../../../../accounts/user.ts';
import { BLOCK_MESSAGES } from '../../read-state/marks.ts';
import { fetchIds, ok, send, useMessageWorld, type Actor } from '../../../../testing/chat/world.ts';
import { statementsOf } from '../../../../testing/statements.ts';
import { sendMessage } from '../send.ts';
import { postTogether } from './batch.ts';
import { insertPlain, type PlainPost } from './store.ts';
import { forgetful } from '../../../../testing/forgetful.ts';

const world = useMessageWorld();

const AS_PERSON = { client: 'website' };

describe('a plain message', () => {
  it('takes one statement, which also checks the remembered caller', async () => {
    const { ada, publicId, server } = world;
    for (let n = 0; n < 3; n += 1) await send(ada, publicId, 'warm', 'x', AS_PERSON);
    const { pool } = server.ctx.pooled('chat').database;
    const statements = await statementsOf([pool], () =>
      send(ada, publicId, 'warm', 'x', AS_PERSON),
    );
    expect(statements).toEqual([expect.stringContaining('post_messages')]);
  });

  it.each([
    ['text', 'Some **bold** text with https://example.com'],
    ['Persian', 'سلام، حال شما چطور است؟'],
    ['what JSON escapes', 'quotes " and \\ and \u2028 and \u0007 and 😀'],
    ['another channel', 'see #**general** and #**no such>topic**'],
    ['an action', '/me waves'],
  ])('writes what the long way writes: %s', async (_name, content) => {
    const { ada, publicId, server } = world;
    const { ctx } = server;
    const [sender] = (await listUsersById(ctx.db, [ada.id])) as [User];
    const api = { ...ctx, ...ctx.pooled('chat'), publicUrl: () => server.origin };
    const input = {
      type: 'channel' as const,
      to: String(publicId),
      topic: 'warm',
      content,
      client: 'website',
      readBySender: undefined,
      queueId: undefined,
      localId: undefined,
    };
    await sendMessage(api, sender, input);
    const ids: number[] = [];
    const ways: boolean[] = [];
    for (const own of [api, forgetful(api)]) {
      const texts = await statementsOf([api.database.pool], async () => {
        ids.push((await sendMessage({ ...api, facts: own.facts }, sender, input)).id);
      });
      ways.push(texts.includes('commit'));
    }
    expect(ways).toEqual([false, true]);
    const { rows } = await ctx.database.pool.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(m) - '{id,seq,place_seq,sent_at}'::text[] AS row
         FROM messages m WHERE id = ANY ($1) ORDER BY id`,
      [ids],
    );
    expect(rows[0]?.row).toEqual(rows[1]?.row);
    const events = await eventsOf(ids);
    expect(events[0]).toEqual(events[1]);
  });

  async function eventsOf(ids: readonly number[]): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const id of ids) {
      await expect.poll(() => eventText(id)).toBeDefined();
      const { event, audience } = (await eventText(id)) as { event: string; audience: unknown };
      const parsed = JSON.parse(event) as {
        message: { id: number; timestamp: number };
        delivery: { seq: number };
      };
      expect(parsed.message.id).toBe(id);
      expect(parsed.delivery.seq).toBeGreaterThan(0);
      const { timestamp: _t, id: _i, ...message } = parsed.message;
      const { seq: _s, ...delivery } = parsed.delivery;
      found.push({ ...parsed, message, delivery, audience });
    }
    return found;
  }

  async function eventText(id: number): Promise<unknown> {
    const { rows } = await world.server.ctx.database.pool.query(
      `SELECT payload AS event, audience FROM event_log
        WHERE type = 'message' AND (payload::jsonb -> 'message' ->> 'id')::bigint = $1`,
      [id],
    );
    return rows[0];
  }
});

describe('many at once', () => {
  it('get ids and numbers in one order, each once', async () => {
    const { ada, bob, owner, publicId, server } = world;
    const people = [ada, bob, owner];
    await Promise.all(people.map((one) => send(one, publicId, 'many', 'first', AS_PERSON)));
    const { pool } = server.ctx.pooled('chat').database;
    let sent: number[] = [];
    const statements = await statementsOf([pool], async () => {
      sent = await Promise.all(
        Array.from({ length: 120 }, (_, n) =>
          send(people[n % people.length] as Actor, publicId, 'many', `m ${n}`, AS_PERSON),
        ),
      );
    });
    expect(statements.filter((text) => text.includes('post_messages')).length).toBeLessThan(120);
    const { rows } = await server.ctx.database.pool.query<{ id: string; seq: string }>(
      `SELECT m.id, m.seq FROM messages m WHERE m.id = ANY ($1) ORDER BY m.id`,
      [sent],
    );
    expect(rows).toHaveLength(120);
    const seqs = rows.map(({ seq }) => Number(seq));
    expect(seqs).toEqual(seqs.map((_, n) => (seqs[0] as number) + n));
    expect(await unreadAmong(ada, sent)).toBe(80);
  });

  it('send a local id once', async () => {
    const { ada, publicId } = world;
    await send(ada, publicId, 'once', 'first', AS_PERSON);
    const uuid = randomUUID();
    for (const local of [{ local_id: uuid }, { local_id: '7.01', queue_id: 'q' }]) {
      const ids = await Promise.all(
        Array.from({ length: 12 }, () =>
          send(ada, publicId, 'once', 'twelve times', { ...AS_PERSON, ...local }),
        ),
      );
      expect(new Set(ids).size).toBe(1);
    }
  });

  it('are not written because of one that cannot be, and each goes the long way', async () => {
    const { ada, publicId, server } = world;
    const conversationId = await conversationOf(publicId);
    const before = await fetchIds(ada, { operator: 'channel', operand: publicId });
    const [good, bad] = [{ topic: 'poison' }, { topic: 'x'.repeat(100) }].map(
      (more) => ({ ...POST, sender: ada.id, ...more }) satisfies PlainPost,
    ) as [PlainPost, PlainPost];
    const chat = { ...server.ctx, ...server.ctx.pooled('chat') };
    const results = await Promise.all(
      // The first goes alone, and the others together.
      [bad, good, bad, good].map((post) => postTogether(chat, conversationId, post)),
    );
    expect(results).toEqual(['left', 'left', 'left', 'left']);
    expect(await fetchIds(ada, { operator: 'channel', operand: publicId })).toEqual(before);
  });

  it('are left out for a sender who is unknown, and for facts that nobody can vouch for', async () => {
    const { ada, publicId, server } = world;
    const { db } = server.ctx.pooled('chat');
    const results = await insertPlain(db, await conversationOf(publicId), [
      { ...POST, sender: 0 },
      { ...POST, sender: ada.id, about: [0], snapshots: ['1:1:'] },
      { ...POST, sender: ada.id, role: 100 },
      { ...POST, sender: ada.id, topic: 'nobody has written here', needs_topic: true },
    ]);
    expect(results).toEqual(['stale', 'stale', 'stale', 'left']);
  });
});

it('does not cost more in a channel with many messages', async () => {
  const { ada, server } = world;
  const channelId = await world.channel('full', [ada]);
  const conversationId = await conversationOf(channelId);
  const { db } = server.ctx.pooled('chat');
  const post = { ...POST, sender: ada.id, needs_topic: true };
  const undo = new Error('undone');
  const running = db.transaction().execute(async (tx) => {
    const looked = async () => {
      const { rows } = await sql<{ count: bigint }>`
        SELECT sum(pg_stat_get_xact_tuples_fetched(relid) + pg_stat_get_xact_tuples_returned(relid))::bigint AS count
          FROM pg_partition_tree('messages') WHERE isleaf`.execute(tx);
      return Number(rows[0]?.count ?? 0);
    };
    await sql`
      INSERT INTO messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, content, rendered, client,
                            sent_at, content_words)
      SELECT nextval('message_ids'), ${conversationId}::int, ${conversationId}::int, 1000000 + n, 1000000 + n,
             ${ada.id}::int, 'old ' || n % 7, 'x', 'x', 'test', now(), ''
        FROM generate_series(1, 5000) AS n`.execute(tx);
    for (const [topic, result] of [
      ['old 1', expect.any(Number)],
      ['OLD 3', expect.any(Number)],
      ['nobody has written here', 'left'],
    ] as const) {
      const before = await looked();
      expect(await insertPlain(tx, conversationId, [{ ...post, topic }])).toEqual([result]);
      expect((await looked()) - before).toBeLessThan(20);
    }
    throw undo;
  });
  await expect(running).rejects.toBe(undo);
});

/** A message of nobody, which relies on nothing. */
const POST: PlainPost = {
  sender: 0,
  role: 400,
  about: [],
  snapshots: [],
  topic: 'poison',
  topic_links: [],
  content: 'x',
  rendered: '<p>x</p>',
  plain: 'x',
  client: 'website',
  sent_at: new Date().toISOString(),
  has_link: false,
  has_image: false,
  needs_topic: false,
  is_read: false,
  event_a: '',
  event_b: '',
  event_c: '',
  audience: { users: [] },
};

async function conversationOf(channelId: number): Promise<number> {
  const { rows } = await world.server.ctx.database.pool.query<{ id: number }>(
    'SELECT conversation_id AS id FROM channels WHERE id = $1',
    [channelId],
  );
  return rows[0]?.id ?? 0;
}

describe('a message that its sender has read', () => {
  it('is read across the blocks of the read state, and others stay unread', async () => {
    const { ada, bob, server } = world;
    const channelId = await world.channel('long', [ada, bob]);
    await send(ada, channelId, 'x', 'first', AS_PERSON);
    // As if thousands had been sent and deleted since: the next ones lie around the end of the first block.
    await server.owner.query(
      `UPDATE conversation_counters n SET seq = $2, last_seq = $2 FROM channels c
        WHERE c.id = $1 AND n.conversation_id = c.conversation_id`,
      [channelId, BLOCK_MESSAGES - 4],
    );
    const sent: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      sent.push(await send(n % 3 === 0 ? bob : ada, channelId, 'x', `m ${n}`, AS_PERSON));
    }
    const byBob = sent.filter((_, n) => n % 3 === 0);
    expect(await unreadIds(ada, sent)).toEqual(byBob);
    expect(await unreadIds(bob, sent)).toEqual(sent.filter((id) => !byBob.includes(id)));
    ok(await ada.client.post('/messages/flags', { messages: byBob, op: 'add', flag: 'read' }));
    expect(await unreadIds(ada, sent)).toEqual([]);
    const more = await send(ada, channelId, 'x', 'again', AS_PERSON);
    expect(await unreadIds(ada, [...sent, more])).toEqual([]);
    expect(await unreadIds(bob, [more])).toEqual([more]);
  });
});

async function unreadIds(who: Actor, among: readonly number[]): Promise<number[]> {
  const unread = new Set(await fetchIds(who, { operator: 'is', operand: 'unread' }));
  return among.filter((id) => unread.has(id));
}

const unreadAmong = async (who: Actor, ids: readonly number[]): Promise<number> =>
  (await unreadIds(who, ids)).length;
