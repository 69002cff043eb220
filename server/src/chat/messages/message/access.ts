// Access to messages: every function here checks that the person may read what it returns.
import { sql } from 'kysely';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Rights } from '../../rights/permissions/rights.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { invalidMessage } from './errors.ts';
import { readChannelsForReader, type ChannelForReader } from './channels-for-reader.ts';
import { fromMessagesById } from './joins.ts';
import { isVisible, listMessageRows, type MessageRow } from './rows.ts';

export { changeOwnFlag } from './flag-store.ts';
export {
  hasAnyMessage,
  hasBeenCalled,
  hasMessages,
  holdMessage,
  listRecentAtHome,
  lockCountersOf,
  lockMessage,
} from './store.ts';
export { findLastInTopic } from './topic-store.ts';

type Viewer = Pick<User, 'id' | 'role'>;

/** Message ids stay below 2^53, so they are exact as JSON numbers. */
export const isMessageId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;

export interface AccessedMessage {
  readonly message: MessageRow;
  readonly rights: Rights;
  /** Undefined for a direct message. */
  readonly channel: ChannelForReader | undefined;
}

/** The message, if `actor` may read it. */
export async function accessMessage(db: Db, actor: Viewer, id: number): Promise<AccessedMessage> {
  const rights = await readRights(db, actor);
  const { ids, channels } = await findReadable(db, rights, [id]);
  const [message] = await listMessageRows(db, actor.id, ids);
  if (message === undefined) throw invalidMessage();
  return {
    message,
    rights,
    channel: channels.find((channel) => channel.channelId === message.channelId),
  };
}

/** The message, if `actor` may read it and its channel is not archived: archived channels do not change. */
export async function accessMessageToTouch(
  db: Db,
  actor: Viewer,
  id: number,
): Promise<AccessedMessage> {
  const accessed = await accessMessage(db, actor, id);
  if (accessed.channel?.isArchived === true) throw invalidMessage();
  return accessed;
}

export interface Readable {
  /** Ascending. */
  readonly ids: readonly number[];
  /** The channels that these messages are in. */
  readonly channels: readonly ChannelForReader[];
}

/** Those of `ids` that exist and that the reader may read, with their channels. */
export async function findReadable(
  db: Db,
  rights: Rights,
  ids: readonly number[],
): Promise<Readable> {
  const known = ids.filter(isMessageId);
  if (known.length === 0) return { ids: [], channels: [] };
  const { rows: stands } = await sql<{ conversationId: number }>`
    SELECT DISTINCT conversation_id FROM messages WHERE id = ANY (${known}::bigint[])`.execute(db);
  const conversationIds = stands.map(({ conversationId }) => conversationId);
  const channels = await readChannelsForReader(db, rights, { conversationIds });
  const { rows } = await sql<{ id: bigint }>`
    SELECT m.id FROM ${fromMessagesById(rights.id, known)}
     WHERE ${isVisible(rights.id, channels, { direct: true, called: true })}
     ORDER BY m.id`.execute(db);
  return { ids: rows.map(({ id }) => Number(id)), channels };
}
