// What operators list, in Chromium, against the demo: markets with their terms and auctions, coins with their networks,
// fee tiers. Each form is looked at before it is sent.
import { decimal, type Trading } from '@rialto/sdk';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seriousFindings } from './axe.ts';
import { changeSetting, openPage, sideways } from './client.ts';
import { operate, prove, type Operating } from './operator.ts';
import { openStage } from './stage.ts';

let operator: Operating;
let page: Page;
let trading: Trading;

const SLOW = { timeout: 60_000 };

const stage = openStage(async () => {
  operator = await operate(stage, 'owner', '/admin/markets');
  ({ page } = operator);
  trading = stage.tradingOf('trader_a');
});

const open = (path: string) => openPage(page, stage.address(path));

/** In the dialog that is open: the fields, by the beginning of their names. */
async function fill(dialog: Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    await dialog.getByRole('textbox', { name: new RegExp(`^${name}`, 'u') }).fill(value);
  }
}

/** Goes on from the form, checks what is sent, types the name, and acts. */
async function reviewAndAct(
  { name, act, sent }: { name: string; act: string; sent: readonly RegExp[] },
  done: Locator,
): Promise<void> {
  await page.getByRole('button', { name: 'Review' }).click();
  const dialog = page.getByRole('alertdialog');
  for (const text of sent) await dialog.getByText(text).first().waitFor(SLOW);
  const button = dialog.getByRole('button', { name: act });
  expect(await button.isDisabled()).toBe(true);
  await fill(dialog, { Type: name });
  await button.click();
  await prove(operator, done);
}

const marketOf = async (symbol: string) =>
  (await trading.public.markets()).find((market) => market.symbol === symbol);
const coinOf = async (symbol: string) =>
  (await trading.public.coinsInfo()).find((coin) => coin.symbol === symbol);

