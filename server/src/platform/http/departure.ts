// Tells a handler that its client has gone. It has the part of an AbortSignal that a waiting call needs: thousands of polls
// wait at once, and a controller with its signal, its listeners and its error would cost each of them more than the wait.
import type { ServerResponse } from 'node:http';

export interface Departure {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** To be listened to until the answer is sent: the connection of an answered call may close too. */
export class ClientDeparture implements Departure {
  readonly #raw: ServerResponse;

  constructor(raw: ServerResponse) {
    this.#raw = raw;
  }

  get aborted(): boolean {
    return this.#raw.destroyed;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#raw.on('close', listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#raw.off('close', listener);
  }
}
