// The messages of a page in few columns. Most of what a message has are short numbers, and a column costs the database, the
// driver and the query builder the same however short it is. So the numbers come as one text, and a text that is not
// shown does not come at all.
import { sql, type RawBuilder } from 'kysely';
import { openAttached, type Attached } from '../message/attached.ts';
import type { KnownChannels } from '../message/known-channels.ts';
import { selectMessageRows, type ShownRow } from '../message/rows.ts';

/** Which texts of a message an answer needs: a search marks the HTML also where it shows Markdown. */
export type ShownText = 'html' | 'markdown' | 'both';

export interface PackedRow {
  /** A row of PostgreSQL as text: its values with commas between them, and nothing for null. */
  readonly facts: string;
  readonly channelName: string | null;
  readonly topic: string;
  readonly topicLinks: ShownRow['topicLinks'] | null;
  readonly content: string | null;
  readonly rendered: string | null;
  readonly client: string;
  readonly attached: Attached | null;
}

const seconds = (time: RawBuilder<unknown>) => sql`floor(extract(epoch FROM ${time}))::bigint`;

const NOTHING = sql`NULL::text`;

/** Numbers and truths alone, which are never quoted. The order is that of `unpack`. */
const FACTS = sql`ROW (shown.id, shown.conversation_id, shown.channel_id, shown.sender_id, ${seconds(sql`shown.sent_at`)},
  ${seconds(sql`shown.edited_at`)}, ${seconds(sql`shown.moved_at`)}, left(shown.content, 4) = '/me ', shown.mentions_everyone,
  shown.is_received, shown.is_unread, shown.bits)::text`;

/** Packed rows of these messages as the reader sees them, with `id`; `ids` is an array of ids in SQL. */
export const selectPackedRows = (
  readerId: number,
  ids: RawBuilder<unknown>,
  text: ShownText,
  known: KnownChannels | undefined,
): RawBuilder<unknown> => sql`
  SELECT shown.id, ${FACTS} AS facts, shown.channel_name, shown.topic, shown.topic_links,
         ${text === 'html' ? NOTHING : sql`shown.content`} AS content,
         ${text === 'markdown' ? NOTHING : sql`shown.rendered`} AS rendered, shown.client, shown.attached
    FROM (${selectMessageRows(readerId, ids, known)}) AS shown`;

/**
 * The messages of one statement, by id. Their times are whole seconds, as answers have them. The text that is not shown
 * is empty, but for the sign of a message about oneself.
 */
export function unpackRows(rows: readonly PackedRow[]): ReadonlyMap<number, ShownRow> {
  const attached = rows.find((row) => row.attached !== null)?.attached;
  if (attached === null || attached === undefined) return new Map();
  const of = openAttached(attached);
  return new Map(
    rows.map((row) => {
      const shown = unpack(row, of);
      return [shown.id, shown];
    }),
  );
}

function unpack(row: PackedRow, of: ReturnType<typeof openAttached>): ShownRow {
  const [
    idText,
    conversation = '',
    channel = '',
    sender = '',
    sent = '',
    edited = '',
    moved = '',
    isMe,
    mentionsEveryone,
    isReceived,
    isUnread,
    bits,
  ] = row.facts.slice(1, -1).split(',');
  const id = Number(idText);
  const conversationId = Number(conversation);
  const channelId = channel === '' ? null : Number(channel);
  const senderId = Number(sender);
  return {
    id,
    conversationId,
    channelId,
    channelName: row.channelName,
    people: channelId === null ? of.peopleIn(conversationId) : null,
    senderId,
    sender: of.person(senderId),
    senderAvatarVersion: of.avatarVersion(senderId),
    topic: row.topic,
    topicLinks: row.topicLinks ?? [],
    content: row.content ?? (isMe === TRUE ? ME : ''),
    rendered: row.rendered ?? '',
    client: row.client,
    sentAt: dateOf(sent),
    editedAt: edited === '' ? null : dateOf(edited),
    movedAt: moved === '' ? null : dateOf(moved),
    mentionsEveryone: mentionsEveryone === TRUE,
    reactions: of.reactions(id),
    submessages: of.submessages(id),
    edits: of.edits(id),
    isReceived: isReceived === TRUE,
    isUnread: isUnread === TRUE,
    bits: Number(bits),
  };
}

const TRUE = 't';
const ME = '/me ';
const dateOf = (secondsText: string): Date => new Date(Number(secondsText) * 1000);
