// The phrase at the head of emails: in every email to the person who chose it, and in no other.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tellPerson } from '../accounts/notices/actions.ts';
import { ROLE } from '../accounts/roles.ts';
import {
  changePerson,
  deactivatePersonIn,
  reactivatePerson,
} from '../chat/administration/users/actions.ts';
import { layOut } from '../platform/mail/email.ts';
import { queueEmail, type Purpose } from '../platform/mail/queue.ts';
import { hiddenFields, openBrowser } from '../testing/browser.ts';
import { chatClient } from '../testing/chat/client.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PASSWORD = 'a long enough secret';
const PHRASE = 'blue <heron> & dawn';

let mail: MailCatcher;
let server: TestServer;
let owner: Person;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  mail = await startMailCatcher();
  server = await startTestServer({
    settings: { ...mail.settings, CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
    withJobs: true,
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner });
  ada = await examplePerson(server.ctx, { password: PASSWORD });
  ben = await examplePerson(server.ctx, { password: PASSWORD });
});
afterAll(async () => {
  await server.close();
  await mail.close();
});

const browserOf = async ({ email }: Person) => {
  const browser = openBrowser(server);
  expect((await browser.signIn(email, PASSWORD)).status).toBe(302);
  return browser;
};

it('is changed by a browser alone, and is one line of at most 40 characters', async () => {
  const browser = await browserOf(ada);
  for (const bad of ['x'.repeat(41), 'two\nlines']) {
    expect((await browser.call('PUT', '/phrase', { phrase: bad })).status).toBe(400);
  }
  expect((await browser.call('PUT', '/phrase', { phrase: PHRASE })).status).toBe(200);
  const byKey = await fetch(`${server.origin}/api/v1/phrase`, {
    method: 'PUT',
    headers: { authorization: ada.basic },
    body: new URLSearchParams({ phrase: 'stolen' }),
  });
  expect(byKey.status).toBe(404);
  const page = await browser.get('/account/phrase/');
  expect(page.text).toContain('value="blue &lt;heron&gt; &amp; dawn"');
  const form = { ...hiddenFields(page.text), phrase: PHRASE };
  const wrong = await browser.post('/account/phrase/', { ...form, password: 'wrong' });
  expect(wrong.text).toContain('The password is not right');
  expect((await browser.post('/account/phrase/', { phrase: 'x', password: PASSWORD })).status).toBe(
    403,
  );
  const saved = await browser.post('/account/phrase/', { ...form, password: PASSWORD });
  expect(saved.text).toContain('The phrase is saved');
  const { rows } = await server.owner.query<{ row: string }>(
    'SELECT to_jsonb(u)::text AS row FROM users u WHERE id = $1',
    [ada.id],
  );
  expect(rows[0]?.row).not.toContain('heron');
});

it('[I28] heads every email to its person, and no other', async () => {
  const ask = async (path: string, email: string) => {
    const browser = openBrowser(server);
    const { text } = await browser.get(path);
    await browser.post(path, { ...hiddenFields(text), email });
  };
  for (const { email } of [ada, ben]) {
    await ask('/accounts/password/reset/', email);
    await ask('/accounts/login/device/', email);
  }
  // Every purpose of an email goes through the queue.
  const purposes = Object.keys({
    invitation: 0,
    reminder: 0,
    confirmation: 0,
    deactivation: 0,
    reactivation: 0,
    device: 0,
    password: 0,
    address: 0,
    registration: 0,
    recovery: 0,
    security: 0,
  } satisfies Record<Purpose, 0>) as Purpose[];
  await server.ctx.inTransaction(async (tx) => {
    for (const language of ['en', 'fa'] as const) {
      for (const purpose of purposes) {
        const content = {
          language,
          organization: 'Desk',
          origin: 'https://desk.example',
          subject: purpose,
          heading: purpose,
          paragraphs: ['$& and $1'],
          note: '',
        };
        for (const to of [ada.email.toUpperCase(), ben.email, 'stranger@example.com']) {
          await queueEmail(tx, server.ctx, purpose, layOut(to, content, null));
        }
      }
    }
    await tellPerson(tx, server.ctx, ada, 'factor_added');
    await deactivatePersonIn(tx, server.ctx, owner, ada.id, 'farewell');
  });
  await reactivatePerson(server.ctx, owner, ada.id);
  await chatClient(server, ada).patch('/settings', { email: 'ada-new@example.com' });
  // 2 by forms, all purposes in both languages, the notice, the farewell, and the old side of the change.
  const toAda = 2 + 2 * purposes.length + 3;
  const sentTo = (address: string) =>
    mail.emails.filter(
      ({ recipients, subject }) =>
        // That one was sent before there was a phrase.
        subject !== 'New sign-in' &&
        recipients.some((one) => one.toLowerCase() === address.toLowerCase()),
    );
  await expect.poll(() => sentTo(ada.email).length, { timeout: 120_000 }).toBe(toAda);
  await expect.poll(() => sentTo('ada-new@example.com').length, { timeout: 120_000 }).toBe(1);
  await expect
    .poll(() => sentTo(ben.email).length, { timeout: 120_000 })
    .toBe(2 + 2 * purposes.length);
  for (const { text = '', html = '', subject } of sentTo(ada.email)) {
    expect(text, subject).toMatch(/^(Your phrase|عبارت شما): blue <heron> & dawn\n\n/);
    expect(html.split('blue &lt;heron&gt; &amp; dawn'), subject).toHaveLength(2);
    expect(html).not.toContain('<heron>');
    expect(subject).not.toContain('heron');
  }
  const others = mail.emails.filter((email) => !sentTo(ada.email).includes(email));
  expect(others.length).toBeGreaterThan(4 * purposes.length);
  for (const { text = '', html = '' } of others) {
    expect(text + html).not.toContain('heron');
    expect(text + html).not.toMatch(/Your phrase|عبارت شما/);
  }
});

it('does not go to a mailbox that the person never confirmed', async () => {
  await changePerson(server.ctx, owner, ada.id, { email: 'given@example.com' });
  await server.ctx.inTransaction((tx) =>
    tellPerson(tx, server.ctx, { ...ada, email: 'given@example.com' }, 'factor_added'),
  );
  const { text = '' } = await mail.next('given@example.com');
  expect(text).not.toContain('heron');
});
