// A client of the venue's WebSocket, for tests: sends operations, waits for answers, keeps what was pushed.
import WebSocket from 'ws';
import { hmacHex, type Trader, type TradingBody } from '../trader.ts';
import type { TestServer } from '../server.ts';

/** A push, or a notice. Members that a push lacks are undefined. */
export interface Pushed {
  readonly channel?: string;
  readonly type: string;
  readonly streamSeq?: string;
  readonly engineSeq?: string;
  readonly data?: unknown;
}

export interface StreamAnswer extends TradingBody {
  readonly id?: string;
  readonly op?: string;
  readonly idempotentReplay?: boolean;
}

export interface StreamClient {
  readonly pushes: readonly Pushed[];
  /** Sends an operation and resolves with its answer. */
  ask(op: string, members?: Readonly<Record<string, unknown>>): Promise<StreamAnswer>;
  /** The same; throws if it is refused. */
  get<T = unknown>(op: string, members?: Readonly<Record<string, unknown>>): Promise<T>;
  send(text: string): void;
  /** Logs in with the trader's key. */
  login(trader: Pick<Trader, 'keyId' | 'secret'>, atMs?: number): Promise<StreamAnswer>;
  /** Resolves when a push fits; looks at those that came already too. */
  until(fits: (push: Pushed) => boolean, withinMs?: number): Promise<Pushed>;
  /** The pushes of a channel. */
  of(channel: string): Pushed[];
  /** Cuts the connection without a goodbye. */
  cut(): void;
  close(): Promise<number>;
  /** The code with which the connection ended. */
  readonly closed: Promise<number>;
}

export interface StreamOptions {
  readonly path?: string;
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 10_000;
/** Two logins in one millisecond would have the same signature. */
let latestMs = 0;

export function loginFrame(
  { keyId, secret }: Pick<Trader, 'keyId' | 'secret'>,
  atMs?: number,
): Record<string, string> {
  if (atMs === undefined) latestMs = Math.max(latestMs + 1, Date.now());
  const timestamp = String(atMs ?? latestMs);
  const signature = hmacHex(secret, `apiKey=${keyId}&timestamp=${timestamp}`);
  return { apiKey: keyId, timestamp, signature };
}

/** Rejects with the HTTP status if the server does not make a WebSocket of it. */
export async function openStream(
  { origin }: Pick<TestServer, 'origin'>,
  { path = '/v1/ws', protocols = [], headers = {} }: StreamOptions = {},
): Promise<StreamClient> {
  const ws = new WebSocket(`${origin.replace('http', 'ws')}${path}`, [...protocols], { headers });
  const pushes: Pushed[] = [];
  const answers = new Map<string, (answer: StreamAnswer) => void>();
  let wake = Promise.withResolvers<void>();
  const closed = new Promise<number>((resolve) => ws.once('close', resolve));
  ws.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Pushed & StreamAnswer;
    const take = message.id === undefined ? undefined : answers.get(message.id);
    if (take === undefined) pushes.push(message);
    else take(message);
    wake.resolve();
    wake = Promise.withResolvers<void>();
  });
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
    ws.once('unexpected-response', (_request, response) =>
      reject(new Error(`HTTP ${response.statusCode}`)),
    );
  });
  ws.on('error', () => {});
  let nextId = 0;

  const client: StreamClient = {
    pushes,
    closed,
    ask(op, members = {}) {
      nextId += 1;
      const id = String(nextId);
      return new Promise((resolve, reject) => {
        answers.set(id, (answer) => {
          answers.delete(id);
          resolve(answer);
        });
        void closed.then((code) => reject(new Error(`The connection closed with ${code}.`)));
        ws.send(JSON.stringify({ id, op, ...members }));
      });
    },
    async get<T>(op: string, members: Readonly<Record<string, unknown>> = {}) {
      const answer = await client.ask(op, members);
      if (answer.status !== 'true') throw new Error(JSON.stringify(answer));
      return answer.result as T;
    },
    send: (text) => ws.send(text),
    login: (trader, atMs) => client.ask('login', loginFrame(trader, atMs)),
    async until(fits, withinMs = PATIENCE_MS) {
      const untilMs = performance.now() + withinMs;
      for (;;) {
        const found = pushes.find(fits);
        if (found !== undefined) return found;
        const leftMs = untilMs - performance.now();
        if (leftMs <= 0) throw new Error(`No such push among ${JSON.stringify(pushes)}.`);
        const late = new Promise<void>((resolve) => setTimeout(resolve, leftMs).unref());
        await Promise.race([wake.promise, late]);
      }
    },
    of: (channel) => pushes.filter((push) => push.channel === channel),
    cut: () => ws.terminate(),
    close() {
      ws.close();
      return closed;
    },
  };
  return client;
}
