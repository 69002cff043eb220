// The invitation pages, in a browser without script.
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { chatClient, type FormInput } from '../testing/chat/client.ts';
import { ok } from '../testing/chat/world.ts';
import { hiddenFields, openBrowser, type Browser, type Page } from '../testing/browser.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PASSWORD = 'correct horse 7';
let catcher: MailCatcher;
let server: TestServer;
let owner: Person;
let browser: Browser;
let count = 0;
const logged: string[] = [];
/** Every key that was sent. */
const keys: string[] = [];

beforeAll(async () => {
  catcher = await startMailCatcher();
  server = await startTestServer({
    withJobs: true,
    log: pino({ level: 'trace' }, { write: (line) => void logged.push(line) }),
    settings: {
      ...catcher.settings,
      CHAT_RATE_LIMIT_ANONYMOUS: '100000',
      TERMS_URL: 'https://rialto.example/terms?a=1&b=2',
    },
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner, fullName: 'Olga <b & Owner' });
});
beforeEach(() => {
  browser = openBrowser(server);
});
afterAll(async () => {
  await server.close();
  await catcher.close();
});

const client = () => chatClient(server, owner);

async function emailedPath(form: FormInput = {}): Promise<{ email: string; path: string }> {
  const email = `visitor${(count += 1)}@example.org`;
  ok(
    await client().post('/invites', {
      invitee_emails: `Vera V <${email}>`,
      stream_ids: [],
      ...form,
    }),
  );
  const path = pathIn((await catcher.next(email)).text);
  keys.push(path.split('/').at(-1) ?? '');
  return { email, path };
}
const pathIn = (text = ''): string => /\/accounts\/do_confirm\/[a-z2-7]{52}/.exec(text)?.[0] ?? '';

async function linkPath(form: FormInput = {}): Promise<string> {
  const { invite_link } = ok(await client().post('/invites/multiuse', form));
  const { pathname } = new URL(String(invite_link));
  keys.push(pathname.split('/').at(2) ?? '');
  return pathname;
}

const fill = ({ text }: Page, form: Record<string, string>) => ({ ...hiddenFields(text), ...form });
const account = (page: Page, more: Record<string, string> = {}) =>
  browser.post(
    '/accounts/register/',
    fill(page, { full_name: 'Vera Visitor', password: PASSWORD, terms: 'true', ...more }),
  );

it('an email leads to a form, the form to an account, and the browser is signed in', async () => {
  const { id } = ok(
    await client().post('/channels/create', { name: 'desk & co', subscribers: [owner.id] }),
  );
  const { email, path } = await emailedPath({ stream_ids: [id], invite_as: 300 });
  const page = await browser.get(path);
  expect(page.status).toBe(200);
  for (const part of [
    'Olga &lt;b &amp; Owner',
    '#desk &amp; co',
    email,
    'value="Vera V"',
    'You will be a moderator.',
    'href="https://rialto.example/terms?a=1&amp;b=2"',
  ]) {
    expect(page.text).toContain(part);
  }
  const done = await account(page);
  expect([done.status, done.headers.get('location')]).toEqual([303, '/']);
  const me = await browser.call('GET', '/users/me');
  expect(me.body).toMatchObject({ full_name: 'Vera Visitor', email, role: 300 });
  const again = await browser.get(path);
  expect(again.status).toBe(404);
  expect(again.text).toContain('used already');
});

it('no page has a script, and it is not cached, framed or indexed', async () => {
  const { path } = await emailedPath();
  const pages = [path, await linkPath(), '/join/nonsense/', '/accounts/do_confirm/nonsense'];
  for (const address of pages) {
    for (const page of [await browser.get(address), await browser.get(`${address}?lang=fa`)]) {
      expect(page.text).not.toMatch(/<script|\sstyle="|\son\w+="/);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).not.toContain('unsafe');
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('x-robots-tag')).toBe('noindex');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    }
  }
});

