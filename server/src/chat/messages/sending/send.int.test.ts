// Sending over HTTP: recipients, refusals, and what recipients receive.
import { describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { settle, verifyEvents } from '../../../testing/verify-events.ts';
import type { Answer } from '../../../testing/chat/client.ts';
import type { MessageObject } from '../message/object.ts';
import {
  fetchAll,
  ok,
  useMessageWorld,
  refused,
  send,
  sendDirect,
} from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const post = (fields: Record<string, unknown>): Promise<Answer> =>
  world.ada.client.post('/messages', { content: 'hello', ...fields });

async function sentBy(answer: Answer): Promise<MessageObject> {
  const id = Number(ok(answer)['id']);
  const { body } = await world.ada.client.get(`/messages/${id}`);
  return body['message'] as MessageObject;
}

describe('a channel message', () => {
  it.each([
    ['by id', { type: 'channel' }, (id: number) => String(id)],
    ['by id in a list', { type: 'stream' }, (id: number) => `[${id}]`],
    ['by name', { type: 'stream' }, () => 'general'],
    ['by name in another case', { type: 'stream' }, () => 'GENERAL'],
    ['by JSON name', { type: 'channel' }, () => '"general"'],
  ])('is sent %s [M233]', async (_how, fields, to) => {
    const message = await sentBy(await post({ ...fields, to: to(world.publicId), topic: ' x ' }));
    expect(message).toMatchObject({
      type: 'stream',
      stream_id: world.publicId,
      display_recipient: 'general',
      subject: 'x',
      sender_id: world.ada.id,
      content: '<p>hello</p>',
      content_type: 'text/html',
      is_me_message: false,
      reactions: [],
      submessages: [],
    });
  });

  it('is the newest message in GET /users/me, for the people who received it', async () => {
    const { ada, bob, stranger, privateId } = world;
    const newest = async ({ client }: typeof ada) =>
      ok(await client.get('/users/me'))['max_message_id'];
    const before = await newest(stranger);
    const id = await send(ada, privateId, 'x', 'hi');
    expect([await newest(ada), await newest(bob)]).toEqual([id, id]);
    expect(await newest(stranger)).toBe(before);
  });

  it('accepts the topic under its old parameter name', async () => {
    const message = await sentBy(await post({ type: 'stream', to: 'general', subject: 'old' }));
    expect(message.subject).toBe('old');
  });

  it.each(['(no topic)', 'general chat', ''])(
    'shows the empty topic, sent as %j, by its name, unless the client supports it [M235]',
    async (topic) => {
      const { publicId, ada } = world;
      const id = await send(ada, publicId, topic, 'hi');
      const read = async (more: Record<string, unknown>) =>
        (await ada.client.get(`/messages/${id}`, more)).body['message'] as MessageObject;
      expect((await read({})).subject).toBe('general chat');
      expect((await read({ allow_empty_topic_name: true })).subject).toBe('');
    },
  );

  it.each([
    [{ type: 'party', to: 'general', topic: 'x' }, 'Invalid type'],
    [{ type: 'stream', topic: 'x' }, 'Missing channel'],
    [{ type: 'stream', to: 'general' }, 'Missing topic'],
    [{ type: 'stream', to: 'general', topic: 'x', content: ' \n' }, 'Message must not be empty'],
    [
      { type: 'stream', to: 'general', topic: 'a\u0001b' },
      'Invalid character in topic, at position 2!',
    ],
    [
      { type: 'stream', to: 'general', topic: 'x', subject: 'y' },
      "Can't decide between 'topic' and 'subject' arguments",
    ],
  ])('%j is refused', async (fields, message) => {
    expect(refused(await post(fields)).msg).toBe(message);
  });

  it('is refused for an unknown channel, and for one that the sender may not see', async () => {
    expect(refused(await post({ type: 'stream', to: 'nowhere', topic: 'x' }))).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      msg: "Channel 'nowhere' does not exist",
    });
    const outside = await world.stranger.client.post('/messages', {
      type: 'channel',
      to: world.privateId,
      topic: 'x',
      content: 'let me in',
    });
    expect(refused(outside)).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  });

  it('is refused for a guest who is not subscribed, and for people who may not post', async () => {
    const { owner, guest, ada, channel } = world;
    const open = await channel('open', [owner]);
    const attempt = (who: typeof ada, id: number) =>
      who.client.post('/messages', { type: 'channel', to: id, topic: 'x', content: 'hi' });
    expect(refused(await attempt(guest, open)).code).toBe('STREAM_DOES_NOT_EXIST');
    ok(await attempt(ada, open));
    const quiet = await channel('quiet', [owner, ada], {
      can_send_message_group: roleGroupId('role:owners'),
    });
    expect(refused(await attempt(ada, quiet)).msg).toBe(
      'You do not have permission to post in this channel.',
    );
  });

  it('obeys the topics policy of the channel', async () => {
    const { owner, ada, channel } = world;
    const named = await channel('named', [owner, ada], { topics_policy: 'disable_empty_topic' });
    const only = await channel('only', [owner, ada], { topics_policy: 'empty_topic_only' });
    const attempt = (to: number, topic: string) => post({ type: 'channel', to, topic });
    expect(refused(await attempt(named, ''))).toMatchObject({
      msg: 'Sending messages to the general chat is not allowed in this channel.',
      empty_topic_display_name: 'general chat',
    });
    expect(refused(await attempt(only, 'x')).msg).toBe(
      'Only the general chat topic is allowed in this channel.',
    );
    ok(await attempt(only, ''));
  });

  it('starts no topic for people who may not start topics', async () => {
    const { owner, ada, channel } = world;
    const id = await channel('closed topics', [owner, ada], {
      can_create_topic_group: roleGroupId('role:owners'),
    });
    expect(refused(await post({ type: 'channel', to: id, topic: 'new' })).msg).toBe(
      'You do not have permission to create new topics in this channel.',
    );
    await send(owner, id, 'New', 'open now');
    ok(await post({ type: 'channel', to: id, topic: 'new' }));
  });

  it('is cut at the length that register announces [M222] [M223]', async () => {
    const { max_topic_length: topicMax, max_message_length: contentMax } = ok(
      await world.ada.client.post('/register'),
    ) as { max_topic_length: number; max_message_length: number };
    const sent = async (topic: string, content: string) =>
      sentBy(await post({ type: 'channel', to: 'general', topic, content }));
    const topic = 'x'.repeat(topicMax);
    const fits = await sent(topic, 'y'.repeat(contentMax));
    expect(fits.subject).toBe(topic);
    expect(fits.content).toBe(`<p>${'y'.repeat(contentMax)}</p>`);
    const cut = await sent(`${topic}x`, 'y'.repeat(contentMax + 1));
    expect(cut.subject).toBe(`${'x'.repeat(topicMax - 3)}...`);
    expect(cut.content).toContain('[message truncated]');
  });
});

