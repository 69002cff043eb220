// Operators in Chromium, against the demo: what they do needs their proof, and where the server says so a second person.
import { decimal, type Trading } from '@rialto/sdk';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inspectPages, openPage, visit } from './client.ts';
import { approve, askToMove, haltMarket, operate, prove, type Operating } from './operator.ts';
import { openStage } from './stage.ts';

let first: Operating;
let second: Operating;
let trading: Trading;
let trader: Page;

const SLOW = { timeout: 60_000 };
const PAGES = ['markets', 'coins', 'fees', 'accounts', 'approvals', 'custody', 'health', 'acts'];

const stage = openStage(async () => {
  first = await operate(stage, 'owner', '/admin/markets');
  second = await operate(stage, 'admin', '/admin/markets');
  trading = stage.tradingOf('trader_a');
  ({ page: trader } = await visit(stage, '/inbox', { role: 'trader_a' }));
  await openPage(trader, stage.address('/trade/ethusdt'));
});

const open = ({ page }: Operating, path: string) => openPage(page, stage.address(path));

/** What a trader who has the market open sees, and everybody in the list of markets. */
async function expectReason(reason: string): Promise<void> {
  await trader.locator('[data-halt-reason]').getByText(reason).waitFor(SLOW);
  const list = await fetch(stage.address('/markets?lang=en'));
  expect(await list.text()).toContain(`<bdi>${reason}</bdi>`);
}

const phaseOf = async (symbol: string) =>
  (await trading.public.markets()).find((market) => market.symbol === symbol)?.phase;

describe('markets', () => {
  it('are halted with a reason, by whoever types the name, and opened again', async () => {
    const { page } = first;
    await open(first, '/admin/markets');
    await haltMarket(first, { symbol: 'ethusdt', pair: 'ETH/USDT', reason: 'A drill.' });
    await expect.poll(() => phaseOf('ethusdt'), SLOW).toBe('halted');
    const row = page.getByRole('row', { name: /ETH\/USDT/ });
    await row.getByText('Halted', { exact: true }).waitFor(SLOW);
    await expectReason('A drill.');

    await row.getByRole('button', { name: 'Change phase of ETH/USDT' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The drill is over.');
    await dialog.getByRole('textbox', { name: 'Type ethusdt to go on' }).fill('ethusdt');
    await dialog.getByRole('button', { name: 'Change phase' }).click();
    await prove(first, page.getByText('ETH/USDT: Trading.'));
    await expect.poll(() => phaseOf('ethusdt'), SLOW).toBe('continuous');
    await trader.locator('[data-halt-reason]').waitFor({ state: 'detached', ...SLOW });
  }, 180_000);

  it('get other terms, and only those that were changed', async () => {
    const { page } = first;
    await page.getByRole('button', { name: 'More acts on ETH/USDT' }).click();
    await page.getByRole('menuitem', { name: 'Change terms' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox', { name: /How far a limit price/ }).fill('۱۵');
    await page.getByText('1 value is sent.').waitFor(SLOW);
    await page.getByRole('button', { name: 'Review' }).click();
    await dialog.getByRole('textbox', { name: 'Type ethusdt to go on' }).fill('ethusdt');
    await dialog.getByRole('button', { name: 'Change terms' }).click();
    await prove(first, page.getByText('Terms of ETH/USDT.'));
    await expect
      .poll(async () => {
        const markets = await trading.public.markets({ symbol: 'ethusdt' });
        return markets[0]?.priceBandPercent;
      }, SLOW)
      .toBe('15');
  });
});

describe('accounts', () => {
  it('are suspended and resumed', async () => {
    const { page } = first;
    const { email } = stage.demo.users.trader_b;
    await open(first, '/admin/accounts');
    await page.getByRole('textbox', { name: /Account number/ }).fill(email);
    await page.getByRole('button', { name: 'Look up' }).click();
    await prove(first, page.getByRole('button', { name: 'Suspend account' }));
    const account =
      /\d+/.exec(await page.getByRole('heading', { level: 2 }).innerText())?.[0] ?? '';
    for (const [act, after] of [
      ['Suspend account', 'Suspended'],
      ['Resume account', 'Takes orders'],
    ] as const) {
      await page.getByRole('button', { name: act }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('A drill.');
      await dialog.getByRole('textbox', { name: /^Type/ }).fill(account);
      await dialog.getByRole('button', { name: act }).click();
      await prove(first, page.locator('dd').getByText(after, { exact: true }));
    }
  });
});

describe('approvals', () => {
  it('take a second operator, who sees exactly what was asked for', async () => {
    const [before] = await trading.account.balances({ coin: 'usdt' });
    const { accountId } = await trading.account.info();
    const id = await askToMove(first, {
      from: accountId,
      to: 'fees',
      coin: 'usdt',
      amount: '5',
      reason: 'A fee.',
    });

    await open(first, '/admin/approvals');
    await prove(first, first.page.getByText(`${id}: ledger credit`));
    await first.page.getByText('You asked for this.').waitFor(SLOW);
    expect(await first.page.getByRole('button', { name: `Approve ${id}` }).count()).toBe(0);

    const { page } = second;
    await open(second, '/admin/approvals');
    await prove(second, page.getByRole('button', { name: `Approve ${id}` }));
    await page.getByText('A fee.').waitFor(SLOW);
    await approve(second, id);
    await page.getByText('Nothing waits for an operator.').waitFor(SLOW);
    await expect
      .poll(async () => (await trading.account.balances({ coin: 'usdt' }))[0]?.total, SLOW)
      .toBe(decimal.subtract(before?.total ?? '', '5'));
  }, 180_000);
});

describe('health and acts', () => {
  it('show that what is owed is there', async () => {
    const { page } = second;
    await open(second, '/admin/health');
    await page.getByRole('button', { name: 'Compare now' }).click();
    await prove(second, page.getByText('Every coin is covered.'));
  }, 180_000);

  it('show who did what, with the reason', async () => {
    const { page } = second;
    await open(second, '/admin/acts');
    await prove(second, page.getByRole('table', { name: 'Acts of operators' }));
    await page.getByRole('textbox', { name: /^Act/ }).fill('market phase');
    await page.getByRole('textbox', { name: /^Subject/ }).fill('ethusdt');
    await page.getByRole('button', { name: 'Find' }).click();
    const requested = page.getByRole('row', { name: /requested/ }).first();
    await requested.waitFor(SLOW);
    await requested.getByRole('button', { name: /^Details/ }).click();
    await page.getByRole('dialog').getByText('The drill is over.').waitFor(SLOW);
    await page.keyboard.press('Escape');
  });
});

describe('every page', () => {
  it.each([
    ['en', 1440],
    ['fa', 390],
  ] as const)('in %s at %i is accessible and fits', async (language, width) => {
    const addresses = PAGES.map((path) => stage.address(`/admin/${path}`));
    await inspectPages(second, addresses, { language, width });
  });
});

it('is refused to somebody without a grant, who sees no section', async () => {
  const { page } = await visit(stage, '/admin/markets', { role: 'member' });
  await page.getByText('Only operators of the venue can open this page.').waitFor(SLOW);
  expect(await page.getByRole('link', { name: 'Approvals' }).count()).toBe(0);
  const status = await page.evaluate(async () => (await fetch('/json/v1/admin/pending')).status);
  expect(status).toBe(403);
});
