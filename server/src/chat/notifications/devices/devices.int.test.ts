// Devices and their registration, with a relay that the test runs.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startJobRunner, type JobRunner } from '../../../platform/jobs/runner.ts';
import {
  makeOlderPhone,
  makePhone,
  startTestRelay,
  type TestPhone,
  type TestRelay,
} from '../../../testing/push-relay.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import {
  ok,
  openMessageWorld,
  refused,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { deactivatePerson } from '../../administration/users/actions.ts';
import { registerPushDevice, registerPushToken } from './registration.ts';

let relay: TestRelay;
let world: MessageWorld;
let jobs: JobRunner;
let ada: Actor;

beforeAll(async () => {
  relay = await startTestRelay();
  world = await openMessageWorld({
    settings: { ...relay.settings, PUSH_DEVICES_PER_USER_MAX: '3' },
  });
  jobs = startJobRunner(world.server.ctx, [registerPushDevice, registerPushToken], []);
  // The server logs refusals of the relay as warnings, and these tests cause them.
  world.server.ctx.log.level = 'silent';
});
beforeEach(async () => {
  ada = await world.person();
});
afterEach(() => relay.fail(undefined));
afterAll(async () => {
  await checkLoggedShapes(world.server);
  await jobs.stop();
  await world.close();
  await relay.close();
});

const account = (phone: TestPhone, more: FormInput = {}): FormInput => ({
  token_kind: 'fcm',
  push_account_id: 2408,
  push_key: phone.pushKey,
  bouncer_public_key: relay.publicKey,
  encrypted_push_registration: relay.sealRegistration('token', 'fcm'),
  ...more,
});
const register = (form: FormInput, { client } = ada) => client.post('/mobile_push/register', form);
const test = (form: FormInput = {}, { client } = ada) =>
  client.post('/mobile_push/e2ee/test_notification', form);

async function stateOf({ client } = ada): Promise<Record<string, unknown>> {
  const types = ['device', 'push_device'];
  const { push_devices, devices } = ok(
    await client.post('/register', { fetch_event_types: types }),
  );
  return { push_devices, devices };
}

const settled = (push_devices: unknown, person = ada) =>
  expect
    .poll(async () => (await stateOf(person))['push_devices'], { timeout: 8000, interval: 30 })
    .toEqual(push_devices);
const ACTIVE = { 2408: { status: 'active', error_code: null } };

async function activePhone(
  more: FormInput & { push_account_id?: number } = {},
): Promise<TestPhone> {
  const phone = makePhone();
  ok(await register(account(phone, more)));
  await settled({ [more.push_account_id ?? 2408]: ACTIVE[2408] });
  return phone;
}

