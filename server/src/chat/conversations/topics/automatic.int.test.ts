// Topics that are followed or unmuted automatically, by writing, reacting, voting and mentions; and settings that move
// with a topic.
import { describe, expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { ok, useMessageWorld, send, type Actor } from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const FOLLOW = 'automatically_follow_topics_policy';
const UNMUTE = 'automatically_unmute_topics_in_muted_streams_policy';
const set = async ({ client }: Actor, settings: Record<string, number | boolean>) =>
  ok(await client.patch('/settings', settings));
const mute = async ({ client }: Actor, channelId: number, isMuted: boolean) =>
  ok(
    await client.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channelId, property: 'is_muted', value: isMuted }],
    }),
  );
const setTopic = async ({ client }: Actor, channelId: number, topic: string, policy: number) =>
  ok(await client.post('/user_topics', { stream_id: channelId, topic, visibility_policy: policy }));

interface Row {
  readonly stream_id: number;
  readonly topic_name: string;
  readonly visibility_policy: number;
}

async function visibility({ client }: Actor, channelId: number, topic: string): Promise<number> {
  const state = ok(await client.post('/register', { fetch_event_types: ['user_topic'] }));
  const rows = state['user_topics'] as Row[];
  const found = rows.find(
    (row) => row.stream_id === channelId && row.topic_name.toLowerCase() === topic.toLowerCase(),
  );
  return found?.visibility_policy ?? 0;
}

const answer = async ({ client }: Actor, topic: string, content = 'x') =>
  ok(await client.post('/messages', { type: 'channel', to: world.publicId, topic, content }));

describe('sending', () => {
  it('follows a topic that it starts, by default; a reply to others does not', async () => {
    const { ada, bob, publicId } = world;
    let body = {};
    const [own, others] = await verifyEvents(world.server, [ada, bob], async () => {
      body = await answer(ada, 'started');
    });
    expect(body).toMatchObject({ automatic_new_visibility_policy: 3 });
    expect(own).toContainEqual(
      expect.objectContaining({
        type: 'user_topic',
        stream_id: publicId,
        topic_name: 'started',
        visibility_policy: 3,
      }),
    );
    expect(others?.map(({ type }) => type)).toEqual(['message']);
    expect(await answer(ada, 'Started')).not.toHaveProperty('automatic_new_visibility_policy');
    expect(await answer(bob, 'started')).not.toHaveProperty('automatic_new_visibility_policy');
    expect(await visibility(bob, publicId, 'started')).toBe(0);
  });

  it.each([
    [{ [FOLLOW]: 4, [UNMUTE]: 4 }, true, undefined, undefined],
    [{ [FOLLOW]: 4, [UNMUTE]: 2 }, false, undefined, undefined],
    [{ [FOLLOW]: 4, [UNMUTE]: 2 }, true, 2, 2],
    [{ [FOLLOW]: 4, [UNMUTE]: 3 }, true, 2, undefined],
    [{ [FOLLOW]: 3, [UNMUTE]: 2 }, true, 3, 2],
    [{ [FOLLOW]: 2, [UNMUTE]: 4 }, true, 3, 3],
    [{ [FOLLOW]: 1, [UNMUTE]: 4 }, false, 3, 3],
  ])(
    '%j, muted channel %s: a new topic %s, an old one %s',
    async (policies, isMuted, fresh, old) => {
      const person = await world.person();
      ok(
        await person.client.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'general' }],
        }),
      );
      await set(person, policies);
      await mute(person, world.publicId, isMuted);
      const name = `${JSON.stringify(policies).length}-${person.id}`;
      await send(world.ada, world.publicId, `old ${name}`, 'x');
      expect((await answer(person, `new ${name}`))['automatic_new_visibility_policy']).toBe(fresh);
      expect((await answer(person, `old ${name}`))['automatic_new_visibility_policy']).toBe(old);
      expect(await visibility(person, world.publicId, `old ${name}`)).toBe(old ?? 0);
    },
  );

  it('never lowers the visibility of a topic', async () => {
    const { bob, publicId } = world;
    await set(bob, { [FOLLOW]: 4, [UNMUTE]: 1 });
    await mute(bob, publicId, true);
    await setTopic(bob, publicId, 'dear', 3);
    expect(await answer(bob, 'dear')).not.toHaveProperty('automatic_new_visibility_policy');
    expect(await visibility(bob, publicId, 'dear')).toBe(3);
    await setTopic(bob, publicId, 'hated', 1);
    const [seen] = await verifyEvents(world.server, [bob], () => answer(bob, 'hated'));
    expect(seen?.map(({ type }) => type)).toEqual(['message', 'user_topic']);
    expect(await visibility(bob, publicId, 'hated')).toBe(2);
    await mute(bob, publicId, false);
    await set(bob, { [FOLLOW]: 3, [UNMUTE]: 2 });
  });

  it('does nothing for bots', async () => {
    const bot = await world.person({ botType: 1 });
    expect(await answer(bot, `by a bot ${bot.id}`)).not.toHaveProperty(
      'automatic_new_visibility_policy',
    );
  });
});

