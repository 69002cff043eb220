// Signing in and out with a browser, and what the session can do.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { forgetOldSessions } from '../accounts/sessions/actions.ts';
import {
  changePerson,
  deactivatePerson,
  reactivatePerson,
} from '../chat/administration/users/actions.ts';
import { authenticateEither } from '../chat/http/authenticate.ts';
import { chatClient } from '../testing/chat/client.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { systemClock } from '../platform/std/clock.ts';
import { hiddenFields, openBrowser, type Browser } from '../testing/browser.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PASSWORD = 'a long enough secret';
const HOUR_MS = 3_600_000;

let server: TestServer;
let owner: Person;
let ada: Person;
/** How far the server's clock is ahead. */
let aheadMs = 0;

beforeAll(async () => {
  server = await startTestServer({
    settings: {
      CHAT_RATE_LIMIT: '100000',
      CHAT_RATE_LIMIT_ANONYMOUS: '100000',
      SESSION_IDLE_HOURS: '24',
      SESSION_MAX_HOURS: '72',
      SESSIONS_PER_USER_MAX: '3',
    },
    clock: { ...systemClock, now: () => systemClock.now() + aheadMs },
    // Stands for the few paths that take keys and sessions.
    extend: (app, ctx) => {
      app.route({
        method: ['GET', 'PATCH'],
        url: '/either',
        handler: async (request) => {
          try {
            return { user: (await authenticateEither(ctx, request)).id };
          } catch (error) {
            return { code: error instanceof Refusal ? error.code : 'NONE' };
          }
        },
      });
    },
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner });
});
beforeEach(async () => {
  aheadMs = 0;
  ada = await examplePerson(server.ctx, { password: PASSWORD, fullName: 'Ada <b & co' });
  await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
});
afterAll(() => server.close());

async function signedIn(person = ada): Promise<Browser> {
  const browser = openBrowser(server);
  const page = await browser.signIn(person.email, PASSWORD);
  expect(page.status).toBe(302);
  return browser;
}

const whoAmI = async (browser: Browser) => {
  const { status, body } = await browser.call('GET', '/users/me');
  return status === 200 ? body['user_id'] : body['code'];
};

