// Bots write where their owners may at that moment, and gain no other right from it.
import { describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { ROLE } from '../../../accounts/roles.ts';
import type { Answer } from '../../../testing/chat/client.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import {
  fetchAll,
  fetchIds,
  ok,
  refused,
  send,
  useMessageWorld,
  type Actor,
} from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const botOf = (owner: Actor, botType: 1 | 2 = 1): Promise<Actor> =>
  world.person({ botType, botOwnerId: owner.id });

const post = (who: Actor, to: number | string, topic = 'x'): Promise<Answer> =>
  who.client.post('/messages', { type: 'channel', to, topic, content: 'from a bot' });

const NO_POSTING = 'You do not have permission to post in this channel.';

describe('a bot', () => {
  it.each([1, 2] as const)(
    'of type %i writes into a private channel of its owner, by id and by name, and subscribers read it',
    async (botType) => {
      const { ada, bob, privateId } = world;
      const bot = await botOf(ada, botType);
      const byId = Number(ok(await post(bot, privateId))['id']);
      const byName = Number(ok(await post(bot, 'secret'))['id']);
      const seen = await fetchAll(bob, [{ operator: 'channel', operand: privateId }]);
      expect(seen.map(({ id }) => id)).toEqual(expect.arrayContaining([byId, byName]));
    },
  );

  it('cannot read that channel', async () => {
    const { ada, privateId } = world;
    const bot = await botOf(ada);
    const id = await send(ada, privateId, 'x', 'not for bots');
    expect(refused(await bot.client.get(`/messages/${id}`)).msg).toBe('Invalid message(s)');
    const list = await bot.client.get('/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: privateId }],
    });
    expect(list.text).not.toContain('not for bots');
  });

  it('writes where only its owner, or its owner’s group, may post', async () => {
    const { owner, ada, channel } = world;
    const named = { direct_members: [ada.id, owner.id], direct_subgroups: [] };
    const id = await channel('announce', [owner, ada], { can_send_message_group: named });
    ok(await post(await botOf(ada), id));
    expect(refused(await post(await botOf(world.bob), id)).msg).toBe(NO_POSTING);
    const high = await channel('owners speak', [owner, ada], {
      can_send_message_group: roleGroupId('role:owners'),
    });
    ok(await post(await botOf(owner), high));
    expect(refused(await post(await botOf(ada), high)).msg).toBe(NO_POSTING);
  });

  it('starts a topic where its owner may start topics', async () => {
    const { owner, ada, channel } = world;
    const id = await channel('topics by ada', [owner, ada], {
      can_create_topic_group: { direct_members: [ada.id], direct_subgroups: [] },
    });
    ok(await post(await botOf(ada), id, 'opened by the bot'));
    expect(refused(await post(await botOf(world.bob), id, 'another')).msg).toBe(
      'You do not have permission to create new topics in this channel.',
    );
  });

  it('is refused as soon as its owner leaves the channel, and allowed again when the owner returns', async () => {
    const { owner, channel, person } = world;
    const cleo = await person();
    const id = await channel('coming and going', [owner, cleo], { invite_only: true });
    const bot = await botOf(cleo);
    ok(await post(bot, id));
    const remove = { subscriptions: ['coming and going'], principals: [cleo.id] };
    ok(await owner.client.delete('/users/me/subscriptions', remove));
    expect(refused(await post(bot, id)).code).toBe('STREAM_DOES_NOT_EXIST');
    ok(
      await owner.client.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'coming and going' }],
        principals: [cleo.id],
      }),
    );
    ok(await post(bot, id));
  });

  it('is refused when its owner loses the right to post, or is deactivated', async () => {
    const { owner, channel, person } = world;
    const dan = await person({ role: ROLE.moderator });
    const bot = await botOf(dan);
    const id = await channel('moderators speak', [owner, dan], {
      can_send_message_group: roleGroupId('role:moderators'),
    });
    ok(await post(bot, id));
    ok(await owner.client.patch(`/users/${dan.id}`, { role: ROLE.member }));
    expect(refused(await post(bot, id)).msg).toBe(NO_POSTING);
    ok(await owner.client.patch(`/users/${dan.id}`, { role: ROLE.moderator }));
    ok(await post(bot, id));
    ok(await owner.client.delete(`/users/${dan.id}`));
    expect((await post(bot, id)).status).toBe(401);
  });

  it('with a guest as owner writes where the guest is subscribed, and without an owner in no private channel', async () => {
    const { guest, publicId, privateId, channel, owner, person } = world;
    const bot = await botOf(guest);
    const open = await channel('not for guests', [owner]);
    expect(bot.role).toBe(ROLE.guest);
    ok(await post(bot, publicId));
    expect(refused(await post(bot, open)).code).toBe('STREAM_DOES_NOT_EXIST');
    expect(refused(await post(bot, privateId)).code).toBe('STREAM_DOES_NOT_EXIST');
    const orphan = await person({ botType: 1 });
    expect(refused(await post(orphan, privateId)).code).toBe('STREAM_DOES_NOT_EXIST');
  });

  it('cannot use its owner’s rights for an archived channel, nor to break the topics policy', async () => {
    const { owner, ada, channel } = world;
    const bot = await botOf(ada);
    const closed = await channel('archived', [owner, ada], { invite_only: true });
    ok(await owner.client.delete(`/streams/${closed}`));
    expect((await post(bot, closed)).body).toMatchObject({ result: 'error' });
    const named = await channel('named topics', [owner, ada], {
      invite_only: true,
      topics_policy: 'disable_empty_topic',
    });
    expect(refused(await post(bot, named, '')).msg).toContain('is not allowed in this channel.');
  });

  it('schedules where its owner may, and is checked again when the time has come', async () => {
    const { owner, channel, person } = world;
    const eve = await person();
    const id = await channel('later', [owner, eve], { invite_only: true });
    const bot = await botOf(eve);
    const at = Math.floor(Date.now() / 1000) + 3600;
    const scheduled = { type: 'channel', to: id, topic: 'x', content: 'later' };
    ok(
      await bot.client.post('/scheduled_messages', {
        ...scheduled,
        scheduled_delivery_timestamp: at,
      }),
    );
    const remove = { subscriptions: ['later'], principals: [eve.id] };
    ok(await owner.client.delete('/users/me/subscriptions', remove));
    const again = await bot.client.post('/scheduled_messages', {
      ...scheduled,
      scheduled_delivery_timestamp: at,
    });
    expect(again.body).toMatchObject({ result: 'error' });
  });
});

