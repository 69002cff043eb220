import { Type, type Static } from 'typebox';

/** A value for one field: text, or for people their ids. */
export const ProfileDatum = Type.Object({
  id: Type.Integer(),
  value: Type.Union([
    Type.String({ maxLength: 10_000 }),
    Type.Array(Type.Integer(), { maxItems: 100 }),
  ]),
});
export type ProfileDatum = Static<typeof ProfileDatum>;
