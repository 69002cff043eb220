// The versions of a message, oldest first, computed backwards from the present one. If the history is too long for
// one answer, it has the first version and then the newest.
import { Type, type Static } from 'typebox';
import type { Db } from '../../../platform/db/pool.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { shownTopic } from '../../conversations/topics/shown.ts';
import { diffBounded } from '../../text/markdown/diff-pool.ts';
import { findFirstVersion, listVersions, type VersionRow } from '../message/history-store.ts';
import { type HistoryPolicy } from '../message/object.ts';
import type { MessageRow } from '../message/rows.ts';

export const MessageVersion = Type.Object(
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
export type MessageVersion = Static<typeof MessageVersion>;

type Told = Pick<
  MessageRow,
  'id' | 'topic' | 'content' | 'rendered' | 'sentAt' | 'senderId' | 'channelId'
>;

/** Time limit for all differences of one history. Versions beyond it are shown without them. */
const DIFFERENCES_MS = 2000;

/** Where only moves are shown, every version has the present text, so that no earlier text appears. */
export async function tellHistory(
  db: Db,
  message: Told,
  policy: Exclude<HistoryPolicy, 'none'>,
  allowsEmptyTopic: boolean,
  bytesMax: number,
): Promise<MessageVersion[]> {
  const isWhole = policy === 'all';
  const shown = (topic: string) =>
    message.channelId === null ? '' : shownTopic(topic, allowsEmptyTopic);
  const untilMs = performance.now() + DIFFERENCES_MS;
  let { topic, content, rendered } = message;
  const snapshots: MessageVersion[] = [];
  const { versions, isAll } = await listVersions(db, message.id, { isWhole, bytesMax });
  for (const edit of versions) {
    snapshots.push({
      topic: shown(topic),
      content: isWhole ? content : message.content,
      rendered_content: isWhole ? rendered : message.rendered,
      timestamp: unixSeconds(edit.at),
      user_id: edit.userId,
      ...(edit.prevTopic !== null && { prev_topic: shown(edit.prevTopic) }),
      ...(edit.prevChannelId !== null && {
        prev_stream: edit.prevChannelId,
        stream: edit.channelId ?? 0,
      }),
      ...(isWhole && (await contentChange(edit, rendered, untilMs))),
    });
    topic = edit.prevTopic ?? topic;
    content = edit.prevContent ?? content;
    rendered = edit.prevRendered ?? rendered;
  }
  const first = isAll ? { topic, content, rendered } : await findFirstVersion(db, message.id);
  snapshots.push({
    topic: shown(first.topic ?? topic),
    content: isWhole ? (first.content ?? content) : message.content,
    rendered_content: isWhole ? (first.rendered ?? rendered) : message.rendered,
    timestamp: unixSeconds(message.sentAt),
    user_id: message.senderId,
  });
  return snapshots.reverse();
}

async function contentChange(
  edit: VersionRow,
  rendered: string,
  untilMs: number,
): Promise<Partial<MessageVersion>> {
  if (edit.prevContent === null) return {};
  const before = edit.prevRendered ?? '';
  return {
    prev_content: edit.prevContent,
    prev_rendered_content: before,
    content_html_diff: await diffBounded(before, rendered, untilMs),
  };
}
