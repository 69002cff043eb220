// Creating a channel over the API: which events people get, what each parameter does, and what is refused.
import { describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import type { Person } from '../../../testing/example.ts';
import { startTestServer } from '../../../testing/server.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { chatClient } from '../../../testing/chat/client.ts';
import {
  castEverybody,
  eventNames as names,
  makeChannel,
  sure,
  useCast,
} from '../../../testing/chat/cast-world.ts';

const world = useCast();
const { as, sureAs } = world;

describe('creating a channel', () => {
  it('tells everybody except guests of a public one, and its subscribers of their subscription', async () => {
    const [owner, admin, member, other, guest] = await verifyEvents(world.server, world.all, () =>
      makeChannel(world.server, world.cast.member, {
        subscribers: [world.cast.member.id, world.cast.guest.id],
      }),
    );
    expect(names(member)).toEqual(['stream/create', 'subscription/add']);
    expect(names(guest)).toEqual(['stream/create', 'subscription/add']);
    for (const events of [owner, admin, other]) {
      expect(names(events)).toEqual(['stream/create', 'subscription/peer_add']);
    }
  });

  it('tells only administrators and subscribers of a private one', async () => {
    const [owner, , member, other, guest] = await verifyEvents(world.server, world.all, () =>
      makeChannel(world.server, world.cast.member, { invite_only: true }),
    );
    expect(names(owner)).toEqual(['stream/create', 'subscription/peer_add']);
    expect(names(member)).toEqual(['stream/create', 'subscription/add']);
    expect([other, guest]).toEqual([[], []]);
  });

  it('tells people who may join by a permission, also through groups', async () => {
    const [, , , other, guest] = await verifyEvents(world.server, world.all, () =>
      makeChannel(world.server, world.cast.member, {
        invite_only: true,
        can_subscribe_group: {
          direct_members: [world.cast.other.id, world.cast.guest.id],
          direct_subgroups: [],
        },
      }),
    );
    expect(names(other)).toEqual(['stream/create', 'subscription/peer_add']);
    // Guests are excluded from a permission that cannot be given to everyone.
    expect(guest).toEqual([]);
    const [, , , byGroup] = await verifyEvents(world.server, world.all, () =>
      makeChannel(world.server, world.cast.admin, {
        invite_only: true,
        can_add_subscribers_group: roleGroupId('role:members'),
      }),
    );
    expect(names(byGroup)).toEqual(['stream/create', 'subscription/peer_add']);
  });

  it('can make it a default channel, of which guests are not told', async () => {
    const [owner, , , , guest] = await verifyEvents(world.server, world.all, () =>
      makeChannel(world.server, world.cast.admin, { subscribers: [], is_default_stream: true }),
    );
    expect(names(owner)).toEqual(['stream/create', 'default_streams']);
    expect(guest).toEqual([]);
  });

  it('stores everything that the request gives', async () => {
    const { channel_folder_id } = await sureAs(world.cast.admin).post('/channel_folders/create', {
      name: 'Projects',
      description: '',
    });
    const { id } = await makeChannel(world.server, world.cast.owner, {
      description: 'one\ntwo',
      invite_only: true,
      history_public_to_subscribers: true,
      folder_id: channel_folder_id,
      topics_policy: 'disable_empty_topic',
      message_retention_days: 30,
      default_push_notifications: true,
      can_send_message_group: roleGroupId('role:moderators'),
      can_create_topic_group: roleGroupId('role:administrators'),
      can_delete_any_message_group: roleGroupId('role:moderators'),
    });
    const { stream } = await sureAs(world.cast.owner).get(`/streams/${id}`);
    expect(stream).toMatchObject({
      description: 'one two',
      rendered_description: '<p>one two</p>',
      invite_only: true,
      history_public_to_subscribers: true,
      folder_id: channel_folder_id,
      topics_policy: 'disable_empty_topic',
      message_retention_days: 30,
      default_push_notifications: true,
      subscriber_count: 1,
      stream_post_policy: 4,
      can_send_message_group: roleGroupId('role:moderators'),
      can_create_topic_group: roleGroupId('role:administrators'),
      can_delete_any_message_group: roleGroupId('role:moderators'),
      can_administer_channel_group: { direct_members: [world.cast.owner.id], direct_subgroups: [] },
    });
  });

  it.each([
    [{ name: '  ' }, 400, 'name cannot be blank'],
    [{ name: 'x'.repeat(61) }, 400, 'Channel name too long (limit: 60 characters).'],
    [{ name: 'a\u0007b' }, 400, 'Invalid character in channel name, at position 2.'],
    [{ description: 'x'.repeat(1025) }, 400, 'description is too long (limit: 1024 characters)'],
    [{ announce: 'yes' }, 400, 'announce is not valid JSON'],
    [{ subscribers: [999_999] }, 400, 'No such user'],
    [{ subscribers: [2 ** 40] }, 400, 'No such user'],
    [{ folder_id: 999_999 }, 400, 'Invalid channel folder ID'],
    [{ topics_policy: 'odd' }, 400, 'Invalid topics_policy'],
    [{ is_default_stream: true }, 400, 'Insufficient permission'],
    [{ is_web_public: true }, 400, 'Web-public channels are not enabled.'],
    [{ default_push_notifications: true }, 400, 'Insufficient permission'],
    [{ message_retention_days: 10 }, 400, 'Must be an organization owner'],
    [{ message_retention_days: 0 }, 400, "Bad value for 'message_retention_days': 0"],
    [
      { can_delete_own_message_group: roleGroupId('role:everyone') },
      400,
      'Insufficient permission',
    ],
    [
      { can_send_message_group: roleGroupId('role:internet') },
      400,
      "'can_send_message_group' setting cannot be set to 'role:internet' group.",
    ],
    [
      { can_add_subscribers_group: roleGroupId('role:everyone') },
      400,
      "'can_add_subscribers_group' setting cannot be set to 'role:everyone' group.",
    ],
    [{ can_send_message_group: 999 }, 400, 'Invalid user group'],
    [
      { invite_only: true, can_create_topic_group: roleGroupId('role:moderators') },
      400,
      'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group',
    ],
  ])('refuses %j', async (given, status, msg) => {
    const answer = await as(world.cast.member).post('/channels/create', {
      name: 'never made',
      subscribers: [],
      ...given,
    });
    expect({ status: answer.status, ...answer.body }).toMatchObject({
      status,
      msg,
      code: 'BAD_REQUEST',
    });
    const found = await as(world.cast.owner).get('/get_stream_id', { stream: 'never made' });
    expect(found.body['msg']).toBe("Invalid channel name 'never made'");
  });

  it('refuses a name that is taken, whatever its case, by an archived channel too', async () => {
    const { id, name } = await makeChannel(world.server, world.cast.member, { name: 'Taken' });
    await sureAs(world.cast.member).delete(`/streams/${id}`);
    for (const twin of [name, 'TAKEN', ' taken ']) {
      const { status, body } = await as(world.cast.other).post('/channels/create', {
        name: twin,
        subscribers: [],
      });
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'CHANNEL_ALREADY_EXISTS', channel_name: twin.trim() });
    }
  });

  it('refuses guests, and then creates nothing', async () => {
    const { body } = await as(world.cast.guest).post('/channels/create', {
      name: 'g',
      subscribers: [],
    });
    expect(body['msg']).toBe('Not allowed for guest users');
  });

  it('creates one channel when many requests have the same name', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        as(world.cast.member).post('/channels/create', { name: 'only one', subscribers: [] }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  });
});

