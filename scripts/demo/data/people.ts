// The people of the demo venue. The order is fixed, so every user has the same id in every run.
import type { RoleName } from '../../../server/src/accounts/roles.ts';

export interface DemoPerson {
  readonly name: string;
  readonly email: string;
  readonly role: RoleName;
  readonly timezone: string;
  readonly isBot?: boolean;
  readonly isFunded?: boolean;
  /** The demo places orders for these, so that the markets move. */
  readonly desk?: 'maker' | 'taker';
}

/** The people whose credentials the demo prints, by their printed name. */
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

/** More people, so that lists are not empty. They never sign in. */
export const EXTRAS: readonly DemoPerson[] = [
  { ...person('مریم موسوی', 'maryam', 'member', 'Asia/Tehran'), desk: 'maker' },
  { ...person('Daniel Weiss', 'daniel', 'member', 'Europe/Berlin'), desk: 'maker' },
  person('نیلوفر شریفی', 'niloofar', 'moderator', 'Asia/Tehran'),
  { ...person('Hana Sato', 'hana', 'member', 'Asia/Tokyo'), desk: 'taker' },
  { ...person('Omar Haddad', 'omar', 'member', 'Asia/Dubai'), desk: 'taker' },
  person('علی نوری', 'ali', 'guest', 'Asia/Tehran'),
];

/** Everybody, by the first name used in the conversations. */
export const PEOPLE = {
  marco: CAST.owner,
  sara: CAST.admin,
  grace: CAST.moderator,
  reza: CAST.member,
  tomas: CAST.guest,
  bot: CAST.bot,
  nora: CAST.trader_a,
  amir: CAST.trader_b,
  maryam: extra('maryam'),
  daniel: extra('daniel'),
  niloofar: extra('niloofar'),
  hana: extra('hana'),
  omar: extra('omar'),
  ali: extra('ali'),
} as const;

export type PersonKey = keyof typeof PEOPLE;

function extra(mailbox: string): DemoPerson {
  const found = EXTRAS.find(({ email }) => email.startsWith(`${mailbox}@`));
  if (found === undefined) throw new Error(`Nobody at the demo venue has the mailbox ${mailbox}.`);
  return found;
}

function person(name: string, mailbox: string, role: RoleName, timezone: string): DemoPerson {
  return { name, email: `${mailbox}@rialto.example`, role, timezone };
}
