// Read, unread, starred: over HTTP, in the initial state, and with several clients at once.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import {
  fetchIds,
  ok,
  useMessageWorld,
  refused,
  send,
  sendDirect,
  subscribe,
  unsubscribe,
  type Actor,
} from '../../../testing/chat/world.ts';
import type { UnreadState } from './state.ts';

const world = useMessageWorld();

const flag = (who: Actor, messages: readonly number[], op: string, name = 'read') =>
  who.client.post('/messages/flags', { messages, op, flag: name });

async function unread(who: Actor): Promise<UnreadState> {
  const types = ['message', 'update_message_flags'];
  const body = ok(await who.client.post('/register', { event_types: types }));
  ok(await who.client.delete('/events', { queue_id: body['queue_id'] }));
  return body['unread_msgs'] as UnreadState;
}

const isUnread = { operator: 'is', operand: 'unread' };
const channel = (operand: number) => ({ operator: 'channel', operand });

describe('unread messages', () => {
  it('leave out what came to a channel with protected history before the reader', async () => {
    const { owner, ada, person, channel: make } = world;
    const reader = await person();
    const open = await make('open to all', [owner, ada, reader]);
    const more = { invite_only: true, history_public_to_subscribers: false };
    const closed = await make('for later readers', [owner, ada], more);
    const early = await send(ada, open, 'moves early', 'a');
    const late = await send(ada, open, 'moves late', 'b @**all**');
    const move = (id: number) =>
      owner.client.patch(`/messages/${id}`, {
        stream_id: closed,
        send_notification_to_new_thread: false,
        send_notification_to_old_thread: false,
      });
    ok(await move(early));
    const people = { subscriptions: [{ name: 'for later readers' }], principals: [reader.id] };
    ok(await owner.client.post('/users/me/subscriptions', people));
    ok(await move(late));
    const { streams, mentions } = await unread(reader);
    const ids = streams.flatMap((one) => (one.stream_id === closed ? one.unread_message_ids : []));
    expect(ids).toEqual([late]);
    expect(mentions).toEqual([late]);
    expect(streams.flatMap((one) => one.unread_message_ids)).not.toContain(early);
  });

  it('are listed by conversation, and events keep the list right', async () => {
    const { server, owner, ada, bob, guest, person, channel: make } = world;
    const reader = await person();
    const id = await make('unread', [owner, ada, reader]);
    const [events] = await verifyEvents(server, [reader], async () => {
      await send(ada, id, 'one', 'a');
      await send(ada, id, 'ONE', 'b @**all**');
      await send(owner, id, '', 'c');
      await sendDirect(ada, [reader], 'd');
      await sendDirect(reader, [reader], 'e');
      await sendDirect(bob, [reader, guest], 'f');
    });
    const ids = (events ?? []).flatMap((event) => ('message' in event ? [event.message.id] : []));
    const [a, b, c, d, e, f] = ids;
    const people = [reader.id, bob.id, guest.id].sort((x, y) => x - y).join(',');
    expect(await unread(reader)).toEqual({
      count: 6,
      pms: [
        { other_user_id: ada.id, sender_id: ada.id, unread_message_ids: [d] },
        { other_user_id: reader.id, sender_id: reader.id, unread_message_ids: [e] },
      ].sort((x, y) => x.other_user_id - y.other_user_id),
      streams: [
        { stream_id: id, topic: 'general chat', unread_message_ids: [c] },
        { stream_id: id, topic: 'one', unread_message_ids: [a, b] },
      ],
      huddles: [{ user_ids_string: people, unread_message_ids: [f] }],
      mentions: [b],
      old_unreads_missing: false,
    });
    const [after] = await verifyEvents(server, [reader], async () => {
      ok(await flag(reader, [a as number, d as number], 'add'));
      ok(await flag(reader, [a as number, d as number], 'add'));
      ok(
        await reader.client.post('/user_topics', {
          stream_id: id,
          topic: 'one',
          visibility_policy: 1,
        }),
      );
      ok(await flag(reader, [a as number, f as number], 'remove'));
    });
    // Messages that were read already are not in the event.
    expect(after?.filter(({ type }) => type === 'update_message_flags')).toMatchObject([
      { op: 'add', operation: 'add', flag: 'read', messages: [a, d], all: false },
      {
        op: 'remove',
        messages: [a],
        message_details: {
          [String(a)]: { type: 'stream', stream_id: id, topic: 'one', unmuted_stream_msg: false },
        },
      },
    ]);
    expect((await unread(reader)).count).toBe(3);
  });

  it('disappear when the person leaves the channel, and do not come back on return', async () => {
    const { server, owner, ada, person, channel: make } = world;
    const reader = await person();
    const id = await make('revolving', [owner, ada, reader]);
    const first = await send(ada, id, 'x', '1');
    await verifyEvents(server, [reader], () => unsubscribe(reader, 'revolving'));
    expect((await unread(reader)).count).toBe(0);
    const missed = await send(ada, id, 'x', '2');
    await verifyEvents(server, [reader], () => subscribe(reader, 'revolving'));
    const heard = await send(ada, id, 'x', '3');
    expect(await fetchIds(reader, channel(id), isUnread)).toEqual([heard]);
    expect(await fetchIds(reader, channel(id))).toEqual([first, missed, heard]);
    const answer = ok(await flag(reader, [missed], 'remove'));
    expect(answer['ignored_because_not_subscribed_channels']).toEqual([]);
    expect(await fetchIds(reader, channel(id), isUnread)).toEqual([heard]);
  });

  it('cannot be made in a channel without a subscription', async () => {
    const { ada, stranger, publicId } = world;
    const id = await send(ada, publicId, 'x', 'y');
    const answer = ok(await flag(stranger, [id], 'remove'));
    expect(answer).toMatchObject({
      messages: [id],
      ignored_because_not_subscribed_channels: [publicId],
    });
  });
});

