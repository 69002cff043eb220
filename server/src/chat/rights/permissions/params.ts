// The parameters of routes that create or change an object with permissions.
import { Type, type TSchema } from 'typebox';
import { settingNames, type Kind, type SettingName } from './definitions.ts';
import { GroupSettingChange, GroupSettingValue } from './value.ts';

const forEach = <K extends Kind, S extends TSchema>(
  kind: K,
  schema: S,
): Record<SettingName<K>, S> =>
  Object.fromEntries(settingNames(kind).map((name) => [name, schema])) as Record<SettingName<K>, S>;

/** One optional value for each setting, as routes that create take it. */
export const permissionParams = <K extends Kind>(kind: K) =>
  forEach(kind, Type.Optional(GroupSettingValue));

/** One optional change for each setting, as routes that change take it. */
export const permissionChangeParams = <K extends Kind>(kind: K) =>
  forEach(kind, Type.Optional(GroupSettingChange));

/** One value for each setting, as objects in answers and events have it. */
export const permissionFields = <K extends Kind>(kind: K) => forEach(kind, GroupSettingValue);
