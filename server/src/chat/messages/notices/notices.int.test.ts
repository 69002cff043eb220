// The notification bot: what it posts, where and to whom; and that it posts nothing about refused changes.
import { describe, expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import {
  fetchAll,
  ok,
  useMessageWorld,
  refused,
  send,
  type Actor,
} from '../../../testing/chat/world.ts';
import type { MessageObject } from '../message/object.ts';

let now: Date | undefined;
const world = useMessageWorld({
  clock: { now: () => now?.getTime() ?? Date.now() },
});

const BOT = 'Notification Bot';
const raw = { apply_markdown: false, allow_empty_topic_name: true };
const inTopic = (channelId: number, topic: string) => [
  { operator: 'channel', operand: channelId },
  { operator: 'topic', operand: topic },
];
const texts = (messages: readonly MessageObject[]) => messages.map(({ content }) => content);
const said = (actor: Actor, channelId: number, topic: string) =>
  fetchAll(actor, inTopic(channelId, topic), raw).then(texts);
const directs = (actor: Actor) =>
  fetchAll(actor, [{ operator: 'is', operand: 'dm' }], raw).then((messages) =>
    messages.filter(({ sender_full_name }) => sender_full_name === BOT),
  );
const me = ({ id, fullName }: Actor) => `@_**${fullName}|${id}**`;
const set = async (settings: Record<string, unknown>) =>
  ok(await world.owner.client.patch('/realm', settings));

describe('the bot itself', () => {
  it('is sent to clients apart from people, and is in no list of people', async () => {
    const state = ok(
      await world.ada.client.post('/register', { fetch_event_types: ['realm_user'] }),
    );
    const [bot, ...others] = state['cross_realm_bots'] as Record<string, unknown>[];
    expect(others).toEqual([]);
    expect(bot).toMatchObject({ full_name: BOT, is_bot: true, is_system_bot: true, role: 400 });
    const listed = state['realm_users'] as { user_id: number }[];
    expect(listed.some(({ user_id }) => user_id === bot?.['user_id'])).toBe(false);
    const { members } = ok(await world.ada.client.get('/users')) as { members: object[] };
    expect(JSON.stringify(members)).not.toContain(BOT);
    const groups = ok(await world.ada.client.get('/user_groups'));
    expect(JSON.stringify(groups)).not.toContain(String(bot?.['user_id']));
  });

  it('cannot be changed, deactivated, subscribed or put into a group by anybody', async () => {
    const state = ok(await world.owner.client.post('/register', {}));
    const [bot] = state['cross_realm_bots'] as { user_id: number }[];
    const id = bot?.user_id ?? 0;
    const { client } = world.owner;
    expect(refused(await client.patch(`/users/${id}`, { full_name: 'Mine' })).msg).toBe(
      'No such user',
    );
    expect(refused(await client.delete(`/users/${id}`)).msg).toBe('No such user');
    expect(refused(await client.delete(`/bots/${id}`)).msg).toBe('No such bot');
    expect((await client.get(`/bots/${id}/api_key`)).status).toBe(400);
    expect(
      refused(
        await client.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'general' }],
          principals: [id],
        }),
      ).msg,
    ).toBe('No such user');
    expect(
      refused(
        await client.post('/user_groups/create', {
          name: 'with bot',
          description: '',
          members: [id],
        }),
      ).msg,
    ).toContain('Invalid user ID');
  });
});

