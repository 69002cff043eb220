// Shows in the events of people only what their receiver may know: the address to those who may see it, and nothing at all
// of people whom the receiver does not know.
import type { Static } from 'typebox';
import {
  unknownRow,
  type AddressDelivery,
  type UserAdded,
  type UserRemoved,
  type UserUpdated,
} from '../../../accounts/users/events.ts';
import {
  EMAIL_VISIBILITY,
  knows,
  seesAddress,
  shownEmail,
  type Sight,
} from '../../../accounts/users/sight.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { shared } from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';

type PersonEvent =
  Static<typeof UserAdded> | Static<typeof UserUpdated> | Static<typeof UserRemoved>;

const parsed = new WeakMap<LoggedEvent, PersonEvent>();

/** Parsed once for all queues. */
function payloadOf(event: LoggedEvent): PersonEvent {
  let payload = parsed.get(event);
  if (payload === undefined) {
    parsed.set(event, (payload = JSON.parse(event.payload) as PersonEvent));
  }
  return payload;
}

export function shapePerson(
  event: LoggedEvent,
  { userId, filter }: QueueDescription,
  rights: { sightOf(userId: number): Sight },
): readonly string[] {
  const told = payloadOf(event);
  // Who loses sight of somebody does not know them any more, and is told so.
  if (told.op === 'remove') return [event.payload];
  const sight = rights.sightOf(userId);
  if (!knows(sight, told.person.user_id))
    return told.op === 'add' ? asUnknown(filter, sight, told) : [];
  const { delivery, ...rest } = told;
  if (delivery === undefined && !hasAddress(told.person)) return [event.payload];
  if (delivery !== undefined && 'ends_queues' in delivery)
    return [shared(event, '', () => JSON.stringify(rest))];
  const person = personFor(sight, told, delivery ?? HIDDEN);
  if (person === undefined) return [];
  const address = [
    'email' in person ? person.email : '',
    'delivery_email' in person ? person.delivery_email : '',
    'new_email' in person ? person.new_email : '',
  ];
  return [shared(event, address.join(' '), () => JSON.stringify({ ...rest, person }))];
}

/** For an address of which the log does not say who sees it, as an earlier release wrote it: nobody does. */
const HIDDEN: AddressDelivery = { owner_id: null, visibility: EMAIL_VISIBILITY.nobody };

const hasAddress = (person: object): boolean =>
  'email' in person || 'delivery_email' in person || 'new_email' in person;

/** Clients that do not know that their list may be incomplete get a row for everybody. */
function asUnknown(
  filter: QueueDescription['filter'],
  sight: Sight,
  { type, op, person }: Static<typeof UserAdded>,
): readonly string[] {
  const { capabilities } = filter as { capabilities?: Record<string, boolean> };
  if (capabilities?.['user_list_incomplete'] === true) return [];
  const row = unknownRow(sight, { id: person.user_id, isActive: person.is_active });
  return [JSON.stringify({ type, op, person: row })];
}

/** The person of the event for this viewer; undefined if nothing changes for them. */
function personFor(
  sight: Sight,
  { person }: Exclude<PersonEvent, { op: 'remove' }>,
  { owner_id, visibility, before }: AddressDelivery,
): object | undefined {
  const facts = { id: person.user_id, botOwnerId: owner_id };
  const sees = (emailVisibility: number) =>
    seesAddress(sight.viewer, { ...facts, emailVisibility });
  const emailAs = (email: string, emailVisibility: number) =>
    shownEmail(sight, { id: person.user_id, email, emailVisibility });
  if ('new_email' in person) {
    // Who calls the person by a placeholder in any case is told nothing.
    const isSame =
      before === undefined
        ? visibility !== EMAIL_VISIBILITY.everyone
        : emailAs(person.new_email, before) === emailAs(person.new_email, visibility);
    return isSame || emailAs('', EMAIL_VISIBILITY.everyone) !== ''
      ? undefined
      : { ...person, new_email: emailAs(person.new_email, visibility) };
  }
  if ('email' in person) {
    return {
      ...person,
      email: emailAs(person.email, visibility),
      ...('delivery_email' in person && {
        delivery_email: sees(visibility) ? person.delivery_email : null,
      }),
    };
  }
  if ('delivery_email' in person) {
    const sawBefore = sees(before ?? visibility);
    if (sees(visibility)) return before !== undefined && sawBefore ? undefined : person;
    return sawBefore ? { ...person, delivery_email: null } : undefined;
  }
  return person;
}
