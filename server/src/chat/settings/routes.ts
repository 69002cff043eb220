import { Type } from 'typebox';
import { limitKeyOf } from '../../platform/http/address.ts';
import { chatRoute } from '../http/route.ts';
import { changeOwnSettings } from './actions.ts';
import { settingParams } from './definitions.ts';

export const patchSettings = chatRoute({
  name: 'update-settings',
  method: 'PATCH',
  path: '/settings',
  allow: 'guest',
  bots: false,
  summary: 'Changes your own name, password, time zone and settings.',
  params: Type.Partial(
    Type.Object({
      full_name: Type.String(),
      old_password: Type.String({ description: 'With new_password: the one you have.' }),
      new_password: Type.String(),
      timezone: Type.String({ description: 'A name of the IANA time zone database.' }),
      ...settingParams(),
    }),
  ),
  returns: Type.Object({}),
  handle: async (ctx, actor, params, { caller, sessionId }) => {
    const { full_name, timezone, old_password = '', new_password, ...settings } = params;
    await changeOwnSettings(ctx, actor, {
      fullName: full_name,
      timezone,
      // An empty one is what a form sends whose fields were left alone.
      password:
        new_password === undefined || new_password === ''
          ? undefined
          : {
              oldPassword: old_password,
              newPassword: new_password,
              address: limitKeyOf(caller),
              sessionId,
            },
      settings,
    });
    return {};
  },
});