describe('new channels', () => {
  it('are announced in the configured channel, in the same transaction', async () => {
    const hall = await world.channel('hall', [world.ada, world.bob, world.owner]);
    await world.channel('before', [], { announce: true });
    expect(await said(world.ada, hall, 'new channels')).toEqual([]);
    await set({ new_stream_announcements_stream_id: hall });
    const [seen] = await verifyEvents(world.server, [world.bob], () =>
      world.channel('fresh', [world.ada], { announce: true }),
    );
    expect(seen?.map(({ type }) => type)).toContain('message');
    await world.channel('quiet', [world.ada]);
    await world.channel('hidden', [world.ada], { announce: true, invite_only: true });
    expect(await said(world.ada, hall, 'new channels')).toEqual([
      `${me(world.owner)} created a new channel #**fresh**.`,
    ]);
    const taken = { name: 'Fresh', subscribers: [], announce: true };
    expect((await world.owner.client.post('/channels/create', taken)).status).toBe(409);
    expect(await said(world.ada, hall, 'new channels')).toHaveLength(1);
    ok(
      await world.ada.client.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'one' }, { name: 'hall' }, { name: 'two' }],
        announce: true,
      }),
    );
    expect((await said(world.ada, hall, 'new channels')).at(-1)).toBe(
      `${me(world.ada)} created the following channels: #**one**, #**two**.`,
    );
    const [last] = (await fetchAll(world.ada, inTopic(hall, 'new channels'))).slice(-1);
    expect(last?.content).toMatch(/class="stream" data-stream-id="\d+" href="\/#narrow\/channel/);
    expect(last?.flags).toContain('read');
    await set({ new_stream_announcements_stream_id: -1 });
  });

  it('announce their creator in themselves, if the organization has turned that on', async () => {
    const silent = await world.channel('silent', [world.ada]);
    expect(await said(world.ada, silent, 'channel events')).toEqual([]);
    await set({ send_channel_events_messages: true });
    const loud = await world.channel('loud', [world.ada], { description: 'Prices @**all**' });
    expect(await said(world.ada, loud, 'channel events')).toEqual([
      `**Public** channel created by ${me(world.owner)}. **Description:**\n` +
        '```` quote\nPrices @**all**\n````',
    ]);
    const [message] = await fetchAll(world.ada, inTopic(loud, 'channel events'));
    expect(message?.flags).toEqual([]);
    const only = await world.channel('only', [world.ada], { topics_policy: 'empty_topic_only' });
    expect(await said(world.ada, only, '')).toEqual([expect.stringContaining('*No description.*')]);
  });
});

describe('changes of a channel', () => {
  it('are posted in it, in the order in which they were made', async () => {
    const id = await world.channel('plans', [world.ada, world.owner]);
    const { client } = world.owner;
    await verifyEvents(world.server, [world.ada], () =>
      client.patch(`/streams/${id}`, { description: 'New', is_private: true }),
    );
    ok(await client.patch(`/streams/${id}`, { new_name: 'plans b' }));
    await verifyEvents(world.server, [world.ada, world.bob], () => client.delete(`/streams/${id}`));
    ok(await client.patch(`/streams/${id}`, { is_archived: false }));
    const who = me(world.owner);
    expect((await said(world.ada, id, 'channel events')).slice(1)).toEqual([
      `${who} changed the access permissions for this channel from **Public** to **Private, protected history**.`,
      `${who} changed the description for this channel.\n\n* **Old description:**\n` +
        '```` quote\n*No description.*\n````\n* **New description:**\n```` quote\nNew\n````',
      `${who} renamed channel **plans** to **plans b**.`,
      'Channel #**plans b** has been archived.',
      'Channel #**plans b** has been unarchived.',
    ]);
  });

  it('are not posted when they are refused', async () => {
    const id = await world.channel('firm', [world.ada, world.owner]);
    const before = await said(world.ada, id, 'channel events');
    const answer = await world.owner.client.patch(`/streams/${id}`, {
      description: 'New',
      new_name: 'general',
    });
    expect(answer.status).toBe(409);
    expect(await said(world.ada, id, 'channel events')).toEqual(before);
  });

  it('are posted in Persian if that is the organization’s language', async () => {
    await set({ default_language: 'fa' });
    const id = await world.channel('بازار', [world.ada], { description: 'قیمت‌ها' });
    expect(await said(world.ada, id, 'رویدادهای کانال')).toEqual([
      `${me(world.owner)} این کانال **همگانی** را ساخت. **توضیح:**\n\`\`\`\` quote\nقیمت‌ها\n\`\`\`\``,
    ]);
    await set({ default_language: 'en', send_channel_events_messages: false });
  });
});

