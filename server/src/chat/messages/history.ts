// The versions of a message, oldest first, from what it is now and what each edit changed.
import { Type, type Static } from 'typebox';
import { diffHtml } from '../markdown/diff.ts';
import { isMove, seconds, shownTopic, type HistoryPolicy } from './object.ts';
import type { EditRow, MessageRow } from './rows.ts';

export const Snapshot = Type.Object(
  {
    topic: Type.String(),
    content: Type.String({ description: 'Markdown' }),
    rendered_content: Type.String({ description: 'HTML' }),
    timestamp: Type.Integer(),
    user_id: Type.Union([Type.Integer(), Type.Null()]),
    prev_topic: Type.Optional(Type.String()),
    prev_stream: Type.Optional(Type.Integer()),
    stream: Type.Optional(Type.Integer()),
    prev_content: Type.Optional(Type.String()),
    prev_rendered_content: Type.Optional(Type.String()),
    content_html_diff: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type Snapshot = Static<typeof Snapshot>;

type Told = Pick<
  MessageRow,
  'topic' | 'content' | 'rendered' | 'sentAt' | 'senderId' | 'edits' | 'channelId'
>;

/** Where only moves are shown, every version has the present text, so that no earlier wording shows. */
export function tellHistory(
  message: Told,
  policy: Exclude<HistoryPolicy, 'none'>,
  allowsEmptyTopic: boolean,
): Snapshot[] {
  const isWhole = policy === 'all';
  const shown = (topic: string) =>
    message.channelId === null ? '' : shownTopic(topic, allowsEmptyTopic);
  let { topic, content, rendered } = message;
  const snapshots: Snapshot[] = [];
  for (const edit of message.edits.toReversed()) {
    if (isWhole || isMove(edit)) {
      snapshots.push({
        topic: shown(topic),
        content: isWhole ? content : message.content,
        rendered_content: isWhole ? rendered : message.rendered,
        timestamp: edit.timestamp,
        user_id: edit.user_id,
        ...(edit.prev_topic !== null && { prev_topic: shown(edit.prev_topic) }),
        ...(edit.prev_channel_id !== null && {
          prev_stream: edit.prev_channel_id,
          stream: edit.channel_id ?? 0,
        }),
        ...(isWhole && contentChange(edit, rendered)),
      });
    }
    topic = edit.prev_topic ?? topic;
    content = edit.prev_content ?? content;
    rendered = edit.prev_rendered ?? rendered;
  }
  snapshots.push({
    topic: shown(topic),
    content: isWhole ? content : message.content,
    rendered_content: isWhole ? rendered : message.rendered,
    timestamp: seconds(message.sentAt),
    user_id: message.senderId,
  });
  return snapshots.reverse();
}

function contentChange(edit: EditRow, rendered: string): Partial<Snapshot> {
  if (edit.prev_content === null) return {};
  const before = edit.prev_rendered ?? '';
  return {
    prev_content: edit.prev_content,
    prev_rendered_content: before,
    content_html_diff: diffHtml(before, rendered),
  };
}
