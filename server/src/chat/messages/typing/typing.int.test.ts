// Typing notifications over HTTP: who gets them, in which form, and what is refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { Value } from 'typebox/value';
import { sendSignal } from '../../../platform/realtime/signals.ts';
import { pause } from '../../../platform/std/wait.ts';
import { EVENT_SHAPES, eventName } from '../../realtime/events/catalog.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import {
  ok,
  openMessageWorld,
  useMessageWorld,
  refused,
  send,
  sendDirect,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';

const world = useMessageWorld();

interface Event {
  readonly id: number;
  readonly type: string;
  readonly op?: string;
}

interface Listener {
  /** The signals that arrived since the last call. */
  heard(): Promise<Event[]>;
}

const CHANNELS = { stream_typing_notifications: true, empty_topic_name: true };

async function listen(
  { id, client }: Actor,
  capabilities: FormInput = CHANNELS,
  more: FormInput = {},
  { server } = world,
): Promise<Listener> {
  const body = ok(
    await client.post('/register', {
      client_capabilities: capabilities,
      fetch_event_types: [],
      ...more,
    }),
  );
  let last = Number(body['last_event_id']);
  return {
    async heard() {
      // The bus keeps the order of one publisher, so everything before this mark has arrived with it.
      const mark = { type: 'typing', op: 'mark', sender: { user_id: id, email: '' } };
      sendSignal(server.ctx.bus, mark, { users: [id] });
      const events: Event[] = [];
      while (!events.some(({ op }) => op === mark.op)) {
        const answer = ok(
          await client.get('/events', { queue_id: body['queue_id'], last_event_id: last }),
        );
        events.push(...(answer['events'] as Event[]));
        last = events.at(-1)?.id ?? last;
      }
      const signals = events.filter(({ type, op }) => type.startsWith('typing') && op !== mark.op);
      for (const { id: _id, ...event } of signals) {
        const shape = EVENT_SHAPES.get(eventName(event));
        expect(shape && Value.Errors(shape, event)).toEqual([]);
      }
      return signals;
    },
  };
}

const type = ({ client }: Actor, params: FormInput) => client.post('/typing', params);

const setting = async ({ client }: Actor, name: string, value: boolean) =>
  ok(await client.patch('/settings', { [name]: value }));

