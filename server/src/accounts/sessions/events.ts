import { Type } from 'typebox';

/**
 * Nobody is told. It stands in the log so that whoever waits for events with a session that has ended is let go
 * at once, and has to show another.
 */
export const SessionsEnded = Type.Object(
  { type: Type.Literal('sessions_ended') },
  { additionalProperties: false },
);

export const sessionsEnded = () => ({ type: 'sessions_ended' }) as const;
