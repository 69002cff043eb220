// Personal settings in a client's initial state, and how that state follows from it with the events.
import type { Static } from 'typebox';
import type { User } from '../../../accounts/user.ts';
import {
  FIXED_SETTINGS,
  SETTING_NAMES,
  settingOf,
} from '../../organization/setting-definitions/definitions.ts';
import type { SettingUpdated } from './events.ts';

export type SettingsState = Readonly<Record<string, unknown>>;

export const readSettings = (user: User): SettingsState => ({
  ...Object.fromEntries(SETTING_NAMES.map((name) => [name, settingOf(user, name)])),
  ...FIXED_SETTINGS,
  timezone: user.timezone,
});

/** What a new person starts with: what the organization chose, and otherwise our defaults. */
export const defaultSettings = (chosen: Readonly<Record<string, unknown>>): SettingsState => ({
  ...Object.fromEntries(SETTING_NAMES.map((name) => [name, settingOf({ settings: chosen }, name)])),
  ...FIXED_SETTINGS,
});

export const applySettingEvent = (
  settings: SettingsState,
  { property, value }: Pick<Static<typeof SettingUpdated>, 'property' | 'value'>,
): SettingsState => ({ ...settings, [property]: value });
