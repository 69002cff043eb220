// Scheduled messages: over HTTP, and sent by the worker.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDueRunner, type DueRunner } from '../../../platform/due/runner.ts';
import { pause } from '../../../platform/std/wait.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import {
  fetchAll,
  ok,
  openMessageWorld,
  refused,
  send,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { scheduledMessages } from './deliver.ts';
import type { ScheduledMessage } from './events.ts';

let world: MessageWorld;
let workers: DueRunner[] = [];
/** How far a process's clock is off. */
let skewMs = 0;
beforeAll(async () => {
  world = await openMessageWorld({
    settings: { DUE_POLL_MS: '20' },
    clock: { now: () => Date.now() + skewMs },
  });
});
afterAll(async () => {
  await stopWorkers();
  await checkLoggedShapes(world.server);
  await world.close();
});

function startWorkers(count: number): void {
  const { ctx, origin } = world.server;
  const list = scheduledMessages({ ...ctx, publicUrl: () => origin });
  for (let n = 0; n < count; n += 1) workers.push(startDueRunner(ctx, list));
}
async function stopWorkers(): Promise<void> {
  await Promise.all(workers.map((one) => one.stop()));
  workers = [];
}

const seconds = (fromNow: number) => Math.floor(Date.now() / 1000) + fromNow;
const HOUR = 3600;
const given = (params: FormInput): FormInput =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
const toChannel = (more: FormInput = {}): FormInput =>
  given({
    type: 'channel',
    to: world.publicId,
    topic: 'later',
    content: 'See **you**',
    scheduled_delivery_timestamp: seconds(HOUR),
    ...more,
  });
const post = (params: FormInput, { client } = world.ada) =>
  client.post('/scheduled_messages', params);
const schedule = async (params: FormInput = {}, actor = world.ada): Promise<number> =>
  Number(ok(await post(toChannel(params), actor))['scheduled_message_id']);
const edit = (id: number, params: FormInput, { client } = world.ada) =>
  client.patch(`/scheduled_messages/${id}`, given(params));
const remove = (id: number, { client } = world.ada) => client.delete(`/scheduled_messages/${id}`);
const list = async ({ client } = world.ada): Promise<ScheduledMessage[]> =>
  ok(await client.get('/scheduled_messages'))['scheduled_messages'] as ScheduledMessage[];
const get = async (id: number, actor: Actor = world.ada) =>
  (await list(actor)).find((one) => one.scheduled_message_id === id);

/** Moves the scheduled time into the past. */
async function makeDue(id: number, secondsAgo = 1): Promise<void> {
  await world.server.ctx.database.pool.query(
    `UPDATE scheduled_messages
        SET deliver_at = now() - $2 * interval '1 second', next_try_at = now() - $2 * interval '1 second'
      WHERE id = $1`,
    [id, secondsAgo],
  );
}
async function row(id: number) {
  const { rows } = await world.server.ctx.database.pool.query<{
    message_id: bigint | null;
    failure: string | null;
    next_try_at: Date | null;
    attempts: number;
  }>('SELECT * FROM scheduled_messages WHERE id = $1', [id]);
  return rows[0];
}
/** Makes the message due, and waits until it is sent or has failed. */
async function settle(id: number, secondsAgo = 1): Promise<void> {
  await makeDue(id, secondsAgo);
  if (workers.length === 0) startWorkers(2);
  await expect.poll(async () => (await row(id))?.next_try_at, { interval: 10 }).toBeNull();
}
const topicNarrow = (topic: string) => [
  { operator: 'channel', operand: world.publicId },
  { operator: 'topic', operand: topic },
];

