// Opening an account whose owner has lost everything: two operators, time, and emails that cancel it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  advanceRecoveries,
  approve,
  askRecovery,
  cancelRecovery,
} from '../accounts/recoveries/actions.ts';
import { ROLE } from '../accounts/roles.ts';
import { createTradingKey } from '../accounts/trading-keys/actions.ts';
import { noteFactorsDue } from '../accounts/second-factors/policy.ts';
import type { Operator } from '../accounts/operators/operator.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { hiddenFields, openBrowser } from '../testing/browser.ts';
import { chatClient } from '../testing/chat/client.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { startMailCatcher, type CaughtEmail, type MailCatcher } from '../testing/mail-catcher.ts';
import { giveTotp } from '../testing/factors.ts';
import { addExampleFactor, exampleGranted, grantTo } from '../testing/operators.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const OLD = 'a long enough secret';
const NEW = 'violet kettle marching 42';
const USE = '/accounts/recovery/new/';
const CANCEL = '/accounts/recovery/cancel/use/';

let mail: MailCatcher;
let server: TestServer;
let first: Person & Operator;
let second: Person & Operator;
let ada: Person;

beforeAll(async () => {
  mail = await startMailCatcher();
  server = await startTestServer({
    settings: { ...mail.settings, CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
    withJobs: true,
  });
  first = await exampleGranted(server.ctx, 'support');
  second = await exampleGranted(server.ctx, 'everything');
});
beforeEach(async () => {
  await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
  ada = await examplePerson(server.ctx, { password: OLD });
});
afterAll(async () => {
  await server.close();
  await mail.close();
});

const ask = (by: Operator = first, of: Person = ada): Promise<bigint> =>
  askRecovery(server.ctx, by, of.email, 'seen in person');

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refusal);
  return (error as Refusal).code;
};

const later = (id: bigint, hours: number) =>
  server.owner.query(
    `UPDATE recoveries SET usable_at = usable_at - $2 * interval '1 hour',
            expires_at = expires_at - $2 * interval '1 hour' WHERE id = $1`,
    [String(id), hours],
  );

const stateOf = async (id: bigint): Promise<string> => {
  const { rows } = await server.owner.query<{ state: string }>(
    'SELECT state FROM recoveries WHERE id = $1',
    [String(id)],
  );
  return rows[0]?.state ?? '';
};

const pathIn = ({ text = '' }: CaughtEmail): string =>
  /(\/accounts\/recovery\/(?:cancel\/)?[a-z2-7]{52}\/)/.exec(text)?.[1] ?? '';

async function open(path: string, target: string) {
  const browser = openBrowser(server);
  expect((await browser.get(path)).headers.get('location')).toBe(`${target}?lang=en`);
  const page = await browser.get(target);
  return { browser, page, form: hiddenFields(page.text) };
}

/** A recovery whose link is out, and the path of the link. */
async function usable(): Promise<{ id: bigint; path: string }> {
  const id = await ask();
  await approve(server.ctx, second, id);
  await later(id, 73);
  await advanceRecoveries(server.ctx);
  await mail.next(ada.email);
  await mail.next(ada.email);
  return { id, path: pathIn(await mail.next(ada.email)) };
}

