// Tells guests of people whom they come to know, and of those whom they know no longer. Where guests know everybody,
// nothing is told.
import { listUsersById } from '../../../accounts/users/access.ts';
import { userAdded, userRemoved } from '../../../accounts/users/events.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { EVERYBODY } from '../../../platform/events/event.ts';
import { readIntroductions } from '../../people/statuses/introduction.ts';
import { sightChanged, sightRenewed } from './events.ts';
import {
  isLimited,
  listGuestIds,
  listPairsOfChannel,
  listPairsOfConversation,
  lockSight,
  type Pair,
} from './store.ts';

const NOBODY = { users: [] };

/** With more new or lost acquaintances at once than this, the guests' clients register again instead of being told. */
const TOLD_MAX = 1000;
/** More guests than this are not named one by one. */
const NAMED_MAX = 1000;

interface ChannelRef {
  readonly id: number;
  readonly conversationId: number;
}

/** Call it after `userIds` joined the channel, before that is announced: guests must know whom they hear of. */
export async function tellJoined(
  tx: Tx,
  channel: ChannelRef,
  userIds: readonly number[],
): Promise<void> {
  if (!(await takesPart(tx))) return;
  await tell(tx, 'gain', await listPairsOfChannel(tx, channel, userIds, TOLD_MAX + 1));
}

/** Call it after `userIds` left the channel. */
export async function tellLeft(
  tx: Tx,
  channel: ChannelRef,
  userIds: readonly number[],
): Promise<void> {
  if (!(await takesPart(tx))) return;
  await tell(tx, 'lose', await listPairsOfChannel(tx, channel, userIds, TOLD_MAX + 1));
}

/** Call it when a direct conversation of these people is opened. */
export async function tellMet(
  tx: Tx,
  conversationId: number,
  people: readonly number[],
): Promise<void> {
  if (!(await takesPart(tx))) return;
  const met = await listPairsOfConversation(tx, conversationId, people, TOLD_MAX + 1);
  await tell(tx, 'gain', met);
}

/** Whether guests know only some people, which then does not change by others until the transaction ends. */
async function takesPart(tx: Tx): Promise<boolean> {
  if (!(await isLimited(tx))) return false;
  await lockSight(tx);
  return true;
}

async function tell(tx: Tx, op: 'gain' | 'lose', pairs: readonly Pair[]): Promise<void> {
  if (pairs.length > TOLD_MAX) return renewGuests(tx);
  if (pairs.length === 0) return;
  const personIds = [...new Set(pairs.map(({ personId }) => personId))];
  const people = new Map((await listUsersById(tx, personIds)).map((person) => [person.id, person]));
  const told = op === 'gain' ? await readIntroductions(tx, personIds) : undefined;
  for (const [guestId, own] of Map.groupBy(pairs, (pair) => pair.guestId)) {
    const ids = own.map(({ personId }) => personId);
    tx.emit(sightChanged(op, guestId, ids), NOBODY);
    for (const id of ids) {
      const person = people.get(id);
      if (person === undefined) continue;
      const event = told ? userAdded(person, told.profiles.get(id)) : userRemoved(person);
      tx.emit(event, { users: [guestId] });
      const status = told?.statuses.get(id);
      if (status !== undefined) tx.emit(status, { users: [guestId] });
    }
  }
}

/** Ends the queues of all guests, after a change of whom guests may know. Their clients register again. */
export async function renewGuests(tx: Tx): Promise<void> {
  const ids = await listGuestIds(tx);
  const isMany = ids.length > NAMED_MAX;
  tx.emit(sightRenewed(isMany ? null : ids), NOBODY, { rightsOf: isMany ? [EVERYBODY] : ids });
}
