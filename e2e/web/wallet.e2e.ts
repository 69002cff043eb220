// The wallet in Chromium, against the demo: every figure is the API's, to the last digit.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decimal, type Trading } from '@rialto/sdk';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inspectPages, openPage, visit } from './client.ts';
import { openStage } from './stage.ts';

let page: Page;
let complaints: string[];
let trading: Trading;

const SLOW = { timeout: 60_000 };
const PAGES = [
  'wallet',
  'wallet/deposit',
  'wallet/withdraw',
  'wallet/book',
  'wallet/activity',
  'wallet/statements',
  'wallet/limits',
  'wallet/accounts',
  'wallet/proof',
];

const stage = openStage(async () => {
  trading = stage.tradingOf('trader_a');
  // A trade with a fee, and an order that waits: then there is something in every column.
  await trading.order.create({ symbol: 'btcusdt', side: 'buy', type: 'market', volume: '0.0137' });
  await trading.order.create({
    symbol: 'btcusdt',
    side: 'buy',
    type: 'limit',
    price: '60000.01',
    volume: '0.001',
  });
  ({ page, complaints } = await visit(stage, '/wallet', {
    role: 'trader_a',
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
    acceptDownloads: true,
  }));
});

const open = (path: string) => openPage(page, stage.address(path));

/** Groups are drawn by the style sheet, so the text of a figure has plain digits. Zeros at its end only fill it up. */
const figureIn = async (cell: Locator): Promise<string> => {
  const text = (await cell.innerText()).replaceAll(/[^\d.]/g, '');
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
};

const row = (coin: string) =>
  page
    .getByRole('table', { name: 'Balances' })
    .getByRole('row')
    .filter({
      has: page.getByRole('rowheader').getByText(coin, { exact: true }),
    });

describe('balances', () => {
  it('are the API’s', async () => {
    await open('/wallet');
    await row('BTC').waitFor(SLOW);
    const balances = await trading.account.balances({ omitZero: true });
    expect(balances.length).toBeGreaterThan(5);
    for (const { coin, total, available, hold } of balances) {
      const cells = row(coin.toUpperCase()).getByRole('cell');
      expect(await figureIn(cells.nth(0)), coin).toBe(total);
      expect(await figureIn(cells.nth(2)), coin).toBe(available);
      expect(await figureIn(cells.nth(3)), coin).toBe(hold);
    }
    const usdt = balances.find(({ coin }) => coin === 'usdt');
    expect(usdt?.hold).not.toBe('0');
  });

  it('are worth what the last price says, cut and called an estimate', async () => {
    const [ticker] = await trading.public.tickers({ symbol: 'xrpusdt' });
    const [xrp] = await trading.account.balances({ coin: 'xrp' });
    // Prices move meanwhile: the page says by which one it counted.
    const cell = row('XRP').getByRole('cell').nth(1);
    const text = (await cell.innerText()).replaceAll(/[\u2066-\u2069]/g, '');
    const said = /at ([\d,.]+) \(XRPUSDT\)/.exec(text);
    const price = said?.[1]?.replaceAll(',', '') ?? '';
    expect(ticker?.last).toMatch(/^\d/);
    const value = decimal.roundDown(decimal.multiply(xrp?.total ?? '', price), '0.01');
    const [shown = ''] = text.split('\n');
    expect(decimal.equals(shown.replaceAll(/[^\d.]/g, ''), value)).toBe(true);
    await page.getByText(/^About .* USDT$/).waitFor(SLOW);
  });

  it('follow what happens without being loaded again', async () => {
    await trading.order.create({
      symbol: 'btcusdt',
      side: 'sell',
      type: 'market',
      volume: '0.001',
    });
    await expect
      .poll(async () => {
        const [btc] = await trading.account.balances({ coin: 'btc' });
        return (await figureIn(row('BTC').getByRole('cell').nth(0))) === btc?.total;
      }, SLOW)
      .toBe(true);
  });

  it('are found by both names, and hidden where others can see', async () => {
    const search = page.getByRole('textbox', { name: 'Find a coin' });
    await search.fill('بیت');
    expect(await page.getByRole('table', { name: 'Balances' }).getByRole('row').count()).toBe(2);
    await search.fill('');
    await page.getByText('Hide amounts', { exact: true }).click();
    await page.getByText('The sum is hidden.').waitFor(SLOW);
    await page.reload();
    await page.getByText('The sum is hidden.').waitFor(SLOW);
    // The price is everybody's, and may have any digits.
    const hidden = (await row('BTC').innerText()).replace(/^at .*$/m, '');
    expect(hidden).not.toMatch(/25|\d{4}/);
    await page.getByText('Hide amounts', { exact: true }).click();
  });

  it('show their past as a line and as a table', async () => {
    await page.getByRole('img', { name: /^Total of / }).waitFor(SLOW);
    await page.getByText('Table', { exact: true }).click();
    const table = page.getByRole('table', { name: 'Total over time' });
    await table.waitFor(SLOW);
    expect(await table.getByRole('row').count()).toBeGreaterThan(1);
  });
});

