import { Type } from 'typebox';

/**
 * Sent to nobody. It is in the log so that polls with an ended session end at once, and need
 * another.
 */
export const SessionsEnded = Type.Object(
  { type: Type.Literal('sessions_ended') },
  { additionalProperties: false },
);

export const sessionsEnded = () => ({ type: 'sessions_ended' }) as const;
