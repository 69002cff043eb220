// For whom a plain message is more than a message: people whom it names, and people who have muted its sender.
import type { User } from '../../../../accounts/user.ts';
import type { Db } from '../../../../platform/db/pool.ts';
import { followsByMention } from '../../../conversations/topics/automatic.ts';
import { mayAlert } from '../../alert-words/access.ts';
import type { Target } from '../../message/channels-for-reader.ts';
import { listMuters } from '../../muted-users/access.ts';
import type { OutgoingMessage } from '../prepare.ts';
import { listPeople } from '../people.ts';
import { findMentioned, listReached, type Mentioned } from '../reach.ts';
import { PEOPLE_MAX } from './place.ts';

export interface Concerned {
  readonly mentioned: Mentioned;
  /** For these people it arrives as read. */
  readonly readBy: readonly number[];
  /** These follow the topic from now on, if they do not yet. */
  readonly followers: readonly number[];
}

/** Undefined if others are concerned too: groups, crowds, bots that are called, people with an alert word. */
export async function findConcerned(
  db: Db,
  { sender, rendered: { mentions, text } }: OutgoingMessage,
  target: Target,
  isRead: boolean,
): Promise<Concerned | undefined> {
  const { userIds, groupIds, hasChannelWildcard, hasTopicWildcard } = mentions;
  if (groupIds.length > 0 || hasChannelWildcard || hasTopicWildcard) return undefined;
  const muters = await listMuters(db, sender.id);
  if (userIds.length + muters.length > PEOPLE_MAX || (await mayAlert(db, text))) return undefined;
  const mentioned = await findMentioned(db, mentions, target);
  const readBy = await findReaders(db, sender, target, isRead, muters);
  if (target.kind === 'direct' || userIds.length === 0) return { mentioned, readBy, followers: [] };
  const people = await listPeople(db, userIds);
  if (people.some(({ botType }) => botType !== null)) return undefined;
  const told = new Set(mentioned.told);
  const followers = people.filter((one) => told.has(one.id) && followsByMention(one));
  return { mentioned, readBy, followers: followers.map(({ id }) => id) };
}

async function findReaders(
  db: Db,
  sender: User,
  target: Target,
  isRead: boolean,
  muters: readonly number[],
): Promise<readonly number[]> {
  const own = isRead ? [sender.id] : [];
  if (muters.length > 0) return listReached(db, [...new Set([...own, ...muters])], target);
  return target.kind === 'direct' || target.channel.isSubscribed ? own : [];
}