describe('a device of the older API', () => {
  it('is pending, then active, and the relay gets what it needs to reach it', async () => {
    const before = relay.requests.length;
    const phone = makePhone();
    const [events] = await verifyEvents(world.server, [ada], async () => {
      ok(await register(account(phone)));
      await settled(ACTIVE);
    });
    expect(events).toMatchObject([
      { type: 'push_device', push_account_id: '2408', status: 'pending' },
      { type: 'push_device', push_account_id: '2408', status: 'active' },
    ]);
    expect(relay.requests.slice(before)).toMatchObject([
      {
        endpoint: 'push/e2ee/register',
        contentType: 'application/x-www-form-urlencoded',
        body: {
          realm_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          push_account_id: '2408',
          bouncer_public_key: relay.publicKey,
        },
      },
    ]);
    // The repeated registration after a restart changes nothing.
    const again = await verifyEvents(world.server, [ada], () => register(account(phone)));
    expect(again).toEqual([[]]);
    expect(relay.requests).toHaveLength(before + 1);
  });

  it('fails with the error of the relay, and may try again', async () => {
    const phone = makePhone();
    const [events] = await verifyEvents(world.server, [ada], async () => {
      ok(await register(account(phone, { bouncer_public_key: 'another' })));
      await settled({ 2408: { status: 'failed', error_code: 'INVALID_BOUNCER_PUBLIC_KEY' } });
    });
    expect(events?.map(({ status }: Record<string, unknown>) => status)).toEqual([
      'pending',
      'failed',
    ]);
    expect(refused(await test()).code).toBe('NO_ACTIVE_PUSH_DEVICE');
    ok(await register(account(phone)));
    await settled(ACTIVE);
  });

  it('waits while the relay is down or failing', async () => {
    relay.fail({ status: 503 });
    const phone = makePhone();
    const before = relay.requests.length;
    ok(await register(account(phone)));
    await expect.poll(() => relay.requests.length, { timeout: 5000 }).toBeGreaterThan(before);
    await settled({ 2408: { status: 'pending', error_code: null } });
    relay.fail(undefined);
    await settled(ACTIVE);
  });

  it.each<[FormInput, string]>([
    [{ push_account_id: undefined }, "Missing 'push_account_id' argument"],
    [{ token_kind: undefined }, "Missing 'token_kind' argument"],
    [{ push_key: undefined }, "Missing 'push_key' argument"],
    [{ bouncer_public_key: undefined }, "Missing 'bouncer_public_key' argument"],
    [{ encrypted_push_registration: undefined }, "Missing 'encrypted_push_registration' argument"],
    [{ push_key: 'short' }, 'Invalid `push_key`'],
    [{ push_key: Buffer.alloc(33, 0x32).toString('base64') }, 'Invalid `push_key`'],
    [
      { token_kind: 'smoke' },
      'Invalid token_kind: Value error, Not in the list of possible values',
    ],
    [{ push_account_id: '"x"' }, 'push_account_id is not an integer'],
    [{ device_id: 1 }, 'Unsupported parameter combination: device_id, push_account_id'],
  ])('is refused with %j', async (more, message) => {
    const form = Object.fromEntries(
      Object.entries(account(makePhone(), more)).filter(([, value]) => value !== undefined),
    );
    expect(refused(await register(form))).toMatchObject({ msg: message, code: 'BAD_REQUEST' });
    expect((await stateOf())['push_devices']).toEqual({});
  });

  it('are limited in number for one person', async () => {
    for (const id of [1, 2, 3]) ok(await register(account(makePhone(), { push_account_id: id })));
    const fourth = await register(account(makePhone(), { push_account_id: 4 }));
    expect(refused(fourth).msg).toContain('more than 3 devices');
  });
});

