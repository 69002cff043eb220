import { Type } from 'typebox';

export const AlertWordsChanged = Type.Object(
  { type: Type.Literal('alert_words'), alert_words: Type.Array(Type.String()) },
  { additionalProperties: false },
);
export const alertWordsChanged = (words: readonly string[]) =>
  ({ type: 'alert_words', alert_words: [...words] }) as const;
