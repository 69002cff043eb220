import { Type } from 'typebox';

/**
 * Nobody is told, because no client has a use for it. It stands in the log so that whoever waits for
 * events with the old key is let go at once and has to show the new one.
 */
export const ChatKeyReplaced = Type.Object(
  { type: Type.Literal('chat_key_replaced') },
  { additionalProperties: false },
);

export const chatKeyReplaced = () => ({ type: 'chat_key_replaced' }) as const;
