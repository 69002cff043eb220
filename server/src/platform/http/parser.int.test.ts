// Requests that no honest client sends: slow ones, ambiguous ones, and ones with characters that the database
// cannot store.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplePerson, type Person } from '../../testing/example.ts';
import { openSocket, sendRaw } from '../../testing/raw-http.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let app: FastifyInstance;
let ada: Person;

beforeAll(async () => {
  server = await startTestServer({
    settings: {
      CHAT_RATE_LIMIT_ANONYMOUS: '100000',
      TRADING_RATE_LIMIT: '100000',
      // Invitations by email are accepted, so that they are checked; none is sent.
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'rialto@example.com',
    },
    extend: (mounted) => {
      app = mounted;
    },
  });
  ada = await examplePerson(server.ctx, { password: 'a correct horse battery' });
});
afterAll(() => server.close());

it('the server listens with its limits for slow and greedy clients', () => {
  const {
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    maxHeadersCount,
    maxRequestsPerSocket,
  } = app.server;
  expect({
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    maxHeadersCount,
    maxRequestsPerSocket,
  }).toEqual({
    headersTimeout: 10_000,
    // For uploads; other requests are cut after 30 seconds.
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    maxHeadersCount: 100,
    maxRequestsPerSocket: 1000,
  });
  expect(app.server.maxConnections).toBe(20_000);
});

const POST = 'POST /api/v1/fetch_api_key HTTP/1.1\r\n';
const HOST = 'Host: rialto.test\r\n';
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
const SECRET = 'GET /smuggled HTTP/1.1\r\nHost: rialto.test\r\n\r\n';

describe('an ambiguous request is refused, and its connection ends', () => {
  it.each([
    [
      'both lengths',
      `${POST}${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SECRET}`,
    ],
    [
      'both lengths, the other way round',
      `${POST}${HOST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${SECRET}`,
    ],
    ['two lengths', `${POST}${HOST}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde${SECRET}`],
    [
      'two equal lengths',
      `${POST}${HOST}Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd${SECRET}`,
    ],
    ['two lengths in one line', `${POST}${HOST}Content-Length: 4, 4\r\n\r\nabcd${SECRET}`],
    ['a length with a sign', `${POST}${HOST}Content-Length: +4\r\n\r\nabcd${SECRET}`],
    ['a negative length', `${POST}${HOST}Content-Length: -1\r\n\r\n${SECRET}`],
    ['a length in hexadecimal', `${POST}${HOST}Content-Length: 0x4\r\n\r\nabcd${SECRET}`],
    [
      'a length without an end',
      `${POST}${HOST}Content-Length: 99999999999999999999999\r\n\r\n${SECRET}`,
    ],
    ['an unknown coding', `${POST}${HOST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SECRET}`],
    [
      'chunked twice',
      `${POST}${HOST}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n${SECRET}`,
    ],
    [
      'chunked, then identity',
      `${POST}${HOST}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${SECRET}`,
    ],
    ['identity', `${POST}${HOST}Transfer-Encoding: identity\r\n\r\n${SECRET}`],
    [
      'a coding behind a tab',
      `${POST}${HOST}Transfer-Encoding:\tchunked\x0b\r\n\r\n0\r\n\r\n${SECRET}`,
    ],
    ['a space before the colon', `${POST}${HOST}Content-Length : 4\r\n\r\nabcd${SECRET}`],
    [
      'a tab before the colon',
      `${POST}${HOST}Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n${SECRET}`,
    ],
    [
      'a folded line',
      `${POST}${HOST}X-Folded: a\r\n b\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${SECRET}`,
    ],
    [
      'a bare line feed',
      `POST /api/v1/fetch_api_key HTTP/1.1\nHost: rialto.test\nContent-Length: 0\n\n${SECRET}`,
    ],
    [
      'a bare carriage return',
      `${POST}${HOST}X-A: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SECRET}`,
    ],
    ['NUL in a header', `${POST}${HOST}X-A: a\0b\r\nContent-Length: 0\r\n\r\n${SECRET}`],
    ['a header without a name', `${POST}${HOST}: a\r\nContent-Length: 0\r\n\r\n${SECRET}`],
    [
      'a chunk of a strange size',
      `${POST}${HOST}Transfer-Encoding: chunked\r\n\r\n0x4\r\nabcd\r\n0\r\n\r\n${SECRET}`,
    ],
    [
      'a chunk of a negative size',
      `${POST}${HOST}Transfer-Encoding: chunked\r\n\r\n-4\r\nabcd\r\n0\r\n\r\n${SECRET}`,
    ],
    [
      'a chunk longer than it says',
      `${POST}${HOST}Transfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n0\r\n\r\n${SECRET}`,
    ],
    [
      'chunks that end in line feeds',
      `${POST}${HOST}Transfer-Encoding: chunked\r\n\r\n4\nabcd\n0\n\n${SECRET}`,
    ],
    ['no host', `GET / HTTP/1.1\r\n\r\n${SECRET}`],
    ['two hosts', `GET / HTTP/1.1\r\n${HOST}Host: elsewhere.test\r\n\r\n`],
    ['two equal hosts', `GET / HTTP/1.1\r\n${HOST}hOST: rialto.test\r\n\r\n`],
    ['a version that there is not', `GET / HTTP/9.9\r\n${HOST}\r\n`],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_what, text) => {
    const { statuses, isClosed, text: answer } = await sendRaw(server.origin, [text]);
    // If only the body is wrong, the head may have been answered; the smuggled request never is.
    expect(answer).not.toContain('Nothing is here');
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect([statuses.at(-1), isClosed]).toEqual([400, true]);
  });

  it('too many headers, and too long ones', async () => {
    const many = Array.from(
      { length: 400 },
      (_value, index) => `X-${index}: ${'a'.repeat(50)}\r\n`,
    );
    const long = await sendRaw(server.origin, [`GET / HTTP/1.1\r\n${HOST}${many.join('')}\r\n`]);
    expect([long.status, long.isClosed]).toEqual([431, true]);
    const one = `X-A: ${'a'.repeat(20_000)}\r\n`;
    expect((await sendRaw(server.origin, [`GET / HTTP/1.1\r\n${HOST}${one}\r\n`])).status).toBe(
      431,
    );
  });
});

