// Changing an email address: both mailboxes for one's own, the new one and time for an administrator's.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { finishAddressChanges } from '../accounts/addresses/actions.ts';
import { ROLE } from '../accounts/roles.ts';
import { createTradingKey } from '../accounts/trading-keys/actions.ts';
import { hiddenFields, openBrowser, type Page } from '../testing/browser.ts';
import { chatClient } from '../testing/chat/client.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PASSWORD = 'a long enough secret';
const USE = '/accounts/confirm_new_email/use/';

let mail: MailCatcher;
let server: TestServer;
let owner: Person;
let ada: Person;
let count = 0;

beforeAll(async () => {
  mail = await startMailCatcher();
  server = await startTestServer({
    settings: { ...mail.settings, CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
    withJobs: true,
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner });
});
beforeEach(async () => {
  await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
  ada = await examplePerson(server.ctx, { password: PASSWORD });
  await createTradingKey(server.ctx, { userId: ada.id, permissions: ['read'] });
});
afterAll(async () => {
  await server.close();
  await mail.close();
});

const fresh = (): string => `new${(count += 1)}@example.com`;

const askOwn = (email: string) => chatClient(server, ada).patch('/settings', { email });
const askGiven = (email: string) =>
  chatClient(server, owner).patch(`/users/${ada.id}`, { new_email: email });

/** The path of the link in the next email to this address. */
async function linkTo(address: string): Promise<string> {
  const { text = '' } = await mail.next(address);
  const [, path = ''] = /(\/accounts\/confirm_new_email\/[a-z2-7]{52}\/)/.exec(text) ?? [];
  expect(path).not.toBe('');
  return path;
}

async function open(path: string) {
  const browser = openBrowser(server);
  expect((await browser.get(path)).headers.get('location')).toBe(`${USE}?lang=en`);
  return { browser, page: await browser.get(USE) };
}

async function decide(path: string, decision: 'confirm' | 'cancel'): Promise<Page> {
  const { browser, page } = await open(path);
  return browser.post(USE, { ...hiddenFields(page.text), decision });
}

const addressOf = async ({ id }: Person): Promise<string> => {
  const { rows } = await server.owner.query<{ email: string }>(
    'SELECT email FROM users WHERE id = $1',
    [id],
  );
  return rows[0]?.email ?? '';
};

const frozenHours = async ({ id }: Person): Promise<number> => {
  const { rows } = await server.owner.query<{ hours: number | null }>(
    `SELECT extract(epoch FROM withdraw_freeze_until - now())::float8 / 3600 AS hours
       FROM trading_accounts WHERE user_id = $1`,
    [id],
  );
  return rows[0]?.hours ?? 0;
};

const later = (hours: number) =>
  server.owner.query(
    `UPDATE address_changes SET not_before = not_before - $1 * interval '1 hour',
            expires_at = expires_at - $1 * interval '1 hour' WHERE ended_at IS NULL`,
    [hours],
  );

describe("a person's own change", () => {
  it('[I12] happens when both mailboxes have confirmed, in either order, and tells both', async () => {
    for (const order of [
      ['old', 'new'],
      ['new', 'old'],
    ] as const) {
      ada = await examplePerson(server.ctx, { password: PASSWORD });
      await createTradingKey(server.ctx, { userId: ada.id, permissions: ['read'] });
      const email = fresh();
      const client = chatClient(server, owner);
      const { body: queue } = await client.post('/register', { event_types: ['realm_user'] });
      expect((await askOwn(email)).status).toBe(200);
      const links = { old: await linkTo(ada.email), new: await linkTo(email) };
      const [first, second] = order;
      const waiting = await decide(links[first], 'confirm');
      expect(waiting.text).toContain('This mailbox has confirmed the change');
      // One side alone changes nothing, however often it confirms.
      expect((await decide(links[first], 'confirm')).status).toBe(200);
      expect(await addressOf(ada)).toBe(ada.email);
      expect(await frozenHours(ada)).toBe(0);
      expect((await decide(links[second], 'confirm')).text).toContain('was changed');
      expect(await addressOf(ada)).toBe(email);
      expect(await frozenHours(ada)).toBeGreaterThan(23.9);
      expect((await mail.next(ada.email)).subject).toBe('Your email address was changed');
      expect((await mail.next(email)).subject).toBe('This is your email address now');
      const { body } = await client.get('/events', {
        queue_id: queue['queue_id'],
        last_event_id: -1,
        dont_block: true,
      });
      const people = (body['events'] as { person?: Record<string, unknown> }[]).map(
        ({ person }) => person,
      );
      expect(people).toContainEqual({ user_id: ada.id, delivery_email: email });
      expect(people).toContainEqual({ user_id: ada.id, new_email: email });
      expect((await openBrowser(server).signIn(email, PASSWORD)).status).toBe(302);
      for (const link of Object.values(links)) expect((await open(link)).page.status).toBe(404);
    }
  });

  it('[I12] can be canceled by the old mailbox, also after it confirmed; the new one cannot cancel', async () => {
    const email = fresh();
    await askOwn(email);
    const [old, other] = [await linkTo(ada.email), await linkTo(email)];
    expect((await open(other)).page.text).not.toContain('value="cancel"');
    expect((await decide(other, 'cancel')).status).toBe(400);
    await decide(old, 'confirm');
    expect((await decide(old, 'cancel')).text).toContain('was canceled');
    expect((await decide(other, 'confirm')).status).toBe(404);
    expect(await addressOf(ada)).toBe(ada.email);
  });

  it('[I12] is not made if another account got the address meanwhile, nor with links of an earlier one', async () => {
    const email = fresh();
    await askOwn(email);
    const [old, other] = [await linkTo(ada.email), await linkTo(email)];
    await decide(old, 'confirm');
    await examplePerson(server.ctx, { email });
    const taken = await decide(other, 'confirm');
    expect(taken.status).toBe(409);
    expect(await addressOf(ada)).toBe(ada.email);

    const [first, second] = [fresh(), fresh()];
    await askOwn(first);
    const earlier = await linkTo(first);
    await askOwn(second);
    expect((await decide(earlier, 'confirm')).status).toBe(404);
    expect((await open(await linkTo(second))).page.text).toContain(second);
  });

  it('ends after a day, and two who want one address do not both get it', async () => {
    const email = fresh();
    await askOwn(email);
    const [old, other] = [await linkTo(ada.email), await linkTo(email)];
    await decide(old, 'confirm');
    await later(25);
    expect((await decide(other, 'confirm')).status).toBe(404);
    expect(await finishAddressChanges(server.ctx)).toBeGreaterThan(0);
    expect(await addressOf(ada)).toBe(ada.email);

    const wanted = fresh();
    await askOwn(wanted);
    const mine = [await linkTo(ada.email), await linkTo(wanted)];
    const rival = await examplePerson(server.ctx);
    await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
    await chatClient(server, rival).patch('/settings', { email: wanted });
    const theirs = [await linkTo(rival.email), await linkTo(wanted)];
    await decide(mine[0] ?? '', 'confirm');
    await decide(theirs[0] ?? '', 'confirm');
    await Promise.all([decide(mine[1] ?? '', 'confirm'), decide(theirs[1] ?? '', 'confirm')]);
    const got = [await addressOf(ada), await addressOf(rival)].filter((one) => one === wanted);
    expect(got).toHaveLength(1);
  });

  it('tells nobody whether an address has an account, and limits the emails', async () => {
    const taken = await askOwn(owner.email);
    await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
    const free = await askOwn(fresh());
    expect([taken.status, taken.body]).toEqual([free.status, free.body]);
    const asked = fresh();
    const answers = [];
    for (let i = 0; i < 4; i += 1) answers.push((await askOwn(asked)).status);
    expect(answers).toContain(429);
    expect((await askOwn('nonsense')).status).toBe(400);
    expect((await askOwn('')).status).toBe(200);
    expect((await askOwn(ada.email.toUpperCase())).status).toBe(200);
  });

  it('is not offered where the organization does not permit it', async () => {
    await chatClient(server, owner).patch('/realm', { email_changes_disabled: true });
    expect((await askOwn(fresh())).body['msg']).toContain('disabled in this organization');
    await chatClient(server, owner).patch('/realm', { email_changes_disabled: false });
  });
});

describe("an administrator's change", () => {
  it('[I12] needs the new mailbox and 72 hours, and the old one may cancel it', async () => {
    const email = fresh();
    expect((await askGiven(email)).status).toBe(200);
    const [old, other] = [await linkTo(ada.email), await linkTo(email)];
    expect((await open(old)).page.text).not.toContain('value="confirm"');
    expect((await decide(old, 'confirm')).status).toBe(400);
    await decide(other, 'confirm');
    await finishAddressChanges(server.ctx);
    expect(await addressOf(ada)).toBe(ada.email);
    await later(71);
    await finishAddressChanges(server.ctx);
    expect(await addressOf(ada)).toBe(ada.email);
    await later(2);
    await finishAddressChanges(server.ctx);
    expect(await addressOf(ada)).toBe(email);
    expect(await frozenHours(ada)).toBeGreaterThan(23.9);

    const another = fresh();
    await askGiven(another);
    // The first email to the new address said that it is the account's now.
    expect((await mail.next(email)).subject).toBe('This is your email address now');
    const [present, next] = [await linkTo(email), await linkTo(another)];
    await decide(next, 'confirm');
    expect((await decide(present, 'cancel')).text).toContain('was canceled');
    await later(80);
    await finishAddressChanges(server.ctx);
    expect(await addressOf(ada)).toBe(email);
  });

  it('is for administrators, and not for an address that is taken', async () => {
    const eve = await examplePerson(server.ctx);
    const refused = await chatClient(server, eve).patch(`/users/${ada.id}`, { new_email: fresh() });
    expect(refused.status).toBe(400);
    expect((await askGiven(owner.email)).status).toBe(400);
    const { rows } = await server.owner.query(
      'SELECT FROM address_changes WHERE user_id = $1 AND ended_at IS NULL',
      [ada.id],
    );
    expect(rows).toHaveLength(0);
  });
});

it('[I12] a guessed link leads nowhere, and the pages are in both languages, without script', async () => {
  for (const key of ['a'.repeat(52), 'x', 'use', '%00']) {
    const browser = openBrowser(server);
    expect((await browser.get(`/accounts/confirm_new_email/${key}/`)).status).toBeLessThan(500);
    expect((await browser.get(USE)).status).toBe(404);
  }
  const email = fresh();
  await askOwn(email);
  const { browser, page } = await open(await linkTo(email));
  expect(page.text).not.toContain(ada.email);
  expect(page.text).not.toMatch(/<script|\son\w+="|\sstyle="/);
  expect((await browser.get(`${USE}?lang=fa`)).text).toContain('<html lang="fa" dir="rtl">');
  expect((await browser.post(USE, { decision: 'confirm' })).status).toBe(403);
});
