import { Type } from 'typebox';
import type { SettingValue } from '../../organization/setting-definitions/definitions.ts';

export const SettingUpdated = Type.Object(
  {
    type: Type.Literal('user_settings'),
    op: Type.Literal('update'),
    property: Type.String(),
    value: Type.Union([Type.Boolean(), Type.Number(), Type.String()]),
    language_name: Type.Optional(Type.String({ description: 'With default_language.' })),
  },
  { additionalProperties: false },
);

export const settingUpdated = (property: string, value: SettingValue, languageName?: string) =>
  ({
    type: 'user_settings',
    op: 'update',
    property,
    value,
    ...(languageName !== undefined && { language_name: languageName }),
  }) as const;
