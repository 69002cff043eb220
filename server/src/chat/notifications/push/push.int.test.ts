// From a message to what a phone and a browser read, through the event log, jobs, a relay and a push service, all real.
import { setTimeout as sleep } from 'node:timers/promises';
import webPush from 'web-push';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { startJobRunner, type JobRunner } from '../../../platform/jobs/runner.ts';
import {
  makePhone,
  startTestRelay,
  type TestPhone,
  type TestRelay,
} from '../../../testing/push-relay.ts';
import {
  parseVapid,
  startPushService,
  TestBrowserPush,
  type TestPushService,
} from '../../../testing/push-service.ts';
import { signIn } from '../../../testing/session.ts';
import { settle } from '../../../testing/verify-events.ts';
import { registerPushDevice } from '../devices/registration.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import {
  ok,
  openMessageWorld,
  refused,
  send,
  sendDirect,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { deactivatePerson } from '../../administration/users/actions.ts';
import { takesSilence } from '../web-push/sending.ts';
import { pushJobs } from './jobs.ts';
import { REST_MS, searchPage, startPushWatch } from './watch.ts';

const VAPID = webPush.generateVAPIDKeys();

let relay: TestRelay;
let service: TestPushService;
let world: MessageWorld;
let jobs: JobRunner;
let watch: { stop(): Promise<void> };

beforeAll(async () => {
  relay = await startTestRelay();
  service = await startPushService();
  world = await openMessageWorld({
    settings: {
      ...relay.settings,
      WEB_PUSH_PUBLIC_KEY: VAPID.publicKey,
      WEB_PUSH_PRIVATE_KEY: VAPID.privateKey,
      WEB_PUSH_CONTACT: 'mailto:operator@example.com',
      WEB_PUSH_ALLOW_PRIVATE: 'true',
      EVENT_POLL_MS: '20',
    },
  });
  const { ctx, origin } = world.server;
  ctx.log.level = 'silent';
  jobs = startJobRunner(ctx, [registerPushDevice, ...pushJobs(() => origin)], []);
  watch = startPushWatch(ctx);
});
afterAll(async () => {
  await watch.stop();
  await jobs.stop();
  await world.close();
  await relay.close();
  await service.close();
});

let accounts = 0;

/** Somebody with a phone that the relay knows. */
async function withPhone(
  given: Parameters<MessageWorld['person']>[0] = {},
): Promise<{ person: Actor; phone: TestPhone; told(): Record<string, unknown>[] }> {
  const person = await world.person(given);
  const phone = makePhone();
  accounts += 1;
  const account = accounts;
  ok(
    await person.client.post('/mobile_push/register', {
      token_kind: 'fcm',
      push_account_id: account,
      push_key: phone.pushKey,
      bouncer_public_key: relay.publicKey,
      encrypted_push_registration: relay.sealRegistration('token', 'fcm'),
    }),
  );
  const state = async () =>
    ok(await person.client.post('/register', { fetch_event_types: ['push_device'] }))[
      'push_devices'
    ];
  await expect
    .poll(state, { timeout: 8000, interval: 30 })
    .toMatchObject({ [account]: { status: 'active' } });
  const told = () =>
    relay
      .pushed()
      .filter(({ payload }) => payload.push_account_id === account)
      .map(({ payload }) => phone.open(payload.encrypted_data));
  return { person, phone, told };
}

const soon = (read: () => unknown) => expect.poll(read, { timeout: 8000, interval: 20 });