describe('people who are subscribed by others', () => {
  const subscribe = (names: string[], people: readonly Actor[], more = {}) =>
    world.owner.client.post('/users/me/subscriptions', {
      subscriptions: names.map((name) => ({ name })),
      principals: people.map(({ id }) => id),
      ...more,
    });

  it('are told directly, in one message with all the channels', async () => {
    const person = await world.person({ fullName: 'New Here' });
    const channels = ['welcome', 'rules'];
    for (const name of channels) await world.channel(name, []);
    let answer = {};
    const [seen] = await verifyEvents(world.server, [person], async () => {
      answer = ok(await subscribe(channels, [person, world.owner]));
    });
    expect(answer).toMatchObject({ new_subscription_messages_sent: true });
    expect(seen?.at(-1)).toMatchObject({
      type: 'message',
      message: { type: 'private', sender_full_name: BOT },
      flags: [],
    });
    expect(texts(await directs(person))).toEqual([
      `${me(world.owner)} subscribed you to the following channels:\n\n* #**welcome**\n* #**rules**`,
    ]);
    expect(await directs(world.owner)).toEqual([]);
    ok(await subscribe(['general'], [person]));
    expect(texts(await directs(person)).at(-1)).toBe(
      `${me(world.owner)} subscribed you to #**general**.`,
    );
    // Nobody was newly subscribed, so nothing is posted.
    expect(ok(await subscribe(['general'], [person]))['new_subscription_messages_sent']).toBe(true);
    expect(await directs(person)).toHaveLength(2);
  });

  it('are not told if the caller turns that off, or if they are too many', async () => {
    const person = await world.person({ fullName: 'Untold' });
    const answer = ok(
      await subscribe(['general'], [person], { send_new_subscription_messages: false }),
    );
    expect(answer).not.toHaveProperty('new_subscription_messages_sent');
    const crowd: Actor[] = [person];
    while (crowd.length < 101) crowd.push(await world.person());
    await world.channel('crowd', []);
    expect(ok(await subscribe(['crowd'], crowd))['new_subscription_messages_sent']).toBe(false);
    expect(await directs(person)).toEqual([]);
    await world.channel('fewer', []);
    expect(ok(await subscribe(['fewer'], crowd.slice(1)))['new_subscription_messages_sent']).toBe(
      true,
    );
    expect(await directs(crowd[100] as Actor)).toHaveLength(1);
  }, 60_000);

  it('are told when somebody adds them to a group', async () => {
    const { client } = world.owner;
    const group = ok(
      await client.post('/user_groups/create', { name: 'desk', description: '', members: [] }),
    );
    const person = await world.person({ fullName: 'Grouped' });
    const path = `/user_groups/${String(group['group_id'])}/members`;
    ok(await client.post(path, { add: [person.id, world.owner.id] }));
    expect(texts(await directs(person))).toEqual([
      `${me(world.owner)} added you to the group @_*desk*.`,
    ]);
    expect(await directs(world.owner)).toEqual([]);
  });
});

