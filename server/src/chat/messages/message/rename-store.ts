// Renames a topic as one row, and lists its messages for the event (decision 0106).
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/transaction.ts';
import { keyOf, putName, wasRenamed } from '../../conversations/topics/names.ts';
import type { Readable } from './move-store.ts';

export interface Renaming {
  readonly conversationId: number;
  readonly key: string;
  readonly from: string;
  readonly to: string;
  /** The name differs in large and small letters alone. */
  readonly isSpelling: boolean;
  /** It has a row already. */
  readonly isNamed: boolean;
}

export interface RenamePlace {
  readonly conversationId: number;
  readonly from: string;
  readonly to: string;
  readonly readable: Readable;
}

/**
 * The topic as it would be renamed; undefined if its messages have to move one by one: because some of them may not be
 * read, the new name has messages, or a process of an older release runs. The caller has locked the conversation.
 */
export async function findRenaming(
  tx: Tx,
  { conversationId, from, to, readable }: RenamePlace,
): Promise<Renaming | undefined> {
  // The empty topic has many meanings elsewhere, and always is its own key.
  if (from === '' || to === '') return undefined;
  const { rows } = await sql<{
    key: string | null;
    isSpelling: boolean;
    isNamed: boolean;
    isPossible: boolean;
  }>`
    SELECT key, is_spelling, is_named,
           length(key) <= 60 AND lower(key) = key AND (is_named OR all_know_topic_keys())
           AND (is_spelling OR NOT EXISTS (
             SELECT FROM messages m WHERE m.conversation_id = ${conversationId}
                AND lower(m.topic) = ${keyOf(conversationId, to)}))
           AND (${readable}::int8multirange IS NULL OR NOT EXISTS (
             SELECT FROM messages m WHERE m.conversation_id = ${conversationId} AND lower(m.topic) = key
                AND NOT ${readable}::int8multirange @> m.place_seq)) AS is_possible
      FROM (SELECT topic_key(${conversationId}, ${from}) AS key, lower(${from}) = lower(${to}) AS is_spelling,
                   ${wasRenamed(conversationId, from)} AS is_named OFFSET 0) AS topic`.execute(tx);
  const row = rows[0];
  if (row === undefined || row.key === null || !row.isPossible) return undefined;
  const { key, isSpelling, isNamed } = row;
  return { conversationId, key, from, to, isSpelling, isNamed };
}

/** Draws the place of a rename in the history of messages. What is written to it later comes after the rename. */
export async function drawRenameId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT nextval('message_edits_id_seq') AS id`.execute(tx);
  return Number(rows[0]?.id ?? 0);
}

export interface NewRename {
  readonly id: number;
  readonly actorId: number;
  readonly at: Date;
  readonly links: readonly unknown[];
  readonly isResolveToggle: boolean;
}

export async function insertRename(
  tx: Tx,
  { conversationId, key, to }: Renaming,
  { id, actorId, at, links, isResolveToggle }: NewRename,
): Promise<void> {
  const { before, lastId } = await putName(tx, {
    conversationId,
    key,
    name: to,
    links,
    moved: isResolveToggle ? undefined : { id, at },
  });
  await sql`
    INSERT INTO topic_renames (id, conversation_id, key, user_id, at, prev_name, name, is_resolve_toggle, last_id)
    VALUES (${id}, ${conversationId}, ${key}, ${actorId}, ${at}, ${before}, ${to}, ${isResolveToggle}, ${lastId})`.execute(
    tx,
  );
}

export interface OfTopic {
  readonly id: number;
  readonly placeSeq: number;
}

/** All messages of the topic, ascending. Their numbers are wanted only where history is protected. */
export async function listOfTopic(
  tx: Tx,
  { conversationId, key }: Pick<Renaming, 'conversationId' | 'key'>,
  isProtected: boolean,
): Promise<OfTopic[]> {
  const { rows } = await sql<{ ids: string | null; seqs: string | null }>`
    SELECT string_agg(id::text, ',' ORDER BY id) AS ids,
           string_agg(CASE WHEN ${isProtected} THEN place_seq ELSE 0 END::text, ',' ORDER BY id) AS seqs
      FROM messages WHERE conversation_id = ${conversationId} AND lower(topic) = ${key}`.execute(
    tx,
  );
  const seqs = JSON.parse(`[${rows[0]?.seqs ?? ''}]`) as number[];
  const ids = JSON.parse(`[${rows[0]?.ids ?? ''}]`) as number[];
  return ids.map((id, n) => ({ id, placeSeq: seqs[n] ?? 0 }));
}
