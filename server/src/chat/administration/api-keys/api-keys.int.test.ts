// Chat keys with labels and scopes: their life, and what a key with a scope never learns.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAppKey } from '../../../accounts/chat-keys/manage.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { openBrowser, type Browser } from '../../../testing/browser.ts';
import { chatClient, type Answer, type ChatClient } from '../../../testing/chat/client.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { chatRoutes } from '../../routes.ts';

const PASSWORD = 'a long enough secret';
const DAY = 86_400;

let server: TestServer;
let owner: Person;
let browser: Browser;

beforeAll(async () => {
  server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '100000', CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD });
  browser = openBrowser(server);
  await browser.signIn(owner.email, PASSWORD);
});
afterAll(() => server.close());

const basicOf = (email: string, key: unknown): Pick<Person, 'basic'> => ({
  basic: `Basic ${Buffer.from(`${email}:${String(key)}`).toString('base64')}`,
});

/** A client with a new key of the owner, or of a bot. */
async function keyed(
  terms: Record<string, string>,
  { email, path = '/api_keys' }: { email?: string; path?: string } = {},
): Promise<{ id: number; client: ChatClient; basic: string }> {
  const { status, body } = await browser.call('POST', path, { label: 'test', ...terms });
  expect([status, body['msg']]).toEqual([200, '']);
  const { basic } = basicOf(email ?? owner.email, body['api_key']);
  return { id: Number(body['id']), client: chatClient(server, { basic }), basic };
}

const listed = async (path = '/api_keys') =>
  (await browser.call('GET', path)).body['api_keys'] as Record<string, unknown>[];

const now = () => Math.floor(Date.now() / 1000);