describe('[M190] a test notification', () => {
  it('goes to all devices of the person, and each can read only its own copy', async () => {
    const phone = await activePhone({ push_account_id: 1, token_kind: 'apns' });
    const older = makeOlderPhone();
    const { push_key: _key, ...form } = account(older, { push_account_id: 2 });
    ok(await register({ ...form, push_public_key: older.pushKey }));
    await settled({ 1: ACTIVE[2408], 2: ACTIVE[2408] });
    const before = relay.pushed().length;
    ok(await test());
    const [first, second] = relay.pushed().slice(before);
    expect(first).toMatchObject({
      device_id: expect.any(Number),
      http_headers: { apns_priority: 10, apns_push_type: 'alert' },
      payload: { push_account_id: 1, aps: { 'mutable-content': 1 } },
    });
    expect(second).toMatchObject({ fcm_priority: 'high', payload: { push_account_id: 2 } });
    const [forFirst = '', forSecond = ''] = [first, second].map(
      (one) => one?.payload.encrypted_data,
    );
    const expected = {
      type: 'test',
      realm_url: world.server.origin,
      realm_name: expect.any(String),
      user_id: ada.id,
      time: expect.any(Number),
    };
    expect(phone.open(forFirst)).toEqual(expected);
    expect(older.open(forSecond)).toEqual(expected);
    expect(() => phone.open(forSecond)).toThrow();
    expect(JSON.stringify(relay.requests.at(-1)?.body)).not.toContain(world.server.origin);
  });

  it('goes to the named device, and to no device of another person', async () => {
    await activePhone({ push_account_id: 1 });
    ok(await register(account(makePhone(), { push_account_id: 2 })));
    await settled({ 1: ACTIVE[2408], 2: ACTIVE[2408] });
    const before = relay.pushed().length;
    ok(await test({ push_account_id: 2 }));
    expect(relay.pushed().slice(before)).toMatchObject([{ payload: { push_account_id: 2 } }]);
    for (const form of [{ push_account_id: 3 }, { device_id: 1 }]) {
      expect(refused(await test(form)).code).toBe('NO_ACTIVE_PUSH_DEVICE');
    }
    expect(refused(await test({ push_account_id: 2 }, world.bob)).code).toBe(
      'NO_ACTIVE_PUSH_DEVICE',
    );
    expect(refused(await test({ push_account_id: 'x' })).msg).toBe(
      'push_account_id is not valid JSON',
    );
  });

  it('[M191] [M214] is refused without an active device', async () => {
    const answer = await test();
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      result: 'error',
      msg: 'No active registered push device',
      code: 'NO_ACTIVE_PUSH_DEVICE',
    });
    ok(await register(account(makePhone(), { bouncer_public_key: 'another' })));
    expect(refused(await test()).code).toBe('NO_ACTIVE_PUSH_DEVICE');
  });

  it.each([
    [
      '[M191] [M215]',
      { status: 401, code: 'INVALID_ZULIP_SERVER' },
      403,
      'ADMIN_ACTION_REQUIRED',
      'Push notification configuration issue on server, contact the server administrator or retry later.',
    ],
    [
      '[M191] [M216]',
      'hang up',
      502,
      'FAILED_TO_CONNECT_BOUNCER',
      'Network error while connecting to Zulip push notification service.',
    ],
    [
      '[M191] [M217]',
      { status: 500 },
      502,
      'INTERNAL_SERVER_ERROR_ON_BOUNCER',
      'Internal server error on Zulip push notification service, retry later.',
    ],
  ] as const)(
    '%s says what is wrong with the relay: %j',
    async (_rows, trouble, status, code, msg) => {
      await activePhone();
      relay.fail(trouble);
      const answer = await test();
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({ result: 'error', msg, code });
      relay.fail(undefined);
      ok(await test());
    },
  );

  it('marks a device as failed that the relay no longer knows', async () => {
    await activePhone();
    ok(await test());
    relay.forget(relay.pushed().at(-1)?.device_id ?? 0);
    const [events] = await verifyEvents(world.server, [ada], () => test());
    expect(events).toMatchObject([{ type: 'push_device', status: 'failed' }]);
    expect(refused(await test()).code).toBe('NO_ACTIVE_PUSH_DEVICE');
  });

  it('is not for bots', async () => {
    const bot = await world.person({ botType: 1, botOwnerId: ada.id });
    expect(refused(await test({}, bot)).msg).toBe('This endpoint does not accept bot requests.');
  });
});

