// Where a plain message goes, by what is remembered: to a channel, or to a few people who have written to each other before.
import { listUsersById } from '../../../../accounts/users/access.ts';
import { ROLE } from '../../../../accounts/roles.ts';
import type { Db } from '../../../../platform/db/pool.ts';
import { ABOUT, remembered } from '../../../../platform/facts/memory.ts';
import { Refusal } from '../../../../platform/http/refusal.ts';
import { findDirectConversation } from '../../../conversations/direct/access.ts';
import { canCreateTopic } from '../../../rights/permissions/rights.ts';
import type { PersonBrief } from '../../message/attached.ts';
import type { Target } from '../../message/channels-for-reader.ts';
import { whereIn, type Where } from '../post.ts';
import type { OutgoingMessage } from '../prepare.ts';
import type { Addressee } from '../recipients.ts';
import { findTarget } from '../target.ts';

export interface Place {
  readonly target: Target;
  readonly conversationId: number;
  readonly where: Where;
}

/** More people, whom a message goes to or names, are read each time: what decides about it is a fact about each of them. */
export const PEOPLE_MAX = 20;

/** The place, if the sender may write there and start the topic. What memory refuses is undefined, as everything else is. */
export async function findPlace(
  db: Db,
  outgoing: OutgoingMessage,
  addressee: Addressee,
  topic: string | undefined,
): Promise<Place | undefined> {
  try {
    if (addressee.kind === 'direct') return await findDirect(db, outgoing, addressee);
    const target = await findTarget(db, outgoing, addressee, topic);
    if (target.kind !== 'channel' || !canCreateTopic(outgoing.rights, target.channel))
      return undefined;
    const { conversationId } = target.channel;
    return { target, conversationId, where: whereIn(target.channel) };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** A bot of this type has a program that is called for each message to it. */
const CALLED_BOT = 3;

async function findDirect(
  db: Db,
  outgoing: OutgoingMessage,
  addressee: Extract<Addressee, { kind: 'direct' }>,
): Promise<Place | undefined> {
  const { id, role, botType } = outgoing.sender;
  const given = 'userIds' in addressee ? addressee.userIds : addressee.emails;
  // Whom a guest knows depends on other people's subscriptions, which nobody remembers.
  if (given.length >= PEOPLE_MAX || role === ROLE.guest) return undefined;
  const found = await remembered(
    db,
    `direct ${id} ${role} ${JSON.stringify(given)}`,
    aboutAll,
    () => loadDirect(db, outgoing, addressee),
  );
  if (found === undefined || (found.isCalled && botType === null)) return undefined;
  const { conversationId, people } = found;
  return {
    target: { kind: 'direct', people: people.map((one) => one.id) },
    conversationId,
    where: { channelId: null, channelName: null, people },
  };
}

interface Direct {
  readonly conversationId: number;
  readonly people: readonly PersonBrief[];
  /** Whether somebody else there is a bot whose program is called. */
  readonly isCalled: boolean;
}

const aboutAll = (found: Direct | undefined): number[] => [
  ABOUT.everybody,
  ...(found?.people ?? []).map(({ id }) => id),
];

/** The first message of a conversation opens it, and makes people know each other. */
async function loadDirect(
  db: Db,
  outgoing: OutgoingMessage,
  addressee: Addressee,
): Promise<Direct | undefined> {
  const target = await findTarget(db, outgoing, addressee, undefined);
  if (target.kind !== 'direct') return undefined;
  const conversationId = await findDirectConversation(db, target.people);
  if (conversationId === undefined) return undefined;
  const users = await listUsersById(db, target.people);
  return {
    conversationId,
    people: users.map(({ id, email, fullName, emailVisibility }) => ({
      id,
      email,
      fullName,
      emailVisibility,
    })),
    isCalled: users.some(({ id, botType }) => botType === CALLED_BOT && id !== outgoing.sender.id),
  };
}