const only = (...people: readonly { id: number }[]) => ({
  direct_members: people.map(({ id }) => id),
  direct_subgroups: [],
});
const channelOf = async (id: number) => {
  const { stream } = await sureAs(world.cast.owner).get(`/streams/${id}`);
  return stream as Record<string, unknown>;
};
const say = async (person: Person, to: number, topic = 'talk') => {
  const message = { type: 'channel', to, topic, content: 'words' };
  return Number((await sureAs(person).post('/messages', message))['id']);
};
const refusal = async (answer: Promise<{ status: number; body: Record<string, unknown> }>) => {
  const { status, body } = await answer;
  expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'BAD_REQUEST' });
  return body['msg'];
};

describe('its parameters', () => {
  it('set a name with a maximum length [M096] [M224] [M238]', async () => {
    const { member } = world.cast;
    const { max_stream_name_length: max } = await sureAs(member).post('/register');
    const longest = 'ن'.repeat(Number(max));
    const { id } = await makeChannel(world.server, member, { name: ` ${longest} ` });
    expect(await channelOf(id)).toMatchObject({ name: longest });
    const make = (name: unknown) => as(member).post('/channels/create', { name, subscribers: [] });
    expect(await refusal(make(`${longest}ن`))).toBe(
      `Channel name too long (limit: ${String(max)} characters).`,
    );
    expect(await refusal(make('  '))).toBe('name cannot be blank');
    expect(await refusal(make(undefined))).toBe("Missing 'name' argument");
  });

  it('set a description in Markdown with a maximum length [M097] [M225]', async () => {
    const { member } = world.cast;
    const { max_stream_description_length: max } = await sureAs(member).post('/register');
    const { id } = await makeChannel(world.server, member, { description: 'of **note**' });
    expect(await channelOf(id)).toMatchObject({
      description: 'of **note**',
      rendered_description: '<p>of <strong>note</strong></p>',
    });
    const longest = 'd'.repeat(Number(max));
    const full = await makeChannel(world.server, member, { description: longest });
    expect(await channelOf(full.id)).toMatchObject({ description: longest });
    const tooLong = { name: 'too long', subscribers: [], description: `${longest}d` };
    expect(await refusal(as(member).post('/channels/create', tooLong))).toBe(
      `description is too long (limit: ${String(max)} characters)`,
    );
  });

  it('set the subscribers by id; the list is required and may be empty [M098]', async () => {
    const { member, other, guest } = world.cast;
    const nobody = await makeChannel(world.server, member, { subscribers: [] });
    const some = await makeChannel(world.server, member, { subscribers: [other.id, guest.id] });
    const subscribersOf = async (id: number) =>
      (await sureAs(other).get(`/streams/${id}/members`))['subscribers'];
    expect(await subscribersOf(nobody.id)).toEqual([]);
    // The caller is subscribed only if listed.
    expect(await subscribersOf(some.id)).toEqual([other.id, guest.id]);
    const make = (subscribers: unknown) =>
      as(member).post('/channels/create', { name: 'unmade', subscribers });
    expect(await refusal(make(undefined))).toBe("Missing 'subscribers' argument");
    expect(await refusal(make('7'))).toBe('subscribers is not a list');
    expect(await refusal(make([999_999]))).toBe('No such user');
  });

  it('set whether it is announced [M099]', async () => {
    const { owner, member } = world.cast;
    const board = await makeChannel(world.server, owner);
    await sureAs(owner).patch('/realm', { new_stream_announcements_stream_id: board.id });
    const quiet = await makeChannel(world.server, member, { announce: false });
    const silent = await makeChannel(world.server, member);
    const loud = await makeChannel(world.server, member, { announce: true });
    const narrow = [{ operator: 'channel', operand: board.id }];
    const { messages } = await sureAs(owner).get('/messages', {
      narrow,
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      apply_markdown: false,
    });
    const said = (messages as { content: string }[]).map(({ content }) => content).join('\n');
    expect(said).toContain(`#**${loud.name}**`);
    for (const { name } of [quiet, silent]) expect(said).not.toContain(`#**${name}**`);
    await sureAs(owner).patch('/realm', { new_stream_announcements_stream_id: -1 });
  });

  it('set whether it is private [M100]', async () => {
    const { member, other } = world.cast;
    const open = await makeChannel(world.server, member);
    const closed = await makeChannel(world.server, member, { invite_only: true });
    expect(await channelOf(open.id)).toMatchObject({ invite_only: false });
    expect(await channelOf(closed.id)).toMatchObject({ invite_only: true });
    await sureAs(other).get(`/streams/${open.id}`);
    expect(await refusal(as(other).get(`/streams/${closed.id}`))).toBe('Invalid channel ID');
  });

  it('set whether new people join it [M102]', async () => {
    const { admin, member } = world.cast;
    const plain = await makeChannel(world.server, admin);
    const chosen = await makeChannel(world.server, admin, { is_default_stream: true });
    const { realm_default_streams: ids } = await sureAs(member).post('/register');
    expect(ids).toContain(chosen.id);
    expect(ids).not.toContain(plain.id);
    const make = (person: Person, more: object) =>
      as(person).post('/channels/create', {
        name: 'unmade',
        subscribers: [],
        is_default_stream: true,
        ...more,
      });
    expect(await refusal(make(member, {}))).toBe('Insufficient permission');
    expect(await refusal(make(admin, { invite_only: true }))).toBe(
      'A default channel cannot be private.',
    );
  });

  it('set a folder [M103]', async () => {
    const { admin, member } = world.cast;
    const folder = { name: 'For channels', description: '' };
    const { channel_folder_id: folder_id } = await sureAs(admin).post(
      '/channel_folders/create',
      folder,
    );
    const { id } = await makeChannel(world.server, member, { folder_id });
    expect(await channelOf(id)).toMatchObject({ folder_id });
    const without = await makeChannel(world.server, member);
    expect(await channelOf(without.id)).toMatchObject({ folder_id: null });
    const make = as(member).post('/channels/create', {
      name: 'unmade',
      subscribers: [],
      folder_id: 999_999,
    });
    expect(await refusal(make)).toBe('Invalid channel folder ID');
  });

  it('set which topics it permits [M104]', async () => {
    const { owner } = world.cast;
    const send = (to: number, topic: string) =>
      as(owner).post('/messages', { type: 'channel', to, topic, content: 'words' });
    const made = new Map<string, number>();
    for (const topics_policy of ['allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']) {
      const { id } = await makeChannel(world.server, owner, { topics_policy });
      expect(await channelOf(id)).toMatchObject({ topics_policy });
      made.set(topics_policy, id);
    }
    const plain = await makeChannel(world.server, owner);
    expect(await channelOf(plain.id)).toMatchObject({ topics_policy: 'inherit' });
    const [allow, disable, emptyOnly] = [...made.values()] as [number, number, number];
    expect((await send(allow, '')).status).toBe(200);
    expect((await send(allow, 'named')).status).toBe(200);
    expect(await refusal(send(disable, ''))).toContain('general chat');
    expect((await send(disable, 'named')).status).toBe(200);
    expect((await send(emptyOnly, '')).status).toBe(200);
    expect(await refusal(send(emptyOnly, 'named'))).toContain('general chat');
    // A channel that has messages with a topic cannot forbid topics.
    const into = { topics_policy: 'empty_topic_only' };
    await refusal(as(owner).patch(`/streams/${allow}`, into));
    const clean = await makeChannel(world.server, owner, { topics_policy: 'allow_empty_topic' });
    await send(clean.id, '');
    await sureAs(owner).patch(`/streams/${clean.id}`, into);
    const make = { name: 'unmade', subscribers: [], topics_policy: 'odd' };
    expect(await refusal(as(owner).post('/channels/create', make))).toBe('Invalid topics_policy');
  });

  it('set whether new subscribers see older messages [M105]', async () => {
    const { member, other } = world.cast;
    for (const history_public_to_subscribers of [true, false]) {
      const { id, name } = await makeChannel(world.server, member, {
        invite_only: true,
        history_public_to_subscribers,
      });
      const early = await say(member, id);
      await sureAs(member).post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [other.id],
      });
      const late = await say(member, id);
      expect((await as(other).get(`/messages/${late}`)).status).toBe(200);
      const before = await as(other).get(`/messages/${early}`);
      expect(before.status).toBe(history_public_to_subscribers ? 200 : 400);
    }
    // The history of a public channel cannot be hidden, and a request for that is refused.
    const closed = { history_public_to_subscribers: false };
    const unsupported = { ignored_parameters_unsupported: Object.keys(closed) };
    const open = { name: 'no closed past', subscribers: [] };
    const made = await sureAs(member).post('/channels/create', { ...open, ...closed });
    expect(made).toMatchObject(unsupported);
    expect(await channelOf(Number(made['id']))).toMatchObject({
      history_public_to_subscribers: true,
    });
    const joined = await sureAs(member).post('/users/me/subscriptions', {
      subscriptions: [{ name: 'no closed past either' }],
      ...closed,
    });
    expect(joined).toMatchObject(unsupported);
    for (const fine of [
      { name: 'an open past', history_public_to_subscribers: true },
      { name: 'a closed past', invite_only: true, ...closed },
    ]) {
      const { ignored_parameters_unsupported: ignored } = await sureAs(member).post(
        '/channels/create',
        { subscribers: [member.id], ...fine },
      );
      expect(ignored).toBeUndefined();
    }
  });

  it('set for how many days messages are kept [M106]', async () => {
    const { owner, member } = world.cast;
    for (const [message_retention_days, kept] of [
      ['realm_default', null],
      ['unlimited', -1],
      [30, 30],
    ]) {
      const { id } = await makeChannel(world.server, owner, { message_retention_days });
      expect(await channelOf(id)).toMatchObject({ message_retention_days: kept });
    }
    const make = (person: Person, message_retention_days: unknown) =>
      as(person).post('/channels/create', {
        name: 'unmade',
        subscribers: [],
        message_retention_days,
      });
    for (const wrong of [0, -5, 'ever']) {
      expect(await refusal(make(owner, wrong))).toContain('message_retention_days');
    }
    expect(await refusal(make(member, 30))).toBe('Must be an organization owner');
    expect((await make(member, 'realm_default')).status).toBe(200);
  });
});

