import { Type } from 'typebox';
import { chatRoute } from '../http/route.ts';
import { changeOwnSettings } from './actions.ts';
import { settingParams } from './definitions.ts';

export const patchSettings = chatRoute({
  name: 'update-settings',
  method: 'PATCH',
  path: '/settings',
  allow: 'guest',
  bots: false,
  summary: 'Changes your own name, time zone and settings.',
  params: Type.Partial(
    Type.Object({
      full_name: Type.String(),
      timezone: Type.String({ description: 'A name of the IANA time zone database.' }),
      ...settingParams(),
    }),
  ),
  returns: Type.Object({}),
  handle: async (ctx, actor, { full_name, timezone, ...settings }) => {
    await changeOwnSettings(ctx, actor, {
      fullName: full_name,
      timezone,
      settings,
    });
    return {};
  },
});
