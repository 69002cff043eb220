// The limits on how often callers may call.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplePerson, type Person } from '../../testing/example.ts';
import { castBot } from '../../testing/chat/cast.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { chatClient, type Answer, type ChatClient } from '../../testing/chat/client.ts';

const settings = { CHAT_RATE_LIMIT: '3', CHAT_RATE_LIMIT_ANONYMOUS: '4' };

it('each user, from all addresses together, and each address without credentials have a limit', async () => {
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
    expect((await client.get('/messages')).status).toBe(400);

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
    // People with credentials are not locked out by strangers at the same address.
    expect((await chatClient(server, bob).get('/users/me')).status).toBe(200);
  } finally {
    await server.close();
  }
});

describe('with the default limits', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  async function newcomer(): Promise<{ person: Person; client: ChatClient }> {
    const person = await examplePerson(server.ctx);
    return { person, client: chatClient(server, person) };
  }

  /** Calls until refused, at most `most` times; returns how many were admitted, and the last answer. */
  async function callUntilRefused(call: () => Promise<Answer>, most: number) {
    let last = await call();
    let admitted = 0;
    while (last.status !== 429 && admitted < most) {
      admitted += 1;
      last = await call();
    }
    return { admitted, last };
  }

  it('polls do not count as requests, and report the state of their own limit', async () => {
    const { person, client } = await newcomer();
    const { body } = await client.post('/register', { fetch_event_types: [] });
    const poll = { queue_id: body['queue_id'], last_event_id: -1, dont_block: true };
    let last = await client.get('/events', poll);
    for (let count = 0; count < 400; count += 1) last = await client.get('/events', poll);
    expect(last.status).toBe(200);
    expect(last.headers.get('x-ratelimit-limit')).toBe('6000');
    expect(last.headers.get('x-ratelimit-remaining')).toBe(String(6000 - 401));
    const send = { type: 'direct', to: [person.id], content: 'still there' };
    const said = await client.post('/messages', send);
    expect(said.status).toBe(200);
    expect(said.headers.get('x-ratelimit-limit')).toBe('200');
    expect(Number(said.headers.get('x-ratelimit-remaining'))).toBe(198);
  });

  it('an address without credentials has 100 calls a minute, of any kind', async () => {
    const stranger = chatClient(server);
    const ask = () => stranger.get('/server_settings');
    expect((await callUntilRefused(ask, 120)).admitted).toBe(100);
    expect((await stranger.get('/users/me')).status).toBe(429);
  });

  it('a caller who used up the limit of requests can still poll for events', async () => {
    const { client } = await newcomer();
    const { body } = await client.post('/register', { fetch_event_types: [] });
    const { last } = await callUntilRefused(() => client.get('/users/me'), 250);
    expect(last.status).toBe(429);
    const poll = { queue_id: body['queue_id'], last_event_id: -1, dont_block: true };
    expect((await client.get('/events', poll)).status).toBe(200);
    // Closing a queue is not a poll.
    expect((await client.delete('/events', { queue_id: body['queue_id'] })).status).toBe(429);
  });

  it.each([
    ['searches, in either spelling', 60, { narrow: [['search', 'rialto']] }],
    ['searches', 60, { narrow: [{ operator: 'search', operand: 'rialto', negated: true }] }],
    ['pages of over 1,000 messages', 30, { num_before: 600, num_after: 401 }],
  ])('%s have their own budget, which leaves the rest', async (_what, limit, asked) => {
    const { client } = await newcomer();
    const page = { anchor: 'newest', num_before: 1, num_after: 0 };
    const { admitted, last } = await callUntilRefused(
      () => client.get('/messages', { ...page, ...asked }),
      100,
    );
    expect(admitted).toBe(limit);
    expect(last.body).toMatchObject({ code: 'RATE_LIMIT_HIT' });
    expect(last.headers.get('x-ratelimit-limit')).toBe(String(limit));
    expect((await client.get('/messages', { ...page, num_before: 1000 })).status).toBe(200);
  });

  it('ten tests a minute of one’s browsers', async () => {
    const { client } = await newcomer();
    const test = () =>
      client.post('/users/me/web_push_subscriptions/test', { endpoint: 'https://push.example/x' });
    expect((await callUntilRefused(test, 40)).admitted).toBe(10);
  });

  it('registrations have their own budget', async () => {
    const { client } = await newcomer();
    const register = () => client.post('/register', { event_types: [], fetch_event_types: [] });
    expect((await callUntilRefused(register, 100)).admitted).toBe(60);
    expect((await client.get('/users/me')).status).toBe(200);
  });

  it('bots of one owner share a budget, which is not the owner’s', async () => {
    const owner = await examplePerson(server.ctx);
    const bots = await Promise.all(Array.from({ length: 4 }, () => castBot(server.ctx, owner)));
    const admitted: number[] = [];
    for (const bot of bots) {
      const client = chatClient(server, bot);
      admitted.push((await callUntilRefused(() => client.get('/users/me'), 250)).admitted);
    }
    expect(admitted).toEqual([200, 200, 200, 0]);
    expect((await chatClient(server, owner).get('/users/me')).status).toBe(200);
    // Bots of another owner are not affected.
    const other = await examplePerson(server.ctx);
    const stranger = await castBot(server.ctx, other);
    expect((await chatClient(server, stranger).get('/users/me')).status).toBe(200);
  });

  it('one person has at most 50 bots, also when they are made at once', async () => {
    const { person, client } = await newcomer();
    const make = (name: string) =>
      client.post('/bots', { full_name: `Bot ${name}`, short_name: name, bot_type: 1 });
    for (let count = 0; count < 48; count += 1) {
      await castBot(server.ctx, person);
    }
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_value, index) => make(`many${person.id}x${index}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused?.status).toBe(400);
    expect(refused?.body['msg']).toMatch(
      /^One person can have at most 50 bots on this server\. Deactivate/,
    );
    // Nor can bots be given to a person who has that many.
    const giver = await newcomer();
    const bot = await castBot(server.ctx, giver.person);
    const given = await giver.client.patch(`/bots/${bot.id}`, { bot_owner_id: person.id });
    expect(given.body['msg']).toMatch(/at most 50 bots/);
  });
});
