// The event loop with a callback.
import type { ChatMethods } from '../methods.generated.ts';
import { followQueue } from './follow.ts';
import type { AnyEvent, EventsOptions } from './shapes.ts';

export interface Listening {
  /** Resolves when the loop has ended by `stop`; rejects with what ended it otherwise. */
  readonly done: Promise<void>;
  /**
   * Ends the loop after the event that is being handled, and resolves when it has ended. Inside `handle`, call it without
   * waiting for it.
   */
  stop(): Promise<void>;
}

/** Calls `handle` for each event and waits for it before the next one. What it throws ends the loop. */
export function listen(
  chat: ChatMethods,
  options: EventsOptions,
  handle: (event: AnyEvent) => unknown,
): Listening {
  const ending = new AbortController();
  const signal =
    options.signal === undefined ? ending.signal : AbortSignal.any([options.signal, ending.signal]);
  const run = async (): Promise<void> => {
    try {
      for await (const event of followQueue(chat, { ...options, signal })) await handle(event);
    } catch (error) {
      if (!ending.signal.aborted) throw error;
    }
  };
  const done = run();
  // Told to those who wait for `done`; without them it must not end the program.
  done.catch(() => undefined);
  return {
    done,
    async stop() {
      ending.abort();
      await done;
    },
  };
}
