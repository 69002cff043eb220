// Calls every route as a stranger: each has a limit, refusing costs little, and nobody is refused for what others
// do.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { openSocket, sendRaw } from '../../testing/raw-http.ts';
import { MEASURED } from '../../testing/measured.ts';

const LIMIT = 5;
const settings = {
  // A sixth of it may come at once.
  WEB_RATE_LIMIT: String(6 * LIMIT),
  CHAT_RATE_LIMIT_ANONYMOUS: String(LIMIT),
  TRADING_RATE_LIMIT: String(LIMIT),
  TRADING_RATE_WINDOW_MS: '60000',
};

let server: TestServer;
let app: FastifyInstance;

beforeAll(async () => {
  server = await startTestServer({
    settings: { ...settings, LOG_LEVEL: 'silent' },
    extend: (mounted) => {
      app = mounted;
      // A route that was added without a thought about limits.
      mounted.get('/forgotten/:name', async () => 'here you are');
    },
  });
});
afterAll(() => server.close());

let addresses = 0;
/** A new stranger. */
const newAddress = (): string => {
  addresses += 1;
  return `127.1.${addresses >> 8}.${addresses & 255}`;
};

const pathOf = (pattern: string): string =>
  pattern
    .replaceAll(/:\w+\([^)]*\)/g, '1')
    .replaceAll(/:\w+/g, 'x')
    .replace('*', 'x');

const request = (method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: rialto.test\r\n${more}\r\n`;

const statusesOf = async (method: string, path: string, count: number, localAddress: string) => {
  const last = request(method, path, 'Connection: close\r\n');
  const parts = [request(method, path).repeat(count - 1) + last];
  return (await sendRaw(server.origin, parts, { localAddress, waitMs: 20_000 })).statuses;
};

it('every existing route refuses a stranger who comes too often, and admits the first requests', async () => {
  const unlimited: string[] = [];
  const closed: string[] = [];
  const seen = new Set<string>();
  for (const { method, url } of app.mounted) {
    const name = `${method} ${url}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const statuses = await statusesOf(method, pathOf(url), LIMIT + 3, newAddress());
    if (statuses[0] === 429) closed.push(name);
    if (statuses.at(-1) !== 429) unlimited.push(`${name}: ${statuses.join(' ')}`);
  }
  expect(seen.size).toBeGreaterThan(300);
  expect(closed).toEqual([]);
  expect(unlimited).toEqual([]);
});

it.each([
  '/nothing',
  '/api/v1/nothing',
  '/json/nothing',
  '/v1/nothing',
  '/avatar/abc',
  '/forgotten/a/b',
])('an unknown path is counted like any other: %s', async (path) => {
  for (const method of ['GET', 'POST', 'PROPFIND']) {
    const statuses = await statusesOf(method, path, LIMIT + 3, newAddress());
    expect(statuses.slice(-2)).toEqual([429, 429]);
  }
});

// Background work of the server, such as looking for jobs, may fall into a round.
it(
  'refusing asks no other process, says when to come back, and leaves others alone',
  MEASURED,
  async () => {
    vi.restoreAllMocks();
    const address = newAddress();
    await statusesOf('GET', '/health/ready', LIMIT + 1, address);
    const asked = vi.spyOn(server.ctx.database.pool, 'query');
    const connected = vi.spyOn(server.ctx.database.pool, 'connect');
    const { text, statuses } = await sendRaw(
      server.origin,
      [request('GET', '/health/ready', 'Connection: close\r\n')],
      { localAddress: address },
    );
    expect(statuses).toEqual([429]);
    expect(text).toMatch(/retry-after: 1\r\n/i);
    expect(text).toContain('More than 30 requests a minute came from your address. Try again in');
    expect([asked.mock.calls.length, connected.mock.calls.length]).toEqual([0, 0]);
    asked.mockRestore();
    connected.mockRestore();
    expect(await statusesOf('GET', '/health/live', 1, newAddress())).toEqual([200]);
  },
);

describe('an address that is refused all the time', () => {
  it('is answered at a limited pace, on however many connections, and recovers when it stops', async () => {
    const address = newAddress();
    let answers = 0;
    const line = request('GET', '/health/ready');
    const sockets = Array.from({ length: 64 }, () => {
      const socket = openSocket(server.origin, address);
      socket.on('data', (chunk: Buffer) => {
        const count = chunk.toString('latin1').match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;
        answers += count;
        socket.write(line.repeat(count));
      });
      socket.write(line);
      return socket;
    });
    const seconds = 4;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    const counted = answers;
    for (const socket of sockets) socket.destroy();
    // 250 at once and 500 a second.
    expect(counted).toBeGreaterThan(100);
    expect(counted).toBeLessThan((250 + 500 * seconds) * 1.3);
    expect(await statusesOf('GET', '/health/live', 1, newAddress())).toEqual([200]);
  });
});