it('problems are shown beside the form, which keeps everything except the password', async () => {
  const { path } = await emailedPath();
  const page = await browser.get(path);
  const wrong = async (more: Record<string, string>, said: string, language = 'en') => {
    const answer = await account(page, { lang: language, ...more });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('role="alert"');
    expect(answer.text).toContain(said);
    expect(answer.text).not.toContain(PASSWORD);
    return answer.text;
  };
  expect(await wrong({ password: '12345678' }, 'too easy to guess')).toContain(
    'value="Vera Visitor"',
  );
  expect(await wrong({ full_name: 'a*<b' }, 'A name cannot have')).toContain('value="a*&lt;b"');
  await wrong({ full_name: ' ' }, 'Please write your name.');
  await wrong({ terms: 'no' }, 'agree to the terms');
  const persian = await wrong({ password: '12345678' }, 'حدس زدن این گذرواژه آسان است', 'fa');
  expect(persian).toContain('<html lang="fa" dir="rtl">');
  expect((await account(page)).status).toBe(303);
});

it('a form of another site creates no account', async () => {
  const { path } = await emailedPath();
  const page = await browser.get(path);
  const stranger = openBrowser(server);
  const form = fill(page, { full_name: 'Vera', password: PASSWORD, terms: 'true' });
  for (const [from, given] of [
    [stranger, form],
    [browser, { ...form, csrfmiddlewaretoken: 'x'.repeat(43) }],
  ] as const) {
    const answer = await from.post('/accounts/register/', given);
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie().join()).not.toContain('sessionid');
  }
  expect((await account(page)).status).toBe(303);
});

it('an unknown, expired, revoked or withdrawn invitation is a 404 that says what to do', async () => {
  for (const path of [
    '/join/nonsense/',
    `/join/${'a'.repeat(52)}/`,
    '/accounts/do_confirm/nonsense',
    `/accounts/do_confirm/${'a'.repeat(52)}`,
  ]) {
    const page = await browser.get(path);
    expect(page.status).toBe(404);
    expect(page.text).toContain('This invitation cannot be used');
    expect(page.text).toContain('ask for a new invitation');
  }
  // An email's key does not work as a reusable link, and the reverse.
  const { path } = await emailedPath();
  const emailedKey = path.split('/').at(-1);
  expect((await browser.get(`/join/${emailedKey}/`)).status).toBe(404);
  const linkKey = (await linkPath()).split('/').at(2);
  expect((await browser.get(`/accounts/do_confirm/${linkKey}`)).status).toBe(404);
  const inviter = await examplePerson(server.ctx, { role: ROLE.administrator });
  const by = chatClient(server, inviter);
  ok(await by.post('/invites', { invitee_emails: 'lone@example.org', stream_ids: [] }));
  const lone = pathIn((await catcher.next('lone@example.org')).text);
  const { invite_link } = ok(await by.post('/invites/multiuse', {}));
  ok(await client().patch(`/users/${inviter.id}`, { role: ROLE.guest }));
  for (const address of [lone, new URL(String(invite_link)).pathname]) {
    const page = await browser.get(address);
    expect([page.status, page.text]).toEqual([
      404,
      expect.stringContaining('can no longer invite'),
    ]);
  }
  ok(await client().delete(`/users/${inviter.id}`));
  expect((await browser.get(lone)).text).toContain('It has expired.');
});

describe('a reusable link', () => {
  it('asks for an address, and the email to it leads to the account', async () => {
    const path = await linkPath({ invite_as: ROLE.guest });
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    // Anybody may have the link.
    expect(page.text).not.toContain('Olga');
    const email = 'walk-in@example.org';
    const sent = await browser.post(path, fill(page, { email: ` ${email} ` }));
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('Check your mailbox')]);
    const form = await browser.get(pathIn((await catcher.next(email)).text));
    expect(form.text).toContain('You will be a guest.');
    expect(form.text).not.toContain('Olga');
    // Guests need a unique name.
    const taken = await account(form);
    expect([taken.status, taken.text]).toEqual([
      400,
      expect.stringContaining('Somebody here has this name'),
    ]);
    expect((await account(form, { full_name: 'Wanda Walk-in' })).status).toBe(303);
    const me = await browser.call('GET', '/users/me');
    expect(me.body).toMatchObject({ email, role: ROLE.guest });
  });

  it('answers the same for an address that has an account', async () => {
    const path = await linkPath();
    const page = await browser.get(path);
    const taken = await examplePerson(server.ctx, { email: 'taken@example.org' });
    const plain = async (email: string) => {
      const { status, text } = await browser.post(path, fill(page, { email }));
      return [status, text.replaceAll(email, '~')];
    };
    expect(await plain(taken.email)).toEqual(await plain('untaken@example.org'));
    expect((await catcher.next(taken.email)).subject).toContain('already have an account');
  });

  it('says what is wrong with an address, and refuses forms of other pages', async () => {
    const path = await linkPath();
    const page = await browser.get(path);
    const bad = await browser.post(path, fill(page, { email: 'no<b>address' }));
    expect([bad.status, bad.text]).toEqual([
      400,
      expect.stringContaining('This is not an email address.'),
    ]);
    expect(bad.text).toContain('value="no&lt;b&gt;address"');
    const forged = await openBrowser(server).post(path, fill(page, { email: 'x@example.org' }));
    expect(forged.status).toBe(403);
  });
});

