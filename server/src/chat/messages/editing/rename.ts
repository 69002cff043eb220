// Renames a whole topic within its channel: its row changes, and its messages stay as they are (decision 0106).
import type { OriginContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { renameUserTopics } from '../../conversations/topics/automatic.ts';
import { findSpelling } from '../../conversations/topics/names.ts';
import { badRequest } from '../../http/errors.ts';
import type { ChannelForReader } from '../message/channels-for-reader.ts';
import { readableIn } from '../message/move-store.ts';
import { findRenaming, listOfTopic, type Renaming } from '../message/rename-store.ts';
import type { MessageRow } from '../message/rows.ts';
import type { Attachment } from '../uploads/events.ts';
import { followMove } from './follow-move.ts';
import type { MessageChange } from './message-change.ts';
import { applyEdit, type Edit } from './write-edit.ts';

/**
 * A topic that was renamed has one spelling for all its messages: what moves there takes it. Who changes the spelling
 * for one of its messages changes it for all.
 */
export async function inItsSpelling(
  tx: Tx,
  message: MessageRow,
  channel: ChannelForReader,
  change: MessageChange,
): Promise<MessageChange> {
  const topic = change.topic ?? message.topic;
  const { conversationId } = change.target ?? channel;
  const spelled = await findSpelling(tx, conversationId, topic);
  if (spelled === undefined) return change;
  if (change.target === undefined && spelled === message.topic) {
    return { ...change, propagateMode: 'change_all' };
  }
  return { ...change, topic: spelled === message.topic ? undefined : spelled };
}

/** Undefined if messages have to move. */
export async function findWholeRename(
  tx: Tx,
  message: MessageRow,
  channel: ChannelForReader,
  { topic, target, propagateMode }: MessageChange,
): Promise<Renaming | undefined> {
  if (topic === undefined || target !== undefined || propagateMode !== 'change_all') {
    return undefined;
  }
  const { conversationId } = channel;
  const place = { conversationId, from: message.topic, to: topic, readable: readableIn(channel) };
  const renaming = await findRenaming(tx, place);
  const isSpelling = (await findSpelling(tx, conversationId, topic)) === message.topic;
  if (renaming === undefined && isSpelling) {
    throw badRequest(
      'You cannot change the spelling of a topic whose messages you cannot all read.',
    );
  }
  return renaming;
}

/** The whole topic gets another name, and its messages stay as they are. */
export async function renameTopic(
  tx: Tx,
  ctx: OriginContext,
  {
    channel,
    renaming,
    ...edit
  }: Omit<Edit, 'moved'> & {
    readonly change: MessageChange;
    readonly channel: ChannelForReader;
    readonly renaming: Renaming;
  },
): Promise<readonly Attachment[]> {
  const { from, to, isSpelling } = renaming;
  const moved = await listOfTopic(tx, renaming, channel.isProtected);
  const tellSettings = await renameUserTopics(tx, channel.channelId, from, to, isSpelling);
  const detached = await applyEdit(tx, ctx, { ...edit, moved, renaming });
  tellSettings();
  const { isResolveToggle, tellsOldThread, tellsNewThread } = edit.change;
  const [first] = moved;
  if (first === undefined) return detached;
  await followMove(tx, ctx, {
    actor: edit.actor,
    from: { channel, topic: from },
    to: { channel, topic: to },
    isResolveToggle,
    tellsOldThread,
    tellsNewThread,
    firstId: first.id,
    count: moved.length,
    isWhole: true,
    isRenamed: true,
    joinsOthers: false,
  });
  return detached;
}