describe('POST /typing for a direct message', () => {
  it('[M069] [M073] [M074] [M075] [M076] [M202] goes to the recipients and the sender, without a type', async () => {
    const { ada, bob, stranger } = world;
    const listeners = await Promise.all([ada, bob, stranger].map((one) => listen(one)));
    ok(await type(ada, { op: 'start', to: [bob.id] }));
    const [own, told, outside] = await Promise.all(listeners.map((one) => one.heard()));
    const event = {
      type: 'typing',
      op: 'start',
      message_type: 'direct',
      sender: { user_id: ada.id, email: ada.email },
      recipients: [ada, bob].map(({ id, email }) => ({ user_id: id, email })),
    };
    expect(told).toEqual([{ ...event, id: expect.any(Number) }]);
    expect(own).toMatchObject([event]);
    expect(outside).toEqual([]);
  });

  it('[M068] [M075] has a stop signal too, and answers a waiting poll at once', async () => {
    const { ada, bob } = world;
    const body = ok(await bob.client.post('/register', { event_types: ['typing'] }));
    const waiting = bob.client.get('/events', {
      queue_id: body['queue_id'],
      last_event_id: body['last_event_id'],
    });
    await pause(50);
    ok(await type(ada, { op: 'stop', type: 'direct', to: [ada.id, bob.id] }));
    expect(ok(await waiting)['events']).toMatchObject([{ type: 'typing', op: 'stop' }]);
  });

  it('[M077] [M078] accepts and ignores stream_id and topic, and reports unknown parameters', async () => {
    const { ada, bob } = world;
    const to = [bob.id];
    for (const ignored of [
      { stream_id: 999, topic: 'x' },
      { stream_id: 'no number', topic: 'a\0b' },
      { stream_id: '[1.5]', topic: 'x', subject: 'y' },
      { stream_id: '' },
    ]) {
      const body = ok(await type(ada, { op: 'start', to, ...ignored }));
      expect(body).not.toHaveProperty('ignored_parameters_unsupported');
    }
    const other = ok(await type(ada, { op: 'start', to: [bob.id], foo: 1 }));
    expect(other['ignored_parameters_unsupported']).toEqual(['foo']);
  });

  it('does not reach people who turned it off', async () => {
    const { ada, person } = world;
    const deaf = await person();
    const listener = await listen(deaf);
    await setting(deaf, 'receives_typing_notifications', false);
    ok(await type(ada, { op: 'start', to: [deaf.id] }));
    expect(await listener.heard()).toEqual([]);
    await setting(deaf, 'receives_typing_notifications', true);
    ok(await type(ada, { op: 'start', to: [deaf.id] }));
    expect(await listener.heard()).toHaveLength(1);
  });

  it.each<[FormInput, string, string?]>([
    [{ to: [1] }, "Missing 'op' argument", 'op'],
    [{ op: 'pause', to: [1] }, 'Invalid op'],
    [{ op: 'start', type: 'private', to: [1] }, 'Invalid type'],
    [{ op: 'start' }, "Missing 'to' argument"],
    [{ op: 'start', to: 'null' }, "Missing 'to' argument"],
    [{ op: 'start', to: [] }, "Empty 'to' list"],
    [{ op: 'start', to: 1 }, 'to is not a list'],
    [{ op: 'start', to: 'x' }, 'to is not valid JSON'],
    [{ op: 'start', to: [999_999] }, 'Invalid user ID 999999'],
    [{ op: 'start', to: ['ada@example.com'] }, 'to[0] is not an integer'],
    [{ op: 'start', to: [1.5] }, 'to[0] is not an integer'],
    [{ op: 'start', to: '[7.0]' }, 'to[0] is not an integer'],
    [
      { op: 'start', to: Array.from({ length: 501 }, (_, n) => n) },
      'to is too long (limit: 500 items)',
    ],
  ])('[M074] [M075] [M076] [M232] %j is refused', async (params, msg, name) => {
    const { status, body } = await type(world.ada, params);
    expect(status).toBe(400);
    expect(body).toEqual({
      result: 'error',
      msg,
      code: 'BAD_REQUEST',
      ...(name !== undefined && { var_name: name }),
    });
  });

  it('is refused for a sender who turned it off, and for one unknown recipient among others', async () => {
    const { bob, person } = world;
    const silent = await person();
    const listener = await listen(bob);
    await setting(silent, 'send_private_typing_notifications', false);
    expect(refused(await type(silent, { op: 'start', to: [bob.id] })).msg).toBe(
      'User has disabled typing notifications for direct messages',
    );
    expect(refused(await type(world.ada, { op: 'start', to: [bob.id, 999_999] })).msg).toBe(
      'Invalid user ID 999999',
    );
    expect(await listener.heard()).toEqual([]);
  });
});

