// The text of a reminder: the message as the person may read it now, and their note.
import type { User } from '../../../accounts/user.ts';
import type { OriginContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import type { Rendered } from '../../text/markdown/env.ts';
import { channelPath, directPath, messagePath } from '../../text/markdown/narrow-paths.ts';
import { accessMessage } from '../message/access.ts';
import { truncate } from '../../text/markdown/content.ts';
import { renderQuietly } from '../sending/rendering.ts';
import type { MessageRow } from '../message/rows.ts';
import type { Voice } from '../notices/actions.ts';
import type { Reminded } from '../notices/texts.ts';
import { EMPTY_TOPIC_DISPLAY_NAME, LIMITS } from '../../limits.ts';
import { shownName } from '../../../accounts/users/sight.ts';
import { readKnown } from '../../rights/sight/access.ts';
import { readRights } from '../../rights/permissions/access.ts';

/** The message that the reminder is about, if the person may read it. */
export async function findTarget(
  db: Db,
  owner: User,
  messageId: number,
): Promise<MessageRow | undefined> {
  try {
    return (await accessMessage(db, owner, messageId)).message;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

export async function writeReminder(
  db: Db,
  ctx: Pick<OriginContext, 'publicUrl' | 'secrets' | 'config'>,
  { texts, settings }: Voice,
  owner: User,
  message: MessageRow | undefined,
  note: string,
): Promise<{ readonly content: string; readonly rendered: Rendered }> {
  const whole = texts.reminded({
    message: message && described(message, await readKnown(db, owner)),
    note,
  });
  const content = truncate(whole, LIMITS.max_message_length, '\n[message truncated]');
  const author = { rights: await readRights(db, owner), settings: owner.settings };
  return { content, rendered: await renderQuietly(db, ctx, author, settings, content) };
}

function described(
  message: MessageRow,
  known: ReadonlySet<number> | undefined,
): Exclude<Reminded['message'], undefined> {
  const { id, content, channelId, channelName, topic } = message;
  const sender = { id: message.senderId, fullName: shownName({ known }, message.sender) };
  if (channelId === null || channelName === null) {
    const path = `${directPath((message.people ?? []).map((one) => one.id))}/near/${id}`;
    return { sender, where: 'direct', path, content };
  }
  const where = { channel: channelName, topic: topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic };
  return {
    sender,
    where,
    path: messagePath(channelPath(channelId, channelName), topic, id),
    content,
  };
}
