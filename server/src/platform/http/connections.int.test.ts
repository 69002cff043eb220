// How many connections one address may have, and all together; and what happens to unwanted bodies.
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { openSocket, sendRaw } from '../../testing/raw-http.ts';

let server: TestServer | undefined;
const sockets: Socket[] = [];

async function start(settings: Record<string, string>): Promise<TestServer> {
  server = await startTestServer({ settings });
  return server;
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
  server = undefined;
});

const ASK = 'GET /health/live HTTP/1.1\r\nHost: rialto.test\r\n\r\n';

/**
 * Opens a connection that stays; returns the status of its first answer, 0 if it was cut without
 * one.
 */
async function hold(origin: string, localAddress: string): Promise<number> {
  const socket = openSocket(origin, localAddress);
  sockets.push(socket);
  socket.write(ASK);
  return new Promise((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(Number(chunk.toString('latin1').slice(9, 12))));
    socket.once('close', () => resolve(0));
  });
}

async function holdMany(origin: string, count: number, address: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push(await hold(origin, address));
  return statuses;
}

describe('connections', () => {
  it('of one address are capped, of another are unaffected, and are released when they close', async () => {
    const { origin } = await start({ CONNECTIONS_PER_ADDRESS_MAX: '8' });
    expect(await holdMany(origin, 10, '127.2.0.1')).toEqual([...Array(8).fill(200), 503, 503]);
    expect(await holdMany(origin, 2, '127.2.0.2')).toEqual([200, 200]);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect
      .poll(() => hold(origin, '127.2.0.1'), { timeout: 10_000, interval: 300 })
      .toBe(200);
  });

  it('of one address that open too fast are cut before anything is read', async () => {
    const { origin } = await start({ CONNECTIONS_PER_ADDRESS_MAX: '8' });
    const outcomes: number[] = [];
    for (let count = 0; count < 30; count += 1) {
      outcomes.push(await hold(origin, '127.2.0.3'));
      sockets.pop()?.destroy();
    }
    expect(outcomes.filter((status) => status === 200).length).toBeLessThan(25);
    expect(outcomes).toContain(0);
    expect(await hold(origin, '127.2.0.4')).toBe(200);
  });

  it('of a trusted proxy count as many people', async () => {
    const { origin } = await start({
      CONNECTIONS_PER_ADDRESS_MAX: '4',
      TRUSTED_PROXIES: '127.2.0.5',
    });
    expect(await holdMany(origin, 12, '127.2.0.5')).toEqual(Array(12).fill(200));
    expect(await holdMany(origin, 5, '127.2.0.6')).toEqual([200, 200, 200, 200, 503]);
  });

  it('have a total limit, proxies or not', async () => {
    const { origin } = await start({ CONNECTIONS_MAX: '10', TRUSTED_PROXIES: '127.2.0.0/16' });
    const statuses: number[] = [];
    for (let count = 0; count < 14; count += 1) {
      statuses.push(await hold(origin, `127.2.1.${count + 1}`));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual([0, 0, 0, 0]);
  });

  it('are replaced after 1,000 requests', async () => {
    const { origin } = await start({});
    const parts = ['GET /v1/docs/bot.mjs HTTP/1.1\r\nHost: rialto.test\r\n\r\n'.repeat(1001)];
    const { text, statuses } = await sendRaw(origin, parts, { waitMs: 6000 });
    expect(statuses).toEqual([...Array(1000).fill(200), 503]);
    const answers = text.split('HTTP/1.1 ').slice(1);
    expect(answers.findIndex((answer) => /^connection: close/im.test(answer))).toBe(999);
  });
});

describe('a body from an unauthenticated caller', () => {
  const MIB = 1024 * 1024;
  const head = (method: string, path: string, more: readonly string[]) =>
    [`${method} ${path} HTTP/1.1`, 'Host: rialto.test', ...more, '', ''].join('\r\n');
  const multipart = 'Content-Type: multipart/form-data; boundary=b';
  const form = 'Content-Type: application/x-www-form-urlencoded';

  it.each([
    ['an upload', 'POST', '/api/v1/user_uploads', multipart, 401],
    ['an avatar', 'POST', '/api/v1/users/me/avatar', multipart, 401],
    ['an emoji', 'POST', '/api/v1/realm/emoji/parrot', multipart, 401],
    ['an upload in pieces', 'PATCH', '/api/v1/tus/abc', 'Tus-Resumable: 1.0.0', 401],
    ['a message', 'POST', '/api/v1/messages', form, 401],
    ['a message of a browser', 'POST', '/json/messages', form, 401],
    ['an avatar of a browser', 'POST', '/json/users/me/avatar', multipart, 401],
    ['a form to sign in with', 'POST', '/accounts/login/', form, 413],
    ['a password for a key', 'POST', '/api/v1/fetch_api_key', form, 413],
    ['a password in parts', 'POST', '/api/v1/fetch_api_key', multipart, 413],
    ['an order', 'POST', '/v1/private/order/create', 'Content-Type: application/json', 401],
    ['something for nobody', 'POST', '/nothing', form, 404],
    ['an unknown path of the chat', 'POST', '/api/v1/nothing', form, 404],
    ['an unknown path of the venue', 'POST', '/v1/nothing', form, 404],
  ])(
    'is refused before it has arrived, and the connection ends: %s',
    async (_what, method, path, type, status) => {
      const { origin } = await start({});
      for (const length of [`Content-Length: ${50 * MIB}`, 'Transfer-Encoding: chunked']) {
        const answer = await sendRaw(origin, [head(method, path, [type, length])], {
          waitMs: 8000,
        });
        // A form without a length is read up to the limit for strangers.
        const isRead = status === 413 && length.startsWith('Transfer');
        if (isRead) continue;
        expect([length, answer.status, answer.isClosed]).toEqual([length, status, true]);
      }
    },
  );

  it('does not fill the memory while it arrives: 16 KiB of a form are read, and no more', async () => {
    const { origin } = await start({});
    const chunk = `${(8192).toString(16)}\r\n${'a'.repeat(8192)}\r\n`;
    for (const path of ['/api/v1/fetch_api_key', '/accounts/login/', '/accounts/register/']) {
      const parts = [head('POST', path, [form, 'Transfer-Encoding: chunked']), chunk, chunk, chunk];
      const answer = await sendRaw(origin, parts);
      expect([path, answer.status, answer.isClosed]).toEqual([path, 413, true]);
    }
  });

  it('is short with the name of an unknown key, and a little longer with that of a known one', async () => {
    const { origin, ctx } = await start({ TRADING_RATE_LIMIT: '1000' });
    const { exampleTrader } = await import('../../testing/trader.ts');
    const { keyId } = await exampleTrader(ctx);
    const order = (key: string) =>
      head('POST', '/v1/private/order/create', [
        'Content-Type: application/json',
        `X-SVC-APIKEY: ${key}`,
        `Content-Length: ${200 * 1024}`,
      ]);
    const unknown = await sendRaw(origin, [order('f'.repeat(32))], { untilAnswered: true });
    expect(unknown.text).toContain('API_KEY_INVALID');
    // Each waits for its body; together they may hold 4 MiB of it.
    const waiting = Array.from({ length: 20 }, () => {
      const socket = openSocket(origin);
      sockets.push(socket);
      socket.write(order(keyId));
      return socket;
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const over = await sendRaw(origin, [order(keyId)], { untilAnswered: true });
    expect(over.status).toBe(503);
    expect(over.text).toContain('Nothing was done; try again.');
    // They stop counting when they are gone.
    for (const socket of waiting) socket.destroy();
    await expect
      .poll(
        async () =>
          (await sendRaw(origin, [order(keyId)], { untilAnswered: true, waitMs: 300 })).status,
        { timeout: 10_000 },
      )
      .toBe(0);
  });
});