describe('activity', () => {
  it('is the ledger, and its filter is in the address', async () => {
    await open('/wallet/activity?kind=trade_fee');
    const table = page.getByRole('table', { name: 'Activity' });
    await table.getByRole('row').nth(1).waitFor(SLOW);
    const { items } = await trading.account.ledger({ kind: 'trade_fee', limit: 50 });
    expect(await table.getByRole('row').count()).toBe(items.length + 1);
    const [first] = items;
    const cells = table.getByRole('row').nth(1).getByRole('cell');
    expect(await figureIn(cells.nth(2))).toBe(first?.amount);
    expect(await cells.nth(2).innerText()).toContain('−');
    expect(await figureIn(cells.nth(3))).toBe(first?.balanceAfter);
  });

  it('comes as a file with every line', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    const { items } = await trading.account.ledger({ kind: 'trade_fee', limit: 500 });
    expect(lines).toHaveLength(items.length + 1);
    expect(lines[1]).toContain(`,${items[0]?.amount},`);
  });
});

describe('statements', () => {
  it('have the hash that the server gives, and the file has it too', async () => {
    await open('/wallet/statements');
    await page.getByText('Checked here: the file has this hash.').first().waitFor(SLOW);
    const link = page.getByRole('link', { name: 'Download CSV' });
    const href = (await link.getAttribute('href')) ?? '';
    const told = await page.evaluate(
      async (to) => (await fetch(to)).headers.get('X-SVC-CONTENT-SHA256'),
      href,
    );
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const bytes = readFileSync(await download.path());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(told);
    expect(await page.locator('main').innerText()).toContain(told ?? 'no hash');
    expect(download.suggestedFilename()).toMatch(/^statement-\d+-\d+-\d+\.csv$/);
    expect(bytes.toString()).toContain('closing');
  });

  it('cover days of either calendar, and say what is wrong with a day', async () => {
    await page.getByText('Solar Hijri', { exact: true }).click();
    await page.getByRole('button', { name: 'Period' }).click();
    await page.getByRole('option', { name: 'Other days…' }).click();
    const first = page.getByRole('textbox', { name: 'First day' });
    const today = await page.getByRole('textbox', { name: 'Last day' }).inputValue();
    expect(today).toMatch(/^1[34]\d\d-\d\d-\d\d$/);
    await first.fill(today.replaceAll(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? ''));
    await page.getByText(/^From .* changes?\.$/).waitFor(SLOW);
    await first.fill('1404-12-30');
    await page.getByText(/Write a day as year-month-day/).waitFor(SLOW);
    await page.getByText('Gregorian', { exact: true }).click();
  });
});

describe('limits and sub-accounts', () => {
  it('say the tier, the rates and the requests', async () => {
    await open('/wallet/limits');
    const info = await trading.account.info();
    await page.getByText(`You are in tier ${info.feeTier}.`).waitFor(SLOW);
    expect(await page.getByRole('progressbar').count()).toBe(2);
    const rates = page.getByRole('table', { name: 'Fee tiers' });
    expect(await rates.innerText()).toContain(`${decimal.multiply(info.makerFee, '100')}%`);
  });

  it('open a sub-account, move money into it once, and name it', async () => {
    await open('/wallet/accounts');
    await page.getByRole('button', { name: 'Open sub-account' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Grid bot');
    await page.getByRole('dialog').getByRole('button', { name: 'Open sub-account' }).click();
    await page.getByRole('rowheader', { name: 'Grid bot' }).waitFor(SLOW);
    const [sub] = await trading.subAccount.list();
    expect(sub?.label).toBe('Grid bot');

    await page.getByRole('button', { name: 'Coin' }).click();
    await page.getByRole('option', { name: 'XRP', exact: true }).click();
    const amount = page.getByRole('textbox', { name: 'Amount' });
    await amount.fill('999999999');
    await page.getByText(/^The main account has .* available\.$/).waitFor(SLOW);
    await amount.fill('۱۲٫۵');
    await page.getByRole('button', { name: 'Review transfer' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Move .*12\.5 XRP/ })
      .click();
    await page.getByRole('table', { name: 'Transfers' }).getByText('Grid bot').waitFor(SLOW);
    const { items } = await trading.subAccount.transfers();
    expect(items).toMatchObject([{ amount: '12.5', coin: 'xrp', toAccountId: sub?.accountId }]);

    await page.getByRole('button', { name: 'Rename Grid bot' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Second bot');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('rowheader', { name: 'Second bot' }).waitFor(SLOW);
  });
});

describe('every page', () => {
  it.each([
    ['en', 1440],
    ['fa', 390],
    ['fa', 820],
    ['en', 390],
  ] as const)('in %s at %i is accessible and fits', async (language, width) => {
    const addresses = PAGES.map((path) => stage.address(path));
    await inspectPages({ page, complaints }, addresses, { language, width });
  });

  it('says why nothing came, and asks again', async () => {
    const balances = '**/json/v1/private/account/balances*';
    await page.route(balances, (route) =>
      route.fulfill({
        status: 403,
        headers: { 'x-request-id': 'ref-7f3a' },
        json: {
          status: 'false',
          error: { code: '3008', name: 'PERMISSION_DENIED', message: 'Not today.', details: {} },
        },
      }),
    );
    await open('/wallet');
    const alert = page.getByRole('alert');
    await alert.getByText(/Not today\./).waitFor(SLOW);
    await alert.getByText('The figures could not be loaded.').waitFor(SLOW);
    await page.unroute(balances);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await row('BTC').waitFor(SLOW);
  });
});
