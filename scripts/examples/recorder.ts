// The director that calls the APIs and keeps what was asked and answered.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Book, Endpoint } from '../../server/src/docs/reference/endpoints.ts';
import type { Recorded, Recording } from '../../server/src/docs/reference/recorded.ts';
import { encodePairs, toSent } from '../../server/src/docs/reference/samples/request.ts';
import type { Demo } from '../demo/summary.ts';
import { Answer, type Director, type Params, type SentFile, type Who } from './director.ts';
import type { Normaliser } from './normalise.ts';
import { NOT_RECORDED } from './skipped.ts';

/** The venue takes ten requests a second. */
const PAUSE_MS = 120;

export interface Recorder {
  readonly director: Director;
  recording(): Recording;
}

export function createRecorder(book: Book, demo: Demo, { cut, keep }: Normaliser): Recorder {
  const endpoints = new Map(book.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const calls: Record<string, Recorded> = {};
  const refusals: Record<string, Recorded & { operation: string }> = {};
  const origin = new URL(demo.web_url).origin;

  async function send(
    id: string,
    who: Who,
    params: Params,
    file?: SentFile,
  ): Promise<{ status: number; body: unknown }> {
    const endpoint = endpoints.get(id);
    if (endpoint === undefined) throw new Error(`The contract has no operation ${id}.`);
    if (book.api === 'trading') await sleep(PAUSE_MS);
    const response = await fetch(...toRequest(endpoint, params, { origin, demo, who, file }));
    return { status: response.status, body: await response.json() };
  }

  const toRecorded = (
    who: Who,
    params: Params,
    { status, body }: { status: number; body: unknown },
    file?: SentFile,
  ): Recorded => ({
    who,
    params: keep(params) as Params,
    ...(file !== undefined && { file: file.name }),
    status,
    answer: cut(body),
  });

  return {
    director: {
      async call(id, who, params = {}, file) {
        const answer = await send(id, who, params, file);
        if (answer.status !== 200) {
          throw new Error(`${id} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
        }
        // The first call is the one that the documentation shows.
        calls[id] ??= toRecorded(who, params, answer, file);
        return new Answer(answer.body);
      },
      async refuse(code, id, who, params = {}) {
        const answer = await send(id, who, params);
        const body = new Answer(answer.body);
        const got = body.at('error.code') ?? body.at('code');
        if (got !== code) {
          throw new Error(`${id} was to be refused with ${code}: ${JSON.stringify(answer.body)}`);
        }
        refusals[code] = { operation: id, ...toRecorded(who, params, answer) };
      },
    },
    recording: () => ({
      calls: sorted(calls),
      notRecorded: notRecorded(),
      refusals: sorted(refusals),
    }),
  };

  function notRecorded(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(NOT_RECORDED).filter(([id]) => endpoints.has(id) && !(id in calls)),
    );
  }
}

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

interface Sender {
  readonly origin: string;
  readonly demo: Demo;
  readonly who: Who;
  readonly file?: SentFile | undefined;
}

function toRequest(
  endpoint: Endpoint,
  params: Params,
  { origin, demo, who, file }: Sender,
): [url: string, init: RequestInit] {
  const { method, path, pairs } = toSent({ endpoint, params });
  const inBody = method !== 'GET' && !(endpoint.api === 'trading' && method === 'DELETE');
  const headers: Record<string, string> = {};
  const user = who === 'nobody' ? undefined : demo.users[who];
  let text = encodePairs(pairs);
  if (endpoint.api === 'trading' && user !== undefined) {
    text = encodePairs([...pairs, ['timestamp', String(Date.now())]]);
    const { api_key: key, secret_key: secret } = user.trading;
    headers['X-SVC-APIKEY'] = key;
    headers['X-SVC-SIGNATURE'] = createHmac('sha256', secret).update(text).digest('hex');
  } else if (user !== undefined) {
    const pair = Buffer.from(`${user.email}:${user.api_key}`).toString('base64');
    headers['Authorization'] = `Basic ${pair}`;
  }
  if (!inBody) return [`${origin}${path}${text === '' ? '' : `?${text}`}`, { method, headers }];
  if (file === undefined) {
    return [`${origin}${path}`, { method, headers, body: new URLSearchParams(text) }];
  }
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file.bytes)], { type: file.mediaType }), file.name);
  return [`${origin}${path}`, { method, headers, body: form }];
}
