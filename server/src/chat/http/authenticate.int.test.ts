// Which credentials are accepted, and how all others are refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deactivatePerson } from '../administration/users/actions.ts';
import { ROLE } from '../../accounts/roles.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { castBot } from '../../testing/chat/cast.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { chatClient } from '../../testing/chat/client.ts';

let server: TestServer;
let ada: Person;
let gone: Person;
let webhook: Person;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT_ANONYMOUS: '100000' } });
  ada = await examplePerson(server.ctx, { role: ROLE.owner, email: 'Ada@Example.com' });
  gone = await examplePerson(server.ctx);
  await deactivatePerson(server.ctx, ada, gone.id);
  webhook = await examplePerson(server.ctx, { botType: 2 });
});
afterAll(() => server.close());

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const as = (authorization: string, path = '/users/me') =>
  chatClient(server).raw(path, { headers: { authorization } });

describe('[M197] credentials', () => {
  it('are the email address and the key, in HTTP Basic', async () => {
    const { status, body } = await as(basic(`Ada@Example.com:${ada.chatKey}`));
    expect(status).toBe(200);
    expect(body).toMatchObject({ user_id: ada.id, email: 'Ada@Example.com' });
  });

  it("are a bot's as well as a person's", async () => {
    const bot = await castBot(server.ctx, ada);
    expect((await as(bot.basic)).body).toMatchObject({ is_bot: true, bot_owner_id: ada.id });
  });

  it.each([
    ['in another case of the scheme', () => `bAsIc ${ada.basic.slice(6)}`],
    ['with the email address in another case', () => basic(`aDA@example.COM:${ada.chatKey}`)],
    ['with white space around both', () => basic(` ada@example.com : ${ada.chatKey} `)],
  ])('are accepted %s', async (_how, header) => {
    expect((await as(header())).status).toBe(200);
  });

  const unauthorized = (msg: string) => ({ result: 'error', msg, code: 'UNAUTHORIZED' });
  const INVALID = 'Invalid authorization header for basic auth';

  it.each([
    ['are not base64', () => 'Basic !!!', INVALID],
    ['are not text', () => `Basic ${Buffer.of(0xff, 0xfe, 0x3a).toString('base64')}`, INVALID],
    ['have no colon', () => basic('ada'), INVALID],
    ['have too many colons', () => basic(`a:b:${ada.chatKey}`), INVALID],
    ['are missing after the scheme', () => 'Basic', INVALID],
    ['are empty', () => '', INVALID],
    ['are in too many parts', () => `${ada.basic} x`, INVALID],
    ['have a short key', () => basic(`${ada.email}:abc`), 'Malformed API key'],
    [
      'have a key with other signs',
      () => basic(`${ada.email}:${'-'.repeat(32)}`),
      'Malformed API key',
    ],
    ['have an unknown key', () => basic(`${ada.email}:${'A'.repeat(32)}`), 'Invalid API key'],
    [
      'have the key of somebody else',
      () => basic(`${ada.email}:${gone.chatKey}`),
      'Invalid API key',
    ],
    ['are of a deactivated user', () => gone.basic, 'Account is deactivated'],
    [
      'are of an incoming webhook bot',
      () => webhook.basic,
      'This API is not available to incoming webhook bots.',
    ],
  ])('are refused with 401 when they %s', async (_how, header, msg) => {
    const { status, body, headers } = await as(header());
    expect(status).toBe(401);
    expect(body).toEqual(unauthorized(msg));
    expect(headers.get('www-authenticate')).toBe('Basic realm="zulip"');
  });

  it('are asked for when there are none', async () => {
    const { status, body, headers } = await chatClient(server).get('/users/me');
    expect(status).toBe(401);
    expect(body).toEqual(
      unauthorized('Not logged in: API authentication or user session required'),
    );
    expect(headers.get('www-authenticate')).toBe('Basic realm="zulip"');
  });

  it('of another scheme are refused with 400', async () => {
    const { status, body } = await as('Bearer abcdef');
    expect(status).toBe(400);
    expect(body).toEqual({
      result: 'error',
      msg: 'This endpoint requires HTTP basic authentication.',
      code: 'BAD_REQUEST',
    });
  });

  it('in a cookie or in the URL are ignored', async () => {
    const cookie = await chatClient(server).raw('/users/me', {
      headers: { cookie: `session=${ada.chatKey}` },
    });
    expect(cookie.status).toBe(401);
    const query = await chatClient(server).get('/users/me', { api_key: ada.chatKey });
    expect(query.status).toBe(401);
  });

  it('are checked before parameters', async () => {
    expect((await chatClient(server).post('/drafts', { drafts: 'no JSON' })).status).toBe(401);
  });

  it('are ignored on routes that need none', async () => {
    for (const header of ['Basic !!!', 'Bearer x', '', gone.basic]) {
      expect((await as(header, '/server_settings')).status).toBe(200);
    }
  });
});

describe('a browser without credentials', () => {
  const visit = (accept: string) =>
    chatClient(server).raw('/users/me?a=1', { headers: { accept } });

  it('is sent to the login page', async () => {
    const { status, headers } = await visit('text/html,application/xhtml+xml,*/*;q=0.8');
    expect(status).toBe(302);
    expect(headers.get('location')).toBe('/login/?next=%2Fapi%2Fv1%2Fusers%2Fme%3Fa%3D1');
  });

  it.each(['*/*', 'application/json', 'text/html;q=0.5,application/json', 'text/plain'])(
    'that is none is refused in JSON: %s',
    async (accept) => {
      expect((await visit(accept)).status).toBe(401);
    },
  );
});
