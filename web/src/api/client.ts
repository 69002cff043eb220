// The API for the person who is signed in: the SDK with the cookies of the page.
import { Chat } from '@rialto/sdk';
import type { Boot } from './boot.ts';

export interface Client {
  readonly boot: Boot;
  readonly chat: Chat;
  /** Calls the listener whenever the server refuses the session of the page. */
  readonly onRefused: (listener: () => void) => () => void;
}

/**
 * The token is that of the page and not that of the cookie: after somebody else has signed in, an old page is refused
 * instead of writing in their name.
 *
 * `url` is the origin of the page, unless a test says otherwise.
 */
export function createClient(boot: Boot, url: string = globalThis.location.origin): Client {
  const listeners = new Set<() => void>();
  const chat = new Chat({
    url,
    session: { csrfToken: boot.csrfToken },
    onAttempt({ status, code }) {
      if (status !== 401 && code !== 'CSRF_FAILED') return;
      for (const listener of listeners) listener();
    },
  });
  return {
    boot,
    chat,
    onRefused(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