describe('its permissions say who may', () => {
  it('add subscribers [M107]', async () => {
    const { owner, member, other } = world.cast;
    const invite = (name: string) =>
      as(other).post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [member.id],
      });
    const shut = await makeChannel(world.server, owner, { invite_only: true });
    expect((await invite(shut.name)).status).toBe(400);
    const open = await makeChannel(world.server, owner, {
      invite_only: true,
      can_add_subscribers_group: only(other),
    });
    expect((await invite(open.name)).body['subscribed']).toEqual({ [member.id]: [open.name] });
  });

  it('delete any message [M108]', async () => {
    const { owner, member, other } = world.cast;
    const { id } = await makeChannel(world.server, owner, {
      can_delete_any_message_group: only(other),
    });
    const [first, second] = [await say(owner, id), await say(owner, id)];
    await refusal(as(member).delete(`/messages/${first}`));
    await sureAs(other).delete(`/messages/${first}`);
    const elsewhere = await makeChannel(world.server, owner);
    await refusal(as(other).delete(`/messages/${await say(owner, elsewhere.id)}`));
    await sureAs(owner).delete(`/messages/${second}`);
  });

  it('delete their own messages [M109]', async () => {
    const { owner, member, other } = world.cast;
    const nobody = { new: roleGroupId('role:nobody') };
    await sureAs(owner).patch('/realm', { can_delete_own_message_group: nobody });
    const { id } = await makeChannel(world.server, owner, {
      can_delete_own_message_group: only(other),
    });
    await refusal(as(member).delete(`/messages/${await say(member, id)}`));
    await refusal(as(other).delete(`/messages/${await say(member, id)}`));
    await sureAs(other).delete(`/messages/${await say(other, id)}`);
    const everyone = { new: roleGroupId('role:everyone') };
    await sureAs(owner).patch('/realm', { can_delete_own_message_group: everyone });
  });

  it('remove subscribers [M110]', async () => {
    const { owner, member, other, guest } = world.cast;
    const { name } = await makeChannel(world.server, owner, {
      subscribers: [owner.id, guest.id],
      can_remove_subscribers_group: only(other),
    });
    const remove = { subscriptions: [name], principals: [guest.id] };
    const refused = await as(member).delete('/users/me/subscriptions', remove);
    expect(refused.body['msg']).toBe('Insufficient permission');
    const { removed } = await sureAs(other).delete('/users/me/subscriptions', remove);
    expect(removed).toEqual([name]);
  });

  it('administer it [M111]', async () => {
    const { owner, member, other } = world.cast;
    const { id } = await makeChannel(world.server, owner, {
      can_administer_channel_group: only(other),
    });
    const change = { description: 'better' };
    expect(await refusal(as(member).patch(`/streams/${id}`, change))).toBe(
      'You do not have permission to administer this channel.',
    );
    await sureAs(other).patch(`/streams/${id}`, change);
    expect(await channelOf(id)).toMatchObject(change);
  });

  it('move messages out of it [M112]', async () => {
    const { owner, member, other } = world.cast;
    const nobody = { new: roleGroupId('role:nobody') };
    await sureAs(owner).patch('/realm', { can_move_messages_between_channels_group: nobody });
    const to = await makeChannel(world.server, owner);
    const from = await makeChannel(world.server, owner, {
      can_move_messages_out_of_channel_group: only(other),
    });
    const id = await say(owner, from.id);
    const move = { stream_id: to.id };
    await refusal(as(member).patch(`/messages/${id}`, move));
    await sureAs(other).patch(`/messages/${id}`, move);
    const { message } = await sureAs(owner).get(`/messages/${id}`);
    expect(message).toMatchObject({ stream_id: to.id });
    const members = { new: roleGroupId('role:members') };
    await sureAs(owner).patch('/realm', { can_move_messages_between_channels_group: members });
  });

  it('the answer has only the id, whatever the request gives [M113]', async () => {
    const { member } = world.cast;
    const body = await sureAs(member).post('/channels/create', {
      name: 'answered',
      subscribers: [],
      can_resolve_topics_group: roleGroupId('role:moderators'),
      unheard_of: 1,
    });
    expect(body).toEqual({
      result: 'success',
      msg: '',
      id: expect.any(Number) as number,
      ignored_parameters_unsupported: ['unheard_of'],
    });
    expect(await channelOf(Number(body['id']))).toMatchObject({
      can_resolve_topics_group: roleGroupId('role:moderators'),
    });
  });
});

it('a channel is web-public only if server and organization both allow it, and then guests see it [M101]', async () => {
  const other = await startTestServer({ settings: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  try {
    const people = await castEverybody(other);
    const request = { name: 'open to all', subscribers: [], is_web_public: true };
    const owner = chatClient(other, people.owner);
    const refused = await owner.post('/channels/create', request);
    expect(refused.body['msg']).toBe('Web-public channels are not enabled.');
    await sure(owner).patch('/realm', { enable_spectator_access: true });
    const member = await chatClient(other, people.member).post('/channels/create', request);
    expect(member.body['msg']).toBe('Insufficient permission');
    const [, guest] = await verifyEvents(other, [people.member, people.guest], () =>
      sure(owner).post('/channels/create', request),
    );
    expect(names(guest)).toEqual(['stream/create']);
    const { server_web_public_streams_enabled: isEnabled } = await sure(owner).post('/register');
    expect(isEnabled).toBe(true);
  } finally {
    await other.close();
  }
});
