import { Type, type Static } from 'typebox';

export const Playground = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    pygments_language: Type.String(),
    url_template: Type.String(),
  },
  { additionalProperties: false },
);
export type Playground = Static<typeof Playground>;

export const PlaygroundsChanged = Type.Object(
  { type: Type.Literal('realm_playgrounds'), realm_playgrounds: Type.Array(Playground) },
  { additionalProperties: false },
);
export const playgroundsChanged = (playgrounds: readonly Playground[]) =>
  ({ type: 'realm_playgrounds', realm_playgrounds: [...playgrounds] }) as const;