describe('a device of the newer API', () => {
  const addDevice = async ({ client } = ada): Promise<number> =>
    Number(ok(await client.post('/register_client_device'))['device_id']);
  const both = (phone: TestPhone, more: FormInput): FormInput => {
    const { push_account_id: _account, ...form } = account(phone);
    return { ...form, push_key_id: 4_000_000_000, token_id: 'AAAAAAAAAAE=', ...more };
  };

  it('is added, registered, notified and removed', async () => {
    let id = 0;
    const [added] = await verifyEvents(world.server, [ada], async () => {
      id = await addDevice();
    });
    expect(added).toMatchObject([{ type: 'device', op: 'add', device_id: id }]);
    const phone = makePhone();
    const isActive = () =>
      expect
        .poll(async () => (await stateOf())['devices'], { timeout: 8000, interval: 30 })
        .toEqual({
          [id]: {
            push_key_id: 4_000_000_000,
            push_token_id: 'AAAAAAAAAAE=',
            pending_push_token_id: null,
            push_token_last_updated_timestamp: expect.any(Number),
            push_registration_error_code: null,
          },
        });
    const [events] = await verifyEvents(world.server, [ada], async () => {
      ok(await register(both(phone, { device_id: id })));
      await isActive();
    });
    expect(events).toMatchObject([
      { op: 'update', pending_push_token_id: 'AAAAAAAAAAE=', push_token_id: null },
      { op: 'update', pending_push_token_id: null, push_token_id: 'AAAAAAAAAAE=' },
    ]);
    ok(await test({ device_id: id }));
    const pushed = relay.pushed().at(-1);
    expect(pushed).toMatchObject({
      token_id: 'AAAAAAAAAAE=',
      payload: { push_key_id: 4_000_000_000 },
    });
    expect(phone.open(pushed?.payload.encrypted_data ?? '')).toMatchObject({ type: 'test' });
    const other = makePhone();
    ok(await register({ device_id: id, push_key: other.pushKey, push_key_id: 7 }));
    ok(await test());
    const next = relay.pushed().at(-1);
    expect(next?.payload.push_key_id).toBe(7);
    expect(other.open(next?.payload.encrypted_data ?? '')).toMatchObject({ type: 'test' });
    const [removed] = await verifyEvents(world.server, [ada], () =>
      ada.client.post('/remove_client_device', { device_id: id }),
    );
    expect(removed).toMatchObject([{ type: 'device', op: 'remove', device_id: id }]);
    expect(refused(await test()).code).toBe('NO_ACTIVE_PUSH_DEVICE');
  });

  it('is refused when it is unknown, incomplete or being registered', async () => {
    const id = await addDevice();
    const phone = makePhone();
    const message = async (form: FormInput) => refused(await register(form)).msg;
    for (const device_id of [0, 99_999_999, 2 ** 40, await addDevice(world.bob)]) {
      expect(await message(both(phone, { device_id }))).toBe('Invalid `device_id`');
      const gone = await ada.client.post('/remove_client_device', { device_id });
      expect(refused(gone).msg).toBe('Invalid `device_id`');
    }
    expect(await message({ device_id: id })).toBe(
      'Missing parameters: must provide either all push key fields, all token fields, or both.',
    );
    const key = { device_id: id, push_key: phone.pushKey, push_key_id: 1 };
    expect(await message(key)).toBe('No push registration exists to rotate key for.');
    const { push_key: _key, push_key_id: _id, ...token } = both(phone, { device_id: id });
    expect(await message(token)).toBe('No push registration exists to rotate token for.');
    relay.fail({ status: 500 });
    ok(await register(both(phone, { device_id: id })));
    expect(await message(both(phone, { device_id: id }))).toBe(
      'A registration for the device already in progress.',
    );
  });
});

