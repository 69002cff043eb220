// The client of the chat API.
import { attempt } from '../http/attempts.ts';
import { sessionHeaders } from '../http/session.ts';
import { createTransport, type Transport } from '../http/transport.ts';
import type { CallOptions, ClientOptions, SessionOptions } from '../options.ts';
import { encodeCall, type Params } from './encode.ts';
import { followQueue } from './events/follow.ts';
import { listen, type Listening } from './events/listen.ts';
import type { AnyEvent, EventsOptions } from './events/shapes.ts';
import { CHAT_ROUTES, type ChatMethods } from './methods.generated.ts';
import { readChatAnswer } from './read.ts';
import { isRepeatable, withLocalId } from './repeat.ts';
import { parseZuliprc } from './zuliprc.ts';

export interface ChatOptions extends ClientOptions {
  readonly email?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The session of a browser that is signed in, instead of a key. */
  readonly session?: true | SessionOptions | undefined;
}

class ChatClient {
  readonly origin: string;
  readonly #options: ChatOptions;
  readonly #transport: Transport;

  static {
    for (const name of Object.keys(CHAT_ROUTES) as (keyof ChatMethods)[]) {
      Object.defineProperty(this.prototype, name, {
        value(this: ChatClient, params: Params = {}, options: CallOptions = {}) {
          return this.#perform(name, params, options);
        },
      });
    }
  }

  constructor(options: ChatOptions) {
    const { email, apiKey, session } = options;
    if ((email === undefined) !== (apiKey === undefined)) throw new TypeError(NEEDS_KEY);
    if (email !== undefined && session !== undefined) {
      throw new TypeError('Give either email and apiKey, or session, not both.');
    }
    this.#options = options;
    this.#transport = createTransport(options);
    this.origin = this.#transport.origin;
  }

  /** Takes address, key and server from the text of a zuliprc file. */
  static fromZuliprc(text: string, options: Omit<ChatOptions, 'url'> = {}): Chat {
    return new Chat({ ...options, ...parseZuliprc(text) });
  }

  /**
   * Follows an event queue for as long as the loop runs: registers, waits, resumes after a lost connection, and registers
   * anew when the server has forgotten the queue. The queue is deleted when the loop ends.
   */
  events(options: EventsOptions = {}): AsyncGenerator<AnyEvent, void, undefined> {
    return followQueue(this as unknown as ChatMethods, options);
  }

  /** The same with a function that is called for each event, one after the other. */
  listen(options: EventsOptions, handle: (event: AnyEvent) => unknown): Listening {
    return listen(this as unknown as ChatMethods, options, handle);
  }

  async #perform(name: keyof ChatMethods, given: Params, call: CallOptions): Promise<unknown> {
    const params = name === 'sendMessage' ? withLocalId(given) : given;
    const { method, path, headers, body } = encodeCall(name, params);
    const { session } = this.#options;
    const prefix = session === undefined ? '/api/v1' : '/json';
    return attempt(
      { transport: this.#transport, options: this.#options },
      {
        isRepeatable: isRepeatable(method, name, params),
        prepare: async () => ({
          method,
          url: `${this.origin}${prefix}${path}`,
          headers: { ...headers, ...this.#credentials() },
          ...(body !== undefined && { body }),
          withCookies: session !== undefined,
        }),
        read: (answer) => readChatAnswer(answer, this.origin),
      },
      call,
    );
  }

  #credentials(): Record<string, string> {
    const { email, apiKey, session } = this.#options;
    if (session !== undefined) return sessionHeaders(session === true ? {} : session);
    if (email === undefined || apiKey === undefined) return {};
    return { Authorization: `Basic ${toBase64(`${email}:${apiKey}`)}` };
  }
}

const NEEDS_KEY = 'Give the client both email and apiKey: new Chat({ url, email, apiKey }).';

/** The client of the chat API: one method for each operation, and the event loop. */
export type Chat = ChatClient & ChatMethods;
export const Chat = ChatClient as {
  new (options: ChatOptions): Chat;
  fromZuliprc(text: string, options?: Omit<ChatOptions, 'url'>): Chat;
};

const toBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));
