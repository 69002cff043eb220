// Channels over the API: what each change says to whom, and what is refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roleGroupId } from '../../accounts/users/role-groups.ts';
import type { Person } from '../../testing/example.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { checkLoggedShapes, verifyEvents } from '../../testing/verify-events.ts';
import { chatClient } from '../http/test-client.ts';
import { castPeople, makeChannel, sure, type Cast } from './test-people.ts';

let server: TestServer;
let cast: Cast;
let all: readonly Person[];

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT: '100000' } });
  cast = await castPeople(server);
  all = [cast.owner, cast.admin, cast.member, cast.other, cast.guest];
});
afterAll(async () => {
  await checkLoggedShapes(server);
  await server.close();
});

const as = (person: Person) => chatClient(server, person);
const sureAs = (person: Person) => sure(as(person));
const names = (events: readonly { type: string; op?: unknown }[]) =>
  events.map(({ type, op }) => (typeof op === 'string' ? `${type}/${op}` : type));

describe('making a channel', () => {
  it('tells everybody but guests of a public one, and its subscribers of their subscription', async () => {
    const [owner, admin, member, other, guest] = await verifyEvents(server, all, () =>
      makeChannel(server, cast.member, { subscribers: [cast.member.id, cast.guest.id] }),
    );
    expect(names(member ?? [])).toEqual(['stream/create', 'subscription/add']);
    expect(names(guest ?? [])).toEqual(['stream/create', 'subscription/add']);
    for (const events of [owner, admin, other]) {
      expect(names(events ?? [])).toEqual(['stream/create', 'subscription/peer_add']);
    }
  });

  it('tells only administrators and subscribers of a private one', async () => {
    const [owner, , member, other, guest] = await verifyEvents(server, all, () =>
      makeChannel(server, cast.member, { invite_only: true }),
    );
    expect(names(owner ?? [])).toEqual(['stream/create', 'subscription/peer_add']);
    expect(names(member ?? [])).toEqual(['stream/create', 'subscription/add']);
    expect([other, guest]).toEqual([[], []]);
  });

  it('tells whoever is let in by a permission, through groups too', async () => {
    const [, , , other, guest] = await verifyEvents(server, all, () =>
      makeChannel(server, cast.member, {
        invite_only: true,
        can_subscribe_group: {
          direct_members: [cast.other.id, cast.guest.id],
          direct_subgroups: [],
        },
      }),
    );
    expect(names(other ?? [])).toEqual(['stream/create', 'subscription/peer_add']);
    // A guest does not have a permission that cannot be given to everyone.
    expect(guest).toEqual([]);
    const [, , , byGroup] = await verifyEvents(server, all, () =>
      makeChannel(server, cast.admin, {
        invite_only: true,
        can_add_subscribers_group: roleGroupId('role:members'),
      }),
    );
    expect(names(byGroup ?? [])).toEqual(['stream/create', 'subscription/peer_add']);
  });

  it('may make it a default channel, of which guests hear nothing', async () => {
    const [owner, , , , guest] = await verifyEvents(server, all, () =>
      makeChannel(server, cast.admin, { subscribers: [], is_default_stream: true }),
    );
    expect(names(owner ?? [])).toEqual(['stream/create', 'default_streams']);
    expect(guest).toEqual([]);
  });

  it('stores everything that was given', async () => {
    const { channel_folder_id } = await sureAs(cast.admin).post('/channel_folders/create', {
      name: 'Projects',
      description: '',
    });
    const { id } = await makeChannel(server, cast.owner, {
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
    const { stream } = await sureAs(cast.owner).get(`/streams/${id}`);
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
      can_administer_channel_group: { direct_members: [cast.owner.id], direct_subgroups: [] },
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
    [{ can_delete_own_message_group: 2 }, 400, 'Insufficient permission'],
    [
      { can_send_message_group: 1 },
      400,
      "'can_send_message_group' setting cannot be set to 'role:internet' group.",
    ],
    [
      { can_add_subscribers_group: 2 },
      400,
      "'can_add_subscribers_group' setting cannot be set to 'role:everyone' group.",
    ],
    [{ can_send_message_group: 999 }, 400, 'Invalid user group'],
    [
      { invite_only: true, can_create_topic_group: 5 },
      400,
      'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group',
    ],
  ])('refuses %j', async (given, status, msg) => {
    const answer = await as(cast.member).post('/channels/create', {
      name: 'never made',
      subscribers: [],
      ...given,
    });
    expect({ status: answer.status, ...answer.body }).toMatchObject({
      status,
      msg,
      code: 'BAD_REQUEST',
    });
    const found = await as(cast.owner).get('/get_stream_id', { stream: 'never made' });
    expect(found.body['msg']).toBe("Invalid channel name 'never made'");
  });

  it('refuses a name that is taken, whatever its case, by an archived channel too', async () => {
    const { id, name } = await makeChannel(server, cast.member, { name: 'Taken' });
    await sureAs(cast.member).delete(`/streams/${id}`);
    for (const twin of [name, 'TAKEN', ' taken ']) {
      const { status, body } = await as(cast.other).post('/channels/create', {
        name: twin,
        subscribers: [],
      });
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'CHANNEL_ALREADY_EXISTS', channel_name: twin.trim() });
    }
  });

  it('refuses guests, and lets no half of it happen', async () => {
    const { body } = await as(cast.guest).post('/channels/create', { name: 'g', subscribers: [] });
    expect(body['msg']).toBe('Not allowed for guest users');
  });

  it('many at once with one name make one channel', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        as(cast.member).post('/channels/create', { name: 'only one', subscribers: [] }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  });
});

