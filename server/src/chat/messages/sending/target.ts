// Finds where a message goes: the channel and topic, or the people, if the sender may write there.
import { listUsersById } from '../../../accounts/users/access.ts';
import { seesAddress } from '../../../accounts/users/sight.ts';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import {
  mayNotPost,
  noSuchChannelId,
  noSuchChannelName,
} from '../../conversations/channel/errors.ts';
import { findDirectConversation, peopleOf } from '../../conversations/direct/access.ts';
import { normalizeTopic } from '../../conversations/topics/rules.ts';
import { badRequest } from '../../http/errors.ts';
import { readPrincipals } from '../../rights/permissions/access.ts';
import { asBotOrOwner } from '../../rights/permissions/bot-owner.ts';
import { findVisibleIds } from '../../rights/sight/access.ts';
import { canPost, findDirectMessageProblem, type Rights } from '../../rights/permissions/rights.ts';
import {
  readChannelsForReader,
  type ChannelForReader,
  type Target,
} from '../message/channels-for-reader.ts';
import type { OutgoingMessage } from './prepare.ts';
import type { Addressee } from './recipients.ts';
import { checkTopicPolicy } from './topic-policy.ts';

/** The target of the message, if the sender may write there. */
export async function findTarget(
  db: Db,
  { sender, rights, organization }: OutgoingMessage,
  addressee: Addressee,
  topic: string | undefined,
): Promise<Target> {
  if (addressee.kind === 'direct') {
    return { kind: 'direct', people: await findPeople(db, sender, rights, addressee) };
  }
  if (topic === undefined) throw badRequest('Missing topic');
  const destination = await asBotOrOwner(db, sender, rights, (who) =>
    accessChannelToPost(db, who, addressee.channel),
  );
  const normalized = normalizeTopic(topic);
  checkTopicPolicy(destination, organization, normalized);
  return { kind: 'channel', channel: destination, topic: normalized };
}

/** The channel by name or id, if the person may post there. A channel that they may not see is refused as unknown. */
async function accessChannelToPost(
  db: Db,
  rights: Rights,
  channel: string | number,
): Promise<ChannelForReader> {
  const among =
    typeof channel === 'number' ? { channelIds: [channel] } : { names: [channel.trim()] };
  const [destination] = await readChannelsForReader(db, rights, among);
  if (destination === undefined || !destination.maySee) {
    throw typeof channel === 'number' ? noSuchChannelId(channel) : noSuchChannelName(channel);
  }
  if (!destination.mayRead || destination.isArchived) throw mayNotPost(destination.name);
  if (!canPost(rights, destination)) {
    throw badRequest('You do not have permission to post in this channel.');
  }
  return destination;
}

async function findPeople(
  db: Db,
  sender: User,
  rights: Rights,
  addressee: Extract<Addressee, { kind: 'direct' }>,
): Promise<number[]> {
  const others = await listAddressed(db, sender, addressee);
  const stranger = others.find(({ isActive, id }) => !isActive && id !== sender.id);
  if (stranger !== undefined)
    throw badRequest(`'${nameFor(sender, stranger)}' is no longer using Zulip.`);
  const people = peopleOf([sender.id, ...others.map(({ id }) => id)]);
  const principals = await readPrincipals(db, others);
  const participants = principals.map((one) => ({ ...one, isBot: one.botType !== null }));
  const isNew = (await findDirectConversation(db, people)) === undefined;
  switch (findDirectMessageProblem(rights, participants, isNew)) {
    case 'disabled':
      throw badRequest('Direct messages are disabled in this organization.');
    case 'nobody may authorize it':
      throw badRequest('This conversation does not include any users who can authorize it.');
    case 'may not initiate':
      throw badRequest('You do not have permission to initiate direct message conversations.');
    default:
      return people;
  }
}

/** How the sender knows the person: by address, if they may see it. */
const nameFor = (sender: User, person: User): string =>
  seesAddress(sender, person) ? person.email : person.fullName;

/** The people whom the sender named. Those whom the sender may not know do not exist for them. */
async function listAddressed(
  db: Db,
  sender: User,
  addressee: Extract<Addressee, { kind: 'direct' }>,
): Promise<User[]> {
  const given = 'userIds' in addressee ? addressee.userIds : addressee.emails;
  const ids = await findVisibleIds(db, sender, given);
  for (const [index, one] of given.entries()) {
    if (ids[index] !== undefined) continue;
    throw badRequest(typeof one === 'number' ? `Invalid user ID ${one}` : `Invalid email '${one}'`);
  }
  return listUsersById(
    db,
    ids.filter((id) => id !== undefined),
  );
}
