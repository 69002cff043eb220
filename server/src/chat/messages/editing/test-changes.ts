// The clock and the calls that the tests of edits and of moves share.
import { sql } from 'kysely';
import { afterEach } from 'vitest';
import { ok, type Actor, type MessageWorld } from '../../../testing/chat/world.ts';
import type { MessageObject } from '../message/object.ts';

/** A clock that a test can set forward; the next test has the real time again. */
export function useSettableClock() {
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  afterEach(() => {
    clock.offsetMs = 0;
  });
  return clock;
}

export const setRealm = async (
  { owner }: Pick<MessageWorld, 'owner'>,
  fields: Record<string, unknown>,
): Promise<void> => void ok(await owner.client.patch('/realm', fields));

export const channel = (operand: number) => ({ operator: 'channel', operand });
/** Edits without notices of the notification bot, which has its own tests. */
export const edit = (who: Actor, id: number, fields: Record<string, unknown>) =>
  who.client.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...fields });
export const remove = (who: Actor, id: number) => who.client.delete(`/messages/${id}`);

export async function read(who: Actor, id: number, more = {}): Promise<MessageObject> {
  const body = ok(await who.client.get(`/messages/${id}`, more));
  return body['message'] as MessageObject;
}

export const history = async (who: Actor, id: number) =>
  ok(await who.client.get(`/messages/${id}/history`))['message_history'] as Record<
    string,
    unknown
  >[];

/** Inserts messages as if they had been sent one after the other. Returns their ids. */
export async function fillTopic(
  { server }: Pick<MessageWorld, 'server'>,
  sender: Actor,
  at: { readonly channelId: number; readonly topic: string },
  count: number,
  sentAt = new Date(),
): Promise<number[]> {
  return server.ctx.db.transaction().execute(async (tx) => {
    await sql`SET LOCAL statement_timeout = 0`.execute(tx);
    const { rows } = await sql<{ id: bigint }>`
      WITH counted AS (
        UPDATE conversation_counters SET seq = seq + ${count}
         WHERE conversation_id = (SELECT conversation_id FROM channels WHERE id = ${at.channelId})
        RETURNING conversation_id, seq
      )
      INSERT INTO messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, content,
                            rendered, client, sent_at, content_words)
      SELECT nextval('message_ids'), conversation_id, conversation_id, n, n, ${sender.id}, ${at.topic},
             'word' || n % 1000 || ' of a message', '<p>text</p>', 'test', ${sentAt},
             words_of('word' || n % 1000 || ' of a message')
        FROM counted, generate_series(seq - ${count}::int + 1, seq) AS n ORDER BY n
      RETURNING id`.execute(tx);
    const ids = rows.map(({ id }) => Number(id));
    await sql`
      UPDATE conversation_counters SET last_seq = seq, last_id = ${ids.at(-1) ?? 0}
       WHERE conversation_id = (SELECT conversation_id FROM channels WHERE id = ${at.channelId})`.execute(
      tx,
    );
    await sql`
      UPDATE channels SET first_message_id = ${ids[0] ?? null}
       WHERE id = ${at.channelId} AND first_message_id IS NULL`.execute(tx);
    return ids;
  });
}
