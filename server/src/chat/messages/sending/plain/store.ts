// Writes plain messages by one statement, the function post_messages of migration 0160.
import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/pool.ts';

/** People who follow the topic of a message from then on, unless they have set `max` topics, and what tells them so. */
interface Following {
  readonly people: readonly number[];
  readonly channel: number;
  readonly at: string;
  readonly max: number;
  readonly event: string;
  readonly muted_event: string;
}

/** One message as the function takes it, by the names that it has there. */
export interface PlainPost {
  /** What the decision to send it relied on, as the memory of facts says. */
  readonly about: readonly number[];
  readonly snapshots: readonly string[];
  readonly sender: number;
  /** The role that the sender's rights were found for. */
  readonly role: number;
  readonly topic: string;
  readonly topic_links: readonly { readonly text: string; readonly url: string }[];
  readonly content: string;
  readonly rendered: string;
  /** The text without markup, for search. */
  readonly plain: string;
  readonly client: string;
  readonly sent_at: string;
  readonly has_link: boolean;
  readonly has_image: boolean;
  /** Whether it is sent only if the topic has messages already. */
  readonly needs_topic: boolean;
  /** Whether it arrives as read for the sender. */
  readonly is_read: boolean;
  /** For whom else it does. */
  readonly read_by?: readonly number[];
  /** People who get flags on it, and which. */
  readonly flagged?: readonly number[];
  readonly bits?: readonly number[];
  readonly follow?: Following;
  /** The text of the event before the id, between the id and the number, and after it. */
  readonly event_a: string;
  readonly event_b: string;
  readonly event_c: string;
  /** Whom the event is for. */
  readonly audience: object;
  readonly local_id?: string;
  /** With a UUID: the hash of the request, and the path without the id. */
  readonly request?: string;
  readonly path?: string;
  /** With another local id: the queue that it belongs to. */
  readonly queue_id?: string;
}

/**
 * The id of a message that was written. `left`: it needs the long way. `stale`: so does it, because what was remembered
 * of its sender, of the people whom it concerns or of the channel no longer holds.
 */
export type PostResult = number | 'left' | 'stale';

/** Writes these messages to the conversation. */
export async function insertPlain(
  db: Db,
  conversationId: number,
  posts: readonly PlainPost[],
): Promise<PostResult[]> {
  const given = JSON.stringify(posts.map((post, n) => ({ n, ...post })));
  const { rows } = await sql<{ nth: number; messageId: bigint | null }>`
    SELECT nth, message_id FROM post_messages(${conversationId}, ${given}::jsonb)`.execute(db);
  // Ids of messages stay far below 2^53.
  const results = new Map<number, PostResult>(
    rows.map(({ nth, messageId: id }) => [nth, id === null ? 'left' : Number(id)]),
  );
  return posts.map((_post, n) => results.get(n) ?? 'stale');
}
