// Bots write where their owners may, as the owners stand at that moment, and nowhere by that which is beyond them.
import { describe, expect, it } from 'vitest';
import { ROLE } from '../../accounts/roles.ts';
import type { Answer } from '../http/test-client.ts';
import { fetchAll, ok, refused, send, useMessageWorld, type Actor } from './test-world.ts';

const world = useMessageWorld();

const botOf = (owner: Actor, botType: 1 | 2 = 1): Promise<Actor> =>
  world.person({ botType, botOwnerId: owner.id });

const post = (who: Actor, to: number | string, topic = 'x'): Promise<Answer> =>
  who.client.post('/messages', { type: 'channel', to, topic, content: 'from a bot' });

const NO_POSTING = 'You do not have permission to post in this channel.';

describe('a bot', () => {
  it.each([1, 2] as const)(
    'of type %i writes into a private channel of its owner, by id and by name, and the others read it',
    async (botType) => {
      const { ada, bob, privateId } = world;
      const bot = await botOf(ada, botType);
      const byId = Number(ok(await post(bot, privateId))['id']);
      const byName = Number(ok(await post(bot, 'secret'))['id']);
      const seen = await fetchAll(bob, [{ operator: 'channel', operand: privateId }]);
      expect(seen.map(({ id }) => id)).toEqual(expect.arrayContaining([byId, byName]));
    },
  );

  it('does not read there by that', async () => {
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

  it('writes where only its owner, or its group of people, may post', async () => {
    const { owner, ada, channel } = world;
    const named = { direct_members: [ada.id, owner.id], direct_subgroups: [] };
    const id = await channel('announce', [owner, ada], { can_send_message_group: named });
    ok(await post(await botOf(ada), id));
    expect(refused(await post(await botOf(world.bob), id)).msg).toBe(NO_POSTING);
    const high = await channel('owners speak', [owner, ada], { can_send_message_group: 7 });
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

  it('is refused from the moment at which its owner leaves the channel, and let in again with the owner', async () => {
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
    const id = await channel('moderators speak', [owner, dan], { can_send_message_group: 5 });
    ok(await post(bot, id));
    ok(await owner.client.patch(`/users/${dan.id}`, { role: ROLE.member }));
    expect(refused(await post(bot, id)).msg).toBe(NO_POSTING);
    ok(await owner.client.patch(`/users/${dan.id}`, { role: ROLE.moderator }));
    ok(await post(bot, id));
    ok(await owner.client.delete(`/users/${dan.id}`));
    expect((await post(bot, id)).status).toBe(401);
  });

  it('follows its owner only: of a guest it writes where the guest is, of nobody nowhere private', async () => {
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

  it('does not get into an archived channel by its owner, nor past the policy for topics', async () => {
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

  it('schedules where its owner may, and is asked again when the time has come', async () => {
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
