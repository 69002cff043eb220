// The rules for a draft that need no database.
import { badRequest } from '../../http/errors.ts';
import { normalizeContent } from '../../text/markdown/content.ts';
import { normalizeTopic } from '../../conversations/topics/rules.ts';
import type { DraftInput } from './events.ts';

/** A draft as it is stored, before its recipients are looked up. */
export type DraftBody =
  | ({ readonly type: 'stream'; readonly channelId: number; readonly topic: string } & Written)
  | ({ readonly type: 'private'; readonly userIds: readonly number[] } & Written)
  | ({ readonly type: '' } & Written);

interface Written {
  readonly content: string;
  readonly editedAt: Date;
}

export function parseDraft(input: DraftInput, nowMs: number): DraftBody {
  if (input.topic.includes('\0')) throw badRequest('Topic must not contain null bytes');
  const written = {
    content: normalizeContent(input.content),
    editedAt: new Date(editedMs(input.timestamp, nowMs)),
  };
  if (input.type === 'stream') {
    const [channelId, ...others] = input.to;
    if (channelId === undefined || others.length > 0) {
      throw badRequest('Must specify exactly 1 channel ID for channel messages');
    }
    return { type: 'stream', channelId, topic: normalizeTopic(input.topic), ...written };
  }
  if (input.type === '') return { type: '', ...written };
  return { type: 'private', userIds: [...new Set(input.to)], ...written };
}

function editedMs(timestamp: number | undefined, nowMs: number): number {
  if (timestamp === undefined) return nowMs;
  if (timestamp < 0) throw badRequest('Timestamp must not be negative.');
  return timestamp * 1000;
}

/** The recipients as the author sees them: without the author, unless it is a note to self. May be empty. */
export function othersOf(authorId: number, userIds: readonly number[]): number[] {
  if (userIds.length === 0) return [];
  const others = userIds.filter((id) => id !== authorId).sort((a, b) => a - b);
  return others.length === 0 ? [authorId] : others;
}
