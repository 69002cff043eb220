// Shapes that many settings share. `form` and `example` are what an operator reads when a value does not match
// `pattern`: what it must be, and one that is right, or where it comes from ("as … prints it").
import { Type } from 'typebox';

export const count = (
  minimum: number,
  maximum: number,
  defaultValue: number,
  description: string,
) => Type.Integer({ minimum, maximum, default: defaultValue, description });

export const flag = (defaultValue: 'true' | 'false', description: string) =>
  Type.String({
    pattern: '^(true|false)$',
    form: 'true or false',
    default: defaultValue,
    description,
  });

/** Marks a setting that is a secret, or a URL that may hold one: it is never shown, logged or repeated. */
export const SECRET = { secret: true } as const;

export const attribute = (defaultValue: string, description: string) =>
  Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$',
    form: 'the name of an attribute: letters, digits and hyphens',
    example: 'mail',
    default: defaultValue,
    description,
  });