describe('a direct message', () => {
  it.each([
    ['ids', (bob: { id: number }) => JSON.stringify([bob.id])],
    ['an address', (bob: { email: string }) => bob.email],
    ['a list of addresses', (bob: { email: string }) => JSON.stringify([bob.email])],
    ['addresses with commas', (bob: { email: string }) => `${bob.email}, ${bob.email}`],
  ])('is sent by %s', async (_how, to) => {
    const { ada, bob } = world;
    const message = await sentBy(await post({ type: 'private', to: to(bob) }));
    expect(message).toMatchObject({ type: 'private', subject: '', content: '<p>hello</p>' });
    expect(message).not.toHaveProperty('stream_id');
    expect(message.display_recipient).toEqual(
      [ada, bob].map(({ id, email, fullName }) => ({
        id,
        email,
        full_name: fullName,
        is_mirror_dummy: false,
      })),
    );
  });

  it('to oneself has one participant, to a group all of them, and each is one conversation', async () => {
    const { ada, bob, guest } = world;
    const note = await sentBy(await post({ type: 'direct', to: [ada.id] }));
    expect(note.display_recipient).toHaveLength(1);
    const first = await sentBy(await post({ type: 'direct', to: [bob.id, guest.id] }));
    const second = await sentBy(await post({ type: 'direct', to: [guest.id, ada.id, bob.id] }));
    expect(first.display_recipient).toHaveLength(3);
    expect(second.recipient_id).toBe(first.recipient_id);
  });

  it('is refused for people who do not exist or were deactivated', async () => {
    const gone = await world.person();
    ok(await world.owner.client.delete(`/users/${gone.id}`));
    const attempt = async (to: unknown) => refused(await post({ type: 'direct', to })).msg;
    expect(await attempt([99_999])).toBe('Invalid user ID 99999');
    expect(await attempt('nobody@example.com')).toBe("Invalid email 'nobody@example.com'");
    expect(await attempt([gone.id])).toBe(`'${gone.email}' is no longer using Zulip.`);
    expect(await attempt([])).toBe('Message must have recipients');
  });

  it('opened twice at once is one conversation', async () => {
    const { ada, person } = world;
    const fresh = await person();
    await Promise.all(Array.from({ length: 8 }, (_, n) => sendDirect(ada, [fresh], `${n}`)));
    const all = await fetchAll(fresh, [{ operator: 'dm', operand: [ada.id] }]);
    expect(all).toHaveLength(8);
    expect(new Set(all.map((message) => message.recipient_id)).size).toBe(1);
  });
});

