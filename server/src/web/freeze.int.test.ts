// Withdrawals are frozen after each change of what opens an account.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeTotp } from '../accounts/second-factors/actions.ts';
import { makePasswordLink } from '../chat/administration/keys/password-link.ts';
import { hiddenFields, openBrowser } from '../testing/browser.ts';
import { chatClient } from '../testing/chat/client.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { giveTotp } from '../testing/factors.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { exampleTrader } from '../testing/trader.ts';
import { checkNotFrozen } from '../trading/account/freeze.ts';

const OLD = 'a long enough secret';
const NEW = 'violet kettle marching 42';
const HOUR_MS = 3_600_000;

let mail: MailCatcher;
let server: TestServer;

beforeAll(async () => {
  mail = await startMailCatcher();
  server = await startTestServer({
    settings: { ...mail.settings, CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
    withJobs: true,
  });
});
afterAll(async () => {
  await server.close();
  await mail.close();
});

async function submit(path: string, target: string, form: Record<string, string>): Promise<number> {
  const browser = openBrowser(server);
  await browser.get(path);
  const fields = hiddenFields((await browser.get(target)).text);
  return (await browser.post(target, { ...fields, ...form })).status;
}

/** The links that both mailboxes got. */
async function confirmBoth(...addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    const { text = '' } = await mail.next(address);
    const [path = ''] = /\/accounts\/confirm_new_email\/[a-z2-7]{52}\//.exec(text) ?? [];
    const status = await submit(path, '/accounts/confirm_new_email/use/', { decision: 'confirm' });
    expect(status).toBe(200);
  }
}

const CHANGES: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
  'a new password in the settings': (person) =>
    chatClient(server, person).patch('/settings', { old_password: OLD, new_password: NEW }),
  'a new password by a link': async ({ id }) => {
    const { pathname } = new URL(await makePasswordLink(server.ctx, id));
    const form = { password: NEW, again: NEW, revoke: 'none' };
    expect(await submit(pathname, '/accounts/password/reset/new/', form)).toBe(303);
  },
  'another address': async (person) => {
    const email = `moved-${person.id}@example.com`;
    await chatClient(server, person).patch('/settings', { email });
    await confirmBoth(person.email, email);
  },
  'a new factor': (person) => giveTotp(server.ctx, person),
};

it.each(Object.entries(CHANGES))(
  '[I27] %s freezes withdrawals for 24 hours',
  async (_name, change) => {
    const person = await examplePerson(server.ctx, { password: OLD });
    const trader = await exampleTrader(server.ctx, { userId: person.id });
    const info = async () => {
      const { body } = await trader.call(`${server.baseUrl}/private/account/info`);
      return body.result as { canWithdraw: boolean; withdrawFreezeUntil: string };
    };
    expect(await info()).toMatchObject({ canWithdraw: true, withdrawFreezeUntil: '' });
    await change(person);
    const { canWithdraw, withdrawFreezeUntil } = await info();
    expect(canWithdraw).toBe(false);
    const untilMs = Number(withdrawFreezeUntil);
    expect(untilMs).toBeGreaterThan(Date.now() + 23.5 * HOUR_MS);
    expect(untilMs).toBeLessThanOrEqual(Date.now() + 24 * HOUR_MS + 60_000);
    const account = { withdrawFreezeUntil: new Date(untilMs) };
    expect(() => checkNotFrozen(account, Date.now())).toThrow(
      expect.objectContaining({ code: '5009' }),
    );
  },
);

it('[I27] a removed factor freezes withdrawals too, and a later end is never brought forward', async () => {
  const person = await examplePerson(server.ctx, { password: OLD });
  await exampleTrader(server.ctx, { userId: person.id });
  await giveTotp(server.ctx, person);
  const set = (hours: number) =>
    server.owner.query(
      "UPDATE trading_accounts SET withdraw_freeze_until = now() + $2 * interval '1 hour' WHERE user_id = $1",
      [person.id, hours],
    );
  const left = async (): Promise<number> => {
    const { rows } = await server.owner.query<{ hours: number }>(
      `SELECT extract(epoch FROM withdraw_freeze_until - now())::float8 / 3600 AS hours
         FROM trading_accounts WHERE user_id = $1`,
      [person.id],
    );
    return rows[0]?.hours ?? 0;
  };
  await set(1);
  await removeTotp(server.ctx, person, '192.0.2.1');
  expect(await left()).toBeGreaterThan(23.5);
  await set(100);
  await giveTotp(server.ctx, person);
  expect(await left()).toBeGreaterThan(99);
});