describe('[I25] a recovery', () => {
  it('needs two operators, neither of them the person, and a reason', async () => {
    expect(await codeOf(askRecovery(server.ctx, first, ada.email, ' '))).toBe('BAD_REQUEST');
    expect(await codeOf(ask(first, first))).toBe('SAME_PERSON');
    const id = await ask();
    expect(await codeOf(ask(second))).toBe('RECOVERY_OPEN');
    expect(await codeOf(approve(server.ctx, first, id))).toBe('SAME_PERSON');
    // The person is an operator too.
    const own = { ...ada, via: 'session', proof: 'session' } as const;
    expect(await codeOf(approve(server.ctx, own, id))).toBe('PERMISSION_DENIED');
    await grantTo(server.ctx, ada, 'support');
    await addExampleFactor(server.ctx, ada);
    expect(await codeOf(approve(server.ctx, own, id))).toBe('SAME_PERSON');
    const onlooker = await exampleGranted(server.ctx, 'look', 'markets');
    expect(await codeOf(approve(server.ctx, onlooker, id))).toBe('PERMISSION_DENIED');
    expect(await codeOf(cancelRecovery(server.ctx, onlooker, id))).toBe('PERMISSION_DENIED');
    expect(await codeOf(ask(onlooker))).toBe('PERMISSION_DENIED');
    // Not even past the code.
    for (const by of [first.id, ada.id]) {
      await expect(
        server.owner.query(
          'UPDATE recoveries SET approved_by_id = $2, approved_at = now() WHERE id = $1',
          [String(id), by],
        ),
      ).rejects.toThrow('check constraint');
    }
    expect(await stateOf(id)).toBe('asked');
    const others = await Promise.all(
      Array.from({ length: 5 }, () => exampleGranted(server.ctx, 'support')),
    );
    const done = await Promise.allSettled(others.map((other) => approve(server.ctx, other, id)));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await codeOf(approve(server.ctx, second, id))).toBe('NOT_AWAITING');
    expect(await codeOf(approve(server.ctx, second, 999_999n))).toBe('NO_SUCH_RECOVERY');
  });

  it('takes 72 hours, for owners 7 days, and tells the person at each step', async () => {
    const id = await ask();
    const asked = await mail.next(ada.email);
    expect(asked.subject).toBe('Recovery of your account was asked for');
    expect(pathIn(asked)).toContain('/cancel/');
    const boss = await examplePerson(server.ctx, { role: ROLE.owner });
    const ofOwner = await ask(first, boss);
    await approve(server.ctx, second, id);
    await approve(server.ctx, second, ofOwner);
    const approved = await mail.next(ada.email);
    expect(approved.subject).toBe('Recovery of your account was approved');
    expect(pathIn(approved)).toContain('/cancel/');
    await advanceRecoveries(server.ctx);
    await later(id, 71);
    await later(ofOwner, 73);
    await advanceRecoveries(server.ctx);
    expect([await stateOf(id), await stateOf(ofOwner)]).toEqual(['waiting', 'waiting']);
    const { rows } = await server.owner.query(
      "SELECT FROM mailed_links WHERE purpose = 'recovery' AND user_id = ANY ($1)",
      [[ada.id, boss.id]],
    );
    expect(rows).toHaveLength(0);
    await later(id, 2);
    await later(ofOwner, 96);
    await advanceRecoveries(server.ctx);
    expect([await stateOf(id), await stateOf(ofOwner)]).toEqual(['usable', 'usable']);
    expect((await mail.next(ada.email)).subject).toBe('Your account can be opened again');
  });

  it('gives a new password; factors, sessions and keys end, a factor is due, and withdrawals are frozen for a week', async () => {
    const trading = await createTradingKey(server.ctx, { userId: ada.id, permissions: ['read'] });
    const elsewhere = openBrowser(server);
    await elsewhere.signIn(ada.email, OLD);
    await giveTotp(server.ctx, ada);
    await mail.next(ada.email);
    const { id, path } = await usable();
    const visit = await open(path, USE);
    expect(visit.page.text).toContain(ada.email);
    const weak = { ...visit.form, password: 'password1', again: 'password1' };
    expect((await visit.browser.post(USE, weak)).status).toBe(400);
    expect((await visit.browser.post(USE, { password: NEW, again: NEW })).status).toBe(403);
    const form = { ...visit.form, password: NEW, again: NEW };
    const pages = await Promise.all(Array.from({ length: 5 }, () => visit.browser.post(USE, form)));
    expect(pages.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      303, 404, 404, 404, 404,
    ]);
    expect(await stateOf(id)).toBe('used');
    expect((await elsewhere.get('/json/users/me')).status).toBe(401);
    expect((await chatClient(server, ada).get('/users/me')).status).toBe(401);
    const { rows } = await server.owner.query<Record<string, number | boolean>>(
      `SELECT (SELECT count(*)::int FROM trading_keys WHERE key_id = $2) AS keys,
              (SELECT count(*)::int FROM totp_secrets WHERE user_id = $1) AS codes,
              (SELECT factor_due_at <= now() FROM users WHERE id = $1) AS due,
              (SELECT extract(epoch FROM withdraw_freeze_until - now())::float8 / 3600
                 FROM trading_accounts WHERE user_id = $1) AS frozen`,
      [ada.id, trading.keyId],
    );
    expect(rows[0]).toMatchObject({ keys: 0, codes: 0, due: true });
    expect(rows[0]?.['frozen']).toBeGreaterThan(7 * 24 - 0.1);
    expect((await open(path, USE)).page.status).toBe(404);
    // Upkeep leaves it as it is, and signing in stops at a new factor.
    await noteFactorsDue(server.ctx);
    const signIn = openBrowser(server);
    const stopped = await signIn.signIn(ada.email, NEW);
    expect((await signIn.get('/json/users/me')).status).toBe(401);
    expect([stopped.status, signIn.cookies.has('sessionid')]).toEqual([303, false]);
  });

  it('is canceled by the link of an email, by an operator, and by any sign-in; nothing of it works then', async () => {
    const byLink = await ask();
    const cancel = await open(pathIn(await mail.next(ada.email)), CANCEL);
    expect(cancel.page.text).toContain('Cancel the recovery');
    expect((await cancel.browser.post(CANCEL, {})).status).toBe(403);
    expect((await cancel.browser.post(CANCEL, cancel.form)).text).toContain('was canceled');
    expect(await stateOf(byLink)).toBe('canceled');
    expect(await codeOf(approve(server.ctx, second, byLink))).toBe('NOT_AWAITING');
    await mail.next(ada.email);

    const { id, path } = await usable();
    const visit = await open(path, USE);
    await cancelRecovery(server.ctx, second, id);
    const form = { ...visit.form, password: NEW, again: NEW };
    expect((await visit.browser.post(USE, form)).status).toBe(404);
    await mail.next(ada.email);

    const last = await usable();
    const page = await open(last.path, USE);
    expect((await openBrowser(server).signIn(ada.email, OLD)).status).toBe(302);
    // At once, before any job has looked.
    const late = await page.browser.post(USE, { ...page.form, password: NEW, again: NEW });
    expect(late.status).toBe(404);
    await advanceRecoveries(server.ctx);
    expect(await stateOf(last.id)).toBe('canceled');
    expect((await openBrowser(server).signIn(ada.email, OLD)).status).toBe(302);
  });

  it('ends if nobody approves it within a week, or if the link is not used within a day', async () => {
    const id = await ask();
    await later(id, 7 * 24 + 1);
    await advanceRecoveries(server.ctx);
    expect(await stateOf(id)).toBe('expired');
    await mail.next(ada.email);
    const next = await usable();
    const visit = await open(next.path, USE);
    await later(next.id, 25);
    const form = { ...visit.form, password: NEW, again: NEW };
    expect((await visit.browser.post(USE, form)).status).toBe(404);
    await advanceRecoveries(server.ctx);
    expect(await stateOf(next.id)).toBe('expired');
  });
});

it('the pages are in both languages, without script, and a guessed link leads nowhere', async () => {
  const { path } = await usable();
  const { browser } = await open(path, USE);
  const page = await browser.get(`${USE}?lang=fa`);
  expect(page.text).toContain('<html lang="fa" dir="rtl">');
  expect(page.text).not.toMatch(/<script|\son\w+="|\sstyle="/);
  for (const key of ['a'.repeat(52), 'x', '%00']) {
    const guess = openBrowser(server);
    expect((await guess.get(`/accounts/recovery/${key}/`)).status).toBeLessThan(500);
    expect((await guess.get(USE)).status).toBe(404);
    expect((await guess.get(CANCEL)).status).toBe(404);
  }
});
