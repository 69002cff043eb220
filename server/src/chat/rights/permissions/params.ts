// The parameters of routes that create or change an object with permissions.
import { Type, type TSchema } from 'typebox';
import { settingNames, type PermissionScope, type SettingName } from './definitions.ts';
import { GroupSettingChange, GroupSettingValue } from './value.ts';

const forEach = <K extends PermissionScope, S extends TSchema>(
  kind: K,
  schema: S,
): Record<SettingName<K>, S> =>
  Object.fromEntries(settingNames(kind).map((name) => [name, schema])) as Record<SettingName<K>, S>;

/** One optional value for each setting, for routes that create an object. */
export const permissionParams = <K extends PermissionScope>(kind: K) =>
  forEach(kind, Type.Optional(GroupSettingValue));

/** One optional change for each setting, for routes that change an object. */
export const permissionChangeParams = <K extends PermissionScope>(kind: K) =>
  forEach(kind, Type.Optional(GroupSettingChange));

/** One value for each setting, for objects in answers and events. */
export const permissionFields = <K extends PermissionScope>(kind: K) =>
  forEach(kind, GroupSettingValue);
