// The socket: operations and their answers, following channels, logging in, and coming back without a gap.
import { functions, type Dict, type Str } from 'ccxt';
import { toException, type VenueError } from '../errors.ts';
import { rialto } from '../rialto.ts';
import { signText, toSignedText, toWire } from '../sign.ts';
import type { RecentItems } from './recent.ts';

/** What the library keeps of one connection. */
export type Client = ReturnType<rialto['client']>;

/** An answer, a push, or a notice. */
export interface Sent {
  readonly id?: string;
  readonly op?: string;
  readonly status?: string;
  readonly result?: Dict;
  readonly error?: VenueError;
  readonly channel?: string;
  readonly type?: string;
  readonly time?: string;
  readonly streamSeq?: string;
  readonly data?: Dict | Dict[];
}

const LOGGED_IN = 'authenticated';

export abstract class RialtoConnection extends rialto {
  /** The library wants a proxy's agent for every address without TLS; a venue in the own network has none. */
  override getHttpAgentIfNeeded(_url: string): unknown {
    return this.httpAgent;
  }

  /** Takes a push of a channel. `kind` is the part of the channel's name before the first colon. */
  protected abstract take(client: Client, kind: string, channel: string, push: Sent): void;

  /**
   * Waits for the next push of any of these channels, and follows those that are not followed yet. `hashes` are what the
   * pushes will resolve, when a caller wants one market of a channel only (`hashOf`).
   */
  protected async follow(channels: string[], hashes: string[] = channels): Promise<void> {
    const url = this.address('ws');
    const { subscriptions } = this.client(url);
    const missing = channels.filter((channel) => subscriptions[channel] === undefined);
    const id = this.nextId();
    const frame = { id, op: 'subscribe', channels: missing };
    await this.watchMultiple(url, hashes, frame, channels, { id });
  }

  /** Ends following a channel. */
  protected async unfollow(channel: string): Promise<boolean> {
    const { subscriptions } = this.client(this.address('ws'));
    if (subscriptions[channel] === undefined) return true;
    delete subscriptions[channel];
    await this.operate('unsubscribe', { channels: [channel] });
    return true;
  }

  /** Sends an operation, and returns its result. */
  protected async operate<T = Dict>(op: string, members: Dict = {}): Promise<T> {
    const id = this.nextId();
    const frame = toWire({ id, op, ...members });
    return (await this.watch(this.address('ws'), id, frame, id, true)) as T;
  }

  private nextId(): string {
    const id = Number(this.options['lastRequestId'] ?? 0) + 1;
    this.options['lastRequestId'] = id;
    return String(id);
  }

  /** Logs in, once for each connection. */
  protected async logIn(): Promise<void> {
    this.checkRequiredCredentials();
    const client = this.client(this.address('ws'));
    const loggedIn = client.future(LOGGED_IN);
    if (client.subscriptions[LOGGED_IN] === undefined) {
      client.subscriptions[LOGGED_IN] = true;
      this.sendLogin(client).then(
        () => client.futures[LOGGED_IN]?.resolve(true),
        (error: unknown) => {
          delete client.subscriptions[LOGGED_IN];
          client.reject(error, LOGGED_IN);
        },
      );
    }
    await loggedIn;
  }

  private async sendLogin(client: Client): Promise<void> {
    const { apiKey } = this;
    const signed = {
      apiKey,
      timestamp: String(this.nonce()),
      ...(this.options['recvWindow'] === undefined
        ? {}
        : { recvWindow: this.options['recvWindow'] }),
      // Two logins within one millisecond would otherwise be one signature, used twice.
      nonce: this.uuid22(),
    };
    const text = toSignedText(signed);
    const isBound = this.options['boundSignatures'] === true;
    const bound = `GET\n${new URL(this.address('ws')).pathname}\n${text}`;
    await this.operate('login', {
      ...signed,
      signature: signText(isBound ? bound : text, this.secret),
      ...(isBound ? { signatureVersion: '2' } : {}),
    });
    await this.afterLogin(client);
  }

  /** What a connection needs before its first operation, once the venue knows who is there. */
  protected abstract afterLogin(client: Client): Promise<void>;

  override handleMessage(client: Client, message: Sent): void {
    if (message.channel !== undefined) {
      const [kind = ''] = message.channel.split(':');
      this.take(client, kind, message.channel, message);
    } else if (message.op !== undefined) this.takeAnswer(client, message);
  }

  private takeAnswer(client: Client, { id, op, result, error }: Sent): void {
    const exception = error === undefined ? undefined : toException(this.id, error);
    if (op === 'subscribe') {
      if (exception !== undefined) refuseChannels(client, id, exception);
      return;
    }
    if (id === undefined) {
      // The venue could not read which operation it was.
      if (exception !== undefined) client.reject(exception);
      return;
    }
    delete client.subscriptions[id];
    if (exception === undefined) client.resolve(result, id);
    else if (id in client.futures) client.reject(exception, id);
  }

  /** What a caller gets after its channel has moved: what is new to it, at most `limit`. */
  protected read<T>(recent: RecentItems<T> | undefined, scope?: string, limit?: number): T[] {
    const items = this.newUpdates ? recent?.readFresh(scope) : recent?.readAll(scope);
    return limit === undefined ? (items ?? []) : (items ?? []).slice(-limit);
  }
}

/** What pushes of a channel resolve for callers who want one market only. */
export const hashOf = (channel: string, symbol: Str): string =>
  symbol === undefined ? channel : `${channel} of ${symbol}`;

/** The channels of a refused request are followed by nobody, and everybody who waits for them is told. */
function refuseChannels(client: Client, id: string | undefined, exception: Error): void {
  for (const [channel, asked] of Object.entries<Dict | true>(client.subscriptions)) {
    if (asked === true || functions.safeString(asked, 'id') !== id) continue;
    delete client.subscriptions[channel];
    for (const hash of Object.keys(client.futures)) {
      if (hash === channel || hash.startsWith(hashOf(channel, ''))) client.reject(exception, hash);
    }
  }
}
