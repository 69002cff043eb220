// The only function that creates messages: writes the row, the flags and the event. The caller has checked that the
// message may be sent.
import { IN_THE_LOG } from '../../../accounts/users/sight.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { Audience } from '../../../platform/events/event.ts';
import { findAlerted } from '../alert-words/access.ts';
import { insertCalls } from '../bot-services/access.ts';
import { openDirectConversation } from '../../conversations/direct/access.ts';
import type { Rendered } from '../../text/markdown/env.ts';
import { listMuters } from '../muted-users/access.ts';
import { markMessages } from '../read-state/marking.ts';
import { claimFiles, holdNamedFiles } from '../uploads/claims.ts';
import type { FormWidget } from '../widgets/given.ts';
import { parseWidget } from '../widgets/parse.ts';
import { messageSent } from '../message/events.ts';
import { FLAG } from '../message/flags.ts';
import { findMentioned, listCallable, listReached, type Mentioned } from './reach.ts';
import { messageObject } from '../message/object.ts';
import type { ChannelRef, Target } from '../message/channels-for-reader.ts';
import { linksOfTopic } from './topic-links.ts';
import { listMessageRows, type MessageRow } from '../message/rows.ts';
import {
  addFlags,
  insertMessage,
  insertWidget,
  lockCounters,
  type Drawn,
  type NewMessage,
} from '../message/store.ts';

export interface Posting {
  readonly sender: Pick<User, 'id' | 'email' | 'fullName' | 'emailVisibility' | 'avatarVersion'>;
  readonly target: Target<ChannelRef>;
  readonly content: string;
  readonly rendered: Rendered;
  readonly client: string;
  /** For these people the message arrives as read: usually the sender, or nobody. */
  readonly readBy: readonly number[];
  /** A widget from the request; otherwise the text may ask for one. */
  readonly widget?: FormWidget | undefined;
  readonly echo?: { readonly queueId: string; readonly localId: string } | undefined;
}

/** How a message is sent, beside what it says and whom it is for. */
export interface Manner extends Pick<Posting, 'client' | 'echo' | 'widget'> {
  /** Whether the message arrives as read for the sender. */
  readonly isRead: boolean;
}

export interface Posted {
  readonly id: number;
  /** People who get the message and are mentioned in it by name. */
  readonly toldByName: readonly number[];
}

/** Writes the message and emits its event. */
export async function post(tx: Tx, ctx: Pick<Context, 'clock'>, posting: Posting): Promise<Posted> {
  const { sender, target, rendered } = posting;
  const isChannel = target.kind === 'channel';
  const conversationId = isChannel
    ? target.channel.conversationId
    : await openDirectConversation(tx, target.people);
  const topic = isChannel ? target.topic : '';
  // Lookups that do not depend on the subscribers come before the lock, because other senders wait for it.
  const topicLinks = isChannel ? await linksOfTopic(tx, topic) : [];
  const alertable = await findAlerted(tx, rendered.text);
  const muters = await listMuters(tx, sender.id);
  const fileIds = await holdNamedFiles(tx, sender.id, rendered.uploadPaths);
  // Subscribers must not change before the message has its number. If no lookup depends on them, the lock taken by
  // the insert is enough.
  const calls = hasMentions(rendered) || alertable.length > 0 || muters.length > 0;
  if (calls || posting.readBy.length > 0) await lockCounters(tx, [conversationId]);
  const reached = await findMentioned(tx, rendered.mentions, target);
  const called = await listCallable(tx, sender.id, rendered.mentions, target);
  const mentioned = { ...reached, told: [...reached.told, ...called] };
  const place = { conversationId, topic, topicLinks };
  const message = messageOf(ctx, posting, place, fileIds.length > 0);
  const inserted = await insertMessage(tx, message);
  const drawn = { id: inserted.id, seq: inserted.seq };
  const { id, seq } = drawn;
  await claimFiles(tx, id, fileIds, rendered.html);
  await storeMentions(tx, id, mentioned);
  await addFlags(tx, id, FLAG.called, called);
  const alerted = await listReached(tx, alertable, target);
  await addFlags(tx, id, FLAG.alertWord, alerted);
  await callBots(tx, sender.id, id, target, mentioned);
  const widget = posting.widget ?? parseWidget(posting.content);
  if (widget !== undefined) await insertWidget(tx, id, sender.id, JSON.stringify(widget));
  // For people who muted the sender, the message arrives as read.
  const noNews = new Set([...posting.readBy, ...muters]);
  const readBy = await listReached(tx, [...noNews], target);
  for (const userId of readBy) {
    await markMessages(tx, userId, [{ homeId: conversationId, seq }], true);
  }
  const isKnown = isChannel && target.channel.name !== undefined && widget === undefined;
  const row = isKnown
    ? rowOfFresh({ ...message, topic: inserted.topic }, drawn, sender, whereIn(target.channel))
    : await readBack(tx, sender.id, id);
  announce(tx, posting, drawn, row, { mentioned, called, alerted, readBy });
  // The counter is still locked, so these are the people who get the message when it is committed.
  return { id, toldByName: listNamed(reached) };
}

