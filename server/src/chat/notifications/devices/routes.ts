// Routes to register phones for notifications and to send test notifications.
import { Type } from 'typebox';
import { badRequest, missingParameter } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';
import {
  addDevice,
  addToken,
  registerAccount,
  registerDevice,
  removeDevice,
  removeToken,
} from './actions.ts';
import { testDevices, testTokens } from './trial-notifications.ts';

const NOTHING = Type.Object({});
const token = Type.String({ description: 'As the phone got it from its maker.' });

export const postApnsToken = chatRoute({
  name: 'add-apns-token',
  method: 'POST',
  path: '/users/me/apns_device_token',
  allow: 'guest',
  audit: { none: 'own settings' },
  bots: false,
  summary: 'Keeps the token of an iOS app that does not encrypt notifications.',
  params: Type.Object({
    token,
    appid: Type.String({ pattern: '^[.a-zA-Z0-9-]+$', maxLength: 255 }),
  }),
  returns: NOTHING,
  handle: async (ctx, actor, { token: text, appid }) => {
    await addToken(ctx, actor, { kind: 'apns', token: text, appId: appid });
    return {};
  },
});

export const deleteApnsToken = chatRoute({
  name: 'remove-apns-token',
  method: 'DELETE',
  path: '/users/me/apns_device_token',
  allow: 'guest',
  audit: { none: 'own settings' },
  bots: false,
  summary: 'Forgets the token of an iOS app.',
  params: Type.Object({ token }),
  returns: NOTHING,
  handle: async (ctx, actor, { token: text }) => {
    await removeToken(ctx, actor, 'apns', text);
    return {};
  },
});

export const postFcmToken = chatRoute({
  name: 'add-fcm-token',
  method: 'POST',
  path: '/users/me/android_gcm_reg_id',
  allow: 'guest',
  audit: { none: 'own settings' },
  bots: false,
  summary: 'Keeps the token of an Android app that does not encrypt notifications.',
  params: Type.Object({ token }),
  returns: NOTHING,
  handle: async (ctx, actor, { token: text }) => {
    await addToken(ctx, actor, { kind: 'fcm', token: text, appId: null });
    return {};
  },
});

export const deleteFcmToken = chatRoute({
  name: 'remove-fcm-token',
  method: 'DELETE',
  path: '/users/me/android_gcm_reg_id',
  allow: 'guest',
  audit: { none: 'own settings' },
  bots: false,
  summary: 'Forgets the token of an Android app.',
  params: Type.Object({ token }),
  returns: NOTHING,
  handle: async (ctx, actor, { token: text }) => {
    await removeToken(ctx, actor, 'fcm', text);
    return {};
  },
});

export const postTestNotification = chatRoute({
  name: 'test-push-tokens',
  method: 'POST',
  path: '/mobile_push/test_notification',
  allow: 'guest',
  audit: { none: 'nothing' },
  bots: false,
  summary: 'Sends a test to one token, or to all of yours.',
  params: Type.Object({ token: Type.Optional(token) }),
  returns: NOTHING,
  handle: async (ctx, actor, { token: text }) => {
    await testTokens(ctx, actor, text);
    return {};
  },
});

export const postDevice = chatRoute({
  name: 'register-client-device',
  method: 'POST',
  path: '/register_client_device',
  allow: 'guest',
  audit: { none: 'own settings' },
  bots: false,
  summary: 'Gives a device an id.',
  params: NOTHING,
  returns: Type.Object({ device_id: Type.Integer() }),
  handle: async (ctx, actor) => ({ device_id: await addDevice(ctx, actor) }),
});

export const postRemoveDevice = chatRoute({
  name: 'remove-client-device',
  method: 'POST',
  path: '/remove_client_device',
  allow: 'guest',
  audit: { none: 'own settings' },
  bots: false,
  summary: 'Forgets a device; it is notified no more.',
  params: Type.Object({ device_id: Type.Integer() }),
  returns: NOTHING,
  handle: async (ctx, actor, { device_id: id }) => {
    await removeDevice(ctx, actor, id);
    return {};
  },
});