describe('scheduling', () => {
  it('[M090] accepts all four names of the two types, and shows them as two', async () => {
    const { ada, bob, publicId } = world;
    const ids = [
      await schedule({ type: 'channel' }),
      await schedule({ type: 'stream' }),
      await schedule({ type: 'direct', to: [bob.id], topic: 'ignored' }),
      await schedule({ type: 'private', to: [ada.id] }),
    ];
    const shared = {
      content: 'See **you**',
      rendered_content: '<p>See <strong>you</strong></p>',
      failed: false,
      scheduled_delivery_timestamp: expect.any(Number),
    };
    expect(await Promise.all(ids.map((id) => get(id)))).toEqual([
      { scheduled_message_id: ids[0], type: 'stream', to: publicId, topic: 'later', ...shared },
      { scheduled_message_id: ids[1], type: 'stream', to: publicId, topic: 'later', ...shared },
      { scheduled_message_id: ids[2], type: 'private', to: [bob.id], ...shared },
      { scheduled_message_id: ids[3], type: 'private', to: [ada.id], ...shared },
    ]);
    const unknown = 'Invalid type: Value error, Not in the list of possible values';
    expect(refused(await post(toChannel({ type: 'email' }))).msg).toBe(unknown);
    expect(refused(await edit(ids[0] ?? 0, { type: 'email' })).msg).toBe(unknown);
    for (const id of ids) ok(await remove(id));
  });

  it('lists in the order of time, and sends events to the person’s own clients only', async () => {
    const { server, ada, bob } = world;
    const ids: number[] = [];
    const [own, other] = await verifyEvents(server, [ada, bob], async () => {
      ids.push(await schedule({ scheduled_delivery_timestamp: seconds(2 * HOUR) }));
      ids.push(await schedule({ scheduled_delivery_timestamp: seconds(HOUR) }));
    });
    expect(own).toMatchObject(
      ids.map((id) => ({ op: 'add', scheduled_messages: [{ scheduled_message_id: id }] })),
    );
    expect(other).toEqual([]);
    expect((await list()).map((one) => one.scheduled_message_id)).toEqual([ids[1], ids[0]]);
    expect(await list(bob)).toEqual([]);
    const [changed] = await verifyEvents(server, [ada], () =>
      edit(ids[1] ?? 0, { content: 'other', scheduled_delivery_timestamp: seconds(3 * HOUR) }),
    );
    expect(changed).toMatchObject([
      {
        op: 'update',
        scheduled_message: { scheduled_message_id: ids[1], rendered_content: '<p>other</p>' },
      },
    ]);
    const [gone] = await verifyEvents(server, [ada], async () => {
      for (const id of ids) ok(await remove(id));
    });
    expect(gone).toMatchObject(ids.map((id) => ({ op: 'remove', scheduled_message_id: id })));
  });

  it.each<[string, () => FormInput, string]>([
    ['no type', () => ({ type: undefined }), "Missing 'type' argument"],
    ['no content', () => ({ content: undefined }), "Missing 'content' argument"],
    ['an empty text', () => ({ content: ' \n' }), 'Message must not be empty'],
    ['no topic', () => ({ topic: undefined }), 'Missing topic'],
    ['a list for a channel', () => ({ to: [1] }), 'Invalid data type for channel ID'],
    ['an id for people', () => ({ type: 'direct', to: 1 }), 'Invalid data type for recipients'],
    ['no people', () => ({ type: 'direct', to: [] }), 'Message must have recipients'],
    ['a name', () => ({ to: 'general' }), 'to is not valid JSON'],
    ['a text', () => ({ to: '"general"' }), 'to["int"] is not an integer'],
    [
      'the present',
      () => ({ scheduled_delivery_timestamp: seconds(0) }),
      'Scheduled delivery time must be in the future.',
    ],
    [
      'the far future',
      () => ({ scheduled_delivery_timestamp: 253_402_300_800 }),
      'scheduled_delivery_timestamp is too large',
    ],
  ])('%s is refused', async (_name, params, message) => {
    expect(refused(await post(toChannel(params()))).msg).toBe(message);
  });

  it('makes all checks of sending before anything is stored', async () => {
    const { privateId, stranger, guest } = world;
    const refusedTo = async (params: FormInput, actor: Actor) =>
      refused(await post(toChannel(params), actor));
    expect(await refusedTo({ to: privateId }, stranger)).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: privateId,
    });
    const quiet = await world.channel('announcements', [world.ada], {
      can_send_message_group: { direct_members: [world.owner.id], direct_subgroups: [] },
    });
    expect((await refusedTo({ to: quiet }, world.ada)).msg).toBe(
      'You do not have permission to post in this channel.',
    );
    expect(await list(stranger)).toEqual([]);
    expect(await list(guest)).toEqual([]);
  });
});

