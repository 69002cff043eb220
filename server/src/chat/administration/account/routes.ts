// Routes to change settings, name, time zone and password.
import { Type } from 'typebox';
import { limitKeyOf } from '../../../platform/http/address.ts';
import { chatRoute, type ChatRoute } from '../../http/route.ts';
import { changeOwnSettings, changeSettingsOf } from './actions.ts';
import { settingParams } from '../../organization/setting-definitions/definitions.ts';

const TARGETS_MAX = 10_000;

export const patchSettings = chatRoute({
  name: 'update-settings',
  method: 'PATCH',
  path: '/settings',
  allow: 'guest',
  audit: ['password change', 'user settings', 'session end', 'chat_key regenerate'],
  // What people sign in with. The address is named here for when it can be changed.
  stepUp: ({ new_password = '', ...rest }) =>
    new_password !== '' || 'email' in rest ? 'fresh' : undefined,
  bots: false,
  summary: 'Changes your own name, password, time zone and settings.',
  params: Type.Partial(
    Type.Object({
      full_name: Type.String(),
      old_password: Type.String({ description: 'With new_password: the one you have.' }),
      new_password: Type.String(),
      revoke: Type.Union([Type.Literal('none'), Type.Literal('chat')], {
        description:
          'With new_password: `chat` also ends your API key, so that whoever has it is signed out, and you get a new one; `none` keeps it. In a browser `chat` is the default, with an API key `none`.',
      }),
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
    const { full_name, timezone, old_password = '', new_password, revoke, ...settings } = own;
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
              renewsKey: (revoke ?? (isBrowser ? 'chat' : 'none')) === 'chat',
            },
      settings,
    });
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