describe('changing a channel', () => {
  it('says each change to whoever may know of the channel', async () => {
    const { id } = await makeChannel(server, cast.member);
    const [, , , other, guest] = await verifyEvents(server, all, async () => {
      await sureAs(cast.member).patch(`/streams/${id}`, {
        new_name: 'renamed channel',
        description: 'new <b>words</b>',
        can_send_message_group: { new: roleGroupId('role:administrators') },
      });
    });
    expect(other?.map((event) => (event as { property?: string }).property)).toEqual([
      'description',
      'can_send_message_group',
      'stream_post_policy',
      'is_announcement_only',
      'name',
    ]);
    expect(guest).toEqual([]);
  });

  it('making it private takes it from whoever is not in it; making it public gives it back', async () => {
    const { id } = await makeChannel(server, cast.member, {
      subscribers: [cast.member.id, cast.guest.id],
    });
    const [, admin, member, other, guest] = await verifyEvents(server, all, () =>
      sureAs(cast.member).patch(`/streams/${id}`, { is_private: true }),
    );
    expect(names(other ?? [])).toEqual(['stream/delete']);
    for (const events of [admin, member, guest])
      expect(names(events ?? [])).toEqual(['stream/update']);
    expect(member?.[0]).toMatchObject({
      property: 'invite_only',
      value: true,
      history_public_to_subscribers: false,
      is_web_public: false,
    });
    const [, , , again] = await verifyEvents(server, all, () =>
      sureAs(cast.member).patch(`/streams/${id}`, { is_private: false }),
    );
    expect(names(again ?? [])).toEqual(['stream/create', 'subscription/peer_add', 'stream/update']);
  });

  it('a permission that lets people see a private channel shows and hides it', async () => {
    const { id } = await makeChannel(server, cast.member, { invite_only: true });
    const onlyOther = { direct_members: [cast.other.id], direct_subgroups: [] };
    const [, , , seen] = await verifyEvents(server, all, () =>
      sureAs(cast.member).patch(`/streams/${id}`, { can_subscribe_group: { new: onlyOther } }),
    );
    expect(names(seen ?? [])).toEqual(['stream/create', 'subscription/peer_add', 'stream/update']);
    const [, , , hidden] = await verifyEvents(server, all, () =>
      sureAs(cast.member).patch(`/streams/${id}`, {
        can_subscribe_group: { new: roleGroupId('role:nobody'), old: onlyOther },
      }),
    );
    expect(names(hidden ?? [])).toEqual(['stream/delete']);
  });

  it('archiving and unarchiving is an update to clients that know it, and an end to others', async () => {
    const { id } = await makeChannel(server, cast.member);
    const older = await sureAs(cast.member).post('/register', {});
    const [, , member] = await verifyEvents(server, all, () =>
      sureAs(cast.member).delete(`/streams/${id}`),
    );
    expect(member).toMatchObject([{ op: 'update', property: 'is_archived', value: true }]);
    const again = await as(cast.member).delete(`/streams/${id}`);
    expect(again.body['msg']).toBe('Channel is already deactivated');
    const [, , restored] = await verifyEvents(server, all, () =>
      sureAs(cast.member).patch(`/streams/${id}`, { is_archived: false }),
    );
    expect(restored).toMatchObject([{ op: 'update', property: 'is_archived', value: false }]);
    const { events } = (await sureAs(cast.member).get('/events', {
      queue_id: older['queue_id'],
      last_event_id: older['last_event_id'],
      dont_block: true,
    })) as { events: { type: string; op: string }[] };
    expect(names(events)).toEqual(['stream/delete', 'stream/create', 'subscription/add']);
  });

  it.each([
    [{ new_name: 'SAME' }, 'Channel already has that name.'],
    [{ is_private: false, history_public_to_subscribers: false }, 'Invalid parameters'],
    [{ is_private: true, is_web_public: true }, 'Invalid parameters'],
    [{ is_web_public: true }, 'Web-public channels are not enabled.'],
    [{ is_default_stream: true }, 'You do not have permission to change default channels.'],
    [{ message_retention_days: 'unlimited' }, 'Must be an organization owner'],
    [{ folder_id: 99_999 }, 'Invalid channel folder ID'],
    [
      { can_send_message_group: { new: 8, old: 3 } },
      "'old' value does not match the expected value.",
    ],
    [
      { is_archived: true },
      'is_archived can only be set to false; a DELETE request archives a channel.',
    ],
  ])('refuses %j', async (changes, msg) => {
    const { id, name } = await makeChannel(server, cast.member);
    const wanted = 'new_name' in changes ? { new_name: name } : changes;
    const { status, body } = await as(cast.member).patch(`/streams/${id}`, {
      description: 'must not stay',
      ...wanted,
    });
    expect({ status, msg: body['msg'] }).toEqual({ status: 400, msg });
    const { stream } = await sureAs(cast.member).get(`/streams/${id}`);
    expect(stream).toMatchObject({ description: '' });
  });

  it('is for those who administer it; to others a hidden channel does not exist', async () => {
    const open = await makeChannel(server, cast.member);
    const closed = await makeChannel(server, cast.member, { invite_only: true });
    const change = { description: 'mine' };
    const asked = async (person: Person, id: number) =>
      (await as(person).patch(`/streams/${id}`, change)).body['msg'];
    expect(await asked(cast.other, open.id)).toBe(
      'You do not have permission to administer this channel.',
    );
    expect(await asked(cast.other, closed.id)).toBe('Invalid channel ID');
    expect(await asked(cast.guest, open.id)).toBe('Invalid channel ID');
    expect(await asked(cast.admin, closed.id)).toBe('');
    // An administrator who is not in it does not open the door to what is said there.
    const opened = await as(cast.admin).patch(`/streams/${closed.id}`, { is_private: false });
    expect(opened.body['msg']).toBe('Channel content access is required.');
  });
});

