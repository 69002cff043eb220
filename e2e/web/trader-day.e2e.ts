// A newcomer's first day: invited by email, with a passkey, reading and answering in Persian, then trading: an order is
// placed, changed and canceled, another is filled, and stands in history and statement. An operator halts the market, two
// of them agree on a compensation, and in the evening the newcomer signs out.
import { decimal, type Chat } from '@rialto/sdk';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { startMailCatcher, type MailCatcher } from '../../server/src/testing/mail-catcher.ts';
import { addAuthenticator, type VirtualAuthenticator } from '../identity-world.ts';
import { openPage } from './client.ts';
import { approve, askToMove, haltMarket, operate, runAtHost, type Operating } from './operator.ts';
import { openStage } from './stage.ts';
import { tradeView } from './trade.ts';

const SLOW = { timeout: 60_000 };
const soon = <T>(look: () => T) => expect.poll(look, SLOW);

const NIA = { email: 'nia@newcomers.example', name: 'Nia New', password: 'correct horse 7 staple' };
const MARKET = { symbol: 'btcusdt', pair: 'BTC/USDT' };
const GREETING = 'Welcome, Nia. What do you expect of today?';
const ANSWER = 'سلام به همه! امروز آرام شروع می‌کنم.';

let mail: MailCatcher;
let owner: Chat;
let page: Page;
let keys: VirtualAuthenticator;
let first: Operating;
let second: Operating;
let channelId: number;
const complaints: string[] = [];

const stage = openStage(
  async () => {
    owner = stage.chatOf('owner');
    const { subscriptions } = await owner.getSubscriptions();
    channelId = subscriptions.find(({ name }) => name === MARKET.symbol)?.stream_id ?? 0;
    const context = await stage.browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    });
    page = await context.newPage();
    page.setDefaultTimeout(SLOW.timeout);
    page.on('pageerror', (error) => complaints.push(error.message));
    keys = await addAuthenticator({ context, page });
  },
  async (port) => {
    mail = await startMailCatcher();
    // Browsers give passkeys to names alone, not to addresses of machines.
    return { ...mail.settings, PUBLIC_URL: `http://localhost:${port}` };
  },
);
afterAll(() => mail?.close());

const view = () => tradeView(page);
const open = (path: string) => openPage(page, stage.address(path));

/** What the venue itself says, asked with the session of the newcomer. */
const asked = <T>(path: string): Promise<T> =>
  page.evaluate(
    async (to) => ((await (await fetch(`/json/v1${to}`)).json()) as { result: unknown }).result,
    path,
  ) as Promise<T>;

interface Owned {
  readonly coin: string;
  readonly total: string;
}
const totalOf = async (coin: string): Promise<string> =>
  (await asked<Owned[]>('/private/account/balances')).find((one) => one.coin === coin)?.total ??
  '0';

it('accepts an invitation, and is home', async () => {
  await owner.sendInvites({
    invitee_emails: `${NIA.name} <${NIA.email}>`,
    stream_ids: [channelId],
  });
  const { text = '' } = await mail.next(NIA.email);
  await page.goto(/https?:\/\/\S+\/accounts\/do_confirm\/[a-z2-7]{52}/.exec(text)?.[0] ?? '');
  await page.fill('#password', NIA.password);
  const terms = page.locator('#terms');
  if ((await terms.count()) > 0) await terms.check();
  await page.click('button[type=submit]');
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('button', { name: `Account of ${NIA.name}` }).waitFor();
});

it('sets a passkey, and proves the next change by it', async () => {
  await open('/settings/security');
  await page.getByText('none', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Manage factors' }).click();
  await page.click('a[href^="/accounts/security/passkeys/"]');
  await page.fill('#label', 'My laptop');
  await page.click('form[data-passkey=create] button');
  await page.waitForURL(/done=added|step_up/);
  expect(await keys.credentials()).toMatchObject([{ rpId: 'localhost' }]);
  await open('/settings/security');
  await page.getByText('1 passkey', { exact: true }).waitFor();
});

it('signs in by the passkey alone', async () => {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/login'));
  await page.click('form[action="/accounts/login/passkey/"] button');
  await page.getByRole('button', { name: `Account of ${NIA.name}` }).waitFor();
});

it('reads the inbox, and answers in Persian', async () => {
  await owner.sendMessage({
    type: 'channel',
    to: channelId,
    topic: 'first day',
    content: `@**${NIA.name}** ${GREETING}`,
  });
  await open('/inbox');
  await page
    .getByRole('link', { name: /first day/ })
    .first()
    .click();
  await page.locator('article[data-message]', { hasText: GREETING }).waitFor();
  await page.locator('[data-compose]').fill(ANSWER);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const told = async () => {
    const { messages } = await owner.getMessages({
      anchor: 'newest',
      num_before: 20,
      num_after: 0,
      narrow: [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: 'first day' },
      ],
      apply_markdown: false,
    });
    return messages.filter(({ content }) => content === ANSWER).length;
  };
  await soon(told).toBe(1);
  const written = page.locator('article[data-message]', { hasText: ANSWER });
  const direction = () =>
    written.getByText(ANSWER).evaluate((text) => getComputedStyle(text).direction);
  await soon(direction).toBe('rtl');
});

