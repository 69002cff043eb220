// Sends requests from separate local addresses: limits by address must tell attackers from
// everybody else, although all of them run on this machine.
import { Agent, request as httpRequest } from 'node:http';

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export type Ask = (path: string, asked?: Asked) => Promise<Answer>;

/** The whole of 127.0.0.0/8 is this machine. */
export function askFrom(localAddress: string, origin: string, socketsMax = Infinity): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: socketsMax, localAddress });
  return (path, { method = 'GET', headers = {}, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const outgoing = httpRequest(
        `${origin}${path}`,
        { method, agent, headers: { ...headers, ...length }, ...(signal && { signal }) },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString(),
            }),
          );
          response.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** A chat API call with a form; values that are not text go as JSON. */
export function chatCall(ask: Ask, basic: string) {
  return (
    method: string,
    path: string,
    form: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
  ): Promise<Answer> => {
    const encoded = new URLSearchParams(
      Object.entries(form).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ).toString();
    const isInQuery = method === 'GET';
    const query = isInQuery && encoded !== '' ? `?${encoded}` : '';
    return ask(`/api/v1${path}${query}`, {
      method,
      headers: { authorization: basic, ...(isInQuery ? {} : FORM) },
      ...(isInQuery ? {} : { body: encoded }),
      ...(signal && { signal }),
    });
  };
}