describe('changing a scheduled message', () => {
  it('[M089] uses its own id, and is for its owner only', async () => {
    const { bob } = world;
    const id = await schedule();
    const missing = { code: 'BAD_REQUEST', msg: 'Scheduled message does not exist' };
    for (const answer of [
      await edit(id, { content: 'mine' }, bob),
      await remove(id, bob),
      await edit(999_999, { content: 'x' }),
      await edit(99_999_999_999, { content: 'x' }),
      await remove(99_999_999_999),
    ]) {
      expect(answer.status).toBe(404);
      expect(refused(answer)).toMatchObject(missing);
    }
    ok(await edit(id, { content: 'changed' }));
    expect(await get(id)).toMatchObject({ content: 'changed' });
    ok(await remove(id));
    expect((await remove(id)).status).toBe(404);
    expect((await bob.client.patch('/scheduled_messages/abc', { content: 'x' })).status).toBe(404);
  });

  it('[M091] needs recipients when the type changes, and not when the type is repeated', async () => {
    const { bob, guest, publicId, privateId } = world;
    const id = await schedule();
    const required = 'Recipient required when updating type of scheduled message.';
    expect(refused(await edit(id, { type: 'direct' })).msg).toBe(required);
    expect(refused(await edit(id, { type: 'private', content: 'x' })).msg).toBe(required);
    ok(await edit(id, { type: 'stream' }));
    expect(await get(id)).toMatchObject({ type: 'stream', to: publicId, topic: 'later' });
    ok(await edit(id, { to: privateId }));
    expect(await get(id)).toMatchObject({ to: privateId, topic: 'later' });
    ok(await edit(id, { type: 'direct', to: [guest.id, bob.id, bob.id, world.ada.id] }));
    const shown = await get(id);
    expect(shown).toMatchObject({ type: 'private', to: [bob.id, guest.id] });
    expect(shown).not.toHaveProperty('topic');
    ok(await edit(id, { to: [bob.id] }));
    ok(await edit(id, { type: 'private' }));
    expect(await get(id)).toMatchObject({ to: [bob.id] });
    expect(refused(await edit(id, { to: publicId })).msg).toBe('Invalid data type for recipients');
    expect(refused(await edit(id, { to: [] })).msg).toBe('Message must have recipients');
    const back = { type: 'channel', topic: 'x' };
    expect(refused(await edit(id, { ...back, to: [publicId] })).msg).toBe(
      'Invalid data type for channel ID',
    );
    ok(await edit(id, { ...back, to: publicId }));
    ok(await remove(id));
  });

  it('[M092] keeps the text within max_message_length, and not empty', async () => {
    const id = await schedule();
    ok(await edit(id, { content: 'x'.repeat(10_000) }));
    expect((await get(id))?.content).toHaveLength(10_000);
    ok(await edit(id, { content: 'y'.repeat(10_001) }));
    const shown = await get(id);
    expect(shown?.content).toHaveLength(10_000);
    expect(shown?.content).toMatch(/y\n\[message truncated\]$/);
    expect(refused(await edit(id, { content: '' })).msg).toBe('Message must not be empty');
    ok(await remove(id));
  });

  it('[M093] needs a topic that is not empty when it becomes a channel message; for direct messages the topic is ignored', async () => {
    const { bob, publicId } = world;
    const id = await schedule({ type: 'direct', to: [bob.id] });
    const required = 'Topic required when updating scheduled message type to channel.';
    for (const topic of [undefined, '', '  ', '(no topic)', 'general chat']) {
      const answer = await edit(id, { type: 'channel', to: publicId, topic });
      expect([answer.status, refused(answer)]).toMatchObject([
        400,
        { code: 'BAD_REQUEST', msg: required },
      ]);
    }
    ok(await edit(id, { topic: 'ignored' }));
    expect(await get(id)).toMatchObject({ type: 'private', to: [bob.id] });
    ok(await edit(id, { type: 'channel', to: publicId, subject: ' chosen ' }));
    expect(await get(id)).toMatchObject({ type: 'stream', topic: 'chosen' });
    ok(await edit(id, { topic: 't'.repeat(61) }));
    expect((await get(id))?.topic).toBe(`${'t'.repeat(57)}...`);
    expect(refused(await edit(id, { topic: 'a\u0007' })).msg).toBe(
      'Invalid character in topic, at position 2!',
    );
    // If the type stays, the channel's rule for empty topics applies.
    ok(await edit(id, { topic: '(no topic)' }));
    expect((await get(id))?.topic).toBe('');
    ok(
      await world.owner.client.patch(`/streams/${publicId}`, {
        topics_policy: 'disable_empty_topic',
      }),
    );
    ok(await edit(id, { topic: 'named' }));
    expect(refused(await edit(id, { topic: 'general chat' })).msg).toBe(
      'Sending messages to the general chat is not allowed in this channel.',
    );
    ok(await world.owner.client.patch(`/streams/${publicId}`, { topics_policy: 'inherit' }));
    ok(await remove(id));
  });

  it('[M094] needs Unix seconds in the future, and a new time once it has failed', async () => {
    const id = await schedule();
    const past = 'Scheduled delivery time must be in the future.';
    const at = seconds(5 * HOUR);
    ok(await edit(id, { scheduled_delivery_timestamp: at }));
    expect((await get(id))?.scheduled_delivery_timestamp).toBe(at);
    for (const when of [0, -1, seconds(-1)]) {
      expect(refused(await edit(id, { scheduled_delivery_timestamp: when })).msg).toBe(past);
    }
    expect(refused(await edit(id, { scheduled_delivery_timestamp: '1.5' })).msg).toBe(
      'scheduled_delivery_timestamp is not an integer',
    );
    // The time is checked before the message is looked up.
    expect(refused(await edit(999_999, { scheduled_delivery_timestamp: 1 })).msg).toBe(past);
    expect(refused(await edit(999_999, {})).msg).toBe('Nothing to change');
    await settle(id, 700);
    expect(await get(id)).toMatchObject({ failed: true });
    expect(refused(await edit(id, { content: 'again' })).msg).toBe(past);
    ok(await edit(id, { content: 'again', scheduled_delivery_timestamp: seconds(HOUR) }));
    expect(await get(id)).toMatchObject({ failed: false, content: 'again' });
    await stopWorkers();
    ok(await remove(id));
  });

  it('[M095] [M207] names the unknown channel, person or message in its refusal', async () => {
    const { bob, privateId, stranger, publicId } = world;
    const id = await schedule();
    const unknown = await edit(id, { to: 900_000 });
    expect([unknown.status, unknown.body]).toEqual([
      400,
      {
        result: 'error',
        code: 'STREAM_DOES_NOT_EXIST',
        msg: "Channel with ID '900000' does not exist",
        stream_id: 900_000,
      },
    ]);
    expect(refused(await edit(id, { type: 'direct', to: [bob.id, 900_000] }))).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Invalid user ID 900000',
    });
    expect(await get(id)).toMatchObject({ to: publicId });
    const foreign = await schedule({}, stranger);
    expect(refused(await edit(foreign, { to: privateId }, stranger))).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: privateId,
    });
    expect(refused(await edit(900_000, { content: 'x' })).code).toBe('BAD_REQUEST');
    ok(await remove(id));
    ok(await remove(foreign, stranger));
  });
});