describe('POST /typing for a channel message', () => {
  it('[M074] [M077] [M078] [M084] [M202] goes to subscribers whose client declared the capability', async () => {
    const { ada, bob, guest, stranger, publicId } = world;
    const [own, told, toGuest, outside] = await Promise.all(
      [ada, bob, guest, stranger].map((one) => listen(one)),
    );
    const old = await listen(bob, {});
    for (const kind of ['stream', 'channel']) {
      ok(await type(ada, { op: 'start', type: kind, stream_id: publicId, topic: ' lunch ' }));
      const event = {
        type: 'typing',
        op: 'start',
        message_type: 'stream',
        sender: { user_id: ada.id, email: ada.email },
        stream_id: publicId,
        topic: 'lunch',
      };
      expect(await told?.heard()).toEqual([{ ...event, id: expect.any(Number) }]);
      expect(await own?.heard()).toMatchObject([event]);
      // Guests learn nobody's address.
      const sender = { user_id: ada.id, email: `user${ada.id}@127.0.0.1` };
      expect(await toGuest?.heard()).toMatchObject([{ ...event, sender }]);
    }
    expect(await outside?.heard()).toEqual([]);
    expect(await old.heard()).toEqual([]);
  });

  it('in a private channel reaches nobody outside, not even queues that follow all public channels', async () => {
    const { ada, bob, stranger, owner, privateId } = world;
    const told = await listen(bob);
    const wide = await listen(stranger, CHANNELS, { all_public_streams: true });
    const administrator = await listen(owner, CHANNELS, { all_public_streams: true });
    ok(await type(ada, { op: 'start', type: 'channel', stream_id: privateId, topic: 'x' }));
    expect(await told.heard()).toHaveLength(1);
    expect(await wide.heard()).toEqual([]);
    expect(await administrator.heard()).toEqual([]);
  });

  it('ends for a person who leaves the channel, pending signals included', async () => {
    const { ada, owner, person, channel } = world;
    const leaver = await person();
    const id = await channel('leaving', [ada, leaver], { invite_only: true });
    const listener = await listen(leaver);
    ok(await type(ada, { op: 'start', type: 'channel', stream_id: id, topic: 'x' }));
    ok(
      await owner.client.delete('/users/me/subscriptions', {
        subscriptions: ['leaving'],
        principals: [leaver.id],
      }),
    );
    ok(await type(ada, { op: 'start', type: 'channel', stream_id: id, topic: 'x' }));
    expect(await listener.heard()).toEqual([]);
  });

  it.each([['(no topic)'], ['general chat'], ['']])(
    '[M008] the topic %j means the empty one, shown by name to clients that do not support it',
    async (topic) => {
      const { ada, bob, publicId } = world;
      const knows = await listen(bob);
      const named = await listen(bob, { stream_typing_notifications: true });
      ok(await type(ada, { op: 'start', type: 'channel', stream_id: publicId, topic }));
      expect(await knows.heard()).toMatchObject([{ topic: '' }]);
      expect(await named.heard()).toMatchObject([{ topic: 'general chat' }]);
    },
  );

  it('accepts the topic by its old name, and ignores `to`', async () => {
    const { ada, bob, publicId } = world;
    const listener = await listen(bob);
    const body = ok(
      await type(ada, {
        op: 'start',
        type: 'stream',
        stream_id: publicId,
        subject: 'old',
        to: 'whatever',
      }),
    );
    expect(body).not.toHaveProperty('ignored_parameters_unsupported');
    expect(await listener.heard()).toMatchObject([{ topic: 'old' }]);
  });

  it('does not reach subscribers who turned it off', async () => {
    const { ada, bob, person, channel } = world;
    const deaf = await person();
    const id = await channel('noisy', [ada, bob, deaf]);
    const [hears, ignores] = await Promise.all([listen(bob), listen(deaf)]);
    await setting(deaf, 'receives_typing_notifications', false);
    ok(await type(ada, { op: 'start', type: 'channel', stream_id: id, topic: 'x' }));
    expect(await hears.heard()).toHaveLength(1);
    expect(await ignores.heard()).toEqual([]);
  });

  it('[M079] is refused without a channel, without a topic, and without the right to post', async () => {
    const { owner, ada, stranger, guest, privateId, publicId, channel, person } = world;
    const attempt = async (who: Actor, params: FormInput) => {
      const { status, body } = await type(who, { op: 'start', type: 'channel', ...params });
      expect([status, body['code']]).toEqual([400, 'BAD_REQUEST']);
      return body['msg'];
    };
    // Recipients are not looked at.
    expect(await attempt(ada, { topic: 'x', to: 'x' })).toBe("Missing 'stream_id' argument");
    expect(await attempt(ada, { topic: 'x' })).toBe("Missing 'stream_id' argument");
    expect(await attempt(ada, { stream_id: publicId })).toBe('Missing topic');
    expect(await attempt(ada, { stream_id: 'x', topic: 'x' })).toBe('stream_id is not valid JSON');
    expect(await attempt(ada, { stream_id: 99_999, topic: 'x' })).toBe('Invalid channel ID');
    expect(await attempt(stranger, { stream_id: privateId, topic: 'x' })).toBe(
      'Invalid channel ID',
    );
    const open = await channel('open to members', [owner]);
    expect(await attempt(guest, { stream_id: open, topic: 'x' })).toBe('Invalid channel ID');
    const quiet = await channel('announcements', [owner, ada], {
      can_send_message_group: roleGroupId('role:owners'),
    });
    expect(await attempt(ada, { stream_id: quiet, topic: 'x' })).toBe(
      'You do not have permission to post in this channel.',
    );
    const past = await channel('past', [owner, ada]);
    ok(await owner.client.delete(`/streams/${past}`));
    expect(await attempt(ada, { stream_id: past, topic: 'x' })).toBe('Invalid channel ID');
    const silent = await person();
    await setting(silent, 'send_stream_typing_notifications', false);
    expect(await attempt(silent, { stream_id: publicId, topic: 'x' })).toBe(
      'User has disabled typing notifications for channel messages',
    );
  });

  it('[M080] [M081] [M082] [M083] the intervals for clients come with the initial state', async () => {
    const body = ok(await world.ada.client.post('/register', { fetch_event_types: ['realm'] }));
    expect(body).toMatchObject({
      server_typing_started_wait_period_milliseconds: 30_000,
      server_typing_stopped_wait_period_milliseconds: 12_000,
      server_typing_started_expiry_period_milliseconds: 45_000,
    });
  });
});