describe('recipients', () => {
  it('update their state, each with their own flags', async () => {
    const { server, ada, bob, guest, stranger, publicId } = world;
    const [own, other, outside] = await verifyEvents(server, [ada, bob, stranger], async () => {
      await send(ada, publicId, 'news', '@**Bob** look', { read_by_sender: true });
    });
    expect(own).toMatchObject([{ type: 'message', flags: ['read'] }, { type: 'user_topic' }]);
    // A mentioned person follows the topic from then on.
    expect(other).toMatchObject([
      { type: 'message', flags: ['mentioned'] },
      { type: 'user_topic', topic_name: 'news', visibility_policy: 3 },
    ]);
    expect(outside).toEqual([]);
    const [, toGuest] = await verifyEvents(server, [ada, guest], async () => {
      await sendDirect(ada, [guest, bob], 'three of us');
      await sendDirect(ada, [guest], 'two of us');
    });
    expect(toGuest).toHaveLength(2);
  });

  it('are all subscribers for a channel wildcard, without a row for each', async () => {
    const { server, ada, bob, publicId } = world;
    const flagsBefore = await server.ctx.db.selectFrom('messageFlags').selectAll().execute();
    const [, other] = await verifyEvents(server, [ada, bob], () =>
      send(ada, publicId, 'news', '@**all** look'),
    );
    expect(other?.[0]).toMatchObject({
      flags: ['stream_wildcard_mentioned', 'wildcard_mentioned'],
    });
    expect(await server.ctx.db.selectFrom('messageFlags').selectAll().execute()).toEqual(
      flagsBefore,
    );
  });

  it('get Markdown or HTML as requested, and a narrow filters', async () => {
    const { ada, bob, publicId, privateId, server } = world;
    const register = async (more: Record<string, unknown>) => {
      const body = ok(await bob.client.post('/register', { event_types: ['message'], ...more }));
      return { queue: String(body['queue_id']), last: Number(body['last_event_id']) };
    };
    const raw = await register({});
    const html = await register({
      apply_markdown: true,
      client_capabilities: { empty_topic_name: true },
    });
    const narrow = await register({ narrow: [['channel', 'secret']] });
    await send(ada, publicId, '', '**bold**');
    await send(ada, privateId, 'x', 'hidden');
    await settle(server);
    const events = async ({ queue, last }: { queue: string; last: number }) => {
      let got: { message: MessageObject }[] = [];
      await expect
        .poll(async () => {
          const params = { queue_id: queue, last_event_id: last, dont_block: true };
          got = (await bob.client.get('/events', params)).body['events'] as typeof got;
          return got.length;
        })
        .toBeGreaterThan(0);
      return got.map(({ message }) => message);
    };
    const [plain] = await events(raw);
    expect(plain).toMatchObject({
      content: '**bold**',
      content_type: 'text/x-markdown',
      subject: 'general chat',
    });
    const [rendered] = await events(html);
    expect(rendered).toMatchObject({ content: '<p><strong>bold</strong></p>', subject: '' });
    expect(await events(narrow)).toMatchObject([{ content: 'hidden' }]);
  });

  it('see the local id only in the queue that sent it, and a repeated send sends nothing', async () => {
    const { ada, publicId, server } = world;
    const register = async () => {
      const body = ok(await ada.client.post('/register', { event_types: ['message'] }));
      return { queue: String(body['queue_id']), last: Number(body['last_event_id']) };
    };
    const [sending, other] = [await register(), await register()];
    const echo = { queue_id: sending.queue, local_id: '17.01' };
    const ids = await Promise.all(
      Array.from({ length: 5 }, () => send(ada, publicId, 'echo', 'once', echo)),
    );
    expect(new Set(ids).size).toBe(1);
    await settle(server);
    const events = async ({ queue, last }: { queue: string; last: number }) => {
      const params = { queue_id: queue, last_event_id: last, dont_block: true };
      return (await ada.client.get('/events', params)).body['events'] as Record<string, unknown>[];
    };
    await expect.poll(async () => (await events(sending)).length).toBe(1);
    expect(await events(sending)).toMatchObject([{ local_message_id: '17.01' }]);
    expect((await events(other))[0]).not.toHaveProperty('local_message_id');
  });
});