describe('default channels and folders', () => {
  it('default channels come and go, and archiving one ends it', async () => {
    const { id } = await makeChannel(server, cast.member);
    const [, , member, , guest] = await verifyEvents(server, all, async () => {
      await sureAs(cast.admin).post('/default_streams', { stream_id: id });
      await sureAs(cast.admin).post('/default_streams', { stream_id: id });
      await sureAs(cast.admin).delete('/default_streams', { stream_id: id });
      await sureAs(cast.admin).post('/default_streams', { stream_id: id });
      await sureAs(cast.admin).delete(`/streams/${id}`);
    });
    expect(names(member ?? []).filter((name) => name === 'default_streams')).toHaveLength(4);
    expect(names(guest ?? [])).toEqual([]);
    const hidden = await makeChannel(server, cast.member, { invite_only: true });
    for (const [stream_id, msg] of [
      [hidden.id, 'Private channels cannot be made default.'],
      [id, 'Invalid channel ID'],
      [999_999, 'Invalid channel ID'],
    ]) {
      const { body } = await as(cast.admin).post('/default_streams', { stream_id });
      expect(body['msg']).toBe(msg);
    }
  });

  it('folders are made, changed, put in order and archived', async () => {
    const ids: number[] = [];
    await verifyEvents(server, all, async () => {
      for (const name of ['First', 'Second']) {
        const body = await sureAs(cast.admin).post('/channel_folders/create', {
          name,
          description: `The ${name}`,
        });
        ids.push(Number(body['channel_folder_id']));
      }
    });
    const [first, second] = ids as [number, number];
    const twin = await as(cast.admin).post('/channel_folders/create', {
      name: ' FIRST ',
      description: '',
    });
    expect(twin.body['msg']).toBe('Channel folder name already in use');
    const { id } = await makeChannel(server, cast.member, { folder_id: first });
    const { channel_folders } = await sureAs(cast.guest).get('/channel_folders');
    const order = (channel_folders as { id: number }[]).map((folder) => folder.id).reverse();
    const [owner] = await verifyEvents(server, all, async () => {
      await sureAs(cast.admin).patch('/channel_folders', { order });
      await sureAs(cast.admin).patch(`/channel_folders/${second}`, {
        name: 'Renamed',
        description: 'Other',
        is_archived: true,
      });
      await sureAs(cast.member).patch(`/streams/${id}`, { folder_id: null });
      await sureAs(cast.member).patch(`/streams/${id}`, { folder_id: first });
    });
    expect(names(owner ?? [])).toEqual([
      'channel_folder/reorder',
      'channel_folder/update',
      'channel_folder/update',
      'channel_folder/update',
      'stream/update',
      'stream/update',
    ]);
    for (const [path, params, msg] of [
      ['/channel_folders', { order: [first] }, 'Invalid order mapping.'],
      [
        `/channel_folders/${first}`,
        { is_archived: true },
        'You need to remove all the channels from this folder to archive it.',
      ],
      ['/channel_folders/99999', { name: 'x' }, 'Invalid channel folder ID'],
      [`/channel_folders/${first}`, { name: ' ' }, "Channel folder name can't be empty."],
    ] as const) {
      const { body } = await as(cast.admin).patch(path, params);
      expect(body['msg']).toBe(msg);
    }
    const intoArchived = await as(cast.member).patch(`/streams/${id}`, { folder_id: second });
    expect(intoArchived.body['msg']).toBe('Invalid channel folder ID');
  });
});

