// Changing and listing channels over the API: which events people get, and what is refused.
import { describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import type { Person } from '../../../testing/example.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { eventNames as names, makeChannel, useCast } from '../../../testing/chat/cast-world.ts';

const world = useCast();
const { as, sureAs } = world;

describe('changing a channel', () => {
  it('sends each change to the people who may know of the channel', async () => {
    const { id } = await makeChannel(world.server, world.cast.member);
    const [, , , other, guest] = await verifyEvents(world.server, world.all, async () => {
      await sureAs(world.cast.member).patch(`/streams/${id}`, {
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

  it('making it private hides it from people outside; making it public shows it again', async () => {
    const { id } = await makeChannel(world.server, world.cast.member, {
      subscribers: [world.cast.member.id, world.cast.guest.id],
    });
    const [, admin, member, other, guest] = await verifyEvents(world.server, world.all, () =>
      sureAs(world.cast.member).patch(`/streams/${id}`, { is_private: true }),
    );
    expect(names(other)).toEqual(['stream/delete']);
    for (const events of [admin, member, guest]) expect(names(events)).toEqual(['stream/update']);
    expect(member?.[0]).toMatchObject({
      property: 'invite_only',
      value: true,
      history_public_to_subscribers: false,
      is_web_public: false,
    });
    const [, , , again] = await verifyEvents(world.server, world.all, () =>
      sureAs(world.cast.member).patch(`/streams/${id}`, { is_private: false }),
    );
    expect(names(again)).toEqual(['stream/create', 'subscription/peer_add', 'stream/update']);
  });

  it('a permission to see a private channel shows it, and taking it away hides it', async () => {
    const { id } = await makeChannel(world.server, world.cast.member, { invite_only: true });
    const onlyOther = { direct_members: [world.cast.other.id], direct_subgroups: [] };
    const [, , , seen] = await verifyEvents(world.server, world.all, () =>
      sureAs(world.cast.member).patch(`/streams/${id}`, {
        can_subscribe_group: { new: onlyOther },
      }),
    );
    expect(names(seen)).toEqual(['stream/create', 'subscription/peer_add', 'stream/update']);
    const [, , , hidden] = await verifyEvents(world.server, world.all, () =>
      sureAs(world.cast.member).patch(`/streams/${id}`, {
        can_subscribe_group: { new: roleGroupId('role:nobody'), old: onlyOther },
      }),
    );
    expect(names(hidden)).toEqual(['stream/delete']);
  });

  it('archiving updates clients that know archived channels, and deletes the channel for others', async () => {
    const { id } = await makeChannel(world.server, world.cast.member);
    const older = await sureAs(world.cast.member).post('/register', {});
    const [, , member] = await verifyEvents(world.server, world.all, () =>
      sureAs(world.cast.member).delete(`/streams/${id}`),
    );
    expect(member).toMatchObject([{ op: 'update', property: 'is_archived', value: true }]);
    const again = await as(world.cast.member).delete(`/streams/${id}`);
    expect(again.body['msg']).toBe('Channel is already deactivated');
    const [, , restored] = await verifyEvents(world.server, world.all, () =>
      sureAs(world.cast.member).patch(`/streams/${id}`, { is_archived: false }),
    );
    expect(restored).toMatchObject([{ op: 'update', property: 'is_archived', value: false }]);
    const { events } = (await sureAs(world.cast.member).get('/events', {
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
      {
        can_send_message_group: {
          new: roleGroupId('role:nobody'),
          old: roleGroupId('role:members'),
        },
      },
      "'old' value does not match the expected value.",
    ],
    [
      { is_archived: true },
      'is_archived can only be set to false; a DELETE request archives a channel.',
    ],
  ])('refuses %j', async (changes, msg) => {
    const { id, name } = await makeChannel(world.server, world.cast.member);
    const wanted = 'new_name' in changes ? { new_name: name } : changes;
    const { status, body } = await as(world.cast.member).patch(`/streams/${id}`, {
      description: 'must not stay',
      ...wanted,
    });
    expect({ status, msg: body['msg'] }).toEqual({ status: 400, msg });
    const { stream } = await sureAs(world.cast.member).get(`/streams/${id}`);
    expect(stream).toMatchObject({ description: '' });
  });

  it('is only for people who administer it; for others a hidden channel does not exist', async () => {
    const open = await makeChannel(world.server, world.cast.member);
    const closed = await makeChannel(world.server, world.cast.member, { invite_only: true });
    const change = { description: 'mine' };
    const asked = async (person: Person, id: number) =>
      (await as(person).patch(`/streams/${id}`, change)).body['msg'];
    expect(await asked(world.cast.other, open.id)).toBe(
      'You do not have permission to administer this channel.',
    );
    expect(await asked(world.cast.other, closed.id)).toBe('Invalid channel ID');
    expect(await asked(world.cast.guest, open.id)).toBe('Invalid channel ID');
    expect(await asked(world.cast.admin, closed.id)).toBe('');
    // An administrator who is not subscribed cannot make its messages public.
    const opened = await as(world.cast.admin).patch(`/streams/${closed.id}`, { is_private: false });
    expect(opened.body['msg']).toBe('Channel content access is required.');
  });
});

describe('reading channels', () => {
  it('nobody learns of a private channel by any route', async () => {
    const { id, name } = await makeChannel(world.server, world.cast.member, { invite_only: true });
    for (const person of [world.cast.other, world.cast.guest]) {
      for (const path of [
        `/streams/${id}`,
        `/streams/${id}/members`,
        `/streams/${id}/email_address`,
        `/users/${world.cast.member.id}/subscriptions/${id}`,
      ]) {
        expect((await as(person).get(path)).body['msg']).toBe('Invalid channel ID');
      }
      const found = await as(person).get('/get_stream_id', { stream: name });
      expect(found.body['msg']).toBe(`Invalid channel name '${name}'`);
      const listed = await sureAs(person).get('/streams', { include_all: true });
      expect(JSON.stringify(listed)).not.toContain(name);
      const theirs = await sureAs(person).get(`/users/${world.cast.member.id}/channels`);
      expect(theirs['subscribed_channel_ids']).not.toContain(id);
      const left = await as(person).delete('/users/me/subscriptions', { subscriptions: [name] });
      expect(left.body['msg']).toBe(`Channel(s) (${name}) do not exist`);
    }
    expect((await as(world.cast.admin).get(`/streams/${id}`)).status).toBe(200);
    // An administrator knows of the channel but is not in it, so gets no email address to post there.
    const address = await as(world.cast.admin).get(`/streams/${id}/email_address`);
    expect(address.body['msg']).toBe('Invalid channel ID');
    // The server receives no emails for channels, so the address is empty.
    const own = await sureAs(world.cast.member).get(`/streams/${id}/email_address`);
    expect(own['email']).toBe('');
  });

  it('include_owner_subscribed changes nothing for a person, who has no owner', async () => {
    const { member } = world.cast;
    const plain = await sureAs(member).get('/streams');
    expect(await sureAs(member).get('/streams', { include_owner_subscribed: true })).toEqual(plain);
  });

  it('lists the channels that were asked for, by name', async () => {
    const { id } = await makeChannel(world.server, world.cast.admin, {
      name: 'Aardvark',
      subscribers: [],
    });
    const { streams } = (await sureAs(world.cast.member).get('/streams', {
      include_default: true,
    })) as {
      streams: { name: string; stream_id: number; is_default: boolean }[];
    };
    expect(streams.find(({ stream_id }) => stream_id === id)).toMatchObject({ is_default: false });
    const lower = streams.map(({ name }) => name.toLowerCase());
    expect(lower).toEqual([...lower].sort());
    const own = (await sureAs(world.cast.member).get('/streams', { include_public: false })) as {
      streams: { stream_id: number }[];
    };
    expect(own.streams.some(({ stream_id }) => stream_id === id)).toBe(false);
    const forGuest = (await sureAs(world.cast.guest).get('/streams')) as {
      streams: { stream_id: number }[];
    };
    expect(forGuest.streams.some(({ stream_id }) => stream_id === id)).toBe(false);
  });
});
