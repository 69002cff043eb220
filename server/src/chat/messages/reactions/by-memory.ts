// Adds and removes reactions by what is remembered: one statement reads the message and its reactions, and one writes and
// tells. It decides as `actions.ts` does; whatever it would refuse, and whatever makes somebody follow a topic, is left to
// that.
import { sql } from 'kysely';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { FactReader } from '../../../platform/facts/memory.ts';
import { checkedTable, heldRow, writeByMemory } from '../../../platform/facts/write.ts';
import { mayFollowByTakingPart } from '../../conversations/topics/automatic.ts';
import { listEmojiBriefly } from '../../organization/custom-emoji/access.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { isMessageId } from '../message/access.ts';
import { audienceFrom, HOLDERS_MAX } from '../message/audience.ts';
import { FLAG, SHOWN_BITS } from '../message/flags.ts';
import { fromStanding, STANDING, whatIsReadable, type Standing } from '../message/standing.ts';
import { reactionChanged, type ReactionEmoji } from './events.ts';
import { emojiToAdd, emojiToRemove, type ReactionInput } from './choose.ts';

interface Reacted extends Standing {
  readonly id: bigint;
  readonly placeSeq: bigint;
  /** The reader's own reactions, in their order. */
  readonly own: readonly ReactionEmoji[];
  /** The name under which somebody already reacted with the emoji that was asked for. */
  readonly inUse: string | null;
  readonly kinds: number;
  readonly total: number;
  /** Bots that were called to it. */
  readonly called: readonly number[];
  /** People with flags on it. */
  readonly holders: readonly number[];
}

/** True if the reaction was added. */
export async function addByMemory(
  ctx: Context,
  actor: User,
  messageId: number,
  input: ReactionInput,
): Promise<boolean> {
  const done = await writeByMemory(ctx, async (facts) => {
    const custom = await listEmojiBriefly(facts.db);
    const { wanted, check } = emojiToAdd(input, custom);
    const message = await readMessage(facts, actor, messageId, wanted);
    if (message === undefined) return undefined;
    if (message.channelId !== null && mayFollowByTakingPart(actor)) return undefined;
    const inUse = message.inUse ?? undefined;
    check({ ...message, inUse });
    const emoji = { ...wanted, emoji_name: inUse ?? wanted.emoji_name };
    return write(facts, actor, 'add', message, emoji);
  });
  return done !== undefined;
}

/** True if the reaction was removed. */
export async function removeByMemory(
  ctx: Context,
  actor: User,
  messageId: number,
  input: ReactionInput,
): Promise<boolean> {
  const done = await writeByMemory(ctx, async (facts) => {
    const custom = await listEmojiBriefly(facts.db);
    const message = await readMessage(facts, actor, messageId);
    if (message === undefined) return undefined;
    const named = message.own.find(({ emoji_name }) => emoji_name === input.name);
    const ownNamed = named && { code: named.emoji_code, type: named.reaction_type };
    const { type, code } = emojiToRemove(input, custom, ownNamed);
    const emoji = message.own.find((one) => one.reaction_type === type && one.emoji_code === code);
    return emoji && write(facts, actor, 'remove', message, emoji);
  });
  return done !== undefined;
}

/** The message, if the actor may react to it. */
async function readMessage(
  { db }: FactReader,
  actor: User,
  messageId: number,
  wanted?: ReactionEmoji,
): Promise<Reacted | undefined> {
  if (!isMessageId(messageId)) return undefined;
  const rights = await readRights(db, actor);
  const found = await findReacted(db, actor.id, messageId, wanted);
  const { rows, channels } = await whatIsReadable(db, rights, found);
  return channels.some((channel) => channel.isArchived) ? undefined : rows[0];
}

async function findReacted(
  db: Db,
  readerId: number,
  messageId: number,
  wanted: ReactionEmoji | undefined,
): Promise<readonly Reacted[]> {
  const { rows } = await sql<Reacted>`
    SELECT m.id, m.place_seq, ${STANDING},
           coalesce((SELECT json_agg(json_build_object('emoji_name', r.emoji_name, 'emoji_code', r.emoji_code,
                              'reaction_type', r.reaction_type) ORDER BY r.id)
              FROM reactions r WHERE r.message_id = m.id AND r.user_id = ${readerId}), '[]') AS own,
           (SELECT r.emoji_name FROM reactions r
             WHERE r.message_id = m.id AND r.reaction_type = ${wanted?.reaction_type ?? ''}
               AND r.emoji_code = ${wanted?.emoji_code ?? ''} ORDER BY r.id LIMIT 1) AS in_use,
           counted.kinds, counted.total,
           ARRAY(SELECT h.user_id FROM message_flags h
                  WHERE h.message_id = m.id AND h.flags & ${sql.lit(FLAG.called)} <> 0
                    AND m.conversation_id = m.home_id ORDER BY h.user_id) AS called,
           ARRAY(SELECT h.user_id FROM message_flags h
                  WHERE h.message_id = m.id AND h.flags & ${sql.lit(SHOWN_BITS)} <> 0
                  ORDER BY h.user_id LIMIT ${HOLDERS_MAX}) AS holders
      FROM ${fromStanding(readerId, [messageId])}
     CROSS JOIN LATERAL (
       SELECT count(DISTINCT (r.reaction_type, r.emoji_code))::int AS kinds, count(*)::int AS total
         FROM reactions r WHERE r.message_id = m.id) AS counted`.execute(db);
  return rows;
}

/** Undefined if the message has moved or gone meanwhile, or the reaction is there already, or is not there any more. */
async function write(
  facts: FactReader,
  actor: User,
  op: 'add' | 'remove',
  { id, conversationId, placeSeq, channelId, people, called, holders }: Reacted,
  emoji: ReactionEmoji,
): Promise<object | undefined> {
  const messageId = Number(id);
  const payload = JSON.stringify(reactionChanged(op, messageId, emoji, actor));
  const audience = audienceFrom(
    { channelId, people: people ?? [], placeSeq: Number(placeSeq) },
    called,
    holders,
  );
  const changed =
    op === 'add'
      ? sql`INSERT INTO reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
            SELECT held.id, ${actor.id}, ${emoji.reaction_type}, ${emoji.emoji_code}, ${emoji.emoji_name} FROM held
            ON CONFLICT DO NOTHING RETURNING id`
      : sql`DELETE FROM reactions r USING held
             WHERE r.message_id = held.id AND r.user_id = ${actor.id} AND r.reaction_type = ${emoji.reaction_type}
               AND r.emoji_code = ${emoji.emoji_code} AND r.emoji_name = ${emoji.emoji_name} RETURNING r.id`;
  const { rows } = await sql<{ holds: boolean; changed: number }>`
    WITH ${checkedTable(facts)}, held AS MATERIALIZED (
      SELECT m.id FROM messages m, checked
       WHERE checked.holds AND m.id = ${messageId} AND m.conversation_id = ${conversationId}
         AND m.place_seq = ${placeSeq} FOR SHARE OF m
    ), changed AS (${changed}), told AS (
      INSERT INTO outbox (type, payload, audience)
      SELECT 'reaction', ${payload}, ${JSON.stringify(audience)}::jsonb FROM changed
    )
    SELECT checked.holds, (SELECT count(*) FROM changed)::int AS changed FROM checked`.execute(
    facts.db,
  );
  return heldRow(rows).changed === 1 ? emoji : undefined;
}