describe('marking', () => {
  it('a narrow, around an anchor', async () => {
    const { server, owner, ada, bob, channel: make } = world;
    const id = await make('narrowed', [owner, ada, bob]);
    const ids: number[] = [];
    for (let n = 0; n < 6; n += 1)
      ids.push(await send(ada, id, n % 2 === 0 ? 'even' : 'odd', `${n}`));
    const narrow = [channel(id), { operator: 'topic', operand: 'even' }];
    const params = { narrow, op: 'add', flag: 'read' };
    const [events] = await verifyEvents(server, [bob], async () => {
      const answer = await bob.client.post('/messages/flags/narrow', {
        ...params,
        anchor: 'first_unread',
        num_before: 0,
        num_after: 1,
      });
      expect(ok(answer)).toMatchObject({
        processed_count: 2,
        updated_count: 2,
        first_processed_id: ids[0],
        last_processed_id: ids[2],
        found_oldest: false,
        found_newest: false,
        ignored_because_not_subscribed_channels: [],
      });
    });
    expect(events).toHaveLength(1);
    expect(await fetchIds(bob, channel(id), isUnread)).toEqual([ids[1], ids[3], ids[4], ids[5]]);
    const rest = await bob.client.post('/messages/flags/narrow', {
      ...params,
      anchor: 'oldest',
      num_before: 0,
      num_after: 9000,
    });
    expect(ok(rest)).toMatchObject({
      processed_count: 3,
      updated_count: 1,
      found_oldest: true,
      found_newest: true,
    });
    const none = await bob.client.post('/messages/flags/narrow', {
      narrow: [channel(id), { operator: 'topic', operand: 'none' }],
      op: 'add',
      flag: 'starred',
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
    });
    expect(ok(none)).toMatchObject({
      processed_count: 0,
      first_processed_id: null,
      last_processed_id: null,
    });
  });

  it('a topic, a channel, everything [M070] [M132] [M133]', async () => {
    const { server, owner, ada, bob, channel: make } = world;
    const id = await make('marked', [owner, ada, bob]);
    for (const topic of ['a', 'a', 'b']) await send(ada, id, topic, 'x');
    await sendDirect(ada, [bob], 'you too');
    const topic = (topic_name: string) =>
      bob.client.post('/mark_topic_as_read', { stream_id: id, topic_name });
    expect(refused(await topic('c')).msg).toBe("No such topic 'c'");
    await verifyEvents(server, [bob], async () => void ok(await topic('A')));
    expect(await fetchIds(bob, channel(id), isUnread)).toHaveLength(1);
    await verifyEvents(
      server,
      [bob],
      async () => void ok(await bob.client.post('/mark_stream_as_read', { stream_id: id })),
    );
    expect(await fetchIds(bob, channel(id), isUnread)).toEqual([]);
    const [events] = await verifyEvents(server, [bob], async () => {
      expect(ok(await bob.client.post('/mark_all_as_read'))).toMatchObject({ complete: true });
    });
    expect(events?.at(-1)).toMatchObject({
      type: 'update_message_flags',
      op: 'add',
      flag: 'read',
      messages: [],
      all: true,
    });
    expect((await unread(bob)).count).toBe(0);
    const { rows } = await sql`SELECT FROM read_blocks WHERE user_id = ${bob.id}`.execute(
      server.ctx.db,
    );
    expect(rows).toHaveLength(0);
  });

  it('starred and collapsed', async () => {
    const { server, ada, bob, stranger, publicId } = world;
    const id = await send(ada, publicId, 'stars', 'shine');
    const [events] = await verifyEvents(server, [bob], async () => {
      ok(await flag(bob, [id], 'add', 'starred'));
      ok(await flag(bob, [id], 'add', 'starred'));
      ok(await flag(bob, [id], 'add', 'collapsed'));
      ok(await flag(bob, [id], 'remove', 'starred'));
    });
    expect(events).toHaveLength(3);
    await verifyEvents(
      server,
      [stranger],
      async () => void ok(await flag(stranger, [id], 'add', 'starred')),
    );
    const { body } = await stranger.client.get(`/messages/${id}`);
    expect((body['message'] as { flags: string[] }).flags).toEqual([
      'read',
      'starred',
      'historical',
    ]);
    // People with a flag on a message get its events.
    const [told] = await verifyEvents(server, [stranger], async () => {
      ok(await ada.client.patch(`/messages/${id}`, { content: 'sparkle' }));
    });
    expect(told).toMatchObject([
      { type: 'update_message', flags: ['read', 'starred', 'historical'] },
    ]);
  });

  it.each([
    ['shiny', 'add', "Invalid flag: 'shiny'"],
    ['mentioned', 'add', "Flag not editable: 'mentioned'"],
    ['historical', 'remove', "Flag not editable: 'historical'"],
    ['read', 'toggle', "Invalid message flag operation: 'toggle'"],
  ])('%s %s is refused', async (name, op, message) => {
    expect(refused(await flag(world.ada, [], op, name)).msg).toBe(message);
  });

  it('skips missing messages when it marks as read or removes a flag, and otherwise changes all or nothing', async () => {
    const { server, ada, bob, guest, publicId, privateId } = world;
    const seen = await send(ada, publicId, 'x', 'y');
    const hidden = await send(ada, privateId, 'x', 'y');
    const gone = await send(ada, publicId, 'x', 'y');
    ok(await flag(guest, [seen], 'add', 'starred'));
    ok(await flag(guest, [seen], 'add', 'collapsed'));
    ok(await ada.client.delete(`/messages/${gone}`));
    const unknown = [hidden, gone, 2_000_000_000, 2 ** 52, -1];
    const [events] = await verifyEvents(server, [guest], async () => {
      for (const [op, name] of [
        ['add', 'read'],
        ['remove', 'starred'],
        ['remove', 'collapsed'],
      ] as const) {
        const answer = ok(await flag(guest, [...unknown, seen], op, name));
        expect(answer['messages']).toEqual([...unknown, seen]);
      }
    });
    expect(events).toMatchObject([
      { op: 'add', flag: 'read', messages: [seen] },
      { op: 'remove', flag: 'starred', messages: [seen] },
      { op: 'remove', flag: 'collapsed', messages: [seen] },
    ]);
    // The hidden message is still unread for people who may read it.
    expect(await fetchIds(bob, isUnread, channel(privateId))).toContain(hidden);
    for (const one of unknown) {
      for (const [op, name] of [
        ['remove', 'read'],
        ['add', 'starred'],
        ['add', 'collapsed'],
      ] as const) {
        expect(refused(await flag(guest, [seen, one], op, name)).msg).toBe('Invalid message(s)');
      }
    }
    expect(await fetchIds(guest, isUnread, channel(publicId))).not.toContain(seen);
    expect(await fetchIds(guest, { operator: 'is', operand: 'starred' })).not.toContain(seen);
  });
});

