// One connection: requests and their answers, pushes, heartbeats. It never reconnects; it ends once, and says how.
import type { ServerClock } from '../trading/clock.ts';
import { createPace } from './pace.ts';
import { parseFrame, type Answer, type Closing, type Push } from './frames.ts';

export interface LinkOptions {
  /** Of the server, for links to its documentation. */
  readonly origin: string;
  readonly url: string;
  readonly protocols: readonly string[];
  readonly WebSocket: typeof WebSocket;
  /** An answer that takes longer means that the connection is dead. */
  readonly answerWithinMs: number;
  /** After this much silence a ping is sent. */
  readonly heartbeatMs: number;
  readonly framesPerSecond: number;
  readonly openWithinMs: number;
}

export interface LinkEnd {
  readonly code: number;
  readonly reason: string;
}

interface LinkHandlers {
  onPush(push: Push, link: Link): void;
  onClosing(notice: Closing, link: Link): void;
  onEnd(end: LinkEnd, link: Link): void;
  /** Learns from every answer. */
  readonly clock: ServerClock;
}

/** The connection ended before the answer came. */
export class LostAnswer extends Error {
  /** True if the server may have read the request. */
  readonly wasSent: boolean;
  readonly end: LinkEnd;

  constructor(op: string, wasSent: boolean, end: LinkEnd) {
    super(`The connection ended (${end.code} ${end.reason}) before "${op}" was answered.`);
    this.name = 'LostAnswer';
    this.wasSent = wasSent;
    this.end = end;
  }
}

interface Waiting {
  readonly op: string;
  readonly sentMs: number;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Close codes below belong to the platform; these are ours, and never travel. */
const NOT_OPENED: LinkEnd = { code: 1006, reason: 'not opened in time' };
const SILENT: LinkEnd = { code: 1006, reason: 'the server is silent' };
const NO_ANSWER: LinkEnd = { code: 1006, reason: 'no answer in time' };
const NOT_A_FRAME: LinkEnd = { code: 1007, reason: 'the server sent what is no frame' };

let links = 0;

export class Link {
  /** Grows with each connection of this program. */
  readonly number = (links += 1);
  /** Channels that the server confirmed on this connection. */
  readonly channels = new Set<string>();
  readonly opened: Promise<void>;
  /** Resolves when it is over. */
  readonly ended: Promise<void>;
  #socket: WebSocket;
  #options: LinkOptions;
  #handlers: LinkHandlers;
  #waiting = new Map<string, Waiting>();
  #lastId = 0;
  #ended: LinkEnd | undefined;
  #over = Promise.withResolvers<void>();
  #heardMs = performance.now();
  #pace;
  #beat: ReturnType<typeof setInterval> | undefined;
  #opened = Promise.withResolvers<void>();

  constructor(options: LinkOptions, handlers: LinkHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#pace = createPace(options.framesPerSecond);
    this.opened = this.#opened.promise;
    this.ended = this.#over.promise;
    // Nobody may be waiting for it any more when it fails.
    this.opened.catch(() => {});
    this.#socket = new options.WebSocket(options.url, [...options.protocols]);
    const late = setTimeout(() => this.end(NOT_OPENED), options.openWithinMs);
    this.#socket.addEventListener('open', () => {
      clearTimeout(late);
      if (this.#ended !== undefined) return this.#socket.close();
      this.#heardMs = performance.now();
      // Twice in a heartbeat: a silent connection is noticed after one and a half of them.
      this.#beat = setInterval(() => this.#check(), options.heartbeatMs / 2);
      this.#opened.resolve();
    });
    this.#socket.addEventListener('message', ({ data }) => this.#read(data));
    this.#socket.addEventListener('close', ({ code, reason }) => {
      clearTimeout(late);
      this.end({ code, reason });
    });
    // A "close" always follows, with all that can be known.
    this.#socket.addEventListener('error', () => {});
  }

  get origin(): string {
    return this.#options.origin;
  }

  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Requests whose answers are still to come. */
  get pending(): number {
    return this.#waiting.size;
  }

  /** Sends one operation; the answer may be a refusal. Throws `LostAnswer`. */
  async request(op: string, members: object = {}): Promise<Answer> {
    await this.#pace.turn();
    if (this.#ended !== undefined) throw new LostAnswer(op, false, this.#ended);
    this.#lastId += 1;
    const id = String(this.#lastId);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, { op, sentMs: Date.now(), resolve, reject });
    this.#socket.send(JSON.stringify({ id, op, ...members }));
    const late = setTimeout(() => this.end(NO_ANSWER), this.#options.answerWithinMs);
    try {
      return await promise;
    } finally {
      clearTimeout(late);
    }
  }

  /** Ends it at once, also when the other side no longer answers. */
  end(end: LinkEnd = { code: 1000, reason: '' }): void {
    if (this.#ended !== undefined) return;
    this.#ended = end;
    clearInterval(this.#beat);
    this.#socket.close();
    for (const { op, reject } of this.#waiting.values()) reject(new LostAnswer(op, true, end));
    this.#waiting.clear();
    this.#opened.reject(new LostAnswer('open', false, end));
    this.#over.resolve();
    this.#handlers.onEnd(end, this);
  }

  #read(data: unknown): void {
    if (this.#ended !== undefined) return;
    this.#heardMs = performance.now();
    const frame = typeof data === 'string' ? parseFrame(data) : undefined;
    switch (frame?.kind) {
      case 'push':
        return this.#handlers.onPush(frame, this);
      case 'closing':
        return this.#handlers.onClosing(frame, this);
      case 'answer':
        return this.#settle(frame);
      case 'notice':
        return;
      case undefined:
        this.end(NOT_A_FRAME);
    }
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    // An answer to nothing that we asked: the protocol may grow.
    if (waiting === undefined) return;
    this.#waiting.delete(answer.id);
    if (answer.serverTime !== '') {
      this.#handlers.clock.note(Number(answer.serverTime), waiting.sentMs, Date.now());
    }
    waiting.resolve(answer);
  }

  /** The platform answers the server's pings unseen, so silence proves nothing until we ask. */
  #check(): void {
    const silentMs = performance.now() - this.#heardMs;
    const { heartbeatMs } = this.#options;
    if (silentMs >= heartbeatMs * 1.5) this.end(SILENT);
    else if (silentMs >= heartbeatMs / 2) this.request('ping').catch(() => {});
  }
}
