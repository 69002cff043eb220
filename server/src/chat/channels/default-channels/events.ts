import { Type } from 'typebox';

export const DefaultChannels = Type.Object(
  {
    type: Type.Literal('default_streams'),
    default_streams: Type.Array(Type.Integer(), { description: 'All of them, by id.' }),
  },
  { additionalProperties: false },
);

export const defaultChannels = (ids: readonly number[]) =>
  ({ type: 'default_streams', default_streams: [...ids] }) as const;