describe('POST /messages/{message_id}/typing', () => {
  const typeEdit = ({ client }: Actor, id: number, params: FormInput = { op: 'start' }) =>
    client.post(`/messages/${id}/typing`, params);

  it('[M085] [M086] [M087] [M088] [M202] [M236] goes to the people who see the message', async () => {
    const { ada, bob, guest, stranger, publicId } = world;
    const listeners = await Promise.all([bob, stranger].map((one) => listen(one)));
    const old = await listen(guest, {});
    const inChannel = await send(ada, publicId, 'plan', 'draft');
    const direct = await sendDirect(ada, [bob], 'draft');
    ok(await typeEdit(ada, inChannel));
    ok(await typeEdit(ada, direct, { op: 'stop' }));
    const [told, outside] = await Promise.all(listeners.map((one) => one.heard()));
    expect(told).toMatchObject([
      {
        type: 'typing_edit_message',
        op: 'start',
        sender_id: ada.id,
        message_id: inChannel,
        recipient: { type: 'channel', channel_id: publicId, topic: 'plan' },
      },
      {
        type: 'typing_edit_message',
        op: 'stop',
        sender_id: ada.id,
        message_id: direct,
        recipient: { type: 'direct', user_ids: [ada.id, bob.id] },
      },
    ]);
    expect(outside).toEqual([]);
    expect(await old.heard()).toEqual([]);
  });

  it('does not reach people who joined after a message with protected history', async () => {
    const { ada, bob, person, protectedId } = world;
    const id = await send(ada, protectedId, 'x', 'before');
    const late = await person();
    ok(
      await ada.client.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'vault' }],
        principals: [late.id],
      }),
    );
    const [there, after] = await Promise.all([listen(bob), listen(late)]);
    ok(await typeEdit(ada, id));
    expect(await there.heard()).toHaveLength(1);
    expect(await after.heard()).toEqual([]);
  });

  it('is refused as the edit would be, with the same checks in the same order', async () => {
    const { owner, ada, bob, stranger, privateId, publicId } = world;
    const id = await send(ada, privateId, 'x', 'mine');
    const attempt = async (who: Actor, params: FormInput = { op: 'start' }) => {
      const { status, body } = await typeEdit(who, id, params);
      expect([status, body['code']]).toEqual([400, 'BAD_REQUEST']);
      return body['msg'];
    };
    expect(await attempt(ada, {})).toBe("Missing 'op' argument");
    expect(await attempt(ada, { op: 'maybe' })).toBe('Invalid op');
    expect(await attempt(stranger)).toBe('Invalid message(s)');
    expect(await attempt(bob)).toBe("You don't have permission to edit this message");
    const realm = (params: FormInput) => owner.client.patch('/realm', params).then(ok);
    await realm({ allow_message_editing: false });
    expect(await attempt(bob)).toBe('Your organization has turned off message editing');
    await realm({ allow_message_editing: true, message_content_edit_limit_seconds: 1 });
    const other = await send(ada, publicId, 'x', 'mine');
    await pause(1200);
    expect(refused(await typeEdit(ada, other)).msg).toBe(
      'The time limit for editing this message has passed',
    );
    await realm({ message_content_edit_limit_seconds: '"unlimited"' });
    await setting(ada, 'send_stream_typing_notifications', false);
    expect(await attempt(ada)).toBe('User has disabled typing notifications for channel messages');
    await setting(ada, 'send_stream_typing_notifications', true);
    ok(await typeEdit(ada, id));
  });
});

describe('with a limit on the size of channels', () => {
  let small: MessageWorld;
  beforeAll(async () => {
    small = await openMessageWorld({ settings: { CHAT_TYPING_SUBSCRIBERS_MAX: '2' } });
  });
  afterAll(() => small.close());

  it('[M202] typing notifications reach only small channels', async () => {
    const { ada, bob, publicId, privateId } = small;
    const listener = await listen(bob, CHANNELS, {}, small);
    for (const stream_id of [publicId, privateId]) {
      ok(await type(ada, { op: 'start', type: 'channel', stream_id, topic: 'x' }));
    }
    expect(await listener.heard()).toMatchObject([{ stream_id: privateId }]);
  });
});