describe('moves', () => {
  const move = (id: number, more: Record<string, unknown>) =>
    world.owner.client.patch(`/messages/${id}`, more);

  it('post a notice in the new topic, and in the old one on request', async () => {
    const { publicId, ada, owner } = world;
    const first = await send(ada, publicId, 'here', 'one');
    await send(ada, publicId, 'here', 'two');
    const third = await send(ada, publicId, 'here', 'three');
    const [seen] = await verifyEvents(world.server, [ada], () =>
      move(third, { topic: 'there', send_notification_to_old_thread: true }),
    );
    expect(seen?.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['update_message', 'message']),
    );
    const link = `/#narrow/channel/${publicId}-general/topic/there/near/${third}`;
    expect(await said(ada, publicId, 'there')).toEqual([
      'three',
      `[A message](${link}) was moved here from #**general>here** by ${me(owner)}.`,
    ]);
    expect((await said(ada, publicId, 'here')).at(-1)).toBe(
      `A message was moved from this topic to #**general>there** by ${me(owner)}.`,
    );
    ok(await move(first, { topic: 'elsewhere', propagate_mode: 'change_all' }));
    expect((await said(ada, publicId, 'elsewhere')).at(-1)).toBe(
      `This topic was moved here from #**general>here** by ${me(owner)}.`,
    );
    expect(await said(ada, publicId, 'here')).toEqual([]);
    ok(
      await move(first, {
        topic: 'there',
        propagate_mode: 'change_all',
        send_notification_to_new_thread: false,
        send_notification_to_old_thread: true,
      }),
    );
    expect(await said(ada, publicId, 'elsewhere')).toEqual([
      `This topic was moved to #**general>there** by ${me(owner)}.`,
    ]);
  });

  it('do not show the name of a private channel in another one', async () => {
    const { ada, owner, publicId } = world;
    const hidden = await world.channel('hidden place', [ada, owner], { invite_only: true });
    const id = await send(ada, publicId, 'sensitive', 'x');
    ok(await move(id, { stream_id: hidden, send_notification_to_old_thread: true }));
    expect(await said(ada, publicId, 'sensitive')).toEqual([
      `This topic was moved to a private channel by ${me(owner)}.`,
    ]);
    expect((await said(ada, hidden, 'sensitive')).at(-1)).toBe(
      `This topic was moved here from #**general>sensitive** by ${me(owner)}.`,
    );
    ok(await move(id, { stream_id: publicId, propagate_mode: 'change_one' }));
    expect((await said(ada, publicId, 'sensitive')).at(-1)).not.toContain('hidden place');
  });

  it('do not show the earlier name of a topic with protected history', async () => {
    const { ada, bob, owner, stranger } = world;
    const vault = await world.channel('strongroom', [ada, bob, owner], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const id = await send(ada, vault, 'codename heron', 'x');
    ok(
      await ada.client.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'strongroom' }],
        principals: [stranger.id],
      }),
    );
    ok(await move(id, { topic: 'plain', send_notification_to_old_thread: true }));
    expect(await said(stranger, vault, 'plain')).toEqual([
      `This topic was moved here from another topic by ${me(owner)}.`,
    ]);
  });

  it('resolving posts a notice, and unresolving within a minute deletes it', async () => {
    const { ada, bob, owner, publicId } = world;
    const id = await send(ada, publicId, 'issue', 'Broken');
    const resolve = (topic: string) => move(id, { topic, propagate_mode: 'change_all' });
    const [seen] = await verifyEvents(world.server, [bob], () => resolve('✔ issue'));
    expect(seen?.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['update_message', 'message']),
    );
    const notice = `${me(owner)} has marked this topic as resolved.`;
    expect(await said(ada, publicId, '✔ issue')).toEqual(['Broken', notice]);
    const [undone] = await verifyEvents(world.server, [bob], () => resolve('issue'));
    expect(undone?.map(({ type }) => type)).toContain('delete_message');
    expect(await said(ada, publicId, 'issue')).toEqual(['Broken']);
    ok(await resolve('✔ issue'));
    now = new Date(Date.now() + 61_000);
    ok(await resolve('issue'));
    now = undefined;
    expect(await said(ada, publicId, 'issue')).toEqual([
      'Broken',
      notice,
      `${me(owner)} has marked this topic as unresolved.`,
    ]);
    // If somebody else's message follows, the notice is not deleted.
    ok(await resolve('✔ issue'));
    await send(ada, publicId, '✔ issue', notice);
    ok(await resolve('issue'));
    expect((await said(ada, publicId, 'issue')).slice(-2)).toEqual([
      notice,
      `${me(owner)} has marked this topic as unresolved.`,
    ]);
  });
});
