// Marks messages as read, or as unread again.
import type { Chat } from '@rialto/sdk';

/** Few enough for a quick answer, so that progress can be shown and the act stopped. */
const PART = 1000;

export interface MarkProgress {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Gives the ids that were marked: all of them, unless it was stopped. */
export async function markMessages(
  chat: Pick<Chat, 'updateMessageFlags'>,
  ids: readonly number[],
  isRead: boolean,
  { signal, onProgress }: MarkProgress = {},
): Promise<readonly number[]> {
  for (let done = 0; done < ids.length; done += PART) {
    if (signal?.aborted === true) return ids.slice(0, done);
    const messages = ids.slice(done, done + PART);
    await chat.updateMessageFlags({ messages, op: isRead ? 'add' : 'remove', flag: 'read' });
    onProgress?.(Math.min(done + PART, ids.length));
  }
  return ids;
}
