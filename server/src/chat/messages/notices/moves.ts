// Notices about topics: moved, resolved, or unresolved.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { channelPath, messagePath } from '../../text/markdown/narrow-paths.ts';
import { findLastInTopic } from '../message/access.ts';
import type { ChannelForReader } from '../message/channels-for-reader.ts';
import { removeFromChannel } from '../removing/remove.ts';
import { readVoice, tellTopic, type Voice } from './actions.ts';
import type { Location, Moved } from './texts.ts';

type Clocked = Pick<Context, 'clock'>;

export interface Thread {
  readonly channel: ChannelForReader;
  readonly topic: string;
}

export interface AnnouncedMove {
  readonly actor: User;
  readonly from: Thread;
  readonly to: Thread;
  readonly firstId: number;
  readonly count: number;
  /** No message is left in the old topic. */
  readonly isWhole: boolean;
  /** The new topic has other messages too. */
  readonly joinsOthers: boolean;
  readonly tellsOldThread: boolean;
  readonly tellsNewThread: boolean;
}

const isSameThread = ({ channel, topic }: Thread, other: Thread): boolean =>
  channel.channelId === other.channel.channelId &&
  topic.toLowerCase() === other.topic.toLowerCase();

/** Posts notices in the old and in the new topic, as the mover requested. */
export async function noteMove(tx: Tx, ctx: Clocked, move: AnnouncedMove): Promise<void> {
  const { actor, from, to, firstId, count, isWhole, joinsOthers } = move;
  const { tellsOldThread, tellsNewThread } = move;
  if (isSameThread(from, to)) return;
  if (!tellsOldThread && !tellsNewThread) return;
  const voice = await readVoice(tx);
  if (tellsOldThread) {
    await say(tx, ctx, voice, actor, from, to, (there) =>
      voice.texts.movedAway(actor, { count, isWhole }, there),
    );
  }
  if (tellsNewThread) {
    const moved: Moved = { count, isWhole: isWhole && !joinsOthers };
    const { channelId, name } = to.channel;
    const path = messagePath(channelPath(channelId, name), to.topic, firstId);
    await say(tx, ctx, voice, actor, to, from, (there) =>
      voice.texts.movedHere(actor, moved, there, path),
    );
  }
}

/**
 * Posts the notice in `here`. Other channels do not show the name of a private channel. In a channel with protected
 * history the notice does not show the topic's earlier name.
 */
async function say(
  tx: Tx,
  ctx: Clocked,
  voice: Voice,
  actor: User,
  here: Thread,
  there: Thread,
  text: (there: Location) => string,
): Promise<void> {
  const isElsewhere = there.channel.channelId !== here.channel.channelId;
  const isHidden = there.channel.inviteOnly && isElsewhere;
  const location = isHidden ? undefined : nameOf(there, !isElsewhere && here.channel.isProtected);
  await tellTopic(tx, ctx, voice, {
    channelId: here.channel.channelId,
    conversationId: here.channel.conversationId,
    channelName: here.channel.name,
    topic: here.topic,
    content: text(location),
    names: {
      users: [actor],
      channels: isHidden ? [] : [{ id: there.channel.channelId, name: there.channel.name }],
    },
    readBy: [actor.id],
  });
}

const nameOf = ({ channel, topic }: Thread, isProtected: boolean): Location =>
  isProtected ? 'another topic' : { channel: channel.name, topic };

/** Toggling back within this time deletes the first notice instead of adding another. */
const UNDO_MS = 60_000;

/** Posts that a topic was resolved or unresolved. `thread` has its present name. */
export async function noteResolved(
  tx: Tx,
  ctx: Clocked,
  actor: User,
  { channel, topic }: Thread,
  isResolved: boolean,
): Promise<void> {
  const voice = await readVoice(tx);
  const { resolved, unresolved } = voice.texts;
  const last = await findLastInTopic(tx, channel.conversationId, topic);
  const opposite = isResolved ? unresolved : resolved;
  const isUndone =
    last !== undefined &&
    last.senderId === voice.bot.id &&
    last.content.endsWith(endOf(opposite)) &&
    ctx.clock.now() - last.sentAt.getTime() <= UNDO_MS;
  if (isUndone) return removeFromChannel(tx, channel, topic, [last]);
  await tellTopic(tx, ctx, voice, {
    channelId: channel.channelId,
    conversationId: channel.conversationId,
    channelName: channel.name,
    topic,
    content: isResolved ? resolved(actor) : unresolved(actor),
    names: { users: [actor] },
    readBy: [actor.id],
  });
}

/** The part of such a notice after the name, which is the same for every actor. */
function endOf(say: (actor: { id: number; fullName: string }) => string): string {
  const mention = '@_**|0**';
  return say({ id: 0, fullName: '' }).slice(mention.length);
}
