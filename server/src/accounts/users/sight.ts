// What one viewer sees of other people: whom they know at all, and whose address. Everything that shows a person asks
// here. Pure.
import { hasAtLeast, ROLE, type RoleCode } from '../roles.ts';
import type { User } from '../user.ts';

/** The values of `email_address_visibility`: who sees a person's address. */
export const EMAIL_VISIBILITY = {
  everyone: 1,
  members: 2,
  administrators: 3,
  nobody: 4,
  moderators: 5,
} as const;

export interface Viewer {
  readonly id: number;
  readonly role: RoleCode;
}

/** One viewer's sight. It is read once for an answer, and decides about everybody in it. */
export interface Sight {
  readonly viewer: Viewer;
  /** The domain of the addresses that stand for hidden ones. */
  readonly host: string;
  /** The ids of everybody whom the viewer knows; undefined if they know all. */
  readonly known: ReadonlySet<number> | undefined;
}

/** What decides who sees a person's address. */
export type AddressFacts = Pick<User, 'id' | 'botOwnerId' | 'emailVisibility'>;

/**
 * Whether the viewer sees the person's address: their own, those of their own bots, and where the person allows it.
 * Guests see nobody else's.
 */
export function seesAddress(viewer: Viewer, person: AddressFacts): boolean {
  if (person.id === viewer.id || person.botOwnerId === viewer.id) return true;
  return isAdmitted(viewer.role, person.emailVisibility);
}

function isAdmitted(role: RoleCode, visibility: number): boolean {
  if (role === ROLE.guest) return false;
  switch (visibility) {
    case EMAIL_VISIBILITY.everyone:
    case EMAIL_VISIBILITY.members:
      return true;
    case EMAIL_VISIBILITY.moderators:
      return hasAtLeast(role, 'moderator');
    case EMAIL_VISIBILITY.administrators:
      return hasAtLeast(role, 'administrator');
    default:
      return false;
  }
}

/** The visibilities of addresses that one role admits and the other does not. */
export const visibilitiesBetween = (before: RoleCode, after: RoleCode): number[] =>
  Object.values(EMAIL_VISIBILITY).filter(
    (visibility) => isAdmitted(before, visibility) !== isAdmitted(after, visibility),
  );

/** The address that stands for a person whose own is hidden. It names them, and receives nothing. */
export const placeholderEmail = (userId: number, host: string): string => `user${userId}@${host}`;

const PLACEHOLDER = /^user([1-9]\d{0,9})@(.+)$/;

/** The person whom a placeholder names; undefined for every other address. */
export function parsePlaceholder(email: string, host: string): number | undefined {
  const [, id, domain] = PLACEHOLDER.exec(email.toLowerCase()) ?? [];
  return domain === host.toLowerCase() ? Number(id) : undefined;
}

/** What decides how a person is called in an answer or an event. */
export type Shown = Pick<User, 'id' | 'email' | 'emailVisibility'>;

/**
 * The address that members call the person by. It does not depend on who among them looks, so one text of an event is for
 * all of them.
 */
export const memberEmail = ({ id, email, emailVisibility }: Shown, host: string): string =>
  emailVisibility === EMAIL_VISIBILITY.everyone ? email : placeholderEmail(id, host);

/** Guests call everybody but themselves by a placeholder, bots too. */
const callsByPlaceholder = ({ id, role }: Viewer, userId: number): boolean =>
  role === ROLE.guest && id !== userId;

/** The address that the viewer calls the person by. */
export const shownEmail = ({ viewer, host }: Sight, person: Shown): string =>
  callsByPlaceholder(viewer, person.id)
    ? placeholderEmail(person.id, host)
    : memberEmail(person, host);

export const knows = ({ known }: Pick<Sight, 'known'>, userId: number): boolean =>
  known === undefined || known.has(userId);

/** The name of everybody whom a viewer does not know. */
export const UNKNOWN_NAME = 'Unknown user';

export const shownName = (
  sight: Pick<Sight, 'known'>,
  { id, fullName }: Pick<User, 'id' | 'fullName'>,
): string => (knows(sight, id) ? fullName : UNKNOWN_NAME);

/**
 * How events in the log show people: as members see them, but placeholders without a host, which nobody who writes an event
 * needs to know. `toldEmail` completes them when the event is delivered.
 */
export const IN_THE_LOG: Sight = {
  viewer: { id: 0, role: ROLE.member },
  host: '',
  known: undefined,
};

/** The address of a person in an event, for one viewer, made from the address in the log. */
export const toldEmail = ({ viewer, host }: Sight, userId: number, logged: string): string =>
  callsByPlaceholder(viewer, userId) || logged.endsWith('@')
    ? placeholderEmail(userId, host)
    : logged;

/** Names the form of an event about these people that the viewer shares with others who see them the same way. */
export function formFor({ viewer }: Sight, userIds: readonly number[]): string {
  if (viewer.role !== ROLE.guest) return 'm';
  return userIds.includes(viewer.id) ? `g${viewer.id}` : 'g';
}