it('is in the language of the organization, unless the reader chooses', async () => {
  const { path } = await emailedPath();
  expect((await browser.get(path)).text).toContain('<html lang="en" dir="ltr">');
  const persian = await browser.get(`${path}?lang=fa`);
  expect(persian.text).toContain('<html lang="fa" dir="rtl">');
  expect(persian.text).toContain('شما را دعوت کرده است');
  ok(await client().patch('/realm', { default_language: 'fa', name: 'میز <معامله>' }));
  const own = await browser.get(path);
  expect(own.text).toContain('<html lang="fa" dir="rtl">');
  expect(own.text).toContain('میز &lt;معامله&gt;');
  expect((await browser.get(`${path}?lang=en`)).text).toContain('<html lang="en" dir="ltr">');
  expect((await browser.get('/join/nonsense/')).text).toContain('این دعوت قابل استفاده نیست');
  ok(await client().patch('/realm', { default_language: 'en', name: 'Rialto' }));
});

it('without a mail server the inviter gets a notice, and a link says that nobody can join by it yet', async () => {
  const bare = await startTestServer();
  const boss = await examplePerson(bare.ctx, { role: ROLE.owner });
  const by = chatClient(bare, boss);
  const notices = async () => {
    const narrow = [{ operator: 'is', operand: 'dm' }];
    const body = ok(await by.get('/messages', { anchor: 'oldest', num_after: 10, narrow }));
    return (body['messages'] as { content: string }[]).map(({ content }) => content);
  };
  const offer = { invitee_emails: 'x@example.org', stream_ids: [] };
  expect((await by.post('/invites', offer)).body).toEqual({ result: 'success', msg: '' });
  const waits = expect.stringMatching(/its email waits.*<code>SMTP_URL<\/code>/) as string;
  expect(await notices()).toEqual([waits]);
  const invites = ok(await by.get('/invites'))['invites'] as { id: number }[];
  expect((await by.post(`/invites/${invites[0]?.id}/resend`)).body).toEqual({
    result: 'success',
    msg: '',
  });
  const { invite_link, ...rest } = ok(await by.post('/invites/multiuse', {}));
  expect(rest).toEqual({ result: 'success', msg: '' });
  expect(await notices()).toEqual([waits, waits, expect.stringContaining('nobody can join by it')]);
  const { pathname } = new URL(String(invite_link));
  const page = await openBrowser(bare).get(pathname);
  expect([page.status, page.text]).toEqual([503, expect.stringContaining('has no mail server')]);
  const key = pathname.split('/').at(2) ?? '';
  const asked = await chatClient(bare).post('/register_account', { key, email: 'y@example.org' });
  expect([asked.status, asked.body['msg']]).toEqual([503, expect.stringContaining('SMTP_URL')]);
  await bare.close();
});

it('after all of this no key and no password is in the log, at its most verbose level', async () => {
  expect(keys.length).toBeGreaterThan(8);
  const { path } = await emailedPath();
  for (const table of ['invitation_keys', 'permission_settings']) {
    await server.owner.query(`ALTER TABLE ${table} RENAME TO hidden`);
    const { status, text } = await browser.get(path);
    await server.owner.query(`ALTER TABLE hidden RENAME TO ${table}`);
    expect([status, text]).toEqual([503, expect.stringContaining('Try again shortly')]);
  }
  const text = logged.join('');
  expect(text).toContain('/accounts/do_confirm/:key');
  for (const secret of [...keys, PASSWORD]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(text).not.toContain(secret);
  }
});