it('places an order, changes and cancels it', async () => {
  // The venue opens an account for those who come first.
  expect(await totalOf('usdt')).toBe('0');
  const { email } = stage.demo.users.owner;
  for (const to of [NIA.email, 'adjustments']) {
    const deposit = ['ledger', 'deposit', '--to', to, '--coin', 'usdt', '--amount', '5000'];
    runAtHost(stage, deposit, email);
  }
  await open(`/trade/${MARKET.symbol}`);
  await view().isReady();
  await view().write({ Price: '50000', Amount: '0.01' });
  await view().field('Amount').focus();
  await view().placeByKeys();
  await soon(() => view().latest().innerText()).toContain('Open');

  await page.locator('main').focus();
  await view().tabTo(/^Change order/u);
  await page.keyboard.press('Enter');
  await view().account().getByRole('textbox', { name: 'New amount' }).fill('0.008');
  await view().tabTo(/^Save change/u);
  await page.keyboard.press('Enter');
  const volumes = async () =>
    (await asked<{ volume: string }[]>('/private/order/open')).map(({ volume }) => volume);
  await soon(volumes).toEqual(['0.008000']);

  await page.locator('main').focus();
  await view().tabTo(/Details of order/u);
  await page.keyboard.press('Shift+X');
  await view().review().waitFor();
  await view().tabTo(/^Cancel order/u);
  await page.keyboard.press('Enter');
  await soon(volumes).toEqual([]);
  await soon(() => view().account().innerText()).toContain('No open orders');
});

it('is filled, and finds it in history and statement', async () => {
  await view().choose('Order type', 'Market');
  await view().write({ Total: '200' });
  await view().field('Total').focus();
  await view().placeByKeys();
  await soon(() => view().latest().innerText()).toMatch(/Filled|Expired|Canceled/u);
  await view().account().getByRole('tab', { name: 'History' }).click();
  const rows = () => view().account().getByRole('row');
  await soon(() => rows().nth(1).innerText()).toContain('Market');
  await view().account().getByRole('tab', { name: 'Fills' }).click();
  await soon(() => rows().nth(1).innerText()).toContain('Taker');

  const bought = await totalOf('btc');
  expect(decimal.isZero(bought)).toBe(false);
  const line = page
    .getByRole('table', { name: 'Opening and closing balance' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: 'BTC', exact: true }) });
  const closing = line.locator('td').last();
  // It ends some seconds ago, when nothing can be added any more.
  const isThere = async () => {
    await open('/wallet/statements');
    await page.getByText('Checked here: the file has this hash.').first().waitFor();
    return line.count();
  };
  await expect.poll(isThere, { timeout: 90_000, interval: 3000 }).toBe(1);
  await soon(async () => (await closing.innerText()).replaceAll(/[^\d.]/g, '')).toContain(bought);
});

it('sees that an operator halts the market, and may not trade then', async () => {
  await open(`/trade/${MARKET.symbol}`);
  await view().isReady();
  first = await operate(stage, 'owner', '/admin/markets');
  second = await operate(stage, 'admin', '/admin/approvals');
  await haltMarket(first, { ...MARKET, reason: 'A drill.' });
  await view().form().getByText('Trading is halted. Orders can be canceled.').waitFor();
}, 240_000);

it('is compensated once a second operator agrees', async () => {
  const before = await totalOf('usdt');
  const { accountId } = await asked<{ accountId: string }>('/private/account/info');
  const id = await askToMove(first, {
    from: 'adjustments',
    to: accountId,
    coin: 'usdt',
    amount: '5',
    reason: 'For the drill.',
  });
  expect(await totalOf('usdt')).toBe(before);
  await openPage(second.page, stage.address('/admin/approvals'));
  await approve(second, id);
  await soon(() => totalOf('usdt')).toBe(decimal.add(before, '5'));
  await open('/wallet/activity?kind=adjustment');
  await page.getByRole('table', { name: 'Activity' }).getByRole('row').nth(1).waitFor();
}, 240_000);

it('signs out, and leaves nothing', async () => {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/login'));
  const status = await page.evaluate(async () => (await fetch('/json/users/me')).status);
  expect(status).toBe(401);
  expect(complaints).toEqual([]);
});