const sealedText = (description: string) =>
  Type.Optional(Type.String({ maxLength: 10_000, description }));

export const postRegisterPush = chatRoute({
  name: 'register-push-device',
  method: 'POST',
  path: '/mobile_push/register',
  allow: 'guest',
  audit: { none: 'own settings' },
  bots: false,
  summary: 'Registers a device for notifications that only it can read.',
  params: Type.Object({
    device_id: Type.Optional(Type.Integer({ description: 'Of register_client_device.' })),
    push_account_id: Type.Optional(
      Type.Integer({
        minimum: -(2 ** 53) + 1,
        maximum: 2 ** 53 - 1,
        description: 'Instead of device_id, in apps that do not know that: their own number.',
      }),
    ),
    token_kind: Type.Optional(
      Type.Union([Type.Literal('apns'), Type.Literal('fcm')], { 'x-listed': true }),
    ),
    push_key: sealedText('Base64 of 0x31 and a secret of 32 bytes.'),
    push_public_key: sealedText('Instead of push_key, in older apps: base64 of a public key.'),
    push_key_id: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })),
    bouncer_public_key: sealedText('The key of the relay that the registration is sealed with.'),
    encrypted_push_registration: sealedText('For the relay; we cannot read it.'),
    token_id: sealedText('Base64; what the app calls its token.'),
  }),
  returns: NOTHING,
  handle: async (ctx, actor, given) => {
    const { device_id: deviceId, push_account_id: accountId } = given;
    if (deviceId !== undefined && accountId !== undefined) {
      const parameters = 'device_id, push_account_id';
      throw badRequest(`Unsupported parameter combination: ${parameters}`, { parameters });
    }
    const {
      token_kind: tokenKind,
      bouncer_public_key: relayPublicKey,
      encrypted_push_registration: sealedRegistration,
    } = given;
    if (deviceId === undefined) {
      await registerAccount(ctx, actor, {
        accountId: needed(accountId, 'push_account_id'),
        tokenKind: needed(tokenKind, 'token_kind'),
        key:
          given.push_public_key === undefined
            ? { kind: 'secret', text: needed(given.push_key, 'push_key') }
            : { kind: 'public', text: given.push_public_key },
        relayPublicKey: needed(relayPublicKey, 'bouncer_public_key'),
        sealedRegistration: needed(sealedRegistration, 'encrypted_push_registration'),
      });
      return {};
    }
    const { push_key: text, push_key_id: keyId, token_id: tokenId } = given;
    const hasToken =
      tokenKind !== undefined &&
      relayPublicKey !== undefined &&
      sealedRegistration !== undefined &&
      tokenId !== undefined;
    if (hasToken && !TOKEN_ID.test(tokenId)) throw badRequest('Invalid `token_id`');
    await registerDevice(ctx, actor, {
      deviceId,
      key: text === undefined || keyId === undefined ? undefined : { id: keyId, text },
      token: hasToken ? { id: tokenId, tokenKind, relayPublicKey, sealedRegistration } : undefined,
    });
    return {};
  },
});

const TOKEN_ID = /^[A-Za-z0-9+/_-]{2,88}={0,2}$/;

function needed<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw missingParameter(name);
  return value;
}

export const postTestE2ee = chatRoute({
  name: 'test-push-devices',
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  allow: 'guest',
  audit: { none: 'nothing' },
  bots: false,
  summary: 'Sends a test to one device, or to all of yours.',
  params: Type.Object({
    push_account_id: Type.Optional(Type.Integer()),
    device_id: Type.Optional(Type.Integer()),
  }),
  returns: NOTHING,
  handle: async (ctx, actor, { push_account_id: accountId, device_id: deviceId }) => {
    await testDevices(ctx, actor, { accountId, deviceId });
    return {};
  },
});
