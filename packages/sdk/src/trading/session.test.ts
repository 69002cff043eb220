// A session of a browser instead of a key.
import { describe, expect, it } from 'vitest';
import { startScripted, succeed } from '../test-server.ts';
import { Trading, type TradingOptions } from './client.ts';

const LIMIT = {
  symbol: 'btcusdt',
  side: 'buy',
  type: 'limit',
  price: '64000.00',
  volume: '0.01',
} as const;

async function open(session: TradingOptions['session']) {
  const server = await startScripted(() => succeed({ orderId: '1' }));
  return { server, trading: new Trading({ url: server.url, session }) };
}

describe('a session', () => {
  it('goes to its own path, with its token and without a signature', async () => {
    const { server, trading } = await open({ csrfToken: 'token', cookie: 'sessionid=x' });
    await trading.order.create(LIMIT);
    await trading.public.ping();
    const [order, ping] = server.received;
    expect(order?.path).toBe('/json/v1/private/order/create');
    expect(order?.headers).toMatchObject({ 'x-csrftoken': 'token', cookie: 'sessionid=x' });
    expect(order?.headers).not.toHaveProperty('x-svc-signature');
    // The time makes a late copy a refusal.
    expect(order?.form.get('timestamp')).toMatch(/^[0-9]{13}$/);
    expect(order?.form.has('nonce')).toBe(false);
    expect(ping?.path).toBe('/v1/public/ping');
    expect(ping?.headers).not.toHaveProperty('cookie');
  });

  it('reads the token from the cookie of the page', async () => {
    const globals = globalThis as { document?: { cookie: string } };
    globals.document = { cookie: 'a=1; __Host-csrftoken=from-page; b=2' };
    try {
      const { server, trading } = await open(true);
      await trading.order.cancelAll();
      expect(server.received[0]?.headers).toMatchObject({ 'x-csrftoken': 'from-page' });
    } finally {
      delete globals.document;
    }
  });
});