describe('sending', () => {
  it('[M071] sends as the owner at the time, not before, and removes it from the list', async () => {
    const { server, ada, bob } = world;
    startWorkers(3);
    const at = seconds(2);
    let id = 0;
    const [own, other] = await verifyEvents(server, [ada, bob], async () => {
      id = await schedule({
        topic: 'on time',
        scheduled_delivery_timestamp: at,
        client: 'website',
      });
      while (Date.now() < at * 1000 - 50) {
        expect(await fetchAll(bob, topicNarrow('on time'))).toEqual([]);
        await pause(100);
      }
      await expect.poll(async () => (await row(id))?.message_id, { interval: 10 }).not.toBeNull();
      expect(Date.now()).toBeLessThan(at * 1000 + 1000);
    });
    expect(own?.map(({ type }) => type)).toContain('message');
    expect(own).toContainEqual(expect.objectContaining({ op: 'remove', scheduled_message_id: id }));
    expect(other).toMatchObject([{ type: 'message', message: { content: 'See **you**' } }]);
    const [message] = await fetchAll(ada, topicNarrow('on time'));
    expect(message).toMatchObject({ sender_id: ada.id, client: 'website', flags: ['read'] });
    expect(message?.timestamp).toBeGreaterThanOrEqual(at);
    expect(await get(id)).toBeUndefined();
    expect(refused(await edit(id, { content: 'too late' }))).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Scheduled message was already sent',
    });
    expect(refused(await remove(id)).msg).toBe('Scheduled message was already sent');
    expect(Number((await row(id))?.message_id)).toBe(message?.id);
    await stopWorkers();
  });

  it('leaves the message unread for its owner on request, or when a program scheduled it', async () => {
    const { ada } = world;
    const ids = [
      await schedule({ topic: 'flags', content: 'a', client: 'website', read_by_sender: false }),
      await schedule({ topic: 'flags', content: 'b', client: 'robot' }),
      await schedule({ topic: 'flags', content: 'c', client: 'robot', read_by_sender: true }),
    ];
    for (const id of ids) await settle(id);
    const found = await fetchAll(ada, topicNarrow('flags'));
    expect(found.map(({ flags }) => flags)).toEqual([[], [], ['read']]);
  });

  it('sends direct messages, and notes to self', async () => {
    const { ada, bob } = world;
    for (const to of [[bob.id], [ada.id]]) {
      await settle(await schedule({ type: 'direct', to, content: `to ${to.join()}` }));
    }
    const direct = [{ operator: 'is', operand: 'dm' }];
    expect((await fetchAll(bob, direct)).map(({ content }) => content)).toContain(
      `<p>to ${bob.id}</p>`,
    );
    const [note] = await fetchAll(ada, [{ operator: 'dm', operand: [ada.id] }]);
    expect(note).toMatchObject({ content: `<p>to ${ada.id}</p>`, sender_id: ada.id });
  });

  it('[M071] checks the owner’s rights again, marks a failure, and the bot tells why', async () => {
    const { server, ada, bob, owner } = world;
    const topicId = await world.channel('closing', [owner, ada, bob]);
    const id = await schedule({ to: topicId });
    ok(
      await owner.client.patch(`/streams/${topicId}`, {
        can_send_message_group: {
          new: { direct_members: [owner.id], direct_subgroups: [] },
        },
      }),
    );
    await stopWorkers();
    await makeDue(id);
    const [own, other] = await verifyEvents(server, [ada, bob], () => settle(id));
    const why = 'You do not have permission to post in this channel.';
    expect(own).toContainEqual(
      expect.objectContaining({
        op: 'update',
        scheduled_message: expect.objectContaining({ scheduled_message_id: id, failed: true }),
      }),
    );
    const told = own?.find(({ type }) => type === 'message');
    expect(told).toMatchObject({ message: { sender_full_name: 'Notification Bot' } });
    expect(JSON.stringify(told)).toContain(why);
    expect(other).toEqual([]);
    expect((await row(id))?.failure).toBe(why);
    expect(await fetchAll(owner, [{ operator: 'channel', operand: topicId }])).toEqual([]);
    // It stays in the list until its owner changes or deletes it.
    ok(await edit(id, { to: world.publicId, scheduled_delivery_timestamp: seconds(HOUR) }));
    ok(await remove(id));
  });

  it('tells it in Persian if that is the organization’s language', async () => {
    const { ada, owner } = world;
    ok(await owner.client.patch('/realm', { default_language: 'fa' }));
    const id = await schedule();
    await settle(id, 3600);
    ok(await owner.client.patch('/realm', { default_language: 'en' }));
    const [last] = (await fetchAll(ada, [{ operator: 'is', operand: 'dm' }])).slice(-1);
    expect(last?.content).toContain('فرستاده نشد');
    expect(last?.content).toContain('Message could not be sent at the scheduled time.');
    ok(await remove(id));
  });

  it('sends a message that is nine minutes late, and not one that is eleven', async () => {
    const [late, tooLate] = [await schedule({ topic: 'late' }), await schedule({ topic: 'late' })];
    await settle(late, 540);
    await settle(tooLate, 660);
    expect(await row(late)).toMatchObject({ failure: null, message_id: expect.anything() });
    expect(await row(tooLate)).toMatchObject({
      failure: 'Message could not be sent at the scheduled time.',
      message_id: null,
    });
    expect(await fetchAll(world.ada, topicNarrow('late'))).toHaveLength(1);
  });

  it('sends nothing for deactivated people', async () => {
    const gone = await world.person({ fullName: 'Gone Gary' });
    const id = await schedule({ type: 'direct', to: [world.bob.id], content: 'from Gary' }, gone);
    ok(await world.owner.client.delete(`/users/${gone.id}`));
    await settle(id);
    expect((await row(id))?.failure).toBe('Account is deactivated');
    const direct = await fetchAll(world.bob, [{ operator: 'is', operand: 'dm' }]);
    expect(direct.map(({ content }) => content)).not.toContain('<p>from Gary</p>');
  });

  it('retries after an error of the database, and sends others meanwhile', async () => {
    const { owner } = world.server;
    await stopWorkers();
    await owner.query(`
      CREATE FUNCTION stumble() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.content = 'stumbles' THEN RAISE EXCEPTION 'not now' USING ERRCODE = '57014'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER stumble BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION stumble()`);
    const [stumbling, passing] = [
      await schedule({ topic: 'tries', content: 'stumbles' }),
      await schedule({ topic: 'tries', content: 'passes' }),
    ];
    await makeDue(stumbling, 2);
    await settle(passing);
    expect(await row(stumbling)).toMatchObject({ failure: null, message_id: null });
    await expect.poll(async () => (await row(stumbling))?.attempts).toBeGreaterThan(0);
    await owner.query('DROP TRIGGER stumble ON messages');
    await settle(stumbling);
    expect(await row(stumbling)).toMatchObject({ failure: null });
    const sent = await fetchAll(world.ada, topicNarrow('tries'));
    expect(sent.map(({ content }) => content)).toEqual(['<p>passes</p>', '<p>stumbles</p>']);
  });

  it('uses the clock of the database, however wrong the clocks of processes are', async () => {
    await stopWorkers();
    startWorkers(3);
    const at = seconds(HOUR / 2);
    const early = await schedule({ topic: 'clocks', scheduled_delivery_timestamp: at });
    skewMs = 3_600_000;
    await pause(150);
    expect((await row(early))?.message_id).toBeNull();
    skewMs = -3_600_000;
    expect(refused(await post(toChannel({ scheduled_delivery_timestamp: seconds(-1) }))).msg).toBe(
      'Scheduled delivery time must be in the future.',
    );
    const due = await schedule({ topic: 'clocks', content: 'due' });
    const before = seconds(-2);
    await settle(due);
    for (skewMs of [3_600_000, -3_600_000, 0]) await pause(60);
    const sent = await fetchAll(world.ada, topicNarrow('clocks'));
    expect(sent).toMatchObject([{ content: '<p>due</p>' }]);
    expect(sent[0]?.timestamp).toBeGreaterThanOrEqual(before);
    ok(await remove(early));
  });

  it('sends each message once, when many are due at once and many workers run', async () => {
    await stopWorkers();
    const ids: number[] = [];
    for (let n = 0; n < 40; n += 1) ids.push(await schedule({ topic: 'many', content: `m${n}` }));
    await Promise.all(ids.map((id) => makeDue(id)));
    startWorkers(4);
    await expect
      .poll(async () => (await list()).filter(({ topic }) => topic === 'many'), { timeout: 10_000 })
      .toEqual([]);
    const sent = await fetchAll(world.ada, topicNarrow('many'), { apply_markdown: false });
    expect(sent.map(({ content }) => content).sort()).toEqual(ids.map((_id, n) => `m${n}`).sort());
  });

  it('does not send a message that is deleted or postponed at the last moment', async () => {
    await stopWorkers();
    const [gone, later] = [
      await schedule({ topic: 'moment' }),
      await schedule({ topic: 'moment' }),
    ];
    await Promise.all([makeDue(gone), makeDue(later)]);
    ok(await remove(gone));
    ok(await edit(later, { scheduled_delivery_timestamp: seconds(HOUR) }));
    startWorkers(1);
    await pause(100);
    expect(await fetchAll(world.ada, topicNarrow('moment'))).toEqual([]);
    expect(await get(later)).toMatchObject({ failed: false });
    ok(await remove(later));
    await send(world.ada, world.publicId, 'moment', 'still alive');
  });
});