it('a channel is open to the web only where server and organization agree, and guests see it', async () => {
  const other = await startTestServer({ settings: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  try {
    const people = await castPeople(other);
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
    expect(names(guest ?? [])).toEqual(['stream/create']);
    const { server_web_public_streams_enabled: isEnabled } = await sure(owner).post('/register');
    expect(isEnabled).toBe(true);
  } finally {
    await other.close();
  }
});

describe('asking for channels', () => {
  it('nobody learns of a private channel by any route', async () => {
    const { id, name } = await makeChannel(server, cast.member, { invite_only: true });
    for (const person of [cast.other, cast.guest]) {
      for (const path of [
        `/streams/${id}`,
        `/streams/${id}/members`,
        `/streams/${id}/email_address`,
        `/users/${cast.member.id}/subscriptions/${id}`,
      ]) {
        expect((await as(person).get(path)).body['msg']).toBe('Invalid channel ID');
      }
      const found = await as(person).get('/get_stream_id', { stream: name });
      expect(found.body['msg']).toBe(`Invalid channel name '${name}'`);
      const listed = await sureAs(person).get('/streams', { include_all: true });
      expect(JSON.stringify(listed)).not.toContain(name);
      const theirs = await sureAs(person).get(`/users/${cast.member.id}/channels`);
      expect(theirs['subscribed_channel_ids']).not.toContain(id);
      const left = await as(person).delete('/users/me/subscriptions', { subscriptions: [name] });
      expect(left.body['msg']).toBe(`Channel(s) (${name}) do not exist`);
    }
    expect((await as(cast.admin).get(`/streams/${id}`)).status).toBe(200);
    // To know of it is not to be in it: the address would let mail in.
    const address = await as(cast.admin).get(`/streams/${id}/email_address`);
    expect(address.body['msg']).toBe('Invalid channel ID');
  });

  it('lists what was asked for, by name', async () => {
    const { id } = await makeChannel(server, cast.admin, { name: 'Aardvark', subscribers: [] });
    const { streams } = (await sureAs(cast.member).get('/streams', { include_default: true })) as {
      streams: { name: string; stream_id: number; is_default: boolean }[];
    };
    expect(streams.find(({ stream_id }) => stream_id === id)).toMatchObject({ is_default: false });
    const lower = streams.map(({ name }) => name.toLowerCase());
    expect(lower).toEqual([...lower].sort());
    const own = (await sureAs(cast.member).get('/streams', { include_public: false })) as {
      streams: { stream_id: number }[];
    };
    expect(own.streams.some(({ stream_id }) => stream_id === id)).toBe(false);
    const forGuest = (await sureAs(cast.guest).get('/streams')) as {
      streams: { stream_id: number }[];
    };
    expect(forGuest.streams.some(({ stream_id }) => stream_id === id)).toBe(false);
  });
});
