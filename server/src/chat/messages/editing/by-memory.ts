// Changes the text of one's own message by what is remembered: three statements read what the event says, and one checks,
// writes and tells. It decides as `edit.ts` does; whatever it would refuse, and a text that names somebody or has files,
// before or after, is left to that.
import { sql } from 'kysely';
import type { User } from '../../../accounts/user.ts';
import type { OriginContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { FactsChanged, type FactReader } from '../../../platform/facts/memory.ts';
import { writeByMemory } from '../../../platform/facts/write.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { NAME } from '../../conversations/topics/names.ts';
import { mayAlert } from '../alert-words/access.ts';
import { isMessageId } from '../message/access.ts';
import { audienceFrom, HOLDERS_MAX as AUDIENCE_MAX } from '../message/audience.ts';
import type { MessageUpdated } from '../message/events.ts';
import { FLAG, SHOWN_BITS } from '../message/flags.ts';
import { EDITS_BYTES, EDITS_MAX } from '../message/limits.ts';
import { listHolders, listUnreadBy } from '../message/move-store.ts';
import { fromStanding, STANDING, whatIsReadable, type Standing } from '../message/standing.ts';
import { prepareMessage } from '../sending/prepare.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { checkContentEdit, checkExpected, wordedAs, type EditInput } from './content.ts';
import { contentFields, HOLDERS_MAX, NAMED_BITS } from './write-edit.ts';

interface Seen extends Standing {
  readonly seq: bigint;
  readonly placeSeq: bigint;
  readonly senderId: number;
  readonly topic: string;
  readonly content: string;
  readonly rendered: string;
  readonly sentAt: Date;
  /** The channel that it was sent to. */
  readonly homeChannelId: number | null;
}

/** True if the text was changed. */
export async function editByMemory(
  ctx: OriginContext,
  actor: User,
  messageId: number,
  input: EditInput,
): Promise<boolean> {
  const done = await writeByMemory(ctx, (facts) => edit(facts, ctx, actor, messageId, input));
  return done !== undefined;
}

async function edit(
  facts: FactReader,
  ctx: OriginContext,
  actor: User,
  messageId: number,
  input: EditInput,
): Promise<object | undefined> {
  const { db } = facts;
  const { content: asked, topic, channelId, propagateMode } = input;
  const isReworded =
    topic === undefined && channelId === undefined && propagateMode === 'change_one';
  if (asked === undefined || !isReworded || !isMessageId(messageId)) return undefined;
  const found = await findSeen(db, actor.id, messageId);
  const { rows, channels } = await whatIsReadable(db, await readRights(db, actor), found);
  const [message] = rows;
  const [channel] = channels;
  if (message === undefined || channel?.isArchived === true) return undefined;
  const content = wordedAs(asked);
  const { rendered, organization } = await prepareMessage(db, ctx, actor, content);
  const nowMs = ctx.clock.now();
  checkContentEdit(actor, organization, message, nowMs);
  checkExpected(message.content, input.prevContentSha256);
  const { mentions, uploadPaths, text } = rendered;
  const { userIds, groupIds, hasChannelWildcard, hasTopicWildcard } = mentions;
  const named = userIds.length + groupIds.length + uploadPaths.length;
  if (named > 0 || hasChannelWildcard || hasTopicWildcard) return undefined;
  if (content === message.content || (await mayAlert(db, text))) return undefined;
  const unreadBy = await listUnreadBy(db, messageId);
  const holders = await listHolders(db, messageId, HOLDERS_MAX);
  if (holders.some(({ bits }) => (bits & (NAMED_BITS | FLAG.called)) !== 0)) return undefined;
  const also = holders.flatMap(({ bits, user_ids }) => ((bits & SHOWN_BITS) === 0 ? [] : user_ids));
  if (also.length > AUDIENCE_MAX) return undefined;
  const event: MessageUpdated = {
    type: 'update_message',
    user_id: actor.id,
    edit_timestamp: unixSeconds(nowMs),
    message_id: messageId,
    message_ids: [messageId],
    flags: [],
    rendering_only: false,
    ...contentFields(message, organization, content, rendered.html),
    ...(channel !== undefined && { stream_id: channel.channelId, stream_name: channel.name }),
    delivery: {
      unread_by: unreadBy,
      holders: [...holders],
      mentions_everyone: false,
      channel_id: channel?.channelId ?? null,
      home_channel_id: message.homeChannelId,
      seq: Number(message.seq),
    },
  };
  const audience = audienceFrom(
    {
      channelId: message.channelId,
      people: message.people ?? [],
      placeSeq: Number(message.placeSeq),
    },
    [],
    also.sort((a, b) => a - b),
  );
  const { about, snapshots } = facts.basis();
  const given = {
    id: messageId,
    conversation: message.conversationId,
    place_seq: Number(message.placeSeq),
    topic: message.topic,
    role: actor.role,
    seen: message.content,
    content,
    rendered: rendered.html,
    plain: text,
    at: new Date(nowMs).toISOString(),
    has_link: rendered.hasLink,
    has_image: rendered.hasImage,
    bits: NAMED_BITS | FLAG.called,
    edits_max: EDITS_MAX,
    bytes_max: EDITS_BYTES,
    payload: JSON.stringify(event),
    audience,
  };
  const { rows: outcome } = await sql<{ done: boolean | null }>`
    SELECT edit_message(${actor.id}, ${JSON.stringify(given)}::jsonb, ${[...about]}::int[],
                        ${[...snapshots]}::text[]::pg_snapshot[]) AS done`.execute(db);
  if (outcome[0]?.done === false) throw new FactsChanged();
  return outcome[0]?.done === true ? given : undefined;
}

async function findSeen(db: Db, readerId: number, messageId: number): Promise<readonly Seen[]> {
  const { rows } = await sql<Seen>`
    SELECT m.seq, m.place_seq, m.sender_id, ${NAME} AS topic, m.content, m.rendered, m.sent_at, ${STANDING},
           (SELECT home.id FROM channels home WHERE home.conversation_id = m.home_id) AS home_channel_id
      FROM ${fromStanding(readerId, [messageId])}`.execute(db);
  return rows;
}
