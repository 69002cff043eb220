// One WebSocket connection: who it is, what it follows, and what waits to be read. Its frames are written to the raw
// socket, because most of them are shared with others; the library reads, and keeps the protocol.
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Metrics } from '../../platform/observe/metrics.ts';
import type { Clock } from '../../platform/std/clock.ts';
import { CLOSES, type CloseName } from './closes.ts';
import type { Identity } from './identity.ts';
import { Message, type Frames } from './message.ts';

/** With more than this to be read, a connection gets no more differences but a snapshot, later. */
export const BEHIND_BYTES = 1024 * 1024;
/** With more than this it is closed. */
export const QUEUE_BYTES_MAX = 4 * 1024 * 1024;
/** How long a connection that is being closed may take to read the rest. */
const LINGER_MS = 5000;

/** One channel with those who follow it at this process. */
export interface Topic {
  /** Its full name, for instance `depth:btcusdt`. */
  readonly name: string;
  /** Of the declared channels, for instance `depth:{symbol}`. */
  readonly pattern: string;
  /** It gets no more news: nobody followed it for a while. Who found it before looks again. */
  readonly isRetired?: boolean;
  /** Sends a snapshot, where the channel has one, and from then on every update. */
  join(connection: Connection): void;
  leave(connection: Connection): void;
  /** The connection had fallen behind and reads again: it gets a snapshot for what it missed. */
  catchUp(connection: Connection): void;
}

export interface ConnectionOptions {
  readonly id: string;
  readonly address: string;
  readonly socket: Socket;
  readonly ws: WebSocket;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly nowMs: number;
}

export class Connection {
  readonly id: string;
  /** The client's address, as for every request. */
  readonly address: string;
  /** Undefined before a login; a browser's session brings it. */
  identity: Identity | undefined;
  /** By their full names. */
  readonly topics = new Map<string, Topic>();
  /** Times are those of `performance.now`. */
  readonly openedMs: number;
  heardMs: number;
  pingedMs: number;
  isToldOfAge = false;
  /** Operations of the connection that have no answer yet. */
  underWay = 0;
  readonly #socket: Socket;
  readonly #ws: WebSocket;
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #isCompressed: boolean;
  readonly #onClosed: (() => void)[] = [];
  #isBehind = false;
  #isClosing = false;
  #closeCode = 1006;

  constructor({ id, address, socket, ws, metrics, clock, nowMs }: ConnectionOptions) {
    this.id = id;
    this.address = address;
    this.#socket = socket;
    this.#ws = ws;
    this.#metrics = metrics;
    this.#clock = clock;
    this.#isCompressed = ws.extensions.includes('permessage-deflate');
    this.openedMs = nowMs;
    this.heardMs = nowMs;
    this.pingedMs = nowMs;
    metrics.streamOpened();
    socket.on('drain', () => this.#drained());
    socket.once('close', () => this.#closed());
  }

  get isOpen(): boolean {
    return !this.#isClosing;
  }

  /** Whether so much waits to be read that differences make no sense; its topics are told when that is over. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  /** Writes messages, which nothing drops: a connection that does not read them is closed. */
  send(frames: Frames): void {
    if (this.#isClosing) return;
    this.#socket.write(this.#isCompressed ? frames.compressed : frames.plain);
    const queued = this.#socket.writableLength;
    if (queued > BEHIND_BYTES) this.#fallBehind(queued);
  }

  sendText(text: string): void {
    this.send(new Message(text));
    this.#metrics.streamSent(1, text.length);
  }

  follow(topic: Topic): void {
    if (this.#isClosing || this.topics.has(topic.name)) return;
    this.topics.set(topic.name, topic);
    this.#metrics.streamSubscribed(topic.pattern, 1);
    topic.join(this);
  }

  /** Returns whether the connection followed it. */
  unfollow(name: string): boolean {
    const topic = this.topics.get(name);
    if (topic === undefined) return false;
    this.topics.delete(name);
    this.#metrics.streamSubscribed(topic.pattern, -1);
    topic.leave(this);
    return true;
  }

  /** Calls `act` once when the connection has ended, however it did. */
  onClosed(act: () => void): void {
    this.#onClosed.push(act);
  }

  ping(nowMs: number): void {
    this.pingedMs = nowMs;
    if (!this.#isClosing) this.#ws.ping();
  }

  /** Says why, and ends; what is queued may still be read for some seconds. */
  close(name: CloseName): void {
    if (this.#isClosing) return;
    const { code, reason } = CLOSES[name];
    this.#isClosing = true;
    this.#closeCode = code;
    this.#ws.close(code, reason);
    setTimeout(() => this.cut(), LINGER_MS).unref();
  }

  /** Ends at once. */
  cut(): void {
    this.#isClosing = true;
    this.#ws.terminate();
  }

  /** The client closed. */
  noteClose(code: number): void {
    this.#isClosing = true;
    if (this.#closeCode === 1006) this.#closeCode = code;
  }

  #fallBehind(queued: number): void {
    if (queued > QUEUE_BYTES_MAX) {
      this.#socket.write(new Message(closingText('slow', this.#clock.now())).plain);
      this.close('slow');
      return;
    }
    if (this.#isBehind) return;
    this.#isBehind = true;
    this.#metrics.streamFellBehind();
    this.sendText(
      `{"type":"slow","time":"${Math.floor(this.#clock.now())}","queuedBytes":"${queued}","closedAtBytes":"${QUEUE_BYTES_MAX}"}`,
    );
  }

  #drained(): void {
    if (!this.#isBehind || this.#isClosing) return;
    this.#isBehind = false;
    for (const topic of this.topics.values()) topic.catchUp(this);
  }

  #closed(): void {
    this.#isClosing = true;
    for (const name of this.topics.keys()) this.unfollow(name);
    this.#metrics.streamClosed(this.#closeCode);
    for (const act of this.#onClosed) act();
  }
}

export const CLOSING_REASONS = ['age', 'shutdown', 'slow'] as const;
export type ClosingReason = (typeof CLOSING_REASONS)[number];

/** The notice before a planned close. */
export const closingText = (reason: ClosingReason, nowMs: number): string =>
  `{"type":"closing","reason":"${reason}","time":"${Math.floor(nowMs)}"}`;
