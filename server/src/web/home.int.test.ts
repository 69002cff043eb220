// The page of people who are signed in: their name, their API key, and prices.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { chatClient } from '../testing/chat/client.ts';
import { hiddenFields, openBrowser, type Browser, type Page } from '../testing/browser.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { exampleVenue } from '../testing/venue.ts';

const PASSWORD = 'a long enough secret';
const KEY = '/account/key/';

let server: TestServer;
let ada: Person;
let browser: Browser;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT_ANONYMOUS: '100000' } });
  await exampleVenue(server.ctx);
  await server.owner.query(
    "UPDATE markets SET last_price = 64123.5, last_trade_ms = 1 WHERE symbol = 'btcusdt'",
  );
});
beforeEach(async () => {
  ada = await examplePerson(server.ctx, { password: PASSWORD, role: ROLE.administrator });
  browser = openBrowser(server);
  await browser.signIn(ada.email, PASSWORD);
});
afterAll(() => server.close());

it('signing in leads to a page that greets the person, says what to do next, and shows market prices', async () => {
  const signedIn = await openBrowser(server).signIn(ada.email, PASSWORD);
  expect(signedIn.headers.get('location')).toBe('/?lang=en');
  const { text, headers, status } = await browser.get('/?lang=en');
  expect(status).toBe(200);
  for (const part of [
    `Hello, <bdi>${ada.fullName}</bdi>.`,
    'an administrator of',
    ada.email,
    server.origin,
    `href="${KEY}?lang=en"`,
    'https://zulip.com/apps/',
    'href="/docs/trading/"',
    'BTC/USDT',
    '64,123.5',
    'Money is simulated here',
    'Did you follow a link to a message?',
    'rialto admin create-user',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain(ada.chatKey);
  expect(text).not.toMatch(/<script|\son\w+="|\sstyle="/);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('vary')).toContain('cookie');

  const persian = await browser.get('/?lang=fa');
  expect(persian.text).toContain('<html lang="fa" dir="rtl">');
  expect(persian.text).toContain('مدیر');
  for (const [, path = ''] of text.matchAll(/href="(\/[^"]*)"/g)) {
    expect((await browser.get(path.replaceAll('&amp;', '&'))).status, path).toBeLessThan(400);
  }
  const form = hiddenFields(text);
  expect((await browser.post('/accounts/logout/', form)).status).toBe(302);
  expect((await browser.get('/')).text).not.toContain(ada.email);
});

it('a stranger sees prices, the way to sign in and an explanation of message links, and no personal page', async () => {
  const stranger = openBrowser(server);
  const { text, headers } = await stranger.get('/');
  for (const part of [
    'href="/login/?lang=en"',
    '64,123.5',
    'Did you follow a link to a message?',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('Hello, ');
  expect(headers.get('cache-control')).toBe('no-cache');
  for (const path of ['/narrow/channel/1-general/topic/x/near/5', '/near/5']) {
    const page = await stranger.get(path);
    expect([page.status, page.headers.get('location')], path).toEqual([303, '/#link']);
  }
  const forged = await stranger.get('/', { cookie: 'sessionid=AAAA; __Host-sessionid=B' });
  expect(forged.text).toContain('Trade where you talk.');
});

describe('the page of the API key', () => {
  const ask = async (wish: string, password = PASSWORD, more = {}): Promise<Page> => {
    const { text } = await browser.get(KEY);
    return browser.post(KEY, { ...hiddenFields(text), password, do: wish, ...more });
  };

  it('gives key and zuliprc for the password, as a page and as a file that works', async () => {
    const shown = await ask('show');
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(ada.chatKey);
    const file = await ask('download');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="zuliprc"');
    expect(file.text).toBe(
      `[api]\nemail=${ada.email}\nkey=${ada.chatKey}\nsite=${server.origin}\n`,
    );
    for (const { headers } of [shown, file]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    const [, email = '', key = '', site = ''] =
      /email=(.*)\nkey=(.*)\nsite=(.*)\n/.exec(file.text) ?? [];
    const basic = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
    expect(site).toBe(server.origin);
    expect((await chatClient(server, { basic }).get('/users/me')).status).toBe(200);
  });

  it('creates a new key, after which the old one is useless', async () => {
    const { text } = await ask('renew');
    const [, key = ''] = /<code>([A-Za-z0-9]{32})<\/code>/.exec(text) ?? [];
    expect(key).not.toBe('');
    expect(text).not.toContain(ada.chatKey);
    expect((await chatClient(server, ada).get('/users/me')).status).toBe(401);
    const basic = `Basic ${Buffer.from(`${ada.email}:${key}`).toString('base64')}`;
    expect((await chatClient(server, { basic }).get('/users/me')).status).toBe(200);
  });

  it('gives nothing to a stranger, for a wrong password, to another page, or after the session', async () => {
    const stranger = openBrowser(server);
    const sent = await stranger.get(KEY);
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      '/login/?lang=en&next=%2Faccount%2Fkey%2F%3Flang%3Den',
    ]);
    expect((await stranger.post(KEY, { password: PASSWORD, do: 'show' })).status).toBe(303);
    const other = await examplePerson(server.ctx, { password: 'another long secret' });
    const answers = [
      await ask('show', ''),
      await ask('show', 'wrong'),
      await ask('renew', 'another long secret', { username: other.email }),
      await ask('show', PASSWORD, { csrfmiddlewaretoken: 'A'.repeat(43) }),
      await browser.post(KEY, { password: PASSWORD, do: 'show' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 403, 403]);
    for (const { text } of answers) expect(text).not.toContain(ada.chatKey);
    expect(answers[1]?.text).toContain('The password is not right.');
    // Guesses are counted, however they come.
    for (let count = 0; count < 10; count += 1) await ask('show', `guess ${count}`);
    const late = await ask('show');
    expect(late.status).toBe(429);
    expect(late.text).toContain('too many attempts');
    expect((await chatClient(server, ada).get('/users/me')).status).toBe(200);
    await server.owner.query('UPDATE sessions SET ended_at = now() WHERE user_id = $1', [ada.id]);
    expect((await browser.get(KEY)).status).toBe(303);
  });
});