describe('slow clients', () => {
  it('are cut while they write their headers', async () => {
    const socket = openSocket(server.origin);
    socket.write('GET / HTTP/1.1\r\nHost: rialto.test\r\n');
    const startedMs = performance.now();
    const drip = setInterval(() => socket.write('X-A: a\r\n'), 500);
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      socket.on('close', () => resolve(text));
    });
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    // 10 seconds, checked every two; a busy machine may check late.
    expect(performance.now() - startedMs).toBeGreaterThan(9000);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  }, 60_000);

  it('are cut while they write their body, even when they are authenticated', async () => {
    const head = `POST /api/v1/drafts HTTP/1.1\r\n${HOST}Authorization: ${ada.basic}\r\n${FORM}Content-Length: 1000\r\n\r\n`;
    const socket = openSocket(server.origin);
    socket.write(head);
    const startedMs = performance.now();
    const drip = setInterval(() => socket.write('a'), 1000);
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      socket.on('close', () => resolve(text));
    });
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - startedMs).toBeLessThan(55_000);
  }, 70_000);
});

describe('NUL', () => {
  const paths = () => {
    const patterns = new Set(app.mounted.map(({ url }) => url).filter((url) => /[:*]/.test(url)));
    return [...patterns].map((url) =>
      url.replaceAll(/:\w+(\([^)]*\))?/g, 'a%00b').replace('*', 'a%00b'),
    );
  };

  it('in a path matches nothing, on every route', async () => {
    const failed: string[] = [];
    for (const path of [...paths(), '/%00', '/v1/%00', '/api/v1/%00', '/json/%00']) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const answer = await fetch(`${server.origin}${path}`, {
          method,
          redirect: 'manual',
          headers: { authorization: ada.basic },
        });
        await answer.arrayBuffer();
        if (answer.status >= 500) failed.push(`${method} ${path}: ${answer.status}`);
      }
    }
    expect(failed).toEqual([]);
  });

  it.each([
    ['a name to sign in with', '/api/v1/fetch_api_key', 'username=a%00b&password=x'],
    ['a password', '/api/v1/fetch_api_key', 'username=a%40b.c&password=a%00b'],
    ['the name in a form', '/accounts/login/', 'username=a%00b&password=a%00b'],
    ['the key in a form', '/accounts/register/', 'key=a%00b&full_name=a%00b'],
    ['the address in a form', '/join/a/', 'email=a%00b%40example.com'],
  ])('in a form of strangers is refused: %s', async (_what, path, body) => {
    // With the form's own token, so that its contents are checked.
    const token = 'a'.repeat(64);
    const page = await fetch(`${server.origin}/login/`);
    const [cookie = ''] = page.headers.getSetCookie().map((text) => text.split(';', 1)[0] ?? '');
    const own = /=(.*)$/.exec(cookie)?.[1] ?? token;
    const answer = await fetch(`${server.origin}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
      body: `${body}&csrfmiddlewaretoken=${encodeURIComponent(own)}`,
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  it('in credentials is refused', async () => {
    for (const text of [`a\0b:${ada.chatKey}`, `${ada.email}:${'a'.repeat(31)}\0`, '\0:\0']) {
      const answer = await fetch(`${server.origin}/api/v1/users/me`, {
        headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` },
      });
      expect(answer.status).toBe(401);
    }
  });
});