/** The message that is written for a posting. */
export const messageOf = (
  ctx: Pick<Context, 'clock'>,
  { sender, target, content, rendered, client }: Posting,
  place: Pick<NewMessage, 'conversationId' | 'topic' | 'topicLinks'>,
  hasAttachment: boolean,
): NewMessage => ({
  ...place,
  senderId: sender.id,
  content,
  rendered: rendered.html,
  text: rendered.text,
  client,
  sentAt: new Date(ctx.clock.now()),
  mentionsEveryone: target.kind === 'channel' && rendered.mentions.hasChannelWildcard,
  hasLink: rendered.hasLink,
  hasImage: rendered.hasImage,
  hasAttachment,
});

const hasMentions = ({ mentions }: Rendered): boolean =>
  mentions.userIds.length + mentions.groupIds.length > 0 || mentions.hasTopicWildcard;

async function readBack(tx: Tx, readerId: number, id: number): Promise<MessageRow> {
  const [row] = await listMessageRows(tx, readerId, [id]);
  if (row === undefined) throw new Error(`Message ${id} was written and cannot be read.`);
  return row;
}

/** Where a message is, as its row has it. */
export type Where = Pick<MessageRow, 'channelId' | 'channelName' | 'people'>;

export const whereIn = ({ channelId, name }: ChannelRef): Where => ({
  channelId,
  channelName: name ?? null,
  people: null,
});

/** The row that reading back the new message would return. */
export const rowOfFresh = (
  { text: _t, hasLink: _l, hasImage: _i, hasAttachment: _a, ...message }: NewMessage,
  { id, seq }: Drawn,
  sender: Posting['sender'],
  where: Where,
): MessageRow => ({
  ...message,
  ...where,
  id,
  seq,
  homeId: message.conversationId,
  placeSeq: seq,
  sender,
  senderAvatarVersion: sender.avatarVersion,
  editedAt: null,
  movedAt: null,
  reactions: [],
  submessages: [],
  edits: [],
  isReceived: true,
  isUnread: false,
  bits: 0,
});

const listNamed = ({ told, personally }: Mentioned): number[] =>
  told.filter((userId) => personally.includes(userId));

/** Queues calls to outgoing-webhook bots: those mentioned by name, and those in the direct conversation. */
async function callBots(
  tx: Tx,
  senderId: number,
  id: number,
  target: Target<ChannelRef>,
  mentioned: Mentioned,
): Promise<void> {
  if (target.kind === 'direct') {
    await insertCalls(tx, id, senderId, target.people, 'direct_message');
    return;
  }
  const named = listNamed(mentioned);
  if (named.length > 0) await insertCalls(tx, id, senderId, named, 'mention');
}

async function storeMentions(tx: Tx, id: number, mentioned: Mentioned): Promise<void> {
  await addFlags(tx, id, FLAG.mentioned, mentioned.told);
  await addFlags(tx, id, FLAG.namedPersonally, mentioned.personally);
  await addFlags(tx, id, FLAG.topicWildcard, mentioned.inTopic);
}

/** The people for whom the message gets flags. */
interface Concerned {
  readonly mentioned: Mentioned;
  /** Bots outside the channel. */
  readonly called: readonly number[];
  readonly alerted: readonly number[];
  readonly readBy: readonly number[];
}

function announce(
  tx: Tx,
  posting: Posting,
  drawn: Drawn,
  row: MessageRow,
  concerned: Concerned,
): void {
  const { event, audience } = announcementOf(posting, drawn, row, concerned);
  tx.emit(event, audience);
}

/** The event of a new message, and whom it is for. */
export function announcementOf(
  { target, content, rendered, echo }: Posting,
  { seq }: Drawn,
  row: MessageRow,
  { mentioned, called, alerted, readBy }: Concerned,
): { readonly event: ReturnType<typeof messageSent>; readonly audience: Audience } {
  const object = messageObject(row, {
    applyMarkdown: true,
    allowsEmptyTopic: true,
    historyPolicy: 'none',
    sight: IN_THE_LOG,
  });
  const isChannel = target.kind === 'channel';
  const event = messageSent(object, {
    markdown: content,
    channel_id: isChannel ? target.channel.channelId : null,
    seq,
    read_by: [...readBy],
    mentioned: [...mentioned.told],
    topic_mentioned: [...mentioned.inTopic],
    alerted: [...alerted],
    mentions_everyone: isChannel && rendered.mentions.hasChannelWildcard,
    ...(echo !== undefined && { queue_id: echo.queueId, local_id: echo.localId }),
  });
  const audience: Audience = isChannel
    ? {
        channel: target.channel.channelId,
        who: 'subscribers',
        isMessage: true,
        ...(called.length > 0 && { called }),
      }
    : { users: target.people };
  return { event, audience };
}
