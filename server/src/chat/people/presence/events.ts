// Presence in two forms: the older one by client program (only `website` is left), and the newer one with two times.
import { Type, type Static } from 'typebox';
import { IN_THE_LOG, shownEmail } from '../../../accounts/users/sight.ts';
import type { User } from '../../../accounts/user.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { statusOf, timesOf, type Presence } from './rules.ts';

const status = Type.Union([Type.Literal('active'), Type.Literal('idle')]);
const seconds = Type.Integer({ description: 'Unix seconds' });

const Aggregated = Type.Object({
  client: Type.Literal('website'),
  status,
  timestamp: seconds,
});
const Website = Type.Object({ ...Aggregated.properties, pushable: Type.Literal(false) });

/** The older form, by the name of the client program. */
export const ClientPresence = Type.Object({ aggregated: Aggregated, website: Website });
export type ClientPresence = Static<typeof ClientPresence>;

export const PresenceTimes = Type.Object({
  active_timestamp: seconds,
  idle_timestamp: seconds,
});
export type PresenceTimes = Static<typeof PresenceTimes>;

export const Presences = Type.Record(Type.String(), Type.Union([ClientPresence, PresenceTimes]), {
  description: 'By address; by user id with slim_presence.',
});
export type Presences = Readonly<Record<string, ClientPresence | PresenceTimes>>;

/** On the bus and in the log, the event has all forms; each client gets the one that it understands. */
export const PresenceChanged = Type.Object(
  {
    type: Type.Literal('presence'),
    user_id: Type.Optional(Type.Integer()),
    email: Type.Optional(Type.String({ description: 'Not with slim_presence.' })),
    server_timestamp: Type.Optional(seconds),
    presence: Type.Optional(Type.Object({ website: Website })),
    presences: Type.Optional(
      Type.Record(Type.String(), PresenceTimes, {
        description: 'In place of all else, by user id, with simplified_presence_events.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type PresenceChanged = Static<typeof PresenceChanged>;

type Somebody = Pick<User, 'id' | 'email' | 'emailVisibility' | 'dateJoined'>;

export function clientPresence(presence: Presence): ClientPresence {
  const aggregated = { client: 'website', ...statusOf(presence) } as const;
  return { aggregated, website: { ...aggregated, pushable: false } };
}

export const presenceChanged = (user: Somebody, presence: Presence, nowMs: number) =>
  ({
    type: 'presence',
    user_id: user.id,
    email: shownEmail(IN_THE_LOG, user),
    server_timestamp: unixSeconds(nowMs),
    presence: { website: clientPresence(presence).website },
    presences: { [user.id]: timesOf(presence, user.dateJoined) },
  }) as const;