describe('coins', () => {
  it('are added with a network, and what is wrong is said below its field', async () => {
    await open('/admin/coins');
    await page.getByRole('button', { name: 'Add a coin' }).click();
    const dialog = page.getByRole('alertdialog');
    const review = page.getByRole('button', { name: 'Review' });
    await fill(dialog, {
      'Symbol \\(': 'LTX',
      'Name in English': 'Lightex',
      'Name in Persian': 'لایتکس',
    });
    await dialog.getByText('2 to 12 small letters and digits are expected.').waitFor(SLOW);
    expect(await review.isDisabled()).toBe(true);
    await fill(dialog, { 'Symbol \\(': 'usdt' });
    await dialog.getByText('This coin exists already.').waitFor(SLOW);
    await fill(dialog, { 'Symbol \\(': 'ltx' });
    await dialog.getByRole('button', { name: 'Add a network' }).click();
    await fill(dialog, {
      'Symbol of the network': 'LTX',
      'Network name in English': 'Lightex',
      'Network name in Persian': 'لایتکس',
      'Expression that addresses': '^ltx1[a-z0-9]{39}$',
      'Explorer of addresses': 'https://explorer.example/address/',
      'Explorer of transactions': 'https://explorer.example/tx/{txid}',
      'Decimals of the token': '8',
      'Decimals of withdrawals': '19',
      'Confirmations of': '6',
      'Smallest deposit': '0.01',
      'Smallest withdrawal': '۰٫۰۲',
      'Withdrawal fee': '0.001',
    });
    await dialog.getByText('It must hold {address}').waitFor(SLOW);
    await dialog.getByText('A whole number from 0 to 18 is expected. You wrote').waitFor(SLOW);
    expect(await review.isDisabled()).toBe(true);
    await fill(dialog, {
      'Explorer of addresses': 'https://explorer.example/address/{address}',
      'Decimals of withdrawals': '8',
    });
    expect(await seriousFindings(page)).toEqual([]);
    await reviewAndAct(
      { name: 'ltx', act: 'Add a coin', sent: [/Lightex/u, /0\.001/u] },
      page.getByText('Definition of LTX.'),
    );
    await expect
      .poll(async () => (await coinOf('ltx'))?.networks['LTX'], SLOW)
      .toMatchObject({
        minimumWithdraw: '0.02',
        withdrawFee: '0.001',
        depositStatus: 'disabled',
        isDefault: true,
      });
  }, 180_000);

  it('get another fee, and everything else stays', async () => {
    const before = await coinOf('ltx');
    await page.getByRole('button', { name: 'Change coin LTX' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.locator('summary', { hasText: 'LTX' }).click();
    await fill(dialog, { 'Withdrawal fee': '0.0025' });
    await reviewAndAct(
      { name: 'ltx', act: 'Change coin', sent: [/LTX.*Withdrawal fee/u, /0\.0025/u] },
      page.getByText('Definition of LTX.'),
    );
    await expect
      .poll(async () => (await coinOf('ltx'))?.networks['LTX'], SLOW)
      .toEqual({ ...before?.networks['LTX'], withdrawFee: '0.0025' });
    const row = page.getByRole('row', { name: /LTX/u });
    await row.getByText('0.0025').waitFor(SLOW);
  }, 180_000);

  it('are opened on a network, with a reason', async () => {
    await page.getByRole('button', { name: 'Change status of LTX over LTX' }).click();
    const dialog = page.getByRole('alertdialog');
    const act = dialog.getByRole('button', { name: 'Change status' });
    await fill(dialog, { Reason: 'The node is in sync.', Type: 'ltx' });
    // Nothing is changed yet.
    expect(await act.isDisabled()).toBe(true);
    const deposits = dialog.getByRole('radiogroup', { name: 'Deposits' });
    await deposits.getByText('Active', { exact: true }).click();
    await act.click();
    await prove(operator, page.getByText('Change status of LTX over LTX.'));
    await expect
      .poll(async () => (await coinOf('ltx'))?.networks['LTX'], SLOW)
      .toMatchObject({
        depositStatus: 'active',
        withdrawStatus: 'disabled',
      });
  }, 180_000);
});

describe('markets', () => {
  it('are listed with exact terms, and begin closed', async () => {
    await open('/admin/markets');
    await page.getByRole('button', { name: 'List a market' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('combobox', { name: 'What is traded' }).selectOption('ltx');
    await dialog.getByRole('combobox', { name: 'What it is paid with' }).selectOption('usdt');
    await fill(dialog, {
      'Decimals of volumes': '4',
      'Decimals of prices': '2',
      'Price before': '71.505',
      'Smallest order': '5',
      'Largest market order to sell': '100',
      'Largest market order to buy': '10000',
    });
    await dialog.getByText('At most 2 decimals are allowed here. You wrote').waitFor(SLOW);
    expect(await page.getByRole('button', { name: 'Review' }).isDisabled()).toBe(true);
    await fill(dialog, { 'Price before': '71.50' });
    await dialog.getByRole('button', { name: 'More terms' }).click();
    await fill(dialog, { 'Open orders of an account': '25' });
    expect(await seriousFindings(page)).toEqual([]);
    await reviewAndAct(
      { name: 'ltxusdt', act: 'List a market', sent: [/LTX\/USDT/u, /71\.50/u] },
      page.getByText('Listing of LTX/USDT.'),
    );
    await expect
      .poll(() => marketOf('ltxusdt'), SLOW)
      .toMatchObject({
        phase: 'pre_open',
        basePrecision: '4',
        quotePrecision: '2',
        minimumQuoteSize: '5',
        maxOpenOrders: '25',
        priceBandPercent: '20',
      });
  }, 180_000);

  it('begin with an auction that ends by itself, at a time that is shown', async () => {
    await open('/admin/markets');
    await page.getByRole('button', { name: 'Change phase of LTX/USDT' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: /New phase/u }).click();
    await page.getByRole('option', { name: 'Auction' }).click();
    await fill(dialog, { Minutes: '1441' });
    await dialog.getByText('an auction lasts a day at most').waitFor(SLOW);
    const act = dialog.getByRole('button', { name: 'Change phase', exact: true });
    await fill(dialog, { Reason: 'The first price is found together.', Type: 'ltxusdt' });
    expect(await act.isDisabled()).toBe(true);
    await fill(dialog, { Minutes: '۳۰' });
    await dialog.getByText(/It ends at .*, counted from now/u).waitFor(SLOW);
    const before = Date.now();
    await act.click();
    await prove(operator, page.getByText('LTX/USDT: Auction.'));
    await expect.poll(async () => (await marketOf('ltxusdt'))?.phase, SLOW).toBe('auction');
    const auction = await trading.public.auction({ symbol: 'ltxusdt' });
    const minutes = (Number(auction?.until) - before) / 60_000;
    expect(minutes).toBeGreaterThan(29);
    expect(minutes).toBeLessThan(31);
  }, 180_000);
});

describe('fee tiers', () => {
  it('are defined in percent, and a rebate has its bounds', async () => {
    await open('/admin/fees');
    await page.getByRole('button', { name: 'Define a tier' }).click();
    const dialog = page.getByRole('alertdialog');
    await fill(dialog, {
      'Number of the tier': '42',
      'From a 30-day volume of': '9000000',
      'Rate of resting orders': '-0.05',
      'Rate of taking orders': '0.02',
    });
    await dialog.getByText('A rebate must not exceed').waitFor(SLOW);
    expect(await page.getByRole('button', { name: 'Review' }).isDisabled()).toBe(true);
    await fill(dialog, { 'Rate of resting orders': '-0.0125' });
    expect(await seriousFindings(page)).toEqual([]);
    await reviewAndAct(
      { name: 'tier 42', act: 'Define a tier', sent: [/0\.0125/u, /9,000,000/u] },
      page.getByText('Rates of tier 42.'),
    );
    const tier = (await trading.public.fees()).find((one) => one.tier === '42');
    expect(decimal.equals(tier?.makerFee ?? '', '-0.000125')).toBe(true);
    expect(decimal.equals(tier?.takerFee ?? '', '0.0002')).toBe(true);
    expect(decimal.equals(tier?.minVolume30d ?? '', '9000000')).toBe(true);
  }, 180_000);

  it('are given to an account, pinned, and left to its volume again', async () => {
    await open('/admin/accounts');
    await fill(page.locator('main'), { 'Account number': stage.demo.users.trader_b.email });
    await page.getByRole('button', { name: 'Look up' }).click();
    await prove(operator, page.getByRole('button', { name: 'Set fee tier' }));
    const heading = await page.getByRole('heading', { level: 2 }).innerText();
    const account = /\d+/u.exec(heading)?.[0] ?? '';

    await page.getByRole('button', { name: 'Set fee tier' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: /Tier/u }).first().click();
    await page.getByRole('option', { name: /^42/u }).click();
    await dialog.getByText('Pin it').click();
    await fill(dialog, { Reason: 'A contract.', Type: account });
    await dialog.getByRole('button', { name: 'Set fee tier' }).click();
    await prove(operator, page.getByText(`Account ${account}: Set fee tier.`));
    const other = stage.tradingOf('trader_b');
    await expect.poll(async () => (await other.account.info()).feeTier, SLOW).toBe('42');

    for (const said of ['Its tier was pinned.', 'Its tier was not pinned']) {
      await page.getByRole('button', { name: 'Let volume decide' }).click();
      await fill(dialog, { Reason: 'The contract is over.', Type: account });
      await dialog.getByRole('button', { name: 'Let volume decide' }).click();
      await prove(operator, page.getByText(said));
    }
  }, 180_000);
});

describe('every page and form', () => {
  it.each([
    ['/admin/markets', 'افزودن بازار'],
    ['/admin/coins', 'افزودن ارز'],
    ['/admin/fees', 'تعریف سطح'],
  ])('%s is whole in Persian at 320 px', async (path, button) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await changeSetting(page, 'default_language', 'fa');
    await open(path);
    await page.locator('html[lang=fa]').waitFor({ state: 'attached', ...SLOW });
    await page.getByRole('button', { name: button }).waitFor(SLOW);
    await page
      .locator('main [aria-busy]')
      .first()
      .waitFor({ state: 'detached', ...SLOW });
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').first().waitFor(SLOW);
    const wider = await dialog.evaluate(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    );
    expect(wider).toBeLessThanOrEqual(0);
    expect(await seriousFindings(page)).toEqual([]);
    expect(operator.complaints.splice(0)).toEqual([]);
  });
});
