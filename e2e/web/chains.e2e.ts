// Real coins in Chromium, on the demo's two chains: a person deposits, trades, and withdraws to an address of their book.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { decimal, type Trading } from '@rialto/sdk';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { passADay } from '../../scripts/demo/chains/later.ts';
import { payOnChain } from '../../scripts/demo/chains/pay.ts';
import { findBinaries } from '../../server/src/platform/engines/process.ts';
import { openRpc } from '../../server/src/trading/custody/chains/rpc.ts';
import { RIALTO_BINARY } from '../../server/src/testing/rialto-process.ts';
import { startDemo } from '../demo-process.ts';
import { inspectPages, openPage, visit } from './client.ts';
import { addAuthenticator, prove, runAtHost, type Operating } from './operator.ts';
import { openStage } from './stage.ts';
import { tradeView } from './trade.ts';

const isHere = findBinaries(['litecoind']).length > 0 || process.env['CI'] !== undefined;
/** Blocks come every three seconds, and the machine may be busy. */
const SLOW = { timeout: 90_000 };

interface Queue {
  readonly queue_id: string;
  readonly last_event_id: number;
}

/** A queue of deposits beside the one of the client, in the session of the page. */
const openQueue = (page: Page): Promise<Queue> =>
  page.evaluate(async () => {
    const token = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
    const answer = await fetch('/json/register', {
      method: 'POST',
      headers: { 'x-csrftoken': token },
      body: new URLSearchParams({ event_types: '["deposit"]', fetch_event_types: '[]' }),
    });
    return (await answer.json()) as Queue;
  });

/** Resolves when the queue tells that the deposit is credited. */
const hearCredited = (page: Page, queue: Queue, txid: string): Promise<void> =>
  page.evaluate(
    async ([{ queue_id: id, last_event_id: first }, wanted]) => {
      for (let last = first; ;) {
        const answer = await fetch(`/json/events?queue_id=${id}&last_event_id=${last}`);
        const { events } = (await answer.json()) as {
          events: { id: number; deposit?: { txid: string; status: string } }[];
        };
        for (const { id: next, deposit } of events) {
          last = next;
          if (deposit?.txid === wanted && deposit.status === 'credited') return;
        }
      }
    },
    [queue, txid] as const,
  );

