// Thousands of clients that wait for events, each on its own connection. It uses bare sockets,
// because a client library would cost more than the measured server.
import { connect, type Socket } from 'node:net';
import type { Registered } from './chat-calls.ts';

export interface Poller {
  readonly basic: string;
  readonly queue: Registered;
}

export interface LongPolls {
  /** Resolves when every client has got this many more events than at the last call. */
  received(count: number): Promise<void>;
  close(): void;
}

/** Opens all of them; each polls again as soon as it has its answer, as real clients do. */
export async function openLongPolls(port: number, pollers: readonly Poller[]): Promise<LongPolls> {
  let missing = 0;
  let wake = () => {};
  const sockets: Socket[] = [];
  for (const { basic, queue } of pollers) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    sockets.push(socket);
    let last = queue.last_event_id;
    const poll = () =>
      socket.write(
        `GET /api/v1/events?queue_id=${queue.queue_id}&last_event_id=${last} HTTP/1.1\r\n` +
          `host: 127.0.0.1\r\nauthorization: ${basic}\r\n\r\n`,
      );
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const body = bodyOf(text);
      if (body === undefined) return;
      text = '';
      const { events } = JSON.parse(body) as { events?: { id: number; type: string }[] };
      if (events === undefined) throw new Error(`A poll was refused: ${body}`);
      last = events.at(-1)?.id ?? last;
      poll();
      missing -= events.filter(({ type }) => type === 'message').length;
      if (missing <= 0) wake();
    });
    poll();
  }
  return {
    received: (count) =>
      new Promise((resolve) => {
        missing += count * pollers.length;
        wake = resolve;
      }),
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The body of a whole answer; undefined while some of it is missing. */
function bodyOf(text: string): string | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1];
  if (length === undefined) throw new Error(`An answer without a length: ${text.slice(0, head)}`);
  const body = text.slice(head + 4);
  return Buffer.byteLength(body) < Number(length) ? undefined : body;
}
