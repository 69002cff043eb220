// Personal settings in a client's initial state, and how events change that state.
import type { Static } from 'typebox';
import type { User } from '../../../accounts/user.ts';
import type { RegisterPart } from '../../register-part.ts';
import {
  FIXED_SETTINGS,
  SETTING_NAMES,
  settingOf,
  type SettingsState,
} from '../../organization/setting-definitions/definitions.ts';
import { SettingUpdated } from './events.ts';

const settingsOf = (user: User): SettingsState => ({
  ...Object.fromEntries(SETTING_NAMES.map((name) => [name, settingOf(user, name)])),
  ...FIXED_SETTINGS,
  timezone: user.timezone,
});

export const settingsPart = {
  load: { user_settings: ({ user }) => ({ user_settings: settingsOf(user) }) },
  events: [SettingUpdated],
  applyInTests: {
    user_settings: (
      state: { readonly user_settings: SettingsState },
      { property, value }: Static<typeof SettingUpdated>,
    ) => ({ user_settings: { ...state.user_settings, [property]: value } }),
  },
} satisfies RegisterPart;
