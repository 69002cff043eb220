// Routes to change settings, name, time zone and password.
import { Type } from 'typebox';
import { askOwnAddress } from '../../../accounts/addresses/actions.ts';
import { limitKeyOf } from '../../../platform/http/address.ts';
import { chatRoute, type ChatRoute } from '../../http/route.ts';
import { REVOKE } from '../keys/actions.ts';
import { checkOwnAddress } from './address.ts';
import { changeOwnSettings, changeSettingsOf } from './actions.ts';
import { settingParams } from '../../organization/setting-definitions/definitions.ts';

const TARGETS_MAX = 10_000;

export const patchSettings = chatRoute({
  name: 'update-settings',
  method: 'PATCH',
  path: '/settings',
  allow: 'guest',
  audit: [
    'password change',
    'user settings',
    'session end',
    'chat_key regenerate',
    'trading_key delete',
    'address ask',
  ],
  stepUp: ({ new_password = '', email = '' }) =>
    new_password === '' && email === '' ? undefined : 'fresh',
  bots: false,
  summary: 'Changes your own name, password, time zone and settings, and asks for another address.',
  params: Type.Partial(
    Type.Object({
      full_name: Type.String(),
      email: Type.String({
        'x-strip': true,
        description:
          'Another address for your account. It changes when both mailboxes have confirmed it, within 24 hours.',
      }),
      old_password: Type.String({ description: 'With new_password: the one you have.' }),
      new_password: Type.String(),
      revoke: Type.Union(
        REVOKE.map((which) => Type.Literal(which)),
        {
          description:
            'With new_password: `chat` also ends your API key, so that whoever has it is signed out, and you get a new one; `all` deletes your trading keys too; `none` keeps all. In a browser `chat` is the default, with an API key `none`.',
        },
      ),
      timezone: Type.String({ description: 'A name of the IANA time zone database.' }),
      ...settingParams(),
      target_users: Type.Object(
        {
          user_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: TARGETS_MAX })),
          group_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: TARGETS_MAX })),
          skip_if_already_edited: Type.Optional(Type.Boolean()),
        },
        {
          additionalProperties: false,
          description:
            'For administrators: whose settings are changed instead of your own, if they did not choose themselves.',
        },
      ),
    }),
  ),
  returns: Type.Object({
    api_key: Type.Optional(
      Type.String({ description: 'Your new key, if you asked with the old one and revoked it.' }),
    ),
  }),
  handle: async (ctx, actor, params, { caller, sessionId }) => {
    const { target_users, ...own } = params;
    if (target_users !== undefined) {
      await changeSettingsOf(ctx, actor, target_users, own);
      return {};
    }
    const {
      full_name,
      email,
      timezone,
      old_password = '',
      new_password,
      revoke,
      ...settings
    } = own;
    const isMove = email !== undefined && (await checkOwnAddress(ctx, actor, email));
    const isBrowser = sessionId !== undefined;
    const newKey = await changeOwnSettings(ctx, actor, {
      fullName: full_name,
      timezone,
      // A form with untouched password fields sends empty ones.
      password:
        new_password === undefined || new_password === ''
          ? undefined
          : {
              oldPassword: old_password,
              newPassword: new_password,
              address: limitKeyOf(caller),
              sessionId,
              // A program that authenticates with the key would lock itself out with this request.
              revoke: revoke ?? (isBrowser ? 'chat' : 'none'),
              caller,
            },
      settings,
    });
    if (isMove) await askOwnAddress(ctx, actor, email, caller);
    // Under /json, only /fetch_api_key gives a key, in exchange for the password.
    return newKey === undefined || isBrowser ? {} : { api_key: newKey };
  },
});

/** The name that older clients use. */
const older = (path: '/settings/display' | '/settings/notifications', name: string): ChatRoute => ({
  ...patchSettings,
  path,
  name,
});
export const patchDisplaySettings = older('/settings/display', 'update-display-settings');
export const patchNotificationSettings = older(
  '/settings/notifications',
  'update-notification-settings',
);
