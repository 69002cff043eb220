// A client on a bare socket.
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Answer } from './service.ts';

/** Sends a line and waits for the answer; undefined if the connection ends before it. */
export const ask = (path: string, request: unknown): Promise<Answer | undefined> =>
  exchange(connect(path), `${JSON.stringify(request)}\n`);

export function exchange(socket: Duplex, text: string): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const end = () => {
      socket.destroy();
      const line = answer.split('\n')[0];
      resolve(answer.includes('\n') ? (JSON.parse(line ?? '') as Answer) : undefined);
    };
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
      if (answer.includes('\n')) end();
    });
    socket.on('error', end);
    socket.on('close', end);
    socket.write(text);
  });
}
