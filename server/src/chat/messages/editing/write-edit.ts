// Writes an edit that was checked, and sends its events.
import type { User } from '../../../accounts/user.ts';
import type { Context, OriginContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { isMeMessage } from '../../text/markdown/render.ts';
import { findAlerted } from '../alert-words/access.ts';
import { findChannelIdOf } from '../../conversations/channel/access.ts';
import type { Rendered } from '../../text/markdown/env.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import type { AccessedMessage } from '../message/access.ts';
import { audienceOf } from '../message/audience.ts';
import { messagesDeleted, type MessageUpdated, type UpdateDelivery } from '../message/events.ts';
import { invalidMessage } from '../message/errors.ts';
import { FLAG } from '../message/flags.ts';
import { followByMention } from '../../conversations/topics/automatic.ts';
import { checkMentions } from '../sending/mention-rights.ts';
import { findMentioned, listReached } from '../sending/reach.ts';
import {
  doesMentionEveryone,
  listHolders,
  listUnreadBy,
  recordEdit,
  writeContent,
  writeMove,
  type MessageMove,
} from '../message/move-store.ts';
import type { ChannelForReader, Target } from '../message/channels-for-reader.ts';
import { renderMessage } from '../sending/rendering.ts';
import { linksOfTopic } from '../sending/topic-links.ts';
import { listMessageRows, type MessageRow } from '../message/rows.ts';
import {
  drawRenameId,
  insertRename,
  type OfTopic,
  type Renaming,
} from '../message/rename-store.ts';
import { addFlags, clearFlags, drawPlace, listCalled, type Callee } from '../message/store.ts';
import { announceFirstMessage } from '../message/first-message.ts';
import { holdNamedFiles, replaceFiles } from '../uploads/claims.ts';
import type { Attachment } from '../uploads/events.ts';

export interface RenderedEdit {
  readonly content: string;
  readonly rendered: Rendered;
}

export async function renderEdit(
  ctx: OriginContext,
  actor: User,
  { rights }: AccessedMessage,
  settings: Readonly<Record<string, RealmValue>>,
  content: string,
): Promise<RenderedEdit> {
  const author = { rights, settings: actor.settings };
  const rendered = await renderMessage(ctx.db, ctx, author, settings, content);
  return { content, rendered };
}

export interface Edit {
  readonly actor: User;
  readonly seen: AccessedMessage;
  readonly change: {
    readonly topic: string | undefined;
    readonly target: ChannelForReader | undefined;
    readonly propagateMode: string;
    readonly isResolveToggle: boolean;
  };
  readonly rendered: RenderedEdit | undefined;
  /** Empty when nothing is moved. */
  readonly moved: readonly OfTopic[];
  /** The topic is renamed, and its messages stay as they are: all of them are in `moved`. */
  readonly renaming?: Renaming;
  /** Further messages move in later steps. The last one looks for the first message that stays in the channel. */
  readonly hasMore?: boolean;
  readonly settings: Readonly<Record<string, RealmValue>>;
  readonly nowMs: number;
}

export const HOLDERS_MAX = 10_000;

/** Returns the actor's files that are in no message any more. */
export async function applyEdit(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  edit: Edit,
): Promise<readonly Attachment[]> {
  const { actor, seen, change, rendered, moved, nowMs } = edit;
  const { message, channel } = seen;
  const at = new Date(nowMs);
  const to =
    change.target === undefined
      ? undefined
      : {
          channelId: change.target.channelId,
          conversationId: change.target.conversationId,
          placeSeq: await drawPlace(tx, change.target.conversationId),
        };
  const topicLinks = change.topic === undefined ? [] : await linksOfTopic(tx, change.topic);
  const [told, ...rest] = edit.renaming === undefined ? [moved] : inParts(moved, message.id);
  const movedIds = (told ?? []).map(({ id }) => id);
  const callees = change.target === undefined ? [] : await listCalled(tx, movedIds);
  const { renaming } = edit;
  // A message whose text changes together with its topic has one row of history for both.
  const rowIds = renaming === undefined ? movedIds : rendered === undefined ? [] : [message.id];
  const renameId = renaming === undefined ? 0 : await drawRenameId(tx);
  const move: MessageMove | undefined =
    rowIds.length === 0 || channel === undefined
      ? undefined
      : {
          ids: rowIds,
          topic: change.topic,
          topicLinks,
          fromChannelId: channel.channelId,
          to,
          isResolveToggle: change.isResolveToggle,
        };
  const reworded = rendered === undefined ? undefined : message.id;
  const isRecorded =
    (reworded === undefined && move === undefined) ||
    (await recordEdit(tx, { actorId: actor.id, at, reworded, move }));
  if (!isRecorded) throw invalidMessage();
  const { fields: contentFields, detached } =
    rendered === undefined
      ? { fields: {}, detached: [] }
      : await changeContent(tx, edit, rendered, at);
  if (renaming !== undefined) {
    const { isResolveToggle } = change;
    const rename = { id: renameId, actorId: actor.id, at, links: topicLinks, isResolveToggle };
    await insertRename(tx, renaming, rename);
  }
  if (move !== undefined) await writeMove(tx, move, at);
  const about = {
    type: 'update_message',
    user_id: actor.id,
    edit_timestamp: unixSeconds(nowMs),
    rendering_only: false,
    ...(channel !== undefined && { stream_id: channel.channelId, stream_name: channel.name }),
    ...moveFields(message, edit, topicLinks),
  } as const;
  const event: MessageUpdated = {
    ...about,
    flags: [],
    message_id: message.id,
    message_ids: moved.length > 0 ? movedIds : [message.id],
    ...contentFields,
    delivery: await describeDelivery(tx, message, channel, change.target, told ?? []),
  };
  await announce(tx, edit, event, to?.placeSeq, callees);
  for (const part of rest) {
    const [first] = await listMessageRows(tx, actor.id, [part[0]?.id ?? 0]);
    if (first === undefined) continue;
    const more: MessageUpdated = {
      ...about,
      flags: [],
      message_id: first.id,
      message_ids: part.map(({ id }) => id),
      delivery: await describeDelivery(tx, first, channel, undefined, part),
    };
    await announce(tx, { ...edit, seen: { ...seen, message: first } }, more, undefined, []);
  }
  if (channel !== undefined && change.target !== undefined) {
    if (edit.hasMore !== true) await announceFirstMessage(tx, channel);
    await announceFirstMessage(tx, change.target);
  }
  if (channel !== undefined && rendered !== undefined) {
    const topic = change.topic ?? message.topic;
    const { userIds } = rendered.rendered.mentions;
    const called = await listReached(tx, userIds, { kind: 'channel', channel, topic });
    await followByMention(tx, ctx, called, { ...channel, topic });
  }
  return detached;
}

/** Messages in one event. */
const TOLD_MAX = 5000;

/** The messages of a topic in the order of their events. The first event has the one that was named. */
function inParts(moved: readonly OfTopic[], namedId: number): readonly (readonly OfTopic[])[] {
  const parts: OfTopic[][] = [];
  const named = moved.filter(({ id }, n) => id === namedId && n >= TOLD_MAX);
  const others = named.length === 0 ? moved : moved.filter(({ id }) => id !== namedId);
  for (let from = 0; from < others.length; from += TOLD_MAX) {
    parts.push([...others.slice(from, from + TOLD_MAX), ...(from === 0 ? named : [])]);
  }
  return parts;
}

async function changeContent(
  tx: Tx,
  { actor, seen: { message, channel, rights }, change, settings }: Edit,
  { content, rendered }: RenderedEdit,
  at: Date,
): Promise<{ fields: Partial<MessageUpdated>; detached: readonly Attachment[] }> {
  const target: Target =
    channel === undefined
      ? { kind: 'direct', people: (message.people ?? []).map(({ id }) => id) }
      : { kind: 'channel', channel, topic: change.topic ?? message.topic };
  await checkMentions(tx, rights, rendered.mentions, target);
  const mentioned = await findMentioned(tx, rendered.mentions, target);
  const alerted = await listReached(tx, await findAlerted(tx, rendered.text), target);
  await clearFlags(tx, message.id, NAMED_BITS);
  const callees = await listCalled(tx, [message.id]);
  const still = callees
    .map(({ userId }) => userId)
    .filter((id) => mentioned.personally.includes(id));
  await addFlags(tx, message.id, FLAG.mentioned, [...new Set([...mentioned.told, ...still])]);
  await addFlags(tx, message.id, FLAG.namedPersonally, mentioned.personally);
  await addFlags(tx, message.id, FLAG.topicWildcard, mentioned.inTopic);
  await addFlags(tx, message.id, FLAG.alertWord, alerted);
  const fileIds = await holdNamedFiles(tx, actor.id, rendered.uploadPaths);
  await writeContent(tx, {
    id: message.id,
    at,
    content,
    rendered: rendered.html,
    text: rendered.text,
    mentionsEveryone: channel !== undefined && rendered.mentions.hasChannelWildcard,
    hasLink: rendered.hasLink,
    hasImage: rendered.hasImage,
    hasAttachment: fileIds.length > 0,
  });
  const detached = await replaceFiles(tx, actor, message.id, fileIds, rendered.html);
  return { fields: contentFields(message, settings, content, rendered.html), detached };
}

/** The event carries the earlier text only where the organization shows edit history. */
export const contentFields = (
  before: Pick<MessageRow, 'content' | 'rendered'>,
  settings: Readonly<Record<string, RealmValue>>,
  content: string,
  html: string,
): Partial<MessageUpdated> => ({
  ...(settings['message_edit_history_visibility_policy'] === 'all' && {
    orig_content: before.content,
    orig_rendered_content: before.rendered,
  }),
  content,
  rendered_content: html,
  is_me_message: isMeMessage(content),
});

/** The flags that say for whom a text is more than a message. */
export const NAMED_BITS =
  FLAG.mentioned | FLAG.topicWildcard | FLAG.namedPersonally | FLAG.alertWord;

function moveFields(
  message: MessageRow,
  { change, moved }: Edit,
  topicLinks: NonNullable<MessageUpdated['topic_links']>,
): Partial<MessageUpdated> {
  if (moved.length === 0) return {};
  return {
    orig_subject: message.topic,
    propagate_mode: change.propagateMode,
    ...(change.topic !== undefined && {
      subject: change.topic,
      topic_links: topicLinks,
    }),
    ...(change.target !== undefined && { new_stream_id: change.target.channelId }),
  };
}

export async function describeDelivery(
  db: Db,
  message: MessageRow,
  channel: Pick<ChannelForReader, 'channelId' | 'isProtected'> | undefined,
  target: ChannelForReader | undefined,
  moved: readonly OfTopic[],
): Promise<UpdateDelivery> {
  const mentionsEveryone = await doesMentionEveryone(db, message.id);
  return {
    unread_by: await listUnreadBy(db, message.id),
    holders: await listHolders(db, message.id, HOLDERS_MAX),
    mentions_everyone: mentionsEveryone,
    channel_id: target?.channelId ?? channel?.channelId ?? null,
    home_channel_id: await findChannelIdOf(db, message.homeId),
    seq: message.seq,
    // In a channel with protected history, delivery shows each reader only the messages that they received.
    ...(channel?.isProtected === true &&
      moved.length > 0 && {
        heard: { channel: channel.channelId, seqs: moved.map(({ placeSeq }) => placeSeq) },
      }),
  };
}

/**
 * A move to another channel is sent to the subscribers of both, once to each. Subscribers of the old channel who may
 * not read the new one get a deletion instead.
 */
async function announce(
  tx: Tx,
  edit: Edit,
  event: MessageUpdated,
  placeSeq: number | undefined,
  callees: readonly Callee[],
): Promise<void> {
  const { seen, change, moved } = edit;
  const { message, channel } = seen;
  if (channel === undefined || change.target === undefined) {
    const audience = await audienceOf(tx, message);
    // Delivery decides per reader which of several messages they received. A bot that was called to one of them must
    // not learn of the others.
    if ('channel' in audience && moved.length > 1) {
      const { heard: _one, called: _bots, ...all } = audience;
      tx.emit(event, all);
    } else {
      tx.emit(event, audience);
    }
    return;
  }
  const { target } = change;
  const oldOnes = { channel: channel.channelId, who: 'subscribers' } as const;
  const movedTo = {
    channel: target.channelId,
    ...(target.isProtected && placeSeq !== undefined && { seq: placeSeq }),
  };
  const { heard, ...delivery } = event.delivery as UpdateDelivery;
  const heardThere = heard === undefined ? {} : { heard };
  const toOld: MessageUpdated = {
    ...event,
    delivery: { ...delivery, ...heardThere, only_readers_of: movedTo },
  };
  tx.emit(toOld, oldOnes);
  const toNew: MessageUpdated = {
    ...event,
    delivery: { ...delivery, not_subscribers_of: channel.channelId },
  };
  tx.emit(toNew, { channel: target.channelId, who: 'subscribers' });
  const ids = moved.map(({ id }) => id);
  const from = { channelId: channel.channelId, topic: message.topic };
  tx.emit(messagesDeleted(ids, from, { not_readers_of: movedTo, ...heardThere }), oldOnes);
  // A bot that was called from outside learns only of the messages that it was called to.
  const thread = { kind: 'channel', channel, topic: message.topic } as const;
  const inside = await listReached(
    tx,
    callees.map(({ userId }) => userId),
    thread,
  );
  for (const { userId, messageIds } of callees) {
    if (inside.includes(userId)) continue;
    tx.emit(messagesDeleted(messageIds, from, { not_readers_of: movedTo }), { users: [userId] });
  }
}
