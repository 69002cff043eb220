// The message object of the API, made from a row.
import { Type, type Static } from 'typebox';
import { avatarUrl, UNKNOWN_AVATAR } from '../../../accounts/users/events.ts';
import { knows, shownEmail, shownName, type Sight } from '../../../accounts/users/sight.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { shownTopic } from '../../conversations/topics/shown.ts';
import { isMeMessage } from '../../text/markdown/render.ts';
import { flagNames } from './flags.ts';
import type { EditRow, PersonBrief } from './attached.ts';
import type { ShownRow } from './rows.ts';

const Person = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  full_name: Type.String(),
});

const Reaction = Type.Object({
  emoji_name: Type.String(),
  emoji_code: Type.String(),
  reaction_type: Type.String(),
  user_id: Type.Integer(),
  user: Person,
});

const Submessage = Type.Object({
  id: Type.Integer(),
  message_id: Type.Integer(),
  sender_id: Type.Integer(),
  msg_type: Type.String(),
  content: Type.String(),
});

const Edit = Type.Object({
  user_id: Type.Integer(),
  timestamp: Type.Integer(),
  prev_content: Type.Optional(Type.String()),
  prev_topic: Type.Optional(Type.String()),
  topic: Type.Optional(Type.String()),
  prev_stream: Type.Optional(Type.Integer()),
  stream: Type.Optional(Type.Integer()),
});

export const MessageObject = Type.Object(
  {
    id: Type.Integer(),
    sender_id: Type.Integer(),
    sender_email: Type.String(),
    sender_full_name: Type.String(),
    sender_realm_str: Type.String(),
    avatar_url: Type.Union([Type.String(), Type.Null()]),
    client: Type.String(),
    type: Type.Union([Type.Literal('stream'), Type.Literal('private')]),
    display_recipient: Type.Union([
      Type.String(),
      Type.Array(
        Type.Object({
          id: Type.Integer(),
          email: Type.String(),
          full_name: Type.String(),
          is_mirror_dummy: Type.Boolean(),
        }),
      ),
    ]),
    stream_id: Type.Optional(Type.Integer()),
    recipient_id: Type.Integer(),
    subject: Type.String({ description: 'The topic; empty in direct messages.' }),
    topic_links: Type.Array(Type.Object({ text: Type.String(), url: Type.String() })),
    content: Type.String(),
    content_type: Type.Union([Type.Literal('text/html'), Type.Literal('text/x-markdown')]),
    timestamp: Type.Integer(),
    is_me_message: Type.Boolean(),
    reactions: Type.Array(Reaction),
    submessages: Type.Array(Submessage),
    last_edit_timestamp: Type.Optional(Type.Integer()),
    last_moved_timestamp: Type.Optional(Type.Integer()),
    edit_history: Type.Optional(Type.Array(Edit)),
    flags: Type.Optional(Type.Array(Type.String())),
    match_content: Type.Optional(Type.String()),
    match_subject: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type MessageObject = Static<typeof MessageObject>;

export type HistoryPolicy = 'all' | 'moves' | 'none';

export interface ObjectOptions {
  readonly applyMarkdown: boolean;
  readonly allowsEmptyTopic: boolean;
  readonly historyPolicy: HistoryPolicy;
  /** What the reader sees of people. */
  readonly sight: Sight;
}

/** Without flags, which differ per reader: events carry them beside the message. */
export function messageObject(row: ShownRow, options: ObjectOptions): MessageObject {
  const { applyMarkdown, allowsEmptyTopic, sight } = options;
  const isChannel = row.channelId !== null;
  const history = editHistory(row.edits, options);
  return {
    id: row.id,
    sender_id: row.senderId,
    sender_email: shownEmail(sight, row.sender),
    sender_full_name: shownName(sight, row.sender),
    sender_realm_str: '',
    avatar_url: avatarUrl(
      knows(sight, row.senderId)
        ? { id: row.senderId, avatarVersion: row.senderAvatarVersion }
        : UNKNOWN_AVATAR,
    ),
    client: row.client,
    type: isChannel ? 'stream' : 'private',
    display_recipient: isChannel
      ? (row.channelName ?? '')
      : (row.people ?? []).map((one) => ({ ...personOf(sight, one), is_mirror_dummy: false })),
    ...(row.channelId !== null && { stream_id: row.channelId }),
    recipient_id: row.conversationId,
    subject: isChannel ? shownTopic(row.topic, allowsEmptyTopic) : '',
    topic_links: [...row.topicLinks],
    content: applyMarkdown ? row.rendered : row.content,
    content_type: applyMarkdown ? 'text/html' : 'text/x-markdown',
    timestamp: unixSeconds(row.sentAt),
    is_me_message: isMeMessage(row.content),
    reactions: row.reactions.map((one) => ({ ...one, user: personOf(sight, one.user) })),
    submessages: [...row.submessages],
    ...(row.editedAt !== null && { last_edit_timestamp: unixSeconds(row.editedAt) }),
    ...(row.movedAt !== null && { last_moved_timestamp: unixSeconds(row.movedAt) }),
    ...(history.length > 0 && { edit_history: history }),
  };
}

const personOf = (sight: Sight, person: PersonBrief): Static<typeof Person> => ({
  id: person.id,
  email: shownEmail(sight, person),
  full_name: shownName(sight, person),
});

export const withFlags = (row: ShownRow, object: MessageObject): MessageObject => ({
  ...object,
  flags: flagNames(row),
});

/** Newest first, as far as the organization shows it. The HTML of earlier versions is only in the history. */
function editHistory(
  edits: readonly EditRow[],
  { historyPolicy, allowsEmptyTopic }: ObjectOptions,
): Static<typeof Edit>[] {
  if (historyPolicy === 'none') return [];
  const isShown = (edit: EditRow) => historyPolicy === 'all' || isMove(edit);
  return edits
    .filter(isShown)
    .map((edit) => ({
      user_id: edit.user_id,
      timestamp: edit.timestamp,
      ...(historyPolicy === 'all' &&
        edit.prev_content !== null && {
          prev_content: edit.prev_content,
        }),
      ...(edit.prev_topic !== null && {
        prev_topic: shownTopic(edit.prev_topic, allowsEmptyTopic),
        topic: shownTopic(edit.topic ?? '', allowsEmptyTopic),
      }),
      ...(edit.prev_channel_id !== null && {
        prev_stream: edit.prev_channel_id,
        stream: edit.channel_id ?? 0,
      }),
    }))
    .reverse();
}

export const isMove = (edit: EditRow): boolean =>
  edit.prev_topic !== null || edit.prev_channel_id !== null;
