import { Type, type Static } from 'typebox';

/** The value of one field: a text, or ids of people. */
export const ProfileDatum = Type.Object({
  id: Type.Integer(),
  value: Type.Union([
    Type.String({ maxLength: 10_000 }),
    Type.Array(Type.Integer(), { maxItems: 100 }),
  ]),
});
export type ProfileDatum = Static<typeof ProfileDatum>;
