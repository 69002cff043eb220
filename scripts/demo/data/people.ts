// Who is at the demo venue. The order is fixed, so every user has the same id in every run.
import type { RoleName } from '../../../server/src/accounts/roles.ts';

export interface DemoPerson {
  readonly name: string;
  readonly email: string;
  readonly role: RoleName;
  readonly timezone: string;
  readonly isBot?: boolean;
  readonly isFunded?: boolean;
  /** Whose orders the demo places, so that the markets live. */
  readonly desk?: 'maker' | 'taker';
}

/** The people whose credentials the demo prints, by the name they are printed under. */
export const CAST = {
  owner: person('Marco Vendramin', 'owner', 'owner', 'Europe/Rome'),
  admin: person('سارا کریمی', 'admin', 'administrator', 'Asia/Tehran'),
  moderator: person('Grace Okafor', 'moderator', 'moderator', 'Africa/Lagos'),
  member: person('رضا احمدی', 'member', 'member', 'Asia/Tehran'),
  guest: person('Tomás Silva', 'guest', 'guest', 'America/Sao_Paulo'),
  bot: { ...person('Desk Bot', 'bot', 'member', ''), isBot: true },
  trader_a: {
    ...person('Nora Lindqvist', 'trader_a', 'member', 'Europe/Stockholm'),
    isFunded: true,
  },
  trader_b: { ...person('امیر رستمی', 'trader_b', 'member', 'Asia/Tehran'), isFunded: true },
} as const satisfies Record<string, DemoPerson>;

export type CastName = keyof typeof CAST;

/** Others, so that lists are not empty. Nobody signs in as one of them. */
export const EXTRAS: readonly DemoPerson[] = [
  { ...person('مریم موسوی', 'maryam', 'member', 'Asia/Tehran'), desk: 'maker' },
  { ...person('Daniel Weiss', 'daniel', 'member', 'Europe/Berlin'), desk: 'maker' },
  person('نیلوفر شریفی', 'niloofar', 'moderator', 'Asia/Tehran'),
  { ...person('Hana Sato', 'hana', 'member', 'Asia/Tokyo'), desk: 'taker' },
  { ...person('Omar Haddad', 'omar', 'member', 'Asia/Dubai'), desk: 'taker' },
  person('علی نوری', 'ali', 'guest', 'Asia/Tehran'),
];

function person(name: string, mailbox: string, role: RoleName, timezone: string): DemoPerson {
  return { name, email: `${mailbox}@rialto.example`, role, timezone };
}
