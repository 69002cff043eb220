// The page of a person's trading keys: it lists, makes and deletes them, without script, in both languages.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { hiddenFields, openBrowser, type Browser } from '../testing/browser.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { giveTotp } from '../testing/factors.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { signIn } from '../testing/session.ts';
import { exampleTrader, hmacHex, send } from '../testing/trader.ts';

const PATH = '/accounts/keys/';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    settings: { TRADING_RATE_LIMIT: '100000', CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
  });
});
afterAll(() => server.close());

async function open(given: Parameters<typeof examplePerson>[1] = {}): Promise<{
  browser: Browser;
  person: Person;
  form: (fields: Record<string, string>) => ReturnType<Browser['post']>;
}> {
  const person = await examplePerson(server.ctx, given);
  const { cookie } = await signIn(server, person);
  const browser = openBrowser(server);
  browser.cookies.set('sessionid', cookie.slice('sessionid='.length));
  const form = async (fields: Record<string, string>) =>
    browser.post(PATH, { ...hiddenFields((await browser.get(PATH)).text), ...fields });
  return { browser, person, form };
}

const valueIn = (html: string, label: string): string =>
  new RegExp(`aria-label="${label}"><code>([^<]*)</code>`).exec(html)?.[1] ?? '';

it('strangers sign in first', async () => {
  const { status, headers } = await openBrowser(server).get(PATH);
  expect(status).toBe(303);
  expect(headers.get('location')).toContain('/login/');
});

it('makes a key that works, shows its secret once, lists it and deletes it', async () => {
  const { browser, person, form } = await open();
  const app = await giveTotp(server.ctx, person);
  const fields = { label: 'my <bot>', permission: 'read', addresses: '127.0.0.1 ::1' };
  const made = await form({ ...fields, code: await app.next() });
  expect(made.status, made.text).toBe(200);
  const [keyId, secret] = [valueIn(made.text, 'Key'), valueIn(made.text, 'Secret')];
  expect(secret).toMatch(/^svc_secret_/);
  const query = `timestamp=${Date.now()}`;
  const headers = { 'X-SVC-APIKEY': keyId, 'X-SVC-SIGNATURE': hmacHex(secret, query) };
  const url = `${server.baseUrl}/private/account/info`;
  expect((await send(`${url}?${query}`, { headers })).body.result).toMatchObject({
    permissions: ['read'],
  });
  const list = await browser.get(PATH);
  expect(list.text).toContain(keyId);
  expect(list.text).toContain('my &lt;bot&gt;');
  expect(list.text).not.toContain(secret);
  const persian = await browser.get(`${PATH}?lang=fa`);
  expect(persian.text).toContain('dir="rtl"');
  expect(persian.text).toContain('کلیدهای معاملهٔ شما');
  expect((await form({ delete: keyId })).status).toBe(303);
  expect((await browser.get(PATH)).text).not.toContain(keyId);
  const later = `timestamp=${Date.now() + 1}`;
  const again = { ...headers, 'X-SVC-SIGNATURE': hmacHex(secret, later) };
  expect((await send(`${url}?${later}`, { headers: again })).body.error?.code).toBe('3002');
});

it('tells every problem on the page, and keeps what was typed', async () => {
  const none = await open();
  const enrol = await none.form({ permission: 'read', code: '123456' });
  expect([enrol.status, enrol.text]).toEqual([
    403,
    expect.stringContaining('your account has none'),
  ]);
  const { form, person, browser } = await open();
  await giveTotp(server.ctx, person);
  const wrong = await form({ permission: 'trade', label: 'typed', code: '000000' });
  expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining('This code is wrong')]);
  expect(wrong.text).toContain('value="typed"');
  const code = '000000';
  for (const [fields, told] of [
    [{}, 'at least one thing'],
    [{ permission: 'read', addresses: '10.0.0.1/8' }, 'One of the addresses'],
    [{ permission: 'read', label: 'a\u0007b' }, 'at most 64 characters'],
    [{ delete: 'svc_key_0000000000000000' }, 'no such key of yours'],
    [{ permission: 'read', csrfmiddlewaretoken: 'wrong' }, 'too old'],
  ] as const) {
    const page = await form({ ...fields, code });
    expect(page.text).toContain(told);
    expect(page.status).toBeGreaterThanOrEqual(400);
  }
  expect((await browser.get(PATH)).text).toContain('You have no trading key');
  const guest = await open({ role: ROLE.guest });
  expect((await guest.form({ permission: 'read', code })).text).toContain('Guests have no trading');
});

it("does nothing to another's key", async () => {
  const other = await exampleTrader(server.ctx);
  const { form, browser } = await open();
  expect((await form({ delete: other.keyId })).status).toBe(404);
  expect((await browser.get(PATH)).text).not.toContain(other.keyId);
  expect((await other.call(`${server.baseUrl}/private/account/info`)).status).toBe(200);
});