describe('signing in', () => {
  it('gives a cookie that scripts cannot read, and only its hash is stored', async () => {
    const browser = openBrowser(server);
    const { headers } = await browser.signIn(ada.email.toUpperCase(), PASSWORD);
    const [session = '', csrf = '', device = ''] = headers.getSetCookie();
    expect(session).toMatch(
      /^sessionid=[\w-]{43}; Path=\/; Max-Age=259200; SameSite=Lax; HttpOnly$/,
    );
    expect(csrf).toMatch(/^csrftoken=[\w-]{43}; Path=\/; Max-Age=259200; SameSite=Lax$/);
    expect(device).toMatch(/^device=[\w-]{43}; Path=\/; Max-Age=34560000; SameSite=Lax; HttpOnly$/);
    expect(await whoAmI(browser)).toBe(ada.id);
    const { rows } = await server.ctx.database.pool.query(
      'SELECT sessions::text AS row FROM sessions WHERE user_id = $1',
      [ada.id],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('sessionid'));
  });

  it('is in the audit log, with the address and without the password', async () => {
    const browser = await signedIn();
    await browser.post('/accounts/logout/', hiddenFields((await browser.get('/login/')).text));
    const { rows } = await server.ctx.database.pool.query(
      'SELECT act, operator, details FROM audit_log WHERE subject = $1 ORDER BY seq',
      [ada.email],
    );
    expect(rows.map(({ act }) => act)).toEqual(['user create', 'session begin', 'session end']);
    expect(JSON.stringify(rows)).toContain('127.0.0.1');
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  });

  it('gives a new token each time, and ends the browser’s previous session', async () => {
    const browser = await signedIn();
    const first = browser.cookies.get('sessionid') ?? '';
    const { text } = await browser.get('/login/');
    expect(text).toContain('Ada &lt;b &amp; co');
    await browser.post('/accounts/login/', {
      csrfmiddlewaretoken: browser.cookies.get('csrftoken') ?? '',
      username: ada.email,
      password: PASSWORD,
    });
    expect(browser.cookies.get('sessionid')).not.toBe(first);
    expect(await whoAmI(browser)).toBe(ada.id);
    browser.cookies.set('sessionid', first);
    expect(await whoAmI(browser)).toBe('UNAUTHORIZED');
  });

  it('is refused with the same text for a wrong password, an unknown account, a bot and no address', async () => {
    const bot = await examplePerson(server.ctx, { botType: 1, password: PASSWORD });
    const pages = [];
    for (const [name, password] of [
      [ada.email, 'wrong'],
      ['nobody@example.com', PASSWORD],
      [bot.email, PASSWORD],
      ['no address', PASSWORD],
    ] as const) {
      const page = await openBrowser(server).signIn(name, password);
      expect(page.status).toBe(401);
      expect(page.headers.getSetCookie().join()).not.toContain('sessionid');
      expect(page.text).not.toContain(password);
      pages.push(page.text.replace(name, '').replaceAll(/value="[\w-]{43}"/g, ''));
    }
    expect(pages[0]).toContain('Incorrect email or password.');
    expect(new Set(pages).size).toBe(1);
  });

  it('[M183] counts failures together with fetch_api_key', async () => {
    for (let count = 0; count < 3; count += 1) {
      expect((await openBrowser(server).signIn(ada.email, 'wrong')).status).toBe(401);
    }
    for (const status of [401, 401, 429]) {
      const given = { username: ada.email, password: 'wrong' };
      expect((await chatClient(server).post('/fetch_api_key', given)).status).toBe(status);
    }
    const page = await openBrowser(server).signIn(ada.email, PASSWORD);
    expect(page.status).toBe(429);
    expect(page.text).toContain('too many attempts');
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(60);
  });

  it('tells a deactivated person so, only after the right password', async () => {
    await deactivatePerson(server.ctx, owner, ada.id);
    expect((await openBrowser(server).signIn(ada.email, PASSWORD)).text).toContain('deactivated');
    expect((await openBrowser(server).signIn(ada.email, 'wrong')).text).toContain('Incorrect');
  });

  it('is refused without the token of our own form', async () => {
    const browser = openBrowser(server);
    const { text } = await browser.get('/login/');
    const form = { ...hiddenFields(text), username: ada.email, password: PASSWORD };
    for (const csrfmiddlewaretoken of ['', 'A'.repeat(43)]) {
      const page = await browser.post('/accounts/login/', { ...form, csrfmiddlewaretoken });
      expect(page.status).toBe(403);
      expect(page.text).toContain('Please send it once more');
    }
    const stranger = openBrowser(server);
    expect((await stranger.post('/accounts/login/', form)).status).toBe(403);
    expect(browser.cookies.has('sessionid')).toBe(false);
    expect((await browser.post('/accounts/login/', form)).status).toBe(302);
  });

  it.each([
    ['/json/users/me?x=1', '/json/users/me?x=1'],
    ['//evil.example/', '/?lang=en'],
    ['https://evil.example/', '/?lang=en'],
    ['/\\evil.example', '/?lang=en'],
    ['/.//evil.example', '/?lang=en'],
    ['/\r\nSet-Cookie: a=b', '/Set-Cookie:%20a=b'],
  ])('leads from %j to %s', async (next, location) => {
    const browser = openBrowser(server);
    const page = await browser.get(
      `/login/?${new URLSearchParams({ next, lang: 'en' }).toString()}`,
    );
    const form = { ...hiddenFields(page.text), username: ada.email, password: PASSWORD };
    const direct = await browser.post('/accounts/login/', { ...form, next });
    expect(direct.headers.get('location')).toBe(location);
    expect(direct.headers.getSetCookie()).toHaveLength(3);
    // Nor does the page for people who are signed in link elsewhere.
    const again = await browser.get(`/login/?${new URLSearchParams({ next }).toString()}`);
    expect(again.text).not.toMatch(/(href|value)="(https?:)?[/\\]{2}/);
  });

  it('is possible in English and in Persian', async () => {
    const browser = openBrowser(server);
    const english = await browser.get('/login/', { 'accept-language': 'de, fa;q=0.5' });
    expect(english.text).toMatch(/<html lang="en" dir="ltr">[\s\S]*<h1 id="title">Sign in/);
    const persian = await browser.get('/login/', { 'accept-language': 'fa-IR, en;q=0.5' });
    expect(persian.text).toMatch(/<html lang="fa" dir="rtl">[\s\S]*<h1 id="title">ورود/);
    const wrong = await browser.signIn(ada.email, 'x', { lang: 'fa' });
    expect(wrong.text).toContain('نشانی ایمیل یا گذرواژه نادرست است.');
    for (const { text, headers } of [english, persian, wrong]) {
      expect(text).not.toMatch(/<script|\son\w+="|\sstyle="/);
      expect(headers.get('content-security-policy')).toContain("form-action 'self'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  });

  it('is also found at its other addresses', async () => {
    for (const path of ['/login', '/accounts/login/']) {
      const page = await openBrowser(server).get(`${path}?next=%2Fa`);
      expect([page.status, page.headers.get('location')]).toEqual([302, '/login/?next=%2Fa']);
    }
  });
});

describe('a session', () => {
  it('works for the API under /json, but not on routes that take keys', async () => {
    const browser = await signedIn();
    const { body } = await browser.call('POST', '/register', { event_types: '["message"]' });
    expect(body).toMatchObject({ result: 'success', queue_id: expect.any(String) });
    expect(body['ignored_parameters_unsupported']).toBeUndefined();
    expect((await browser.get('/api/v1/users/me')).status).toBe(401);
    for (const path of ['/server_settings', '/no_such']) {
      const { status, body: refused } = await browser.call('POST', path);
      expect([status, refused['code']]).toEqual([404, 'BAD_REQUEST']);
    }
  });

  it('is accepted beside keys where both are, with its token for changes', async () => {
    const browser = await signedIn();
    const ask = async (method: string, headers: Record<string, string>) => {
      const answer = await fetch(`${server.origin}/either`, { method, headers });
      return (await answer.json()) as unknown;
    };
    const cookie = `sessionid=${browser.cookies.get('sessionid') ?? ''}`;
    const token = browser.cookies.get('csrftoken') ?? '';
    const me = { user: ada.id };
    expect(await ask('GET', { cookie })).toEqual(me);
    expect(await ask('PATCH', { cookie, 'x-csrftoken': token })).toEqual(me);
    expect(await ask('PATCH', { authorization: ada.basic })).toEqual(me);
    expect(await ask('PATCH', { cookie })).toEqual({ code: 'CSRF_FAILED' });
    expect(await ask('GET', {})).toEqual({ code: 'UNAUTHORIZED' });
    // A session does not make up for a wrong key.
    const wrong = { cookie, authorization: `Basic ${btoa(`${ada.email}:${'A'.repeat(32)}`)}` };
    expect(await ask('GET', wrong)).toEqual({ code: 'UNAUTHORIZED' });
  });

  it('is required under /json, and keys are not accepted there', async () => {
    const answers = [
      await openBrowser(server).get('/json/users/me'),
      await openBrowser(server).get('/json/users/me', { authorization: ada.basic }),
      await openBrowser(server).get('/json/users/me', { cookie: `sessionid=${'A'.repeat(43)}` }),
      await openBrowser(server).get('/json/users/me', { cookie: 'sessionid=; x=%00' }),
    ];
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual({
        result: 'error',
        msg: 'Not logged in: API authentication or user session required',
        code: 'UNAUTHORIZED',
      });
      expect(headers.get('www-authenticate')).toBe('Session realm="zulip"');
    }
  });

  it('changes nothing without its token', async () => {
    const browser = await signedIn();
    const other = await signedIn();
    const title = { title: 'T', content: 'C' };
    for (const [form, headers, reason] of [
      [title, {}, 'CSRF token missing.'],
      [title, { 'x-csrftoken': '' }, 'CSRF token missing.'],
      [title, { 'x-csrftoken': 'wrong' }, 'CSRF token incorrect.'],
      [title, { 'x-csrftoken': other.cookies.get('csrftoken') ?? '' }, 'CSRF token incorrect.'],
      // A POST that claims to be a GET is still a POST.
      [{ ...title, method: 'GET' }, {}, 'CSRF token missing.'],
      [{ ...title, csrfmiddlewaretoken: 'wrong' }, {}, 'CSRF token incorrect.'],
    ] as const) {
      const { status, body } = await browser.post('/json/saved_snippets', form, headers);
      expect(status).toBe(403);
      expect(body).toEqual({
        result: 'error',
        msg: `CSRF error: ${reason}`,
        code: 'CSRF_FAILED',
        reason,
      });
    }
    // The token's cookie alone is not enough: another site cannot read it, but may set it.
    const token = browser.cookies.get('csrftoken') ?? '';
    browser.cookies.set('csrftoken', 'planted');
    expect((await browser.call('POST', '/saved_snippets', title)).status).toBe(403);
    const own = await browser.post('/json/saved_snippets', {
      ...title,
      csrfmiddlewaretoken: token,
    });
    expect(own.body).toMatchObject({ result: 'success' });
    expect(own.body['ignored_parameters_unsupported']).toBeUndefined();
    expect((await other.call('GET', '/saved_snippets')).body['saved_snippets']).toHaveLength(1);
  });

  it('gives the key for the password, not for the session alone', async () => {
    const browser = await signedIn();
    const fetch = (form: Record<string, string>) => browser.call('POST', '/fetch_api_key', form);
    expect((await fetch({ password: PASSWORD })).body).toEqual({
      result: 'success',
      msg: '',
      api_key: ada.chatKey,
      email: ada.email,
    });
    for (const form of [{}, { password: 'wrong' }, { password: '' }]) {
      const { status, body } = await fetch(form);
      expect([status, body['code'], body['msg']]).toEqual([
        400,
        'BAD_REQUEST',
        'Password is incorrect.',
      ]);
    }
    expect((await openBrowser(server).post('/json/fetch_api_key', {})).status).toBe(401);
    // A session may ask ten times, however many strangers try the same name.
    for (const status of [...Array.from({ length: 7 }, () => 400), 429]) {
      expect((await fetch({ password: 'wrong' })).status).toBe(status);
    }
  });

  it('ends by signing out, here or everywhere, and only from our own page', async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    const bare = await here.post('/accounts/logout/', {});
    expect(bare.status).toBe(403);
    expect(await whoAmI(here)).toBe(ada.id);
    const cookie = here.cookies.get('sessionid') ?? '';
    const form = hiddenFields((await here.get('/login/')).text);
    expect((await here.post('/accounts/logout/', form)).status).toBe(302);
    expect([...here.cookies.keys()]).toEqual(['device']);
    here.cookies.set('sessionid', cookie);
    expect(await whoAmI(here)).toBe('UNAUTHORIZED');
    expect(await whoAmI(there)).toBe(ada.id);
    const third = await signedIn();
    const everywhere = hiddenFields((await third.get('/login/')).text);
    await third.post('/accounts/logout/', { ...everywhere, everywhere: 'true' });
    expect(await whoAmI(there)).toBe('UNAUTHORIZED');
  });

  it('ends a waiting poll when it ends', async () => {
    const [poller, other] = [await signedIn(), await signedIn()];
    const { body } = await poller.call('POST', '/register', { event_types: '["message"]' });
    const poll = poller.call('GET', '/events', {
      queue_id: String(body['queue_id']),
      last_event_id: String(body['last_event_id']),
    });
    await expect.poll(() => server.hub.position(), { timeout: 5000 }).toBeGreaterThan(0);
    const form = hiddenFields((await other.get('/login/')).text);
    await other.post('/accounts/logout/', { ...form, everywhere: 'true' });
    const answer = await poll;
    expect(answer.status).toBeLessThan(500);
    expect(await whoAmI(poller)).toBe('UNAUTHORIZED');
  });

  it('ends when the password changes, except the session that changed it', async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    const changed = await here.call('PATCH', '/settings', {
      old_password: PASSWORD,
      new_password: 'quite another secret',
      revoke: 'none',
    });
    expect(changed.body['result']).toBe('success');
    expect(await whoAmI(here)).toBe(ada.id);
    expect(await whoAmI(there)).toBe('UNAUTHORIZED');
    const byKey = await chatClient(server, ada).patch('/settings', {
      old_password: 'quite another secret',
      new_password: PASSWORD,
    });
    expect(byKey.status).toBe(200);
    expect(await whoAmI(here)).toBe('UNAUTHORIZED');
  });

  it('a password changed in a browser ends the key too, and the browser stays signed in', async () => {
    const browser = await signedIn();
    const { body: queue } = await browser.call('POST', '/register', { event_types: '["message"]' });
    const change = (given: Record<string, string>) =>
      browser.call('PATCH', '/settings', {
        old_password: PASSWORD,
        new_password: PASSWORD,
        ...given,
      });
    expect((await change({ revoke: 'none' })).body).toMatchObject({ result: 'success' });
    expect((await chatClient(server, ada).get('/users/me')).status).toBe(200);
    // A wrong password, or an unchanged one, ends nothing.
    expect((await change({ old_password: 'wrong' })).status).toBe(400);
    expect((await browser.call('PATCH', '/settings', { revoke: 'chat' })).status).toBe(200);
    expect((await chatClient(server, ada).get('/users/me')).status).toBe(200);
    const changed = await change({});
    expect(changed.body['result']).toBe('success');
    expect(changed.body).not.toHaveProperty('api_key');
    expect((await chatClient(server, ada).get('/users/me')).status).toBe(401);
    expect(await whoAmI(browser)).toBe(ada.id);
    // An open poll is answered, or told to register again.
    const poll = await browser.call('GET', '/events', {
      queue_id: String(queue['queue_id']),
      last_event_id: String(queue['last_event_id']),
      dont_block: 'true',
    });
    if (poll.status !== 200) expect(poll.body['code']).toBe('BAD_EVENT_QUEUE_ID');
    const again = await browser.call('POST', '/register', { event_types: '["message"]' });
    expect(again.status).toBe(200);
    const shown = await browser.call('POST', '/fetch_api_key', { password: PASSWORD });
    expect(shown.body['api_key']).not.toBe(ada.chatKey);
  });

  it('a password changed with the key keeps it, unless it is revoked; then the answer has the new one', async () => {
    const change = { old_password: PASSWORD, new_password: PASSWORD };
    const kept = await chatClient(server, ada).patch('/settings', change);
    expect(kept.body).toEqual({ result: 'success', msg: '' });
    expect((await chatClient(server, ada).get('/users/me')).status).toBe(200);
    const { body } = await chatClient(server, ada).patch('/settings', {
      ...change,
      revoke: 'chat',
    });
    expect((await chatClient(server, ada).get('/users/me')).status).toBe(401);
    const basic = `Basic ${btoa(`${ada.email}:${String(body['api_key'])}`)}`;
    expect((await chatClient(server, { basic }).get('/users/me')).status).toBe(200);
    const wrong = await chatClient(server, { basic }).patch('/settings', { revoke: 'everything' });
    expect(wrong.status).toBe(400);
  });

  it('ends with a change of role, and with deactivation, which is announced; a reactivation does not restore it', async () => {
    const first = await signedIn();
    await changePerson(server.ctx, owner, ada.id, { role: ROLE.moderator });
    expect(await whoAmI(first)).toBe('UNAUTHORIZED');
    const second = await signedIn();
    await deactivatePerson(server.ctx, owner, ada.id);
    const { status, body, headers } = await second.call('GET', '/users/me');
    expect([status, body['code'], body['msg']]).toEqual([
      401,
      'USER_DEACTIVATED',
      'Account is deactivated',
    ]);
    expect(headers.get('www-authenticate')).toBe('Session realm="zulip"');
    await reactivatePerson(server.ctx, owner, ada.id);
    expect(await whoAmI(second)).toBe('UNAUTHORIZED');
  });

  it('ends when it is unused for long, or too old; upkeep then deletes it', async () => {
    const browser = await signedIn();
    for (const hours of [20, 40, 60, 71]) {
      aheadMs = hours * HOUR_MS;
      expect(await whoAmI(browser)).toBe(ada.id);
    }
    aheadMs = 72 * HOUR_MS;
    expect(await whoAmI(browser)).toBe('UNAUTHORIZED');
    aheadMs = 0;
    const idle = await signedIn();
    aheadMs = 24 * HOUR_MS + 1000;
    expect(await whoAmI(idle)).toBe('UNAUTHORIZED');
    aheadMs = 200 * HOUR_MS;
    expect(await forgetOldSessions(server.ctx)).toBeGreaterThan(1);
    const { rows } = await server.ctx.database.pool.query('SELECT FROM sessions');
    expect(rows).toHaveLength(0);
  });

  it('of a person are limited: a new one signs the oldest out', async () => {
    const browsers = [];
    for (let count = 0; count < 4; count += 1) browsers.push(await signedIn());
    const states = [];
    for (const browser of browsers) states.push(await whoAmI(browser));
    expect(states).toEqual(['UNAUTHORIZED', ada.id, ada.id, ada.id]);
  });
});

it('over https the cookies are bound to the host', async () => {
  const secure = await startTestServer({ settings: { PUBLIC_URL: 'https://chat.example.com' } });
  try {
    await examplePerson(secure.ctx, { email: 'eve@example.com', password: PASSWORD });
    const browser = openBrowser(secure);
    const { headers, status } = await browser.signIn('eve@example.com', PASSWORD);
    expect(status).toBe(302);
    for (const line of headers.getSetCookie()) {
      expect(line).toMatch(/^__Host-\w+=[\w-]{43}; Path=\/; Max-Age=\d+; SameSite=Lax; Secure/);
    }
    expect((await browser.get('/json/users/me')).status).toBe(200);
    // A cookie without the prefix is ignored.
    const plain = { cookie: `sessionid=${browser.cookies.get('__Host-sessionid') ?? ''}` };
    expect((await openBrowser(secure).get('/json/users/me', plain)).status).toBe(401);
  } finally {
    await secure.close();
  }
});
