// Clients that cost little, because they share the machine with what is measured: they write requests whose bytes were made
// before to connections that they keep, and of an answer they look at its status alone unless asked.
import { connect, type Socket } from 'node:net';

/** The bytes of a POST, with a form as its body if there is one. */
export function toRequest(
  port: number,
  target: string,
  headers: Readonly<Record<string, string>>,
  form = '',
): string {
  const type = form === '' ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    'Content-Length': String(form.length),
    ...type,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${target} HTTP/1.1\r\n${lines.join('')}\r\n${form}`;
}

const HEADER_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: (\d+)/i;

const isOk = (head: string) => head.startsWith('HTTP/1.1 200');

/** A kept connection. */
export interface Line {
  send(request: string, settle: (isDone: boolean) => void): void;
  close(): void;
}

/** A kept connection; requests are sent without waiting for earlier answers. */
export async function open(
  port: number,
  isDone: (head: string, body: string) => boolean = isOk,
): Promise<Line> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const waiting: ((wasDone: boolean) => void)[] = [];
  let rest: Buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const settle of waiting.splice(0)) settle(false);
  });
  socket.on('data', (chunk: Buffer) => {
    let buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const end = buffer.indexOf(HEADER_END);
      if (end < 0) break;
      const head = buffer.toString('latin1', 0, end);
      const size = end + HEADER_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (buffer.length < size) break;
      // Only who wants the body pays for its text.
      const body = isDone === isOk ? '' : buffer.toString('latin1', end, size);
      buffer = buffer.subarray(size);
      waiting.shift()?.(isDone(head, body));
    }
    rest = buffer;
  });
  return {
    send(request, settle) {
      waiting.push(settle);
      socket.write(request);
    },
    close: () => socket.destroy(),
  };
}

/** One request at a time; rejects when it is refused. */
export const ask = (line: Line, request: string): Promise<void> =>
  new Promise((resolve, reject) => {
    line.send(request, (isDone) => {
      if (isDone) resolve();
      else reject(new Error(`Refused: ${request.slice(0, request.indexOf('\r'))}`));
    });
  });

/** The bytes of a message to a channel, by its id or name. */
export const toMessage = (port: number, basic: string, to: string, content: string): string =>
  toRequest(
    port,
    '/api/v1/messages',
    { Authorization: basic },
    new URLSearchParams({
      type: 'channel',
      to,
      topic: 'bench',
      content,
      client: 'website',
    }).toString(),
  );