describe('two clients of one person at once', () => {
  it('never lose each other’s marks, across blocks', async () => {
    const { server, owner, ada, bob, channel: make } = world;
    const id = await make('busy', [owner, ada, bob]);
    const ids: number[] = [];
    for (let n = 0; n < 40; n += 1) ids.push(await send(ada, id, `t${n % 3}`, `${n}`));
    // Shift the numbers as if thousands had been sent before, so that they cross a block boundary.
    await sql`UPDATE messages SET seq = seq + 8171, place_seq = place_seq + 8171
               WHERE conversation_id = (SELECT conversation_id FROM channels WHERE id = ${id})`.execute(
      server.ctx.db,
    );
    await sql`UPDATE conversation_counters SET seq = seq + 8171
               WHERE conversation_id = (SELECT conversation_id FROM channels WHERE id = ${id})`.execute(
      server.ctx.db,
    );
    const odd = ids.filter((_, n) => n % 2 === 1);
    const even = ids.filter((_, n) => n % 4 === 0);
    const answers = await Promise.all([...odd, ...even].map((one) => flag(bob, [one], 'add')));
    for (const answer of answers) ok(answer);
    const left = ids.filter((one) => !odd.includes(one) && !even.includes(one));
    expect(await fetchIds(bob, channel(id), isUnread)).toEqual(left);
    const rows = async () =>
      (await sql`SELECT FROM read_blocks WHERE user_id = ${bob.id}`.execute(server.ctx.db)).rows
        .length;
    expect(await rows()).toBe(2);
    await Promise.all([flag(bob, left, 'add'), flag(bob, ids.slice(5, 7), 'add')]);
    expect(await fetchIds(bob, channel(id), isUnread)).toEqual([]);
    expect(await rows()).toBe(0);
    ok(await flag(bob, ids.slice(30), 'remove'));
    expect(await fetchIds(bob, channel(id), isUnread)).toEqual(ids.slice(30));
    expect(await rows()).toBe(0);
  });

  it('the watermark passes deleted messages', async () => {
    const { server, owner, ada, bob, channel: make } = world;
    const id = await make('holes', [owner, ada, bob]);
    const ids: number[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await send(ada, id, 'x', `${n}`));
    ok(await owner.client.delete(`/messages/${ids[1]}`));
    ok(await flag(bob, [ids[0] as number, ids[2] as number], 'add'));
    const { rows } = await sql<{ readThrough: bigint }>`
      SELECT read_through FROM read_marks
       WHERE user_id = ${bob.id}
         AND home_id = (SELECT conversation_id FROM channels WHERE id = ${id})`.execute(
      server.ctx.db,
    );
    expect(rows).toEqual([{ readThrough: 3n }]);
    expect(await fetchIds(bob, channel(id), isUnread)).toEqual([ids[3]]);
  });
});