/** Waits until every event so far was searched and every notification sent. */
async function quiet(): Promise<void> {
  const { ctx } = world.server;
  await settle(world.server);
  await soon(async () => {
    const { rows } = await ctx.database.pool.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM graphile_worker.jobs WHERE task_identifier LIKE 'push-%')::int
            + (SELECT h.position - c.position FROM event_head h, push_cursor c)::int AS left`,
    );
    return rows[0]?.left;
  }).toBe(0);
}

const subscribeTo = async (person: Actor, name: string) =>
  ok(await person.client.post('/users/me/subscriptions', { subscriptions: [{ name }] }));

describe('a phone', () => {
  it('gets a direct message in a form that only it can read, and removes it when it was read elsewhere', async () => {
    const { person, told } = await withPhone();
    const id = await sendDirect(world.bob, [person], 'Good **morning** & welcome');
    await soon(told).toEqual([
      {
        type: 'message',
        recipient_type: 'direct',
        message_id: id,
        content: 'Good morning & welcome',
        sender_id: world.bob.id,
        sender_full_name: 'Bob',
        sender_avatar_url: expect.stringContaining(`/avatar/${world.bob.id}`),
        realm_name: expect.any(String),
        realm_url: world.server.origin,
        user_id: person.id,
        time: expect.any(Number),
        mentioned: false,
      },
    ]);
    expect(JSON.stringify(relay.requests)).not.toContain('welcome');
    ok(await person.client.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }));
    await soon(() => told().at(-1)).toMatchObject({ type: 'remove', message_ids: [id] });
    // A notification is taken back only once.
    ok(await person.client.post('/mark_all_as_read'));
    await quiet();
    expect(told()).toHaveLength(2);
  });

  it('gets group direct messages and mentions, but not other messages of a channel', async () => {
    const { person, told } = await withPhone();
    await subscribeTo(person, 'general');
    await sendDirect(world.ada, [person, world.bob], 'three of us');
    await send(world.ada, world.publicId, 'harbour', 'nobody in particular');
    // A mention makes the person follow the topic. The earlier message must be handled before that.
    await quiet();
    await send(world.ada, world.publicId, 'harbour', `@**${person.fullName}** look`);
    await quiet();
    const ids = [person.id, world.ada.id, world.bob.id].sort((a, b) => a - b);
    expect(told()).toMatchObject([
      { recipient_type: 'direct', pm_users: ids.join(',') },
      {
        recipient_type: 'channel',
        channel_id: world.publicId,
        channel_name: 'general',
        topic: 'harbour',
        mentioned: true,
      },
    ]);
  });

  it('gets messages of channels and topics that its owner wants, but not of muted topics', async () => {
    const { person, told } = await withPhone();
    await subscribeTo(person, 'general');
    const say = (topic: string) => send(world.ada, world.publicId, topic, `in ${topic}`);
    const set = (property: string, value: boolean) =>
      person.client.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: world.publicId, property, value }],
      });
    const follow = (topic: string, visibility_policy: number) =>
      person.client.post('/user_topics', { stream_id: world.publicId, topic, visibility_policy });
    ok(await follow('followed', 3));
    await say('followed');
    ok(await set('push_notifications', true));
    ok(await follow('muted', 1));
    await say('muted');
    await say('plain');
    await quiet();
    expect(told().map(({ topic }) => topic)).toEqual(['followed', 'plain']);
  });

  it('gets nothing that its owner does not want, from muted people, or from themselves', async () => {
    const { person, told } = await withPhone();
    ok(await person.client.patch('/settings', { enable_offline_push_notifications: false }));
    await sendDirect(world.bob, [person], 'unwanted');
    await quiet();
    ok(await person.client.patch('/settings', { enable_offline_push_notifications: true }));
    ok(await person.client.post(`/users/me/muted_users/${world.bob.id}`));
    await sendDirect(world.bob, [person], 'from somebody who is muted');
    await sendDirect(person, [world.ada], 'my own');
    await quiet();
    expect(told()).toEqual([]);
  });

  it('gets nothing while its owner is active elsewhere and does not want notifications then', async () => {
    const { person, told } = await withPhone();
    ok(await person.client.patch('/settings', { enable_online_push_notifications: false }));
    ok(await person.client.post('/users/me/presence', { status: 'active' }));
    await sendDirect(world.bob, [person], 'here');
    await quiet();
    expect(told()).toEqual([]);
    await world.server.ctx.database.pool.query(
      "UPDATE presences SET last_active = now() - interval '1 hour', last_connected = now() - interval '1 hour' WHERE user_id = $1",
      [person.id],
    );
    await sendDirect(world.bob, [person], 'gone');
    await soon(() => told().map(({ content }) => content)).toEqual(['gone']);
  });

  it('gets only what its owner may still read when it is sent', async () => {
    const { person, told } = await withPhone();
    const other = await withPhone();
    const id = await world.channel('closed', [world.owner, person], { invite_only: true });
    await watch.stop();
    await send(world.owner, id, 'plans', `@**${person.fullName}** secret`);
    const deleted = await sendDirect(world.bob, [person], 'deleted at once');
    await sendDirect(world.bob, [other.person], 'to somebody who leaves');
    const unsubscribed = await world.owner.client.delete('/users/me/subscriptions', {
      subscriptions: ['closed'],
      principals: [person.id],
    });
    expect(unsubscribed.body).toMatchObject({ result: 'success' });
    ok(await world.bob.client.delete(`/messages/${deleted}`));
    await deactivatePerson(world.server.ctx, world.owner, other.person.id);
    watch = startPushWatch(world.server.ctx);
    await quiet();
    expect(told()).toEqual([]);
    expect(other.told()).toEqual([]);
  });

  it('gets a notification once, however often the relay failed before', async () => {
    const { person, told } = await withPhone();
    relay.fail({ status: 500 });
    const before = relay.requests.length;
    await sendDirect(world.bob, [person], 'in the end');
    await soon(() => relay.requests.length).toBeGreaterThan(before);
    relay.fail(undefined);
    await soon(() => told().length).toBe(1);
    await quiet();
    expect(told()).toMatchObject([{ content: 'in the end' }]);
  });

  it('what the engine did is passed over without a write', async () => {
    const { person, told } = await withPhone();
    await quiet();
    const { ctx } = world.server;
    const readCursor = async () =>
      (await ctx.database.pool.query<{ row: string }>('SELECT ctid::text AS row FROM push_cursor'))
        .rows[0]?.row;
    const before = await readCursor();
    await ctx.inTransaction(async (tx) => {
      for (let n = 0; n < 50; n += 1) tx.emit({ type: 'trading_batch' }, { users: [] });
    });
    await settle(world.server);
    await sleep(2 * REST_MS);
    expect(await readCursor()).toBe(before);
    await sendDirect(world.bob, [person], 'after all of it');
    await soon(told).toMatchObject([{ content: 'after all of it' }]);
  });

  it('several workers handle each event once', async () => {
    const { person, told } = await withPhone();
    const second = startPushWatch(world.server.ctx);
    for (let count = 0; count < 10; count += 1) {
      await sendDirect(world.bob, [person], `number ${count}`);
    }
    await quiet();
    await second.stop();
    expect(told()).toHaveLength(10);
    expect(await searchPage(world.server.ctx)).toBe(false);
  });
});

describe('a browser', () => {
  const PATH = '/users/me/web_push_subscriptions';
  const subscribe = ({ client }: Actor, browser: TestBrowserPush, more: FormInput = {}) =>
    client.post(PATH, { endpoint: `${service.origin}/send/${accounts}`, ...browser.keys, ...more });

  it('subscribes with the server’s key, and decrypts what the push service delivers', async () => {
    accounts += 1;
    const person = await world.person({ role: ROLE.guest });
    expect(ok(await person.client.get('/web_push/key'))['public_key']).toBe(VAPID.publicKey);
    const browser = new TestBrowserPush();
    ok(await subscribe(person, browser));
    const id = await sendDirect(world.bob, [person], 'سلام');
    const path = `/send/${accounts}`;
    const taken = () => service.taken.filter((one) => one.path === path);
    await soon(() => taken().length).toBe(1);
    const [first] = taken();
    expect(first?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' });
    const claims = parseVapid(String(first?.headers['authorization']), VAPID.publicKey);
    expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:operator@example.com' });
    expect(first?.body.toString()).not.toContain('سلام');
    expect(browser.open(first?.body ?? Buffer.of())).toMatchObject({
      type: 'message',
      message_id: id,
      content: 'سلام',
    });
    expect(() => new TestBrowserPush().open(first?.body ?? Buffer.of())).toThrow();
    // A browser that unsubscribed is deleted.
    service.answer(410);
    await sendDirect(world.bob, [person], 'nobody there');
    await quiet();
    service.answer(201);
    await sendDirect(world.bob, [person], 'not sent');
    await quiet();
    expect(taken()).toHaveLength(2);
    const endpoint = `${service.origin}${path}`;
    expect(refused(await person.client.delete(PATH, { endpoint })).msg).toBe(
      'Subscription does not exist',
    );
  });

  it('is notified for the person who signed in last, until it unsubscribes or the key is replaced', async () => {
    accounts += 1;
    const [first, second] = [await world.person(), await world.person()];
    const endpoint = `${service.origin}/send/${accounts}`;
    const count = async () => {
      const { rows } = await world.server.ctx.database.pool.query<{ user_id: number }>(
        'SELECT user_id FROM web_push_subscriptions WHERE endpoint = $1',
        [endpoint],
      );
      return rows.map(({ user_id }) => user_id);
    };
    ok(await subscribe(first, new TestBrowserPush()));
    ok(await subscribe(first, new TestBrowserPush()));
    expect(await count()).toEqual([first.id]);
    ok(await subscribe(second, new TestBrowserPush()));
    expect(await count()).toEqual([second.id]);
    expect(refused(await first.client.delete(PATH, { endpoint })).code).toBe('BAD_REQUEST');
    ok(await second.client.delete(PATH, { endpoint }));
    expect(await count()).toEqual([]);
    ok(await subscribe(second, new TestBrowserPush()));
    ok(await second.client.post('/users/me/api_key/regenerate'));
    expect(await count()).toEqual([]);
  });

  it('is notified as long as its session lasts, and again by the next one', async () => {
    accounts += 1;
    const person = await world.person();
    const endpoint = `${service.origin}/send/${accounts}`;
    const browser = new TestBrowserPush();
    const inSession = async () => {
      const { ask } = await signIn(world.server, person.id);
      const answer = await ask('POST', `/json${PATH}`, { endpoint, ...browser.keys });
      expect(answer.status).toBe(200);
      return ask;
    };
    const taken = () => service.taken.filter(({ path }) => path === `/send/${accounts}`).length;
    const lost = await inSession();
    await sendDirect(world.bob, [person], 'while it is signed in');
    await soon(taken).toBe(1);
    const elsewhere = await signIn(world.server, person.id);
    const ended = await elsewhere.ask('DELETE', '/json/sessions', { except_current: 'true' });
    expect(ended.status).toBe(200);
    expect((await lost('GET', `/json${PATH}`)).status).toBe(401);
    await sendDirect(world.bob, [person], 'nothing for the lost phone');
    await quiet();
    expect(taken()).toBe(1);
    expect(ok(await person.client.get(PATH))['subscriptions']).toEqual([]);
    expect(refused(await person.client.post(`${PATH}/test`, { endpoint })).msg).toBe(
      'Subscription does not exist',
    );
    await inSession();
    await sendDirect(world.bob, [person], 'found again');
    await soon(taken).toBe(2);
  });

  it('stands in the list of its owner alone, who can try it and end it from elsewhere', async () => {
    accounts += 1;
    const [person, other] = [await world.person(), await world.person()];
    const endpoint = `${service.origin}/send/${accounts}`;
    const browser = new TestBrowserPush();
    const list = async (one: Actor) => ok(await one.client.get(PATH))['subscriptions'];
    expect(await list(person)).toEqual([]);
    ok(await subscribe(person, browser));
    expect(await list(person)).toEqual([
      { endpoint, device: expect.any(String), created_at: expect.any(Number) },
    ]);
    expect(JSON.stringify(await list(person))).not.toContain(browser.keys.auth);
    expect(await list(other)).toEqual([]);
    ok(await person.client.post(`${PATH}/test`, { endpoint }));
    const taken = service.taken.filter(({ path }) => path === `/send/${accounts}`);
    expect(taken.map(({ body }) => browser.open(body))).toEqual([
      { type: 'test', realm_url: world.server.origin, user_id: person.id },
    ]);
    // Somebody else's looks as if it did not exist.
    for (const act of [
      () => other.client.post(`${PATH}/test`, { endpoint }),
      () => other.client.post(`${PATH}/test`, { endpoint: `${endpoint}0` }),
      () => other.client.delete(PATH, { endpoint }),
    ]) {
      expect(refused(await act()).msg).toBe('Subscription does not exist');
    }
    ok(await person.client.delete(PATH, { endpoint }));
    expect(await list(person)).toEqual([]);
    expect(refused(await person.client.post(`${PATH}/test`, { endpoint })).code).toBe(
      'BAD_REQUEST',
    );
    expect(service.taken.filter(({ path }) => path === `/send/${accounts}`)).toHaveLength(1);
  });

  it('that cannot be reached says so to who tries it, and one that is gone is deleted', async () => {
    accounts += 1;
    const person = await world.person();
    const endpoint = `${service.origin}/send/${accounts}`;
    ok(await subscribe(person, new TestBrowserPush()));
    const attempt = async () => refused(await person.client.post(`${PATH}/test`, { endpoint }));
    service.answer(500);
    expect(await attempt()).toMatchObject({
      code: 'PUSH_SERVICE_FAILED',
      msg: expect.stringContaining('answered 500'),
    });
    service.answer(410);
    expect((await attempt()).msg).toBe('Subscription does not exist');
    service.answer(201);
    expect(ok(await person.client.get(PATH))['subscriptions']).toEqual([]);
  });

  it('of Safari is not called for what it would not show', () => {
    expect(takesSilence('https://web.push.apple.com/QAbc')).toBe(false);
    expect(takesSilence('https://fcm.googleapis.com/fcm/send/web.push.apple.com')).toBe(true);
    expect(takesSilence('https://updates.push.services.mozilla.com/wpush/v2/x')).toBe(true);
  });

  it('hears that a message was read elsewhere', async () => {
    accounts += 1;
    const person = await world.person();
    const browser = new TestBrowserPush();
    ok(await subscribe(person, browser));
    const id = await sendDirect(world.bob, [person], 'read me');
    const told = () =>
      service.taken
        .filter(({ path }) => path === `/send/${accounts}`)
        .map(({ body }) => browser.open(body));
    await soon(() => told().length).toBe(1);
    ok(await person.client.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }));
    await soon(() => told().at(-1)).toMatchObject({ type: 'remove', message_ids: [id] });
  });

  it.each<[FormInput, string]>([
    [{ endpoint: 'nowhere' }, 'Invalid endpoint: it is no address.'],
    [{ endpoint: 'ftp://push.example/' }, 'Invalid endpoint: it does not begin with https://.'],
    [{ endpoint: 'https://a:b@push.example/' }, 'Invalid endpoint: it holds a name or a password.'],
    [{ p256dh: 'AAAA' }, 'Invalid p256dh'],
    [{ auth: 'AAAA' }, 'Invalid auth'],
    [{ auth: 'not base64!' }, 'auth has invalid format'],
    [
      { endpoint: `https://push.example/${'x'.repeat(2000)}` },
      'endpoint is too long (limit: 2000 characters)',
    ],
  ])('is refused with %j', async (more, message) => {
    expect(refused(await subscribe(world.ada, new TestBrowserPush(), more)).msg).toBe(message);
  });
});

it('an endpoint in a private network is refused unless the operator allows it', async () => {
  const strict = await openMessageWorld({
    settings: {
      WEB_PUSH_PUBLIC_KEY: VAPID.publicKey,
      WEB_PUSH_PRIVATE_KEY: VAPID.privateKey,
      WEB_PUSH_CONTACT: 'mailto:operator@example.com',
    },
  });
  try {
    for (const endpoint of ['http://push.example/', 'https://127.0.0.1/', 'https://[::1]/']) {
      const form = { endpoint, ...new TestBrowserPush().keys };
      const answer = await strict.ada.client.post('/users/me/web_push_subscriptions', form);
      expect(refused(answer).msg).toMatch(/^Invalid endpoint: /);
    }
  } finally {
    await strict.close();
  }
});
