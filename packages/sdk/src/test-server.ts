// A server for tests that answers as it is told, over a real socket: with an answer, by cutting the connection, or not
// at all.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The fields of a form. */
  readonly form: URLSearchParams;
}

export interface Told {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, everything else as JSON. */
  readonly body: unknown;
}
export type Reaction = Told | 'cut' | 'silence';
export type Script = (request: Received, number: number) => Reaction;

export interface ScriptedServer {
  readonly url: string;
  readonly received: Received[];
}

/** Ends with the test. `number` counts the requests from 1. */
export async function startScripted(script: Script): Promise<ScriptedServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://test');
      const body = Buffer.concat(chunks).toString('utf8');
      const one: Received = {
        method: request.method ?? '',
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body,
        form: new URLSearchParams(body),
      };
      received.push(one);
      const reaction = script(one, received.length);
      if (reaction === 'silence') return;
      if (reaction === 'cut') {
        request.socket.destroy();
        return;
      }
      const { status = 200, headers = {}, body: told } = reaction;
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(typeof told === 'string' ? told : JSON.stringify(told));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received };
}

/** An answer of the trading API. */
export const succeed = (result: unknown, serverMs = Date.now()): Told => ({
  body: { status: 'true', serverTime: String(serverMs), result },
});

/** A refusal of the trading API. */
export const refuse = (
  status: number,
  code: string,
  name: string,
  details: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Told => ({
  status,
  headers: { 'X-SVC-REQUEST-ID': 'req-1', ...headers },
  body: {
    status: 'false',
    serverTime: String((details['serverTime'] as number | undefined) ?? Date.now()),
    result: null,
    error: { code, name, message: `Refused: ${name}.`, details },
  },
});
