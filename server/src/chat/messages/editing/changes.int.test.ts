// What happens to messages after they were sent: edits, deletions, history, read receipts.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import {
  fetchIds,
  ok,
  refused,
  send,
  sendDirect,
  subscribe,
  useMessageWorld,
  type Actor,
} from '../../../testing/chat/world.ts';
import { edit, remove, read, history, setRealm, useSettableClock } from './test-changes.ts';

const clock = useSettableClock();
const world = useMessageWorld({ clock });

/** Whether a statement waits for another transaction. */
const isWaiting = async () => {
  const { rows } = await sql`
    SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(world.server.ctx.db);
  return rows.length > 0;
};

describe('editing the text', () => {
  it('reaches everybody, with the earlier text', async () => {
    const { server, ada, bob, publicId } = world;
    const id = await send(ada, publicId, 'edits', 'frist');
    const [, events] = await verifyEvents(server, [ada, bob], async () => {
      ok(await edit(ada, id, { content: 'first @**Bob**' }));
    });
    expect(events).toMatchObject([
      {
        type: 'update_message',
        user_id: ada.id,
        message_id: id,
        message_ids: [id],
        rendering_only: false,
        orig_content: 'frist',
        orig_rendered_content: '<p>frist</p>',
        content: 'first @**Bob**',
        is_me_message: false,
        stream_id: publicId,
        flags: ['mentioned'],
      },
      { type: 'user_topic', topic_name: 'edits', visibility_policy: 3 },
    ]);
    expect(events?.[0]).not.toHaveProperty('delivery');
    expect(events?.[0]).not.toHaveProperty('propagate_mode');
    const message = await read(ada, id, { apply_markdown: false });
    expect(message).toMatchObject({
      content: 'first @**Bob**',
      edit_history: [{ prev_content: 'frist' }],
    });
    expect(message.last_edit_timestamp).toBeGreaterThan(0);
    expect(message).not.toHaveProperty('last_moved_timestamp');
    expect((await read(bob, id)).flags).toContain('mentioned');
    ok(await edit(ada, id, { content: 'nobody' }));
    expect((await read(bob, id)).flags).not.toContain('mentioned');
    expect(await fetchIds(bob, { operator: 'search', operand: 'frist' })).not.toContain(id);
  });

  it('[M050] [M053] together with its topic is one edit with one snapshot; repeating it changes nothing', async () => {
    const { server, ada, bob, publicId } = world;
    const id = await send(ada, publicId, 'both before', 'before');
    const follower = await send(bob, publicId, 'both before', 'follows');
    const both = { content: 'after', topic: 'both after', propagate_mode: 'change_all' };
    const [, events] = await verifyEvents(server, [ada, bob], async () => {
      ok(await edit(ada, id, both));
    });
    expect(events?.filter(({ type }) => type === 'update_message')).toMatchObject([
      { message_ids: [id, follower], orig_content: 'before', subject: 'both after' },
    ]);
    const changed = { topic: 'both after', prev_topic: 'both before', user_id: ada.id };
    const versions = [
      { topic: 'both before', content: 'before' },
      { ...changed, content: 'after', prev_content: 'before' },
    ];
    expect(await history(bob, id)).toMatchObject(versions);
    expect(Object.keys((await history(bob, id))[0] ?? {}).sort()).toEqual([
      'content',
      'rendered_content',
      'timestamp',
      'topic',
      'user_id',
    ]);
    expect((await read(bob, id)).edit_history).toMatchObject([
      { ...changed, prev_content: 'before' },
    ]);
    const [, moved] = await history(bob, follower);
    expect(moved).toMatchObject({ ...changed, content: 'follows' });
    expect(moved).not.toHaveProperty('prev_content');
    // The same text again, alone or with the same or another topic.
    const [quiet] = await verifyEvents(server, [bob], async () => {
      ok(await edit(ada, id, { content: 'after' }));
      ok(await edit(ada, id, { content: '\nafter  ', topic: 'both after' }));
    });
    expect(quiet).toEqual([]);
    expect(await history(bob, id)).toHaveLength(2);
    ok(await edit(ada, id, { content: 'after', topic: 'both at last' }));
    const last = (await history(bob, id)).at(-1);
    expect(last).toMatchObject({ topic: 'both at last', prev_topic: 'both after' });
    expect(last).not.toHaveProperty('prev_content');
  });

  it('of a direct message to an empty text becomes (deleted)', async () => {
    const { server, ada, bob } = world;
    const id = await sendDirect(ada, [bob], 'oops');
    await verifyEvents(server, [bob], async () => void ok(await edit(ada, id, { content: ' ' })));
    expect((await read(bob, id)).content).toBe('<p>(deleted)</p>');
  });

  it('needs your own message, the time limit, the setting, and no faster edit by somebody else', async () => {
    const { ada, bob, owner, publicId } = world;
    const id = await send(ada, publicId, 'edits', 'mine');
    const attempt = async (who: Actor, fields: Record<string, unknown>) =>
      refused(await edit(who, id, fields));
    expect((await attempt(bob, { content: 'x' })).msg).toBe(
      "You don't have permission to edit this message",
    );
    expect((await attempt(owner, { content: 'x' })).msg).toBe(
      "You don't have permission to edit this message",
    );
    expect((await attempt(ada, {})).msg).toBe('Nothing to change');
    expect((await attempt(ada, { content: 'x', propagate_mode: 'change_all' })).msg).toBe(
      'Invalid propagate_mode without topic or channel edit',
    );
    expect((await attempt(ada, { content: 'x', propagate_mode: 'some' })).msg).toBe(
      'Invalid propagate_mode',
    );
    const digest = createHash('sha256').update('yours').digest('hex');
    expect(await attempt(ada, { content: 'x', prev_content_sha256: digest })).toMatchObject({
      code: 'EXPECTATION_MISMATCH',
    });
    clock.offsetMs = 621_000;
    expect((await attempt(ada, { content: 'x' })).msg).toBe(
      'The time limit for editing this message has passed',
    );
    clock.offsetMs = 0;
    await setRealm(world, { allow_message_editing: false });
    expect((await attempt(ada, { content: 'x' })).msg).toBe(
      'Your organization has turned off message editing',
    );
    await setRealm(world, { allow_message_editing: true });
    const right = createHash('sha256').update('mine').digest('hex');
    ok(await edit(ada, id, { content: 'still mine', prev_content_sha256: right }));
  });

  it('does not show the earlier text where history is hidden', async () => {
    const { server, ada, bob, publicId } = world;
    const id = await send(ada, publicId, 'edits', 'embarrassing');
    await setRealm(world, { message_edit_history_visibility_policy: 'none' });
    const [events] = await verifyEvents(
      server,
      [bob],
      async () => void ok(await edit(ada, id, { content: 'fine' })),
    );
    expect(JSON.stringify(events)).not.toContain('embarrassing');
    expect(JSON.stringify(await read(bob, id))).not.toContain('embarrassing');
    expect(refused(await bob.client.get(`/messages/${id}/history`)).msg).toBe(
      'Message edit history is disabled in this organization',
    );
    await setRealm(world, { message_edit_history_visibility_policy: 'moves' });
    ok(await edit(ada, id, { topic: 'moved' }));
    const told = await history(bob, id);
    expect(JSON.stringify(told)).not.toContain('embarrassing');
    expect(told).toMatchObject([
      { topic: 'edits', content: 'fine' },
      { topic: 'moved', prev_topic: 'edits', content: 'fine', rendered_content: '<p>fine</p>' },
    ]);
    await setRealm(world, { message_edit_history_visibility_policy: 'all' });
  });
});

describe('history', () => {
  it('shows every version, oldest first, with differences [M045] [M046] [M047] [M048] [M049] [M050] [M053] [M054] [M055] [M056] [M124] [M126]', async () => {
    const { ada, publicId } = world;
    const id = await send(ada, publicId, 'first topic', 'one two');
    ok(await edit(ada, id, { content: 'one three' }));
    ok(await edit(ada, id, { topic: 'second topic' }));
    const told = await history(ada, id);
    expect(told).toMatchObject([
      {
        topic: 'first topic',
        content: 'one two',
        rendered_content: '<p>one two</p>',
        user_id: ada.id,
      },
      {
        topic: 'first topic',
        content: 'one three',
        prev_content: 'one two',
        prev_rendered_content: '<p>one two</p>',
        user_id: ada.id,
      },
      { topic: 'second topic', content: 'one three', prev_topic: 'first topic' },
    ]);
    expect(Object.keys(told[0] ?? {}).sort()).toEqual([
      'content',
      'rendered_content',
      'timestamp',
      'topic',
      'user_id',
    ]);
    expect(told[1]?.['content_html_diff']).toBe(
      '<div><p>one <span class="highlight_text_deleted">two</span><span class="highlight_text_inserted">three</span></p></div>',
    );
    expect(refused(await ada.client.get(`/messages/${10 ** 9}/history`))).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Invalid message(s)',
    });
  });

  it('shows from which channel to which a message moved [M051] [M052]', async () => {
    const { ada, owner, publicId } = world;
    const target = await world.channel('where it went', [owner, ada]);
    const id = await send(ada, publicId, 'stays', 'goes');
    ok(await edit(ada, id, { content: 'goes away' }));
    ok(await edit(ada, id, { stream_id: target }));
    const [first, edited, moved] = await history(ada, id);
    expect(moved).toMatchObject({ prev_stream: publicId, stream: target, user_id: ada.id });
    for (const entry of [first, edited]) {
      expect(Object.keys(entry ?? {})).not.toContain('stream');
      expect(Object.keys(entry ?? {})).not.toContain('prev_stream');
    }
  });

  it('shows the empty topic by a name, unless the client supports it [M125]', async () => {
    const { ada, publicId } = world;
    const id = await send(ada, publicId, '', 'untitled');
    ok(await edit(ada, id, { topic: 'titled' }));
    expect((await history(ada, id))[1]).toMatchObject({ prev_topic: 'general chat' });
    const body = ok(
      await ada.client.get(`/messages/${id}/history`, { allow_empty_topic_name: true }),
    );
    expect((body['message_history'] as Record<string, unknown>[])[1]).toMatchObject({
      prev_topic: '',
    });
  });
});

describe('deleting', () => {
  it('removes the message for everybody, and from what is unread', async () => {
    const { server, ada, bob, guest, publicId } = world;
    const id = await send(ada, publicId, 'regret', 'never mind @**Bob**');
    ok(await bob.client.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }));
    const [, events] = await verifyEvents(
      server,
      [ada, bob, guest],
      async () => void ok(await remove(ada, id)),
    );
    expect(events).toMatchObject([
      { type: 'delete_message', message_type: 'stream', stream_id: publicId, topic: 'regret' },
    ]);
    expect(refused(await bob.client.get(`/messages/${id}`)).msg).toBe('Invalid message(s)');
    expect(refused(await remove(ada, id)).msg).toBe('Invalid message(s)');
  });

  it('takes its history along, and an edit that comes too late leaves none', async () => {
    const { server, ada, publicId } = world;
    const { db } = server.ctx;
    const edits = async (id: number) => {
      const rows = db.selectFrom('messageEdits').select('id').where('messageId', '=', BigInt(id));
      return (await rows.execute()).length;
    };
    const id = await send(ada, publicId, 'secret', 'password');
    ok(await edit(ada, id, { content: 'gone' }));
    expect(await edits(id)).toBe(1);
    ok(await remove(ada, id));
    expect(await edits(id)).toBe(0);
    const late = await send(ada, publicId, 'secret', 'password');
    // A deletion that holds only the message, as one whose channel was another a moment ago.
    const editing = await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('messages').where('id', '=', BigInt(late)).execute();
      const answer = edit(ada, late, { content: 'gone', topic: 'other' });
      await vi.waitFor(async () => expect(await isWaiting()).toBe(true), 5000);
      return { answer };
    });
    expect(refused(await editing.answer).msg).toBe('Invalid message(s)');
    expect(await edits(late)).toBe(0);
  });

  it('of the first message makes the next one the first', async () => {
    const { server, owner, ada, channel: make } = world;
    const id = await make('fresh', [owner, ada]);
    const first = await send(ada, id, 'a', '1');
    const second = await send(ada, id, 'a', '2');
    const [events] = await verifyEvents(server, [ada], async () => {
      ok(await remove(ada, first));
      ok(await remove(ada, second));
    });
    expect(events?.filter(({ type }) => type === 'stream')).toMatchObject([
      { property: 'first_message_id', value: second },
      { property: 'first_message_id', value: null },
    ]);
  });

  it('needs your own message and the time limit, or the right to delete any', async () => {
    const { owner, ada, bob, publicId } = world;
    const id = await send(ada, publicId, 'keep', 'it');
    expect(refused(await remove(bob, id)).msg).toBe(
      "You don't have permission to delete this message",
    );
    clock.offsetMs = 601_000;
    expect(refused(await remove(ada, id)).msg).toBe(
      'The time limit for deleting this message has passed',
    );
    ok(await remove(owner, id));
  });

  it('a whole topic is for administrators', async () => {
    const { server, owner, ada, bob, publicId } = world;
    const ids = [await send(ada, publicId, 'spam', '1'), await send(bob, publicId, 'SPAM', '2')];
    const path = `/streams/${publicId}/delete_topic`;
    expect(refused(await ada.client.post(path, { topic_name: 'spam' })).code).toBe(
      'UNAUTHORIZED_PRINCIPAL',
    );
    const [events] = await verifyEvents(server, [bob], async () => {
      expect(ok(await owner.client.post(path, { topic_name: 'spam' }))).toMatchObject({
        complete: true,
      });
    });
    expect(events?.map((event) => ('message_id' in event ? event.message_id : 0))).toEqual(ids);
  });
});

describe('read receipts', () => {
  it('name the people who have read it and share that', async () => {
    const { ada, bob, guest, owner, stranger, publicId, privateId } = world;
    const id = await send(ada, publicId, 'receipts', 'read me');
    const receipts = async (who: Actor) =>
      ok(await who.client.get(`/messages/${id}/read_receipts`))['user_ids'];
    expect(await receipts(ada)).toEqual([]);
    const mark = { messages: [id], op: 'add', flag: 'read' };
    for (const who of [ada, bob, guest, owner]) ok(await who.client.post('/messages/flags', mark));
    ok(await guest.client.patch('/settings', { send_read_receipts: false }));
    expect(await receipts(stranger)).toEqual([owner.id, bob.id]);
    ok(await bob.client.post('/messages/flags', { ...mark, op: 'remove' }));
    expect(await receipts(ada)).toEqual([owner.id]);
    const hidden = await send(ada, privateId, 'x', 'y');
    expect(refused(await stranger.client.get(`/messages/${hidden}/read_receipts`)).msg).toBe(
      'Invalid message(s)',
    );
    await setRealm(world, { enable_read_receipts: false });
    expect(refused(await ada.client.get(`/messages/${id}/read_receipts`)).msg).toBe(
      'Read receipts are disabled in this organization.',
    );
    await setRealm(world, { enable_read_receipts: true });
  });
});

it('nothing in an archived channel changes, but it can be read', async () => {
  const { owner, ada, channel: make } = world;
  const id = await make('closing', [owner, ada]);
  const message = await send(ada, id, 'last', 'words');
  ok(await owner.client.delete(`/streams/${id}`));
  for (const attempt of [
    edit(ada, message, { content: 'x' }),
    remove(owner, message),
    ada.client.post(`/messages/${message}/reactions`, { emoji_name: 'tada' }),
    ada.client.post('/messages/flags', { messages: [message], op: 'add', flag: 'starred' }),
  ]) {
    expect(refused(await attempt).msg).toBe('Invalid message(s)');
  }
  const posted = await ada.client.post('/messages', {
    type: 'channel',
    to: id,
    topic: 'x',
    content: 'y',
  });
  expect(refused(posted).msg).toBe("Not authorized to send to channel 'closing'");
  expect((await read(ada, message)).content).toBe('<p>words</p>');
  expect(await history(ada, message)).toHaveLength(1);
  ok(await ada.client.post('/messages/flags', { messages: [message], op: 'add', flag: 'read' }));
  await subscribe(world.stranger, 'general');
});
