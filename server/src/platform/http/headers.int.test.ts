// The security headers of every answer, over every route and every kind of caller.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawAvatar } from '../../chat/organization/assets/images.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let app: FastifyInstance;
let ada: Person;

const LOUD = '1000000';

beforeAll(async () => {
  server = await startTestServer({
    settings: {
      PUBLIC_URL: 'https://rialto.test',
      CHAT_RATE_LIMIT: LOUD,
      CHAT_RATE_LIMIT_ANONYMOUS: LOUD,
      TRADING_RATE_LIMIT: LOUD,
      WEB_RATE_LIMIT: LOUD,
    },
    extend: (mounted) => {
      app = mounted;
    },
  });
  ada = await examplePerson(server.ctx);
});
afterAll(() => server.close());

/** Pages that ask for a passkey. */
const PASSKEYS = /^\/(?:login|accounts\/(?:login|security|step_up))\//;
/** The page that follows links to messages. */
const FRONT = /^\/(?:\?|$)/;
/** Pages that copy, search, and try operations. */
const DOCUMENTATION = /^\/docs\//;
/** Their answers may be cached by anybody: they are the same for everybody, and need no credentials. */
const PUBLIC =
  /^\/$|^\/(web|docs|markets|coins|reserves|static|favicon|robots|user_avatars|emoji|v1\/docs|v1\/public\/swagger|avatar)/;
/** Their answers may be cached only by the reader, who revalidates each time. */
const FILES = /^\/(user_uploads|avatar)\//;
/** Open to pages of any site on purpose: nothing in them depends on the caller. */
const SHARED = /^\/(v1\/|static\/)/;

const pathOf = (pattern: string): string =>
  pattern
    .replaceAll(/:\w+\([^)]*\)/g, '1')
    .replaceAll(/:\w+/g, 'x')
    .replace('*', 'x');

function findProblems(url: string, answer: Response, isKnown: boolean): string[] {
  const { headers } = answer;
  const problems: string[] = [];
  const expected = (name: string, ...values: (string | RegExp)[]) => {
    const value = headers.get(name) ?? '(none)';
    if (values.some((one) => (typeof one === 'string' ? one === value : one.test(value)))) return;
    problems.push(`${name}: ${value}`);
  };
  expected('strict-transport-security', 'max-age=31536000');
  expected('x-content-type-options', 'nosniff');
  expected('referrer-policy', 'same-origin', 'no-referrer');
  expected('content-security-policy', /(?=.*default-src 'none')(?=.*frame-ancestors 'none')/);
  expected('cross-origin-opener-policy', 'same-origin');
  expected(
    'cross-origin-resource-policy',
    'same-origin',
    ...(SHARED.test(url) ? ['cross-origin'] : []),
  );
  const policy = headers.get('content-security-policy') ?? '';
  // These need a script, and it is our own file.
  const isScripted = [PASSKEYS, FRONT, DOCUMENTATION].some((pages) => pages.test(url));
  const scripts = isScripted ? policy.replace("script-src 'self'", '') : policy;
  if (/script-src|unsafe-eval|\*/.test(scripts)) {
    problems.push(`content-security-policy: ${headers.get('content-security-policy')}`);
  }
  for (const banner of ['server', 'x-powered-by', 'via']) {
    if (headers.has(banner)) problems.push(`${banner}: ${headers.get(banner)}`);
  }
  const origin = headers.get('access-control-allow-origin');
  if (origin !== null && !(SHARED.test(url) && !url.startsWith('/v1/private/'))) {
    problems.push(`access-control-allow-origin: ${origin}`);
  }
  if (headers.has('access-control-allow-credentials')) problems.push('credentials for other sites');
  if (isKnown && answer.status < 400 && !PUBLIC.test(url)) {
    expected('cache-control', /no-store/, ...(FILES.test(url) ? [/^private, no-cache$/] : []));
  }
  return problems;
}

describe('headers', () => {
  it.each([
    ['a stranger', false],
    ['an authenticated caller', true],
  ])('are right on every route, for %s', async (_who, isKnown) => {
    const wrong: string[] = [];
    const seen = new Set<string>();
    for (const { method, url } of app.mounted) {
      const name = `${method} ${url}`;
      // A caller who deletes themselves, or changes their key, is no longer authenticated.
      const endsIt = method === 'DELETE' || url.endsWith('/regenerate');
      if (seen.has(name) || (isKnown && endsIt)) continue;
      seen.add(name);
      const answer = await fetch(`${server.origin}${pathOf(url)}`, {
        method,
        redirect: 'manual',
        headers: {
          origin: 'https://elsewhere.test',
          ...(isKnown && { authorization: ada.basic }),
        },
      });
      await answer.arrayBuffer();
      wrong.push(...findProblems(url, answer, isKnown).map((problem) => `${name} ${problem}`));
    }
    expect(seen.size).toBeGreaterThan(250);
    expect(wrong).toEqual([]);
  });

  it.each([
    '/nothing',
    '/api/v1/nothing',
    '/v1/nothing',
    '/json/nothing',
    '/user_uploads/1/a/b.png',
  ])('are right on unknown paths: %s', async (path) => {
    const answer = await fetch(`${server.origin}${path}`, { redirect: 'manual' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(findProblems(path, answer, false)).toEqual([]);
  });

  it('promise TLS only where there is TLS', async () => {
    const plain = await startTestServer();
    try {
      for (const path of ['/', '/api/v1/server_settings', '/v1/public/ping']) {
        const answer = await fetch(`${plain.origin}${path}`);
        expect(answer.headers.has('strict-transport-security')).toBe(false);
      }
    } finally {
      await plain.close();
    }
  });
});

describe('pictures of people', () => {
  it('are cached only by their reader, who revalidates each time', async () => {
    const url = `${server.origin}/avatar/${ada.id}`;
    const headers = { authorization: ada.basic };
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(drawAvatar(1, 100))]), 'me.png');
    const picture = { method: 'POST', headers, body: form };
    expect((await fetch(`${server.origin}/api/v1/users/me/avatar`, picture)).status).toBe(200);
    const first = await fetch(url, { headers });
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const etag = first.headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { ...headers, 'if-none-match': etag } })).status).toBe(304);
    // The conditional request reveals nothing about whose picture it is.
    const guess = await fetch(url, { headers: { 'if-none-match': etag } });
    expect([guess.status, guess.headers.get('etag') === etag]).toEqual([200, false]);
  });
});
