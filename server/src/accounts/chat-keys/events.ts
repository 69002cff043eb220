import { Type } from 'typebox';

/**
 * Sent to nobody, because no client needs it. It is in the log so that polls with the old key end
 * at once and must use the new one.
 */
export const ChatKeyReplaced = Type.Object(
  { type: Type.Literal('chat_key_replaced') },
  { additionalProperties: false },
);

export const chatKeyReplaced = () => ({ type: 'chat_key_replaced' }) as const;
