import { Type, type Static } from 'typebox';
import { GroupSettingValue } from '../../rights/permissions/value.ts';

const type = Type.Literal('realm');
const closed = { additionalProperties: false } as const;

const Plain = Type.Union([Type.Boolean(), Type.Number(), Type.String(), Type.Null()]);

export const RealmUpdated = Type.Object(
  { type, op: Type.Literal('update'), property: Type.String(), value: Plain },
  closed,
);

/** The ways to sign in, by name. */
const MethodStatesValue = Type.Record(
  Type.String(),
  Type.Object({ enabled: Type.Boolean(), available: Type.Boolean() }, closed),
);

/** Several properties at once, or one that is not a plain value. */
export const RealmUpdatedTogether = Type.Object(
  {
    type,
    op: Type.Literal('update_dict'),
    property: Type.Literal('default'),
    data: Type.Record(
      Type.String(),
      Type.Union([...Plain.anyOf, ...GroupSettingValue.anyOf, MethodStatesValue]),
    ),
  },
  closed,
);

export const UserDefaultUpdated = Type.Object(
  {
    type: Type.Literal('realm_user_settings_defaults'),
    op: Type.Literal('update'),
    property: Type.String(),
    value: Type.Union([Type.Boolean(), Type.Number(), Type.String()]),
  },
  closed,
);

export const REALM_EVENTS = [RealmUpdated, RealmUpdatedTogether, UserDefaultUpdated] as const;

export type RealmEvent = Static<typeof RealmUpdated> | Static<typeof RealmUpdatedTogether>;

type Value = Static<typeof RealmUpdated>['value'];

export const realmUpdated = (property: string, value: Value): RealmEvent => ({
  type: 'realm',
  op: 'update',
  property,
  value,
});

export const realmUpdatedTogether = (
  data: Readonly<Record<string, Value | GroupSettingValue | Static<typeof MethodStatesValue>>>,
): RealmEvent => ({
  type: 'realm',
  op: 'update_dict',
  property: 'default',
  data: data as Static<typeof RealmUpdatedTogether>['data'],
});

export const userDefaultUpdated = (
  property: string,
  value: boolean | number | string,
): Static<typeof UserDefaultUpdated> => ({
  type: 'realm_user_settings_defaults',
  op: 'update',
  property,
  value,
});