describe('participating', () => {
  it('by a reaction or a vote follows a topic only for people with that setting', async () => {
    const { ada, bob, guest, publicId } = world;
    const liked = await send(ada, publicId, 'liked', 'x');
    const poll = await send(ada, publicId, 'poll', '/poll Lunch?\nyes\nno');
    const react = (actor: Actor) =>
      actor.client.post(`/messages/${liked}/reactions`, { emoji_name: 'tada' });
    const vote = (actor: Actor) =>
      actor.client.post('/submessage', {
        message_id: poll,
        msg_type: 'widget',
        content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
      });
    await set(bob, { [FOLLOW]: 1 });
    const [seen] = await verifyEvents(world.server, [bob], async () => {
      ok(await react(bob));
      ok(await vote(bob));
    });
    expect(seen?.filter(({ type }) => type === 'user_topic')).toMatchObject([
      { topic_name: 'liked', visibility_policy: 3 },
      { topic_name: 'poll', visibility_policy: 3 },
    ]);
    await set(guest, { [FOLLOW]: 2 });
    ok(await react(guest));
    ok(await vote(guest));
    expect(await visibility(guest, publicId, 'liked')).toBe(0);
    expect(await visibility(guest, publicId, 'poll')).toBe(0);
    await set(bob, { [FOLLOW]: 3 });
  });
});

describe('being mentioned', () => {
  it('by name makes a person follow the topic, in the text or by an edit, unless their setting forbids it', async () => {
    const { ada, bob, guest, stranger, publicId } = world;
    await set(guest, { automatically_follow_topics_where_mentioned: false });
    const names = [bob, guest, stranger].map(({ fullName }) => `@**${fullName}**`).join(' ');
    const [seen] = await verifyEvents(world.server, [bob, stranger], () =>
      send(ada, publicId, 'called', names),
    );
    expect(seen?.map(({ type }) => type)).toEqual(['message', 'user_topic']);
    expect(await visibility(bob, publicId, 'called')).toBe(3);
    expect(await visibility(guest, publicId, 'called')).toBe(0);
    // The message does not reach people who are not subscribed.
    expect(await visibility(stranger, publicId, 'called')).toBe(0);
    const id = await send(ada, publicId, 'called later', 'silent @_**Bob** and @**all**');
    expect(await visibility(bob, publicId, 'called later')).toBe(0);
    ok(await ada.client.patch(`/messages/${id}`, { content: 'now @**Bob**' }));
    expect(await visibility(bob, publicId, 'called later')).toBe(3);
  });
});

describe('a topic that is moved', () => {
  const move = async (id: number, more: Record<string, string | number | boolean>) =>
    ok(
      await world.owner.client.patch(`/messages/${id}`, { propagate_mode: 'change_all', ...more }),
    );

  it('keeps people’s settings if it is moved as a whole, also when it is resolved', async () => {
    const { ada, bob, publicId } = world;
    const id = await send(world.owner, publicId, 'travels', 'one');
    await send(world.owner, publicId, 'travels', 'two');
    await setTopic(ada, publicId, 'travels', 3);
    await setTopic(bob, publicId, 'travels', 1);
    await verifyEvents(world.server, [ada, bob], () => move(id, { topic: '✔ travels' }));
    expect(await visibility(ada, publicId, '✔ travels')).toBe(3);
    expect(await visibility(ada, publicId, 'travels')).toBe(0);
    expect(await visibility(bob, publicId, '✔ travels')).toBe(1);
    await move(id, { topic: 'arrived', propagate_mode: 'change_one' });
    expect(await visibility(ada, publicId, '✔ travels')).toBe(3);
    expect(await visibility(ada, publicId, 'arrived')).toBe(0);
  });

  it('merged into another keeps the closer of two settings, and none for people who may not see its new channel', async () => {
    const { ada, bob, publicId, privateId } = world;
    await send(ada, publicId, 'target', 'x', {});
    await setTopic(ada, publicId, 'target', 0);
    const id = await send(world.owner, publicId, 'source', 'x');
    await setTopic(ada, publicId, 'source', 1);
    await setTopic(bob, publicId, 'source', 2);
    await verifyEvents(world.server, [ada, bob], () => move(id, { topic: 'target' }));
    expect(await visibility(ada, publicId, 'target')).toBe(0);
    expect(await visibility(bob, publicId, 'target')).toBe(2);
    const insider = world.owner;
    ok(
      await ada.client.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'secret' }],
        principals: [insider.id],
      }),
    );
    const other = await send(ada, publicId, 'inward', 'x');
    await setTopic(world.guest, publicId, 'inward', 3);
    await move(other, { stream_id: privateId });
    expect(await visibility(ada, privateId, 'inward')).toBe(3);
    const { guest } = world;
    const state = ok(await guest.client.post('/register', { fetch_event_types: ['user_topic'] }));
    expect(JSON.stringify(state['user_topics'])).not.toContain('inward');
  });
});
