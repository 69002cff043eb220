// Whether somebody may read messages, decided by what is remembered of channels, from what one statement has read of the
// messages.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { canReadDirectMessage, type Rights } from '../../rights/permissions/rights.ts';
import { readChannelsForReader, type ChannelForReader } from './channels-for-reader.ts';
import { fromMessagesById } from './joins.ts';
import { IS_CALLED } from './rows.ts';

/** What decides it about one message. */
export interface Standing {
  readonly conversationId: number;
  readonly channelId: number | null;
  /** Everybody in a direct conversation. */
  readonly people: readonly number[] | null;
  /** The reader was subscribed to its channel when it came there. */
  readonly isHere: boolean;
  readonly isCalled: boolean;
}

/** The columns of a standing, from `fromStanding`. */
export const STANDING: RawBuilder<unknown> = sql`
  m.conversation_id, c.id AS channel_id, d.people, coalesce(s.received @> m.place_seq, false) AS is_here,
  ${IS_CALLED} AS is_called`;

export const fromStanding = (readerId: number, ids: readonly number[]): RawBuilder<unknown> => sql`
  ${fromMessagesById(readerId, ids)}
  LEFT JOIN conversations d ON d.id = m.conversation_id AND d.kind = 'direct'`;

export interface Readable<T> {
  readonly rows: readonly T[];
  /** The channels that these messages are in. */
  readonly channels: readonly ChannelForReader[];
}

/** Those that the reader may read, as `findReadable` decides it. */
export async function whatIsReadable<T extends Standing>(
  db: Db,
  rights: Rights,
  rows: readonly T[],
): Promise<Readable<T>> {
  const conversationIds = [
    ...new Set(rows.filter((row) => row.channelId !== null).map((row) => row.conversationId)),
  ].sort((a, b) => a - b);
  const channels =
    conversationIds.length === 0
      ? []
      : await readChannelsForReader(db, rights, { conversationIds });
  const byId = new Map(channels.map((channel) => [channel.channelId, channel]));
  const mayRead = ({ channelId, people, isHere, isCalled }: Standing): boolean => {
    if (channelId === null) return canReadDirectMessage(rights, people ?? []);
    const channel = byId.get(channelId);
    return isCalled || (channel?.mayRead === true && (!channel.isProtected || isHere));
  };
  return { rows: rows.filter(mayRead), channels };
}
