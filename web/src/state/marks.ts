// Marks messages as read: gathers what was seen, and tells the server once a second.
import type { Chat } from '@rialto/sdk';
import type { Core } from './core.ts';

export interface Marks {
  /** Messages that were seen. Those that are not unread cost nothing. */
  seen(ids: Iterable<number>): void;
  /** Tells the server at once what was gathered; for the end of the page. */
  flush(): void;
}

const EVERY_MS = 1000;
/** One request marks no more than this. */
const AT_ONCE = 1000;
/** After so many failures of one request, its messages stay unread. */
const ATTEMPTS_MAX = 5;

export function createMarks(
  chat: Pick<Chat, 'updateMessageFlags'>,
  core: Pick<Core, 'state'>,
): Marks {
  const waiting = new Map<number, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const later = (): void => {
    timer ??= setTimeout(send, EVERY_MS);
  };

  const send = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const ids = [...waiting.keys()].slice(0, AT_ONCE);
    const attempts = ids.map((id) => waiting.get(id) ?? 0);
    for (const id of ids) waiting.delete(id);
    if (waiting.size > 0) later();
    // Somebody else may have marked them in the meantime, such as another device.
    const unread = ids.filter((id) => core.state.unreadIndex.has(id));
    if (unread.length === 0) return;
    chat.updateMessageFlags({ messages: unread, op: 'add', flag: 'read' }).catch(() => {
      for (const [index, id] of ids.entries()) {
        const count = (attempts[index] ?? 0) + 1;
        if (count < ATTEMPTS_MAX && core.state.unreadIndex.has(id)) waiting.set(id, count);
      }
      if (waiting.size > 0) later();
    });
  };

  return {
    seen(ids) {
      for (const id of ids) {
        if (core.state.unreadIndex.has(id) && !waiting.has(id)) waiting.set(id, 0);
      }
      if (waiting.size > 0) later();
    },
    flush: send,
  };
}