describe.skipIf(!isHere)('coins of two chains', () => {
  let person: Operating;
  let page: Page;
  let trading: Trading;

  const stage = openStage(
    async () => {
      trading = stage.tradingOf('trader_a');
      const { password } = stage.demo.users.trader_a;
      const visited = await visit(stage, '/wallet', {
        role: 'trader_a',
        viewport: { width: 1440, height: 900 },
        acceptDownloads: true,
      });
      person = { ...visited, app: await addAuthenticator(visited.page, password) };
      ({ page } = visited);
    },
    undefined,
    (args) => startDemo(['--json', '--chains', ...args]),
  );

  const node = () => openRpc(stage.demo.chains?.['DEMO_LTC_NODE'] ?? '');
  const open = (path: string) => openPage(page, stage.address(path));
  const ltc = async () => {
    const [balance] = await trading.account.balances({ coin: 'ltc' });
    return balance?.available ?? '0';
  };
  const choose = async (label: string, option: RegExp) => {
    await page.getByRole('button', { name: label }).first().click();
    await page.getByRole('option', { name: option }).click();
  };

  it('the deposit page shows the address of the API, and what comes to it is credited', async () => {
    const before = await ltc();
    await open('/wallet/deposit');
    await choose('Coin', /^LTC/);
    const { address } = await trading.wallet.depositAddress({ coin: 'ltc' });
    await page.getByText(address, { exact: true }).waitFor(SLOW);
    await page.getByRole('img', { name: /^Code of your LTC address/ }).waitFor(SLOW);
    const queue = await openQueue(page);
    const txid = await payOnChain(stage.demo.chains ?? {}, 'ltc', address, '1.5');
    const row = page
      .getByRole('table', { name: 'Deposits' })
      .getByRole('row')
      .filter({ hasText: txid.slice(0, 8) });
    // The page follows the event: it does not ask every few seconds, and nobody reloads it.
    const [heardMs, shownMs] = await Promise.all([
      hearCredited(page, queue, txid).then(() => performance.now()),
      row
        .getByText('Credited')
        .waitFor(SLOW)
        .then(() => performance.now()),
    ]);
    expect(shownMs - heardMs).toBeLessThan(2000);
    expect(await row.innerText()).toContain('1.5');
    await expect.poll(async () => decimal.subtract(await ltc(), before), SLOW).toBe('1.5');
  });

  it('it is traded', async () => {
    // The makers have begun to quote.
    const bids = async () => (await trading.public.depth({ symbol: 'ltcusdt' })).bids.length;
    await expect.poll(bids, SLOW).toBeGreaterThan(3);
    const view = tradeView(page);
    await open('/trade/ltcusdt');
    await view.isReady();
    const before = await ltc();
    await page.getByRole('radio', { name: 'Sell' }).check({ force: true });
    await view.choose('Order type', 'Market');
    await view.write({ Amount: '0.5' });
    // Until the book is there, nobody offers the other side, and the button names no amount.
    await view
      .form()
      .getByRole('button', { name: /^Sell .*0\.5/u })
      .waitFor(SLOW);
    await view.placeByKeys();
    await expect.poll(async () => decimal.subtract(before, await ltc()), SLOW).toBe('0.5');
  });

  it('it is withdrawn to an address of the book, once the address is a day old', async () => {
    const address = String(await node()('getnewaddress', ['', 'bech32']));
    await open('/wallet/book');
    await page.getByRole('button', { name: 'Add address' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an address' });
    await dialog.getByRole('button', { name: 'Coin' }).click();
    await page.getByRole('option', { name: /^LTC/ }).click();
    await dialog.getByLabel('Address').fill('0x0000');
    await dialog.getByText('This is no address of the network LTC.').waitFor(SLOW);
    await dialog.getByLabel('Address').fill(address);
    await dialog.getByLabel('Name').fill('Paper');
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await prove(person, page.getByText('The address is in the book.'));

    await open('/wallet/withdraw');
    await choose('Coin', /^LTC/);
    // Too young: it cannot be chosen.
    expect(await page.getByRole('radio', { name: /^Paper/ }).isDisabled()).toBe(true);
    await passADay({ ...stage.demo.chains, ...stage.demo.operators.environment });
    await open('/wallet/withdraw');
    await choose('Coin', /^LTC/);
    await page.getByRole('radio', { name: /^Paper/ }).check({ force: true });
    await page.getByRole('textbox', { name: 'Amount' }).fill('0.75');
    await page.getByText('The recipient gets').waitFor(SLOW);
    await page.getByText('Nobody has to approve it.').waitFor(SLOW);
    await page.getByRole('button', { name: 'Review withdrawal' }).click();
    const review = page.getByRole('alertdialog');
    expect((await review.locator('code').first().innerText()).replaceAll(/\s/g, '')).toBe(address);
    await review.getByRole('button', { name: /^Withdraw/ }).click();
    await prove(person, page.getByText('The withdrawal is on its way.'));
    const row = page.getByRole('table', { name: 'Withdrawals' }).getByRole('row').nth(1);
    await row.getByText('Completed').waitFor(SLOW);
    // 0.001 is the fee; the chain has the rest, once.
    expect(String(await node()('getreceivedbyaddress', [address, 1]))).toBe('0.74900000');
  });

  it('chain and ledger are equal, and the own leaf of the proof holds without a connection', async () => {
    const { email } = stage.demo.users.owner;
    runAtHost(stage, ['operator', 'grant', email, 'everything']);
    // Fails where a coin differs.
    runAtHost(stage, ['custody', 'reconcile', '--wait', '60'], email);
    runAtHost(stage, ['custody', 'reserves', 'publish', '--wait', '60'], email);
    await open('/wallet/proof');
    const row = page.getByRole('row').filter({ hasText: 'LTC' });
    await row.getByText('In the published sum').waitFor(SLOW);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save proof' }).click(),
    ]);
    const file = await download.path();
    const verify = (path: string) =>
      spawnSync(process.execPath, [RIALTO_BINARY, 'verify-reserves', path], { encoding: 'utf8' });
    const right = verify(file);
    expect(right.stderr).toBe('');
    expect(right.stdout).toMatch(/RIGHT: the [0-9.]+ ltc of account/);
    expect(right.status).toBe(0);
    // One leaf lowered.
    const leaves = JSON.parse(readFileSync(file, 'utf8')) as { units: string }[];
    const lowered = `${file}.json`;
    const less = leaves.map((leaf) => ({ ...leaf, units: String(BigInt(leaf.units) - 1n) }));
    writeFileSync(lowered, JSON.stringify(less));
    expect(verify(lowered).stdout + verify(lowered).stderr).toContain('WRONG');
    expect(verify(lowered).status).not.toBe(0);
  });

  it('a withdrawal that is not confirmed can be taken back', async () => {
    const before = await ltc();
    await open('/wallet/withdraw');
    await choose('Coin', /^LTC/);
    await page.getByRole('radio', { name: /^Paper/ }).check({ force: true });
    await page.getByRole('textbox', { name: 'Amount' }).fill('0.25');
    await page.getByRole('button', { name: 'Review withdrawal' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Withdraw/ })
      .click();
    await page.getByLabel('Code of your authenticator app').waitFor(SLOW);
    await page.keyboard.press('Escape');
    const row = page.getByRole('table', { name: 'Withdrawals' }).getByRole('row').nth(1);
    await row.getByText('Waits for your confirmation').waitFor(SLOW);
    await row.getByRole('button', { name: /^Cancel/ }).click();
    await row.getByText('Canceled').waitFor(SLOW);
    await expect.poll(ltc, SLOW).toBe(before);
  });

  it('everybody can read these pages, also in Persian on a narrow phone', async () => {
    const pages = ['wallet/deposit', 'wallet/withdraw', 'wallet/book', 'wallet/proof'].map((path) =>
      stage.address(path),
    );
    await inspectPages(person, pages, { language: 'fa', width: 320 });
    await inspectPages(person, pages, { language: 'en', width: 1440 });
  });
});
