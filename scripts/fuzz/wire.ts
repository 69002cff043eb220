// Sends planned requests as bytes, and reads the answers. Nothing here corrects the plan.
import { createHmac } from 'node:crypto';
import { Agent, request as openRequest } from 'node:http';
import { connect } from 'node:net';
import { parseMembers } from '../../server/src/accounts/trading-keys/json.ts';
import { jsonTexts } from '../../server/src/accounts/trading-keys/signature.ts';
import type { Random } from '../../server/src/testing/random.ts';
import type { Planned } from './plan.ts';

export interface Answer {
  /** 0 when the connection ended without an answer, or none came in time. */
  readonly status: number;
  readonly text: string;
  readonly ms: number;
  /** What happened instead of an answer. */
  readonly trouble?: 'ended' | 'stale' | 'waiting';
}

export interface Credentials {
  readonly basic: string;
  readonly cookie: string;
  readonly csrfToken: string;
  readonly keyId: string;
  readonly secret: string;
}

export interface Bytes {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const FORM = 'application/x-www-form-urlencoded';
const BOUNDARY = 'fuzz-boundary';
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Long polls answer later; nothing else may. */
const PATIENCE_MS = 20_000;
/** A poll without events is abandoned after this time, as by a closed client. */
const POLL_PATIENCE_MS = 1500;

export function toBytes(planned: Planned, who: Credentials, random: Random): Bytes {
  const { target, method, file } = planned;
  if (target.door === 'signed') return toSigned(planned, who, random);
  const headers: Record<string, string> = {};
  if (target.door === 'key') headers['authorization'] = who.basic;
  if (target.door === 'session') {
    headers['cookie'] = who.cookie;
    headers['x-csrftoken'] = who.csrfToken;
  }
  const form = toForm(planned.pairs);
  const isInPath = WITHOUT_BODY.has(method) || (method === 'DELETE' && random.below(2) === 0);
  if (file !== undefined && !WITHOUT_BODY.has(method)) {
    headers['content-type'] = `multipart/form-data; boundary=${BOUNDARY}`;
    return {
      method,
      path: planned.path,
      headers: { ...headers, ...planned.headers },
      body: toMultipart(planned),
    };
  }
  if (isInPath || form === '') {
    const path = form === '' ? planned.path : `${planned.path}?${form.slice(0, PATH_MAX)}`;
    return { method, path, headers: { ...headers, ...planned.headers }, body: Buffer.alloc(0) };
  }
  headers['content-type'] = FORM;
  return {
    method,
    path: planned.path,
    headers: { ...headers, ...planned.headers },
    body: Buffer.from(form),
  };
}

/** The header parser refuses longer ones; other requests test that. */
const PATH_MAX = 12_000;

let lastSignedMs = 0;

function toSigned(
  { target, method, path, pairs, headers }: Planned,
  { keyId, secret }: Credentials,
  random: Random,
): Bytes {
  lastSignedMs = Math.max(lastSignedMs + 1, Date.now());
  const all: (readonly [string, string])[] = [['timestamp', String(lastSignedMs)], ...pairs];
  const sign = (text: string) => ({
    'x-svc-apikey': keyId,
    'x-svc-signature': createHmac('sha256', secret).update(text).digest('hex'),
    ...headers,
  });
  const isJson =
    method === 'POST' && ('orders' in target.params.properties || random.below(3) === 0);
  if (isJson) {
    const body = Buffer.from(
      `{${all.map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)}`).join()}}`,
    );
    return {
      method,
      path,
      headers: { 'content-type': 'application/json', ...sign(signedText(body)) },
      body,
    };
  }
  const form = toForm(all);
  if (method !== 'POST') {
    const query = form.slice(0, PATH_MAX);
    return { method, path: `${path}?${query}`, headers: sign(query), body: Buffer.alloc(0) };
  }
  return {
    method,
    path,
    headers: { 'content-type': FORM, ...sign(form) },
    body: Buffer.from(form),
  };
}

/**
 * If the body cannot be parsed, any text will do: the request is refused before its signature is
 * checked.
 */
function signedText(body: Buffer): string {
  try {
    return jsonTexts(parseMembers(body))[0] ?? '';
  } catch {
    return '';
  }
}

const jsonOf = (text: string): string => (/^[[{]/.test(text) ? text : JSON.stringify(text));

const toForm = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');

/**
 * A lone surrogate becomes the three bytes that some programs write for it, which are not UTF-8.
 */
const encode = (text: string): string =>
  text.isWellFormed()
    ? encodeURIComponent(text)
    : Array.from(text, (one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%80')).join(
        '',
      );

function toMultipart({ pairs, file }: Planned): Buffer {
  const parts: Buffer[] = pairs.map(([name, value]) =>
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
  );
  if (file !== undefined) {
    parts.push(
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: image/png\r\n\r\n`,
      ),
      file.bytes,
      Buffer.from('\r\n'),
    );
  }
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * A kept connection may have been closed meanwhile, as every client must expect; retries on a fresh
 * one.
 */
