// Forms of requests and answers that all routes share.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../accounts/roles.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { chatClient, encodeForm, type ChatClient } from '../../testing/chat/client.ts';

const URLENCODED = 'application/x-www-form-urlencoded';

let server: TestServer;
let ada: Person;
let client: ChatClient;

beforeAll(async () => {
  server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '100000', CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
  });
  ada = await examplePerson(server.ctx, { role: ROLE.owner });
  client = chatClient(server, ada);
});
afterAll(() => server.close());

const unaddressed = (content: string) => ({ type: '', to: [], topic: '', content });

async function contents(): Promise<string[]> {
  const { body } = await client.get('/drafts');
  return (body['drafts'] as { content: string }[]).map(({ content }) => content);
}

describe('[M003] parameters', () => {
  it('come in a urlencoded body, as the Python client sends them', async () => {
    const answer = await client.post('/drafts', { drafts: [unaddressed('urlencoded & more')] });
    expect(answer.status).toBe(200);
    expect(await contents()).toContain('urlencoded & more');
  });

  it('come in a multipart body, as the JavaScript client sends them', async () => {
    const body = new FormData();
    body.set('drafts', JSON.stringify([unaddressed('multipart «ü»')]));
    const answer = await client.raw('/drafts', { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(await contents()).toContain('multipart «ü»');
  });

  it('come in the query string of any method, as the JavaScript client sends PATCH and DELETE', async () => {
    const { body } = await client.post('/drafts', { drafts: [unaddressed('to be edited')] });
    const [id] = body['ids'] as number[];
    const query = encodeForm({ draft: unaddressed('edited by query') }).toString();
    expect((await client.raw(`/drafts/${id}?${query}`, { method: 'PATCH' })).status).toBe(200);
    expect(await contents()).toContain('edited by query');
    const register = await client.post('/register', { fetch_event_types: [] });
    const queue = encodeForm({ queue_id: register.body['queue_id'] }).toString();
    expect((await client.raw(`/events?${queue}`, { method: 'DELETE' })).status).toBe(200);
  });

  it('come in the body of a DELETE', async () => {
    const { body } = await client.post('/register', { fetch_event_types: [] });
    const answer = await client.delete('/events', { queue_id: body['queue_id'] });
    expect(answer.body).toEqual({ result: 'success', msg: '' });
  });

  it('come without percent-encoding, as one Go library sends them', async () => {
    const answer = await client.raw('/register', {
      method: 'POST',
      headers: { 'content-type': URLENCODED },
      body: 'event_types=["message"]&narrow=[["is","private"]]&fetch_event_types=[]',
    });
    expect(answer.status).toBe(200);
    expect(answer.body['ignored_parameters_unsupported']).toBeUndefined();
  });

  it('come in the body of a GET', async () => {
    // fetch refuses to send this, but other clients do.
    const { request } = await import('node:http');
    const form = 'user_ids=%5B999999%5D';
    const headers = {
      authorization: ada.basic,
      'content-type': URLENCODED,
      'content-length': form.length,
    };
    const text = await new Promise<string>((resolve, reject) => {
      const sent = request(`${server.chatUrl}/users`, { method: 'GET', headers }, (response) => {
        response.setEncoding('utf8');
        let all = '';
        response.on('data', (chunk: string) => (all += chunk)).on('end', () => resolve(all));
      });
      sent.on('error', reject).end(form);
    });
    expect(JSON.parse(text)).toEqual({ result: 'success', msg: '', members: [] });
  });

  it('in the body win over those in the query, and the last of several wins', async () => {
    const inQuery = encodeForm({ drafts: [unaddressed('from the query')] }).toString();
    const first = encodeForm({ drafts: [unaddressed('from the body, first')] }).toString();
    const last = encodeForm({ drafts: [unaddressed('from the body, last')] }).toString();
    const answer = await client.raw(`/drafts?${inQuery}`, {
      method: 'POST',
      headers: { 'content-type': `${URLENCODED}; charset=utf-8` },
      body: `${first}&${last}`,
    });
    expect(answer.status).toBe(200);
    const all = await contents();
    expect(all).toContain('from the body, last');
    expect(all).not.toContain('from the query');
    expect(all).not.toContain('from the body, first');
  });

  it('in a body that is no form are refused with an explanation, and nothing is done', async () => {
    const before = await contents();
    const drafts = [unaddressed('lost in JSON')];
    const refuse = async (by: ChatClient, path: string, method: string, init: RequestInit) => {
      const { status, body } = await by.raw(path, { method, ...init });
      expect([status, body['code']]).toEqual([400, 'BAD_REQUEST']);
      expect(body['msg']).toContain('application/x-www-form-urlencoded or multipart/form-data');
      return String(body['msg']);
    };
    const json = (value: unknown, type = 'application/json') => ({
      headers: { 'content-type': type },
      body: typeof value === 'string' ? value : JSON.stringify(value),
    });
    const bare = new Blob([encodeForm({ drafts }).toString()]);
    for (const [init, came] of [
      [json({ drafts }), 'as application/json.'],
      [json({ drafts }, 'Application/JSON; charset=utf-8'), 'as application/json.'],
      [json('not even JSON'), 'as application/json.'],
      [json('x', 'text/plain'), 'as text/plain.'],
      [{ body: bare }, 'without a Content-Type.'],
    ] as [RequestInit, string][]) {
      expect(await refuse(client, '/drafts', 'POST', init)).toContain(`came ${came}`);
    }
    for (const [method, path] of [
      ['PATCH', '/settings'],
      ['DELETE', '/users/me/subscriptions'],
      ['POST', '/mark_all_as_read'],
    ] as const) {
      await refuse(client, path, method, json({ anything: 1 }));
    }
    const stranger = chatClient(server);
    await refuse(stranger, '/fetch_api_key', 'POST', json({ username: 'a@b.c', password: 'x' }));
    // A caller without permission gets that refusal first.
    const unknown = await stranger.raw('/drafts', { method: 'POST', ...json({ drafts }) });
    expect(unknown.status).toBe(401);
    expect((await client.raw('/drafts', { method: 'PUT', ...json({ drafts }) })).status).toBe(405);
    expect(await contents()).toEqual(before);
  });

  it('are absent in an empty body, whatever its content type', async () => {
    for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
      for (const body of ['', ' \n', '{}', ' { } ', 'null', undefined]) {
        const answer = await client.raw('/mark_all_as_read', {
          method: 'POST',
          headers: { 'content-type': type },
          ...(body !== undefined && { body }),
        });
        expect(answer.body).toMatchObject({ result: 'success', complete: true });
      }
      const headers = { 'content-type': type };
      expect((await client.raw('/users/me', { headers })).status).toBe(200);
    }
  });

  it('are never files', async () => {
    const body = new FormData();
    body.set('drafts', JSON.stringify([unaddressed('beside a file')]));
    body.set('picture', new Blob(['x'.repeat(1000)]), 'picture.png');
    const answer = await client.raw('/drafts', { method: 'POST', body });
    expect(answer.body).toMatchObject({ result: 'success' });
    expect(answer.body['ignored_parameters_unsupported']).toBeUndefined();
  });

  it('with names of prototypes do no harm', async () => {
    const answer = await client.get('/users/me', { __proto__x: 1, constructor: 1, toString: 1 });
    expect(answer.status).toBe(200);
    const poisoned = new URLSearchParams('__proto__=1&__proto__[a]=1');
    const other = await client.raw(`/users/me?${poisoned.toString()}`, {
      headers: { ['__proto__']: 'x' },
    });
    expect(other.body['ignored_parameters_unsupported']).toEqual(['__proto__', '__proto__[a]']);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it('that the database cannot store are refused, and cause no failure', async () => {
    expect((await client.get('/events', { queue_id: 'a\0', last_event_id: 1 })).body).toMatchObject(
      {
        msg: 'queue_id must not contain null bytes',
        code: 'BAD_REQUEST',
      },
    );
    const answer = await client.post('/register', { event_types: '["\\ud800"]' });
    expect(answer.body).toMatchObject({ msg: 'event_types[0] is not valid Unicode text' });
  });
});

describe('the method', () => {
  it('may be overridden by a form field of a POST', async () => {
    const { body } = await client.post('/drafts', { drafts: [unaddressed('to be deleted')] });
    const [id] = body['ids'] as number[];
    const answer = await client.post(`/drafts/${id}`, { method: 'DELETE', extra: 1 });
    expect(answer.body).toEqual({
      result: 'success',
      msg: '',
      ignored_parameters_unsupported: ['extra'],
    });
    expect(await contents()).not.toContain('to be deleted');
    expect((await client.post('/drafts', { method: 'FROB' })).status).toBe(405);
  });

  it('HEAD is served where GET is, without a body', async () => {
    const answer = await chatClient(server).raw('/server_settings', { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(100);
    expect((await client.raw('/users/me', { method: 'HEAD' })).status).toBe(200);
    expect((await chatClient(server).raw('/users/me', { method: 'HEAD' })).status).toBe(401);
  });

  it('OPTIONS is answered without authentication', async () => {
    const answer = await chatClient(server).raw('/drafts', { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe('GET, POST');
    const one = await chatClient(server).raw('/users/12', { method: 'OPTIONS' });
    expect(one.headers.get('allow')).toBe('DELETE, GET, PATCH');
  });

  it('that a path does not have is refused with 405 and the allowed methods', async () => {
    const answer = await chatClient(server).raw('/fetch_api_key', { method: 'GET' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect(answer.body).toEqual({
      result: 'error',
      msg: 'Method Not Allowed',
      code: 'BAD_REQUEST',
      allowed_methods: ['POST'],
    });
    expect(
      (await chatClient(server).raw('/server_settings', { method: 'POST' })).body,
    ).toMatchObject({ allowed_methods: ['GET'] });
    expect((await client.raw('/drafts', { method: 'PUT' })).status).toBe(405);
  });
});

describe('answers', () => {
  it('[M004] of success have result, an empty msg and the fields, and end with a newline', async () => {
    const { status, text, body, headers } = await client.get('/drafts');
    expect(status).toBe(200);
    expect(text.startsWith('{"result":"success","msg":""')).toBe(true);
    expect(text.endsWith('}\n')).toBe(true);
    expect(Object.keys(body).sort()).toEqual(['count', 'drafts', 'msg', 'result']);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('[M005] [M231] of success list the parameters that are not supported, sorted', async () => {
    const { body } = await client.get('/drafts', { zebra: 1, apple: 2, client: 'me' });
    expect(body['ignored_parameters_unsupported']).toEqual(['apple', 'zebra']);
    const post = await client.post('/drafts?b=1', { a: 1, drafts: [] });
    expect(post.body['ignored_parameters_unsupported']).toEqual(['a', 'b']);
    expect((await client.get('/users/me', { client: 'x' })).text).not.toContain('ignored');
  });

  it('of refusal do not list them', async () => {
    const { body } = await client.get('/users/99999', { zebra: 1 });
    expect(body).toEqual({ result: 'error', msg: 'No such user', code: 'BAD_REQUEST' });
  });

  it('[M006] of refusal have result, msg, code and the fields of the refusal', async () => {
    const { status, body, text } = await client.post('/fetch_api_key');
    expect(status).toBe(400);
    expect(body).toEqual({
      result: 'error',
      msg: "Missing 'username' argument",
      code: 'BAD_REQUEST',
      var_name: 'username',
    });
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('are never cached, and differ by caller', async () => {
    for (const path of ['/users/me', '/nothing', '/server_settings', '/users/99999']) {
      const { headers } = await client.get(path);
      expect(headers.get('cache-control')).toBe(
        'max-age=0, no-cache, no-store, must-revalidate, private',
      );
      expect(Date.parse(headers.get('expires') ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
      expect(headers.get('vary')).toContain('Authorization');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each(['/nothing', '/', '', '/drafts/', '/drafts/abc', '/users/me/pointer', '/users/%zz/x/y'])(
    'of an unknown path %j are 404 in the envelope',
    async (path) => {
      const { status, body } = await client.get(path);
      expect(status).toBe(404);
      expect(body).toEqual({ result: 'error', msg: 'Not found', code: 'BAD_REQUEST' });
    },
  );

  it('of a path that cannot be decoded are in the envelope, too', async () => {
    expect((await client.get('/users/%zz')).body).toMatchObject({ msg: 'No such user' });
    expect((await client.get('/users/%ff')).body).toMatchObject({ msg: 'No such user' });
  });

  it.each([
    ['a missing object', () => client.get('/users/99999')],
    ['a missing parameter', () => client.post('/typing')],
    ['an invalid parameter', () => client.get('/messages', { anchor: 'newest', num_before: -1 })],
    [
      'a missing permission',
      async () => {
        const guest = await examplePerson(server.ctx, { role: ROLE.guest });
        return chatClient(server, guest).post('/channels/create', { name: 'x', subscribers: [] });
      },
    ],
    ['an invalid value', () => client.patch('/settings', { full_name: '' })],
  ])('[M206] of refusal have the code BAD_REQUEST for %s', async (_what, ask) => {
    const { status, body } = await ask();
    expect(status).toBe(400);
    expect(body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    expect(body['msg']).not.toBe('');
  });

  it('[M001] [M230] come from the versioned root, which names its feature level', async () => {
    expect(server.chatUrl).toBe(`${server.origin}/api/v1`);
    const { zulip_feature_level: level } = (await client.get('/server_settings')).body;
    expect(Number.isInteger(level)).toBe(true);
    expect((await client.post('/register')).body['zulip_feature_level']).toBe(level);
  });

  it('[M229] of the same path outside the versioned root are not given', async () => {
    const response = await fetch(`${server.origin}/api/v2/users/me`);
    expect(response.status).toBe(404);
  });

  it('of a body that is too large are 413 in the envelope', async () => {
    const large = 'x'.repeat(1024 * 1024 + 1);
    const form = new FormData();
    form.set('drafts', large);
    const halves = new FormData();
    halves.set('a', large.slice(0, 600_000));
    halves.set('b', large.slice(0, 600_000));
    const bodies: RequestInit[] = [
      { body: `drafts=${large}`, headers: { 'content-type': URLENCODED } },
      { body: large, headers: { 'content-type': 'application/json' } },
      { body: form },
      { body: halves },
    ];
    for (const init of bodies) {
      const answer = await client.raw('/drafts', { method: 'POST', ...init });
      expect(answer.status).toBe(413);
      expect(answer.body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    }
  });

  it('of broken multipart are 400 in the envelope', async () => {
    const answer = await client.raw('/drafts', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="drafts"\r\n\r\n[]',
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    const none = await client.raw('/drafts', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data' },
      body: 'x',
    });
    expect(none.body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });

  it('of a failure are 500 in the envelope and reveal nothing', async () => {
    await server.owner.query('ALTER TABLE drafts RENAME TO drafts_gone');
    const { status, body } = await client.get('/drafts');
    await server.owner.query('ALTER TABLE drafts_gone RENAME TO drafts');
    expect(status).toBe(500);
    expect(body).toEqual({
      result: 'error',
      msg: 'Internal server error',
      code: 'INTERNAL_SERVER_ERROR',
    });
  });

  it('have too many parameters refused', async () => {
    const many = Array.from({ length: 1001 }, (_value, i) => `p${i}=1`).join('&');
    const answer = await client.raw('/drafts', {
      method: 'POST',
      headers: { 'content-type': URLENCODED },
      body: many,
    });
    expect(answer.body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });
});