describe('a bot that is mentioned by name from outside', () => {
  const named = (fullName: string, owner: Actor, botType: 1 | 2 = 1): Promise<Actor> =>
    world.person({ fullName, botType, botOwnerId: owner.id });
  const mentions = (events: readonly unknown[]) =>
    (events as { type: string; flags?: string[]; message?: { id: number } }[])
      .filter(({ type }) => type === 'message')
      .map(({ flags, message }) => [message?.id, flags]);
  const CALLED = ['read', 'mentioned'];

  it('gets the message in a public channel, as Markdown with the flag that its library expects, and may answer there', async () => {
    const { server, ada, bob, publicId } = world;
    const bot = await named('Weather', bob);
    await send(ada, publicId, 'sky', 'the first message here');
    let id = 0;
    const [seen = [], others = []] = await verifyEvents(server, [bot, world.stranger], async () => {
      id = await send(ada, publicId, 'sky', '@**Weather** tomorrow?');
      await send(ada, publicId, 'sky', 'and this is for people');
    });
    expect(mentions(seen)).toEqual([[id, CALLED]]);
    expect(others).toEqual([]);
    expect(await fetchIds(bot)).toEqual([id]);
    expect(await fetchIds(bot, { operator: 'is', operand: 'mentioned' })).toEqual([id]);
    const [message] = await fetchAll(bot);
    expect(message?.flags).toEqual(CALLED);
    ok(await bot.client.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    ok(
      await bot.client.post('/messages', {
        type: 'channel',
        to: publicId,
        topic: 'sky',
        content: 'sun',
      }),
    );
  });

  it.each(['private', 'protected'] as const)(
    'gets the message in a %s channel of its owner, keeps it through edits, and learns nothing else',
    async (kind) => {
      const { server, ada, bob } = world;
      const to = kind === 'private' ? world.privateId : world.protectedId;
      const bot = await named(`Scout ${kind}`, ada);
      const before = await send(bob, to, 'plan', 'before the call');
      let id = 0;
      const [seen = []] = await verifyEvents(server, [bot], async () => {
        id = await send(bob, to, 'plan', `@**Scout ${kind}** go`);
      });
      expect(mentions(seen)).toEqual([[id, CALLED]]);
      const after = await send(bob, to, 'plan', 'after the call');
      expect(await fetchIds(bot)).toEqual([id]);
      ok(await bot.client.get(`/messages/${id}`));
      for (const other of [before, after]) {
        expect(refused(await bot.client.get(`/messages/${other}`)).msg).toBe('Invalid message(s)');
        const reaction = await bot.client.post(`/messages/${other}/reactions`, {
          emoji_name: 'tada',
        });
        expect(refused(reaction).msg).toBe('Invalid message(s)');
      }
      const inChannel = await bot.client.get('/messages', {
        anchor: 'newest',
        num_before: 10,
        narrow: [{ operator: 'channel', operand: to }],
      });
      expect(refused(inChannel).code).toBe('BAD_NARROW');
      // It gets the events about that message. A move of the whole topic would name others.
      const [told = []] = await verifyEvents(server, [bot], async () => {
        ok(await bob.client.patch(`/messages/${id}`, { content: `@**Scout ${kind}** stop` }));
        ok(await bob.client.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
        ok(await bob.client.post(`/messages/${after}/reactions`, { emoji_name: 'tada' }));
        ok(
          await bob.client.patch(`/messages/${id}`, {
            topic: 'elsewhere',
            propagate_mode: 'change_all',
          }),
        );
      });
      expect(told).toMatchObject([
        { type: 'update_message', message_ids: [id], flags: CALLED },
        { type: 'reaction', message_id: id },
      ]);
      expect(told).toHaveLength(2);
      const move = await bot.client.patch(`/messages/${id}`, { topic: 'mine' });
      expect(refused(move).msg).toBe("You don't have permission to edit this message");
    },
  );

  it('loses the message when it moves to another channel, even before it was delivered', async () => {
    const { server, ada, bob, privateId, channel } = world;
    const hidden = await channel('deeper', [bob], { invite_only: true });
    const bot = await named('Mole', ada);
    let id = 0;
    const [told = []] = await verifyEvents(server, [bot], async () => {
      id = await send(bob, privateId, 'm', '@**Mole** dig');
      ok(
        await world.owner.client.patch('/realm', {
          move_messages_between_streams_limit_seconds: '"unlimited"',
        }),
      );
      ok(
        await bob.client.patch(`/messages/${id}`, {
          stream_id: hidden,
          propagate_mode: 'change_all',
        }),
      );
    });
    expect(mentions(told)).toEqual([]);
    expect(told.filter(({ type }) => type === 'delete_message')).toMatchObject([
      { message_id: id },
    ]);
    expect(refused(await bot.client.get(`/messages/${id}`)).msg).toBe('Invalid message(s)');
    expect(await fetchIds(bot)).toEqual([]);
  });

  it('is not called where its owner is not, nor by a wildcard, a group, a silent mention, code, or an edit', async () => {
    const { server, owner, ada, bob, stranger, publicId, privateId, protectedId, channel } = world;
    const bot = await named('Deaf', ada);
    const foreign = await named('Foreign', stranger);
    await named('Hook', ada, 2);
    const gone = await named('Gone', ada);
    ok(await ada.client.delete(`/bots/${gone.id}`));
    const opened = await channel('ada may join', [bob], {
      invite_only: true,
      history_public_to_subscribers: false,
      can_subscribe_group: { direct_members: [ada.id], direct_subgroups: [] },
    });
    ok(
      await owner.client.post('/user_groups/create', {
        name: 'machines',
        description: '',
        members: [bot.id],
        can_mention_group: { direct_members: [bob.id], direct_subgroups: [] },
      }),
    );
    const received = await verifyEvents(server, [bot, foreign], async () => {
      for (const content of [
        '@**all** x',
        '@**topic** x',
        '@*machines* x',
        '@_**Deaf** x',
        '`@**Deaf**`',
      ]) {
        await send(bob, publicId, 'none', content);
      }
      const late = await send(bob, privateId, 'none', 'nobody yet');
      ok(await bob.client.patch(`/messages/${late}`, { content: '@**Deaf** now' }));
      for (const to of [privateId, protectedId])
        await send(bob, to, 'none', '@**Foreign** @**Hook** @**Gone**');
      // The owner may join, but could not read this message: only present subscribers can.
      await send(bob, opened, 'none', '@**Deaf** here');
    });
    expect(received.map(mentions)).toEqual([[], []]);
    expect(await fetchIds(bot)).toEqual([]);
    expect(await fetchIds(foreign)).toEqual([]);
  });

  it('gets the event from the log too, when its queue was not in memory', async () => {
    const { ada, bob, privateId } = world;
    const bot = await named('Sleeper', ada);
    const { queue_id, last_event_id } = ok(
      await bot.client.post('/register', { event_types: ['message'] }),
    );
    const poll = async (lastId: unknown) =>
      ok(await bot.client.get('/events', { queue_id, last_event_id: lastId, dont_block: true }))[
        'events'
      ] as { id: number }[];
    const id = await send(bob, privateId, 'night', '@**Sleeper** wake');
    let events: { id: number }[] = [];
    await expect
      .poll(async () => (events = await poll(last_event_id)), { timeout: 20_000 })
      .toHaveLength(1);
    // Acknowledged events are no longer in memory. A client that goes back is answered from the log.
    expect(await poll(events[0]?.id)).toEqual([]);
    expect(mentions(await poll(last_event_id))).toEqual([[id, CALLED]]);
  });
});
