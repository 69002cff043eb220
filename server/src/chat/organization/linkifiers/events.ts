import { Type, type Static } from 'typebox';

const orNull = Type.Union([Type.String(), Type.Null()]);

export const Linkifier = Type.Object(
  {
    id: Type.Integer(),
    pattern: Type.String({ description: 'A regular expression, as RE2 understands it' }),
    url_template: Type.String({
      description:
        'A URL template after RFC 6570; its variables are the named groups of the pattern',
    }),
    example_input: orNull,
    reverse_template: orNull,
    alternative_url_templates: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type Linkifier = Static<typeof Linkifier>;

/** The whole list, in the order in which clients try them. */
export const LinkifiersChanged = Type.Object(
  { type: Type.Literal('realm_linkifiers'), realm_linkifiers: Type.Array(Linkifier) },
  { additionalProperties: false },
);
export const linkifiersChanged = (linkifiers: readonly Linkifier[]) =>
  ({ type: 'realm_linkifiers', realm_linkifiers: [...linkifiers] }) as const;