export async function send(port: number, bytes: Bytes): Promise<Answer> {
  const answer = await sendOnce(port, bytes);
  return answer.trouble === 'stale' ? sendOnce(port, bytes) : answer;
}

function sendOnce(port: number, { method, path, headers, body }: Bytes): Promise<Answer> {
  const startedMs = performance.now();
  const isPoll = path.includes('/events');
  return new Promise((resolve) => {
    const done = (answer: Omit<Answer, 'ms'>) => {
      clearTimeout(timer);
      resolve({ ...answer, ms: performance.now() - startedMs });
    };
    const request = openRequest(
      {
        port,
        host: '127.0.0.1',
        method,
        path: path.replaceAll(/[^!-~]/g, '_'),
        headers: { ...headers, ...(body.length > 0 && { 'content-length': String(body.length) }) },
        agent,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => done({ status: 0, text: '', trouble: 'ended' }));
        response.on('end', () =>
          done({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
      },
    );
    const timer = setTimeout(
      () => {
        done({ status: 0, text: '', trouble: 'waiting' });
        request.destroy();
      },
      isPoll ? POLL_PATIENCE_MS : PATIENCE_MS,
    );
    request.on('error', () =>
      done({ status: 0, text: '', trouble: request.reusedSocket ? 'stale' : 'ended' }),
    );
    request.end(body);
  });
}

/** Bytes that no library would send. */
export const RAW: readonly ((basic: string) => string)[] = [
  () => 'GET /v1/public/time\0 HTTP/1.1\r\nHost: x\r\n\r\n',
  () => 'GET /api/v1/users/%00 HTTP/1.1\r\nHost: x\r\n\r\n',
  () => 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  () =>
    'POST /v1/private/order/create HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
  () => 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef',
  () => 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzzzz\r\n',
  () => 'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
  () => 'GET / HTTP/1.1\nHost: x\n\n',
  () => 'GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n',
  () => 'GET / HTTP/9.9\r\n\r\n',
  () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
  () => 'GET http://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n',
  () => 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  () => 'GET / HTTP/1.1\r\nHost: x\r\n__proto__: {"a":1}\r\nconstructor: x\r\n\r\n',
  () => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  () => `GET / HTTP/1.1\r\nHost: x\r\n${'h: v\r\n'.repeat(3000)}\r\n`,
  () => 'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  (basic) =>
    `POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 900\r\n\r\ntype=stream`,
  (basic) =>
    `POST /api/v1/user_uploads HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 64\r\n\r\n--b\r\nContent-Disposition: form-data; name=""\r\n\r\n--b\r\n\r\n--b--xxxxx`,
  (basic) =>
    `POST /api/v1/users/me/avatar HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="x.png"\r\n\r\nabc`,
  (basic) =>
    `POST /api/v1/tus HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic}\r\nTus-Resumable: 1.0.0\r\nUpload-Length: -1\r\nUpload-Metadata: ${'a '.repeat(200)}\r\n\r\n`,
];

const RAW_PATIENCE_MS = 400;

/** Sends bytes as they are and hangs up. An answer is not required; the server must not break. */
export function sendRaw(port: number, text: string): Promise<Answer> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(port, '127.0.0.1');
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? 0);
      resolve({
        status,
        text: said,
        ms: performance.now() - startedMs,
        ...(status === 0 && { trouble: 'ended' as const }),
      });
    };
    const timer = setTimeout(done, RAW_PATIENCE_MS);
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1').slice(0, 2000);
      if (said.includes('\r\n\r\n')) done();
    });
    socket.on('error', done).on('close', done);
    socket.write(Buffer.from(text, 'latin1'));
  });
}