describe('a key of one’s own', () => {
  it('works, is listed without itself, and ends at once', async () => {
    const { id, client } = await keyed({ label: 'alarm' });
    expect((await client.get('/users/me')).body['user_id']).toBe(owner.id);
    const mine = (await listed()).find((one) => one['id'] === id);
    expect(mine).toEqual({
      id,
      kind: 'own',
      label: 'alarm',
      can: ['read', 'write'],
      channel_ids: null,
      direct: true,
      addresses: null,
      created_at: expect.any(Number),
      expires_at: null,
      last_used_at: expect.any(Number),
      replaced_by: null,
    });
    const change = { label: 'bell', can: '["read"]' };
    expect((await browser.call('PATCH', `/api_keys/${id}`, change)).status).toBe(200);
    const message = { type: 'direct', to: [owner.id], content: 'to myself' };
    expect((await client.post('/messages', message)).body['code']).toBe('KEY_SCOPE');
    expect((await browser.call('DELETE', `/api_keys/${id}`)).status).toBe(200);
    expect((await client.get('/users/me')).status).toBe(401);
    expect((await browser.call('DELETE', `/api_keys/${id}`)).status).toBe(404);
    // The main key goes on.
    expect((await chatClient(server, owner).get('/users/me')).status).toBe(200);
  });

  it('has limits: the address, the end, the number, and terms that make no sense', async () => {
    const elsewhere = await keyed({ addresses: '["203.0.113.0/24"]' });
    expect((await elsewhere.client.get('/users/me')).status).toBe(401);
    const here = await keyed({ addresses: '["127.0.0.0/8"]', expires_at: String(now() + 3600) });
    expect((await here.client.get('/users/me')).status).toBe(200);
    await server.ctx.database.pool.query(
      `UPDATE chat_keys SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [here.id],
    );
    expect((await here.client.get('/users/me')).status).toBe(401);
    for (const terms of [
      { label: ' ' },
      { label: 'x', can: '[]' },
      { label: 'x', addresses: '["nowhere"]' },
      { label: 'x', channel_ids: '[1,1]' },
      { label: 'x', expires_at: String(now() - 1) },
      { label: 'x', can: '["admin"]' },
      { label: 'x', can: '["admin"]', expires_at: String(now() + 31 * DAY) },
      { label: 'x'.repeat(65) },
    ]) {
      expect((await browser.call('POST', '/api_keys', terms)).status).toBe(400);
    }
    const before = (await listed()).length;
    for (let count = before; count < 20; count += 1) await keyed({ label: `n${count}` });
    expect((await browser.call('POST', '/api_keys', { label: 'one more' })).status).toBe(400);
    for (const { id } of await listed()) await browser.call('DELETE', `/api_keys/${String(id)}`);
  });

  it('is rotated: both work for the overlap, and only one successor', async () => {
    const { id, client } = await keyed({ can: '["read"]' });
    const made = await browser.call('POST', `/api_keys/${id}/rotate`, { overlap_seconds: '60' });
    const next = chatClient(server, basicOf(owner.email, made.body['api_key']));
    expect((await client.get('/users/me')).status).toBe(200);
    expect((await next.get('/users/me')).status).toBe(200);
    expect((await next.patch('/settings', { timezone: '' })).body['code']).toBe('KEY_SCOPE');
    expect((await browser.call('POST', `/api_keys/${id}/rotate`)).status).toBe(400);
    const last = Number(made.body['id']);
    expect((await browser.call('POST', `/api_keys/${last}/rotate`)).status).toBe(400);
    await browser.call('DELETE', `/api_keys/${id}`);
    await browser.call('POST', `/api_keys/${last}/rotate`, { overlap_seconds: '0' });
    expect((await next.get('/users/me')).status).toBe(401);
  });

  it('is somebody’s own, and not made by a key', async () => {
    const { id } = await keyed({});
    const other = await examplePerson(server.ctx, { password: PASSWORD });
    const stranger = openBrowser(server);
    await stranger.signIn(other.email, PASSWORD);
    expect((await stranger.call('DELETE', `/api_keys/${id}`)).status).toBe(404);
    expect((await stranger.call('PATCH', `/api_keys/${id}`, { label: 'mine' })).status).toBe(404);
    expect((await chatClient(server, owner).post('/api_keys', { label: 'x' })).status).toBe(404);
  });

  it('apps have at most 20, and a new main key ends theirs', async () => {
    const person = await examplePerson(server.ctx);
    const keys: string[] = [];
    for (let count = 0; count < 21; count += 1) {
      const made = await server.ctx.inTransaction((tx) =>
        makeAppKey(server.ctx, tx, person, `phone ${count}`),
      );
      keys.push(made.key);
    }
    const status = async (key?: string) =>
      (await chatClient(server, basicOf(person.email, key)).get('/users/me')).status;
    expect(await status(keys[0])).toBe(401);
    expect(await status(keys[1])).toBe(200);
    await chatClient(server, person).post('/users/me/api_key/regenerate');
    expect(await status(keys[20])).toBe(401);
  });

  it('with admin does what asks for a factor; without it nothing of that', async () => {
    const member = await examplePerson(server.ctx);
    const admin = await keyed({ can: '["read","admin"]', expires_at: String(now() + DAY) });
    const plain = await keyed({ can: '["read","write"]' });
    const change = { role: ROLE.moderator };
    expect((await plain.client.patch(`/users/${member.id}`, change)).body['code']).toBe(
      'KEY_SCOPE',
    );
    expect((await admin.client.patch(`/users/${member.id}`, change)).status).toBe(200);
  });
});

describe('[I22] a scoped bot between two worlds', () => {
  const WORDS = {
    channel: 'zqworldname',
    topic: 'zqtopicword',
    text: 'zqcontentword',
    dm: 'zqdirectword',
  };
  let as: ChatClient;
  let bot: { id: number; email: string };
  let [inside, outside] = [0, 0];
  let [insideId, outsideId, directId] = [0, 0, 0];
  let scoped: ChatClient;
  let whole: ChatClient;
  let filePath = '';
  let scopedBasic = '';

  const send = async (params: Record<string, unknown>): Promise<number> =>
    Number((await as.post('/messages', { type: 'channel', topic: 'plain', ...params })).body['id']);

  const isSilent = ({ text }: Answer): boolean =>
    Object.values(WORDS).every((word) => !text.includes(word));

  beforeAll(async () => {
    as = chatClient(server, owner);
    const made = await as.post('/bots', { full_name: 'Courier', short_name: 'courier' });
    const id = Number(made.body['user_id']);
    const { user } = (await as.get(`/users/${id}`)).body as { user: { email: string } };
    bot = { id, email: user.email };
    whole = chatClient(server, basicOf(bot.email, made.body['api_key']));
    const channel = async (name: string) => {
      const form = { name, subscribers: [bot.id, owner.id], invite_only: true };
      return Number((await as.post('/channels/create', form)).body['id']);
    };
    [inside, outside] = [await channel('market talk'), await channel(WORDS.channel)];
    insideId = await send({ to: inside, content: 'hello inside' });
    const data = new FormData();
    data.set('file', new Blob([WORDS.text]), 'note.txt');
    const upload = await as.raw('/user_uploads', { method: 'POST', body: data });
    filePath = String(upload.body['uri'] ?? upload.body['url']);
    outsideId = await send({
      to: outside,
      topic: WORDS.topic,
      content: `${WORDS.text} [note](${filePath})`,
    });
    directId = await send({ type: 'direct', to: [bot.id], topic: undefined, content: WORDS.dm });
    expect([insideId, outsideId, directId].every((one) => one > 0)).toBe(true);
    const key = await keyed(
      { channel_ids: JSON.stringify([inside]) },
      { email: bot.email, path: `/bots/${bot.id}/api_keys` },
    );
    scoped = key.client;
    scopedBasic = key.basic;
  });

  it('reads and writes in its channel', async () => {
    const narrow = [{ operator: 'channel', operand: inside }];
    const page = await scoped.get('/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow,
    });
    expect(page.text).toContain('hello inside');
    expect((await scoped.get(`/messages/${insideId}`)).status).toBe(200);
    expect((await scoped.get(`/users/me/${inside}/topics`)).text).toContain('plain');
    const sent = { type: 'channel', to: inside, topic: 'plain', content: 'from the bot' };
    expect((await scoped.post('/messages', sent)).status).toBe(200);
    expect((await scoped.get('/users/me')).body['max_message_id']).toBe(-1);
    // Its main key does see the other world, so the scope is what hides it.
    expect((await whole.get(`/messages/${outsideId}`)).text).toContain(WORDS.text);
  });

  it('learns nothing by any GET route, whatever it asks', async () => {
    const fills = [
      String(outside),
      String(outsideId),
      String(directId),
      String(owner.id),
      String(inside),
    ];
    const queries: Record<string, unknown>[] = [
      {},
      { stream: WORDS.channel },
      { narrow: [], anchor: 'newest', num_before: 50, num_after: 0 },
      {
        narrow: [{ operator: 'channel', operand: outside }],
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
      },
      {
        narrow: [{ operator: 'channel', operand: WORDS.channel }],
        anchor: 'newest',
        num_before: 9,
        num_after: 0,
      },
      { narrow: [['search', 'zqcontentword']], anchor: 'newest', num_before: 50, num_after: 0 },
      {
        narrow: [
          { operator: 'channel', operand: inside },
          { operator: 'with', operand: outsideId },
        ],
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
      },
      {
        narrow: [
          { operator: 'channel', operand: inside },
          { operator: 'channel', operand: outside, negated: true },
        ],
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
      },
      {
        narrow: [{ operator: 'is', operand: 'dm' }],
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
      },
      { message_ids: [outsideId, directId] },
    ];
    const wrong: string[] = [];
    let refused = 0;
    for (const { name, method, path, allow } of chatRoutes) {
      if (method !== 'GET' || allow === 'anyone' || name === 'get-events') continue;
      for (const fill of path.includes('{') ? fills : ['']) {
        const url = path
          .replaceAll(/\{\w+:path\}/g, filePath.replace(/^\/user_uploads\//, ''))
          .replaceAll(/\{\w+(:int)?\}/g, fill);
        for (const query of name === 'get-messages' || name === 'get-stream-id' ? queries : [{}]) {
          const answer = await scoped.get(url, query);
          if (!isSilent(answer)) wrong.push(`${name} ${JSON.stringify(query)}`);
          if (answer.body['code'] === 'KEY_SCOPE') refused += 1;
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(40);
    // A message outside and one that does not exist are told apart by nobody.
    const [foreign, none] = [
      await scoped.get(`/messages/${outsideId}`),
      await scoped.get('/messages/99999999'),
    ];
    expect(foreign.text).toBe(none.text);
  });

  it('changes nothing outside, by any other route', async () => {
    const bodies: Record<string, unknown>[] = [
      { type: 'channel', to: outside, topic: 'x', content: 'x' },
      { type: 'channel', to: WORDS.channel, topic: 'x', content: 'x' },
      { type: 'channel', to: [outside], topic: 'x', content: 'x' },
      { type: 'direct', to: [owner.id], content: 'x' },
      { type: 'channel', to: inside, topic: 'x', content: `see #**${WORDS.channel}**` },
    ];
    for (const body of bodies) {
      expect((await scoped.post('/messages', body)).body['code']).toBe('KEY_SCOPE');
    }
    const allowed = new Set(['send-message', 'register-queue', 'delete-queue']);
    for (const { name, method, path, allow, params } of chatRoutes) {
      if (method === 'GET' || allow === 'anyone' || allowed.has(name)) continue;
      const url = path.replaceAll(/\{\w+(:\w+)?\}/g, String(outsideId));
      const answer = await scoped.raw(url, { method });
      expect([name, isSilent(answer)]).toEqual([name, true]);
      const isPlain = Object.values(params.properties).length === 0;
      if (isPlain) expect([name, answer.body['result']]).toEqual([name, 'error']);
    }
    const headers = { authorization: scopedBasic };
    const file = await fetch(`${server.origin}${filePath}`, { headers });
    expect([file.status, (await file.text()).includes(WORDS.text)]).toEqual([400, false]);
    // A key that reads all that its owner does has the file; one that only writes has not.
    for (const [can, status] of [
      ['read', 200],
      ['write', 400],
    ] as const) {
      const { basic } = await keyed({ can: JSON.stringify([can]) });
      const answer = await fetch(`${server.origin}${filePath}`, {
        headers: { authorization: basic },
      });
      expect([can, answer.status]).toEqual([can, status]);
      await answer.text();
    }
  });

  it('hears nothing from outside by events, and no other key reads its queue', async () => {
    const types = ['message', 'reaction', 'delete_message'];
    for (const params of [
      {},
      { event_types: ['message', 'realm_user'] },
      { event_types: ['message'], fetch_event_types: ['stream'] },
      { event_types: ['message'], all_public_streams: true },
      { event_types: ['message'], narrow: [['is', 'dm']] },
    ]) {
      expect((await scoped.post('/register', params)).body['code']).toBe('KEY_SCOPE');
    }
    const opened = await scoped.post('/register', { event_types: types });
    expect(Object.keys(opened.body).sort()).toEqual(
      [
        'idle_queue_timeout_secs',
        'last_event_id',
        'msg',
        'queue_id',
        'result',
        'zulip_feature_level',
        'zulip_merge_base',
        'zulip_version',
      ].sort(),
    );
    const queue = { queue_id: opened.body['queue_id'], last_event_id: -1, dont_block: true };
    const wide = await whole.post('/register', { event_types: types });
    const other = { queue_id: wide.body['queue_id'], last_event_id: -1, dont_block: true };
    await as.post(`/messages/${outsideId}/reactions`, { emoji_name: 'octopus' });
    await send({ to: outside, topic: WORDS.topic, content: `@**Courier** ${WORDS.text}` });
    await send({ type: 'direct', to: [bot.id], topic: undefined, content: WORDS.dm });
    await as.delete(
      `/messages/${await send({ to: outside, topic: WORDS.topic, content: 'gone' })}`,
    );
    await send({ to: inside, content: 'the last one' });
    // The last message has passed when the wide queue has it.
    let everything = await whole.get('/events', other);
    for (let tries = 0; tries < 60 && !everything.text.includes('the last one'); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      everything = await whole.get('/events', other);
    }
    expect(isSilent(everything)).toBe(false);
    let heard = await scoped.get('/events', queue);
    for (let tries = 0; tries < 60 && !heard.text.includes('the last one'); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      heard = await scoped.get('/events', queue);
    }
    const events = heard.body['events'] as { type: string; message?: { content: string } }[];
    expect(events.map(({ type, message }) => [type, message?.content])).toEqual([
      ['message', 'the last one'],
    ]);
    expect(isSilent(heard)).toBe(true);
    expect((await scoped.get('/events', other)).body['code']).toBe('BAD_EVENT_QUEUE_ID');
    expect((await whole.get('/events', queue)).body['code']).toBe('BAD_EVENT_QUEUE_ID');
  });
});
