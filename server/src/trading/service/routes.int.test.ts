import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { send } from '../../testing/trader.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ settings: { TRADING_RATE_LIMIT: '100000' } });
});
afterAll(() => server.close());

describe('ping and time', () => {
  it('ping answers pong in the envelope [T006] [T008] [T009] [T010] [T052] [T054]', async () => {
    const { status, body } = await send(`${server.baseUrl}/public/ping`);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'true',
      serverTime: expect.stringMatching(/^\d{13}$/) as string,
      result: 'pong',
    });
    expect(Math.abs(Number(body.serverTime) - Date.now())).toBeLessThan(5000);
  });

  it('time is the serverTime of the same answer, to the character [T009] [T055]', async () => {
    for (let round = 0; round < 50; round += 1) {
      const beforeMs = Date.now();
      const { body } = await send(`${server.baseUrl}/public/time`);
      expect(Object.keys(body)).toEqual(['status', 'serverTime', 'result']);
      expect(body.status).toBe('true');
      expect(body.result).toBe(body.serverTime);
      expect(body.result).toMatch(/^\d{13}$/);
      expect(Number(body.result)).toBeGreaterThanOrEqual(beforeMs - 20);
      expect(Number(body.result)).toBeLessThanOrEqual(Date.now() + 20);
    }
  });

  it('the version is the path prefix, and paths are relative to it [T002] [T077]', async () => {
    expect(new URL(server.baseUrl).pathname).toBe('/v1');
    expect((await send(`${server.origin}/v1/public/ping`)).status).toBe(200);
    expect((await send(`${server.origin}/public/ping`)).status).toBe(404);
    expect((await send(`${server.origin}/v2/public/ping`)).status).toBe(404);
  });

  it('public endpoints need no credentials and ignore them [T004] [T060] [T072]', async () => {
    const wrong = { 'X-SVC-APIKEY': 'no such key', 'X-SVC-SIGNATURE': 'nonsense' };
    for (const path of ['swagger', 'ping', 'time', 'exchange_info', 'coins_info', 'fees']) {
      const url = `${server.baseUrl}/public/${path}`;
      expect((await send(url)).status).toBe(200);
      expect((await send(url, { headers: wrong })).status).toBe(200);
    }
  });
});

interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId: string; responses: object }>>;
  components: { schemas: Record<string, object> };
}

describe('swagger', () => {
  it('is a bare OpenAPI document [T006] [T053] [T078]', async () => {
    const { status, headers, text } = await send(`${server.baseUrl}/public/swagger`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    const document = JSON.parse(text) as Document;
    expect(document).not.toHaveProperty('status');
    expect(document).not.toHaveProperty('serverTime');
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: 'Trading Service API', version: '1.0.0' });
    expect(document.servers).toEqual([{ url: server.baseUrl }]);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'Envelope',
        'ErrorEnvelope',
        'Market',
        'Coin',
        'Network',
        'OrderBook',
        'Balance',
        'AccountInfo',
      ]),
    );
  });

  it('lists every endpoint, and every listed endpoint answers [T002] [T053]', async () => {
    const document = JSON.parse((await send(`${server.baseUrl}/public/swagger`)).text) as Document;
    for (const path of ['swagger', 'ping', 'time', 'exchange_info', 'coins_info', 'orderbook']) {
      expect(document.paths).toHaveProperty([`/public/${path}`, 'get', 'operationId']);
    }
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        const { status } = await send(server.baseUrl + path, { method: method.toUpperCase() });
        expect(status, path).not.toBe(404);
        expect(status, path).not.toBe(405);
        expect(Object.keys(responses)).toContain(String(status));
      }
    }
  });

  it('its failure has the envelope of every failure', async () => {
    const { status, body } = await send(`${server.baseUrl}/public/swagger`, { method: 'POST' });
    expect(status).toBe(405);
    expect(body).toMatchObject({ status: 'false', result: null, error: { code: '1005' } });
  });
});
