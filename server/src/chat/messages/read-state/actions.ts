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
import { changeByMemory } from './by-memory.ts';
import {
  chooseToMark,
  unreadAgain,
  type EditableFlag,
  type FlagOperation,
  type FlagsChanged,
} from './choose.ts';
import { flagsAdded, flagsRemoved } from './events.ts';
import { lockReadState, markMessages } from './marking.ts';

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
export async function changeFlags(
  ctx: Context,
  actor: User,
  ids: readonly number[],
  operation: FlagOperation,
  flag: EditableFlag,
): Promise<FlagsChanged> {
  const done = await changeByMemory(ctx, actor, ids, operation, flag);
  if (done !== undefined) return done;
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
  const { toMark, ignoredChannels, event } = chooseToMark(userId, messages, operation);
  if (event !== undefined) {
    await markMessages(tx, userId, toMark, operation === 'add');
    tx.emit(event, { users: [userId] });
  }
  return { changed: toMark.map(({ id }) => id), ignoredChannels };
}

/** Sends the person's clients which of these messages are unread, in case they show them as read. */
export async function announceUnread(
  tx: Tx,
  userId: number,
  ids: readonly number[],
): Promise<void> {
  const messages = await lockMessages(tx, userId, ids);
  const unread = messages.filter(({ isUnread }) => isUnread);
  if (unread.length > 0) tx.emit(unreadAgain(userId, unread), { users: [userId] });
}

/** The messages, read after locking what this person has read of them. */
async function lockMessages(tx: Tx, userId: number, ids: readonly number[]): Promise<ReadState[]> {
  await lockReadState(tx, userId, await listHomes(tx, ids));
  return listReadStates(tx, userId, ids);
}