it('mentioning many people needs the permission', async () => {
  const { owner, ada, person, channel } = world;
  const crowd = await Promise.all(Array.from({ length: 16 }, () => person()));
  const id = await channel('crowd', [owner, ada, ...crowd]);
  const attempt = await ada.client.post('/messages', {
    type: 'channel',
    to: id,
    topic: 'x',
    content: '@**all**',
  });
  expect(refused(attempt).code).toBe('STREAM_WILDCARD_MENTION_NOT_ALLOWED');
  await send(owner, id, 'x', '@**all**');
});

it('a preview renders without sending', async () => {
  const { body } = await world.guest.client.post('/messages/render', { content: '*x*' });
  expect(body).toMatchObject({ rendered: '<p><em>x</em></p>' });
  const tooLong = await world.guest.client.post('/messages/render', {
    content: 'x'.repeat(10_001),
  });
  expect(refused(tooLong).msg).toBe('content is too long (limit: 10000 characters)');
});

it('an incoming-webhook bot may send, and nothing else', async () => {
  const bot = await world.person({ botType: 2, role: ROLE.member });
  ok(
    await bot.client.post('/messages', {
      type: 'stream',
      to: 'general',
      topic: 'x',
      content: 'hi',
    }),
  );
  expect((await bot.client.get('/messages', { anchor: 'newest' })).status).toBe(401);
});

it('a message that is deleted before delivery is echoed to the queue that sent it, and shown to no other', async () => {
  const { server, ada, bob, publicId } = world;
  const open = async ({ client }: typeof ada) =>
    ok(await client.post('/register', { event_types: ['message', 'delete_message'] }));
  const [sending, second, other] = [await open(ada), await open(ada), await open(bob)];
  const id = await send(ada, publicId, 'x', 'regretted', {
    queue_id: sending['queue_id'],
    local_id: '7',
  });
  ok(await world.owner.client.delete(`/messages/${id}`));
  await settle(server);
  const told = async ({ client }: typeof ada, queue: Record<string, unknown>) => {
    const { queue_id, last_event_id } = queue;
    // The deletion is the last event.
    for (;;) {
      const answer = await client.get('/events', { queue_id, last_event_id });
      const events = ok(answer)['events'] as { type: string }[];
      if (events.some(({ type }) => type === 'delete_message')) return events;
    }
  };
  expect(await told(ada, sending)).toMatchObject([
    { type: 'message', local_message_id: '7', message: { id } },
    { type: 'delete_message' },
  ]);
  expect(await told(ada, second)).toMatchObject([{ type: 'delete_message' }]);
  expect(await told(bob, other)).toMatchObject([{ type: 'delete_message' }]);
});
