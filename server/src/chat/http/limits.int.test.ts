import { expect, it } from 'vitest';
import { examplePerson } from '../../testing/example.ts';
import { startTestServer } from '../../testing/server.ts';
import { chatClient } from './test-client.ts';

const settings = { CHAT_RATE_LIMIT: '3', CHAT_RATE_LIMIT_ANONYMOUS: '4' };

it('a user, over all addresses, and an address without credentials, have a limit each', async () => {
  const server = await startTestServer({ settings });
  try {
    const ada = await examplePerson(server.ctx);
    const bob = await examplePerson(server.ctx);
    const client = chatClient(server, ada);
    const first = await client.get('/users/me');
    expect(first.headers.get('x-ratelimit-limit')).toBe('3');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('2');
    const reset = Number(first.headers.get('x-ratelimit-reset'));
    expect(reset).toBeGreaterThan(Date.now() / 1000);
    expect(reset).toBeLessThan(Date.now() / 1000 + 62);
    await client.get('/users/me');
    // A refused parameter counts as well as an accepted one.
    expect((await client.get('/events')).status).toBe(400);

    const refused = await client.get('/users/me');
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ result: 'error', code: 'RATE_LIMIT_HIT' });
    expect(refused.body['msg']).toMatch(/^API usage exceeded rate limit/);
    expect(refused.body['retry-after']).toBeGreaterThan(50);
    expect(refused.body['retry-after']).toBeLessThanOrEqual(60);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');

    expect((await chatClient(server, bob).get('/users/me')).status).toBe(200);

    const anonymous = chatClient(server);
    expect((await anonymous.get('/server_settings')).status).toBe(200);
    expect((await anonymous.get('/users/me')).status).toBe(401);
    expect((await chatClient(server, { basic: 'Basic !' }).get('/users/me')).status).toBe(401);
    expect((await anonymous.post('/fetch_api_key')).status).toBe(400);
    expect((await anonymous.get('/server_settings')).status).toBe(429);
    expect((await anonymous.get('/users/me')).body).toMatchObject({ code: 'RATE_LIMIT_HIT' });
    // Whoever has credentials is not locked out by strangers at the same address.
    expect((await chatClient(server, bob).get('/users/me')).status).toBe(200);
  } finally {
    await server.close();
  }
});
