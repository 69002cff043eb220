// Changes the flags that people set for themselves on messages: read, starred, collapsed.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';
import { changeOwnFlag, findReadable } from '../message/access.ts';
import { invalidMessage } from '../message/errors.ts';
import { FLAG } from '../message/flags.ts';
import { listHomes, listReadStates, type ReadState } from '../message/rows.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { flagsAdded, flagsRemoved, type UnreadDetails } from './events.ts';
import { lockReadState, markMessages } from './marking.ts';

export type FlagOperation = 'add' | 'remove';

export interface FlagsChanged {
  /** The messages whose flag changed, ascending. */
  readonly changed: readonly number[];
  /** Channels in which nothing can be marked unread, because the person is not subscribed. */
  readonly ignoredChannels: readonly number[];
}

const KNOWN_FLAGS: ReadonlySet<string> = new Set([
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'group_mentioned',
  'has_alert_word',
  'historical',
  'force_expand',
  'force_collapse',
]);

type EditableFlag = 'read' | 'starred' | 'collapsed';

export function checkFlag(flag: string): EditableFlag {
  if (!KNOWN_FLAGS.has(flag)) throw badRequest(`Invalid flag: '${flag}'`);
  if (flag === 'read' || flag === 'starred' || flag === 'collapsed') return flag;
  throw badRequest(`Flag not editable: '${flag}'`);
}

export function checkOperation(operation: string): FlagOperation {
  if (operation === 'add' || operation === 'remove') return operation;
  throw badRequest(`Invalid message flag operation: '${operation}'`);
}

/**
 * Adds or removes a flag on all of the messages or on none. Two cases skip messages that are missing or unreadable,
 * and change the rest: marking as read, and removing a flag.
 */
export function changeFlags(
  ctx: Context,
  actor: User,
  ids: readonly number[],
  operation: FlagOperation,
  flag: EditableFlag,
): Promise<FlagsChanged> {
  const wanted = [...new Set(ids)];
  return ctx.inTransaction(async (tx) => {
    if (flag === 'read') {
      const readable = await findReadable(tx, await readRights(tx, actor), wanted);
      if (operation === 'remove') checkAll(wanted, readable.ids);
      return markRead(tx, actor.id, readable.ids, operation);
    }
    // Removing a flag needs no check, because it only touches the person's own flags.
    if (operation === 'add') {
      const readable = await findReadable(tx, await readRights(tx, actor), wanted);
      checkAll(wanted, readable.ids);
      if (readable.channels.some((channel) => channel.isArchived)) throw invalidMessage();
    }
    const changed = await changeOwnFlag(tx, actor.id, wanted, operation, FLAG[flag]);
    if (changed.length > 0) {
      const event = operation === 'add' ? flagsAdded(flag, changed) : flagsRemoved(flag, changed);
      tx.emit(event, { users: [actor.id] });
    }
    return { changed, ignoredChannels: [] };
  });
}

function checkAll(wanted: readonly number[], readable: readonly number[]): void {
  if (readable.length < wanted.length) throw invalidMessage();
}

/** Locks the person's read state, so that the event lists exactly the messages that changed. */
export async function markRead(
  tx: Tx,
  userId: number,
  ids: readonly number[],
  operation: FlagOperation,
): Promise<FlagsChanged> {
  const messages = await lockMessages(tx, userId, ids);
  if (operation === 'add') {
    const unread = messages.filter(({ isUnread }) => isUnread);
    await announceRead(tx, userId, unread);
    return { changed: unread.map(({ id }) => id), ignoredChannels: [] };
  }
  const isHere = ({ channelId, isSubscribed }: ReadState) => channelId === null || isSubscribed;
  const ignored = new Set(
    messages.flatMap((one) => (isHere(one) || one.channelId === null ? [] : [one.channelId])),
  );
  const read = messages.filter((one) => isHere(one) && one.isReceived && !one.isUnread);
  if (read.length > 0) {
    await markMessages(tx, userId, read, false);
    emitUnread(tx, userId, read);
  }
  return {
    changed: read.map(({ id }) => id),
    ignoredChannels: [...ignored].sort((a, b) => a - b),
  };
}

function emitUnread(tx: Tx, userId: number, unread: readonly ReadState[]): void {
  const details = unread.map((one): [string, UnreadDetails] => [
    String(one.id),
    detailsOf(userId, one),
  ]);
  const ids = unread.map(({ id }) => id);
  tx.emit(flagsRemoved('read', ids, Object.fromEntries(details)), { users: [userId] });
}

/** Sends the person's clients which of these messages are unread, in case they show them as read. */
export async function announceUnread(
  tx: Tx,
  userId: number,
  ids: readonly number[],
): Promise<void> {
  const messages = await lockMessages(tx, userId, ids);
  const unread = messages.filter(({ isUnread }) => isUnread);
  if (unread.length > 0) emitUnread(tx, userId, unread);
}

async function announceRead(
  tx: Tx,
  userId: number,
  unread: readonly Pick<ReadState, 'id' | 'homeId' | 'seq'>[],
): Promise<void> {
  if (unread.length === 0) return;
  await markMessages(tx, userId, unread, true);
  tx.emit(
    flagsAdded(
      'read',
      unread.map(({ id }) => id),
    ),
    { users: [userId] },
  );
}

/** What a client needs to count a message as unread without having fetched it. */
function detailsOf(userId: number, message: ReadState): UnreadDetails {
  const mentioned = message.isMentioned ? { mentioned: true } : {};
  if (message.channelId === null) {
    const others = (message.people ?? []).filter((id) => id !== userId);
    return { type: 'private', ...mentioned, user_ids: others };
  }
  return {
    type: 'stream',
    ...mentioned,
    stream_id: message.channelId,
    topic: message.topic,
    unmuted_stream_msg: !message.isMuted,
  };
}

/** The messages, read after locking what this person has read of them. */
async function lockMessages(tx: Tx, userId: number, ids: readonly number[]): Promise<ReadState[]> {
  await lockReadState(tx, userId, await listHomes(tx, ids));
  return listReadStates(tx, userId, ids);
}