describe('tokens of apps that do not encrypt', () => {
  const APNS = '/users/me/apns_device_token';
  const FCM = '/users/me/android_gcm_reg_id';

  it('[M188] [M189] are stored, and removed whatever their case', async () => {
    ok(await ada.client.post(APNS, { token: 'AABB11', appid: 'org.example.app' }));
    ok(await ada.client.post(APNS, { token: 'aabb11', appid: 'org.example.app' }));
    expect(refused(await world.bob.client.delete(APNS, { token: 'aabb11' })).msg).toBe(
      'Token does not exist',
    );
    ok(await ada.client.delete(APNS, { token: 'aAbB11' }));
    expect(refused(await ada.client.delete(APNS, { token: 'aabb11' }))).toMatchObject({
      msg: 'Token does not exist',
      code: 'BAD_REQUEST',
    });
  });

  it.each<[FormInput, string]>([
    [{}, "Missing 'token' argument"],
    [{ token: '' }, 'Empty or invalid length token'],
    [{ token: 'a'.repeat(4097) }, 'Empty or invalid length token'],
    [{ token: 'xyz' }, 'Invalid APNS token'],
    [{ token: 'abc' }, 'Invalid APNS token'],
    [{ token: 'ab cd' }, 'Invalid APNS token'],
  ])('[M188] [M189] %j is refused', async (form, message) => {
    const answer = await ada.client.delete(APNS, form);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ msg: message, code: 'BAD_REQUEST' });
  });

  it('of Android are stored unchanged', async () => {
    const token = `${'ü:'.repeat(1000)}Ab`;
    ok(await ada.client.post(FCM, { token }));
    ok(await ada.client.post(FCM, { token }));
    expect(refused(await ada.client.delete(FCM, { token: token.toLowerCase() })).msg).toBe(
      'Token does not exist',
    );
    ok(await ada.client.delete(FCM, { token }));
    expect(refused(await ada.client.post(FCM, { token: '' })).msg).toBe(
      'Empty or invalid length token',
    );
    const badApp = await ada.client.post(APNS, { token: 'aa', appid: 'no/app' });
    expect(refused(badApp).msg).toBe('appid has invalid format');
  });

  it('are sent to the relay, and tested one by one', async () => {
    const before = relay.requests.length;
    ok(await ada.client.post(FCM, { token: 'Token' }));
    await expect
      .poll(() => relay.requests.slice(before), { timeout: 8000 })
      .toMatchObject([{ endpoint: 'push/register', body: { token: 'Token', token_kind: '2' } }]);
    const path = '/mobile_push/test_notification';
    ok(await ada.client.post(path, { token: 'Token' }));
    expect(relay.requests.at(-1)).toMatchObject({
      endpoint: 'push/test_notification',
      body: { token: 'Token', token_kind: 2, base_payload: { user_id: ada.id } },
    });
    const unknown = await ada.client.post(path, { token: 'other' });
    expect([unknown.status, unknown.body['code'], unknown.body['msg']]).toEqual([
      400,
      'INVALID_PUSH_DEVICE_TOKEN',
      'Device not recognized',
    ]);
  });
});

describe('devices and tokens', () => {
  async function equip(person: Actor): Promise<void> {
    ok(await person.client.post('/users/me/apns_device_token', { token: 'ab', appid: 'a.b' }));
    ok(await person.client.post('/register_client_device'));
    ok(await register(account(makePhone()), person));
  }
  const count = async ({ id }: Actor): Promise<number> => {
    const { rows } = await world.server.ctx.database.pool.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM devices WHERE user_id = $1)::int
            + (SELECT count(*) FROM push_tokens WHERE user_id = $1)::int AS count`,
      [id],
    );
    return rows[0]?.count ?? -1;
  };

  it('are deleted when the key is replaced', async () => {
    await equip(ada);
    const eve = await world.person();
    await equip(eve);
    expect(await count(ada)).toBe(3);
    ok(await ada.client.post('/users/me/api_key/regenerate'));
    expect([await count(ada), await count(eve)]).toEqual([0, 3]);
  });

  it('[M065] are deleted when the account is deactivated', async () => {
    await equip(ada);
    ok(await ada.client.delete('/users/me'));
    expect(await count(ada)).toBe(0);
    const eve = await world.person();
    await equip(eve);
    await deactivatePerson(world.server.ctx, world.owner, eve.id);
    expect(await count(eve)).toBe(0);
  });
});

it('without a relay, refuses devices and says in tests that the server is not configured', async () => {
  const bare = await openMessageWorld();
  try {
    const answer = await register(account(makePhone()), bare.ada);
    expect([answer.status, answer.body['code'], answer.body['msg']]).toEqual([
      400,
      'PUSH_SERVICE_NOT_CONFIGURED',
      'Server is not configured to use push notification service.',
    ]);
    ok(await bare.ada.client.post('/users/me/android_gcm_reg_id', { token: 'x' }));
    const tested = await bare.ada.client.post('/mobile_push/test_notification');
    expect([tested.status, tested.body['code']]).toEqual([403, 'ADMIN_ACTION_REQUIRED']);
    const { body } = await bare.ada.client.get('/server_settings');
    expect(body['push_notifications_enabled']).toBe(false);
  } finally {
    await bare.close();
  }
  const { body } = await ada.client.get('/server_settings');
  expect(body['push_notifications_enabled']).toBe(true);
});
