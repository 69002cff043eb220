// Operators of custody in Chromium, on the demo's two chains: they decide about withdrawals, pause a network, and compare
// chains with the ledger.
import type { Trading } from '@rialto/sdk';
import { describe, expect, it } from 'vitest';
import { passADay } from '../../scripts/demo/chains/later.ts';
import { payOnChain } from '../../scripts/demo/chains/pay.ts';
import { findBinaries } from '../../server/src/platform/engines/process.ts';
import { openRpc } from '../../server/src/trading/custody/chains/rpc.ts';
import { startDemo } from '../demo-process.ts';
import { inspectPages, openPage, visit } from './client.ts';
import { addAuthenticator, operate, prove, runAtHost, type Operating } from './operator.ts';
import { openStage } from './stage.ts';

const isHere = findBinaries(['litecoind']).length > 0 || process.env['CI'] !== undefined;
/** Blocks come every three seconds, and the machine may be busy. */
const SLOW = { timeout: 90_000 };
/** Everybody here has one address, which may ask ten times a second. */
const POLL = { timeout: 90_000, interval: 500 };

describe.skipIf(!isHere)('custody in the console', () => {
  let ana: Operating;
  let ben: Operating;
  let owner: Operating;
  let trading: Trading;

  const stage = openStage(
    async () => {
      trading = stage.tradingOf('trader_a');
      // While fewer than two people have everything, the host gives grants alone.
      runAtHost(stage, ['operator', 'grant', stage.demo.users.member.email, 'look']);
      ana = await operate(stage, 'owner', '/admin/custody');
      ben = await operate(stage, 'admin', '/admin/custody');
      const { password } = stage.demo.users.trader_a;
      const visited = await visit(stage, '/wallet', { role: 'trader_a' });
      owner = { ...visited, app: await addAuthenticator(visited.page, password) };
      // Adding the app froze withdrawals for a day.
      await passADay({ ...stage.demo.chains, ...stage.demo.operators.environment });
    },
    undefined,
    (args) => startDemo(['--json', '--chains', ...args]),
  );

  const open = ({ page }: Operating) => openPage(page, stage.address('/admin/custody'));
  const node = () => openRpc(stage.demo.chains?.['DEMO_LTC_NODE'] ?? '');
  const newAddress = async () => String(await node()('getnewaddress', ['', 'bech32']));
  const ltc = async () => (await trading.account.balances({ coin: 'ltc' }))[0]?.available;
  const stateOf = async (id: string) => {
    const { items } = await trading.wallet.withdrawals({ limit: 50 });
    return items.find(({ withdrawId }) => withdrawId === id)?.status;
  };

  /** Asks for a withdrawal to an address that is not in the book, and confirms it, as the page of the wallet does. */
  const withdraw = async (amount: string, address: string): Promise<string> => {
    const call = (verb: string, params: Record<string, string>, code: string) =>
      owner.page.evaluate(
        async ([to, form, otp]) => {
          const token = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
          const answer = await fetch(`/json/v1/private/wallet/${to}`, {
            method: 'POST',
            headers: { 'x-csrftoken': token, 'x-svc-otp': otp },
            body: new URLSearchParams(form),
          });
          return (await answer.json()) as { result?: { withdrawId: string }; error?: unknown };
        },
        [verb, params, code] as const,
      );
    const asked = await call('withdraw', { coin: 'ltc', amount, address }, '');
    expect(asked.error).toBeUndefined();
    const withdrawId = asked.result?.withdrawId ?? '';
    const confirmed = await call('withdraw_confirm', { withdrawId }, await owner.app.next());
    expect(confirmed.error).toBeUndefined();
    await expect.poll(() => stateOf(withdrawId), POLL).toBe('awaiting_approval');
    return withdrawId;
  };

  const decide = async (
    who: Operating,
    act: 'Approve' | 'Reject',
    id: string,
    { said, reason }: { readonly said: string; readonly reason?: string },
  ) => {
    const { page } = who;
    await page.getByRole('button', { name: `${act} ${id}` }).click();
    const dialog = page.getByRole('alertdialog');
    const button = dialog.getByRole('button', { name: act, exact: true });
    expect(await button.isDisabled()).toBe(true);
    if (reason !== undefined) await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
    await dialog.getByRole('textbox', { name: /^Type/ }).fill(id);
    await button.click();
    await prove(who, page.getByText(said));
  };

  it('one operator approves a withdrawal to an address that is not in the book, and it is paid', async () => {
    const address = await newAddress();
    const id = await withdraw('1', address);
    await open(ana);
    await prove(ana, ana.page.getByRole('button', { name: `Approve ${id}` }));
    const item = ana.page.getByRole('listitem').filter({ hasText: id }).first();
    const shown = await item.innerText();
    expect(shown).toContain(stage.demo.users.trader_a.email);
    expect(shown).toContain(address);
    expect(shown).toContain('The address is not in the book of the owner.');
    expect(shown).toContain('0 of 1');
    await decide(ana, 'Approve', id, { said: `${id} is approved and on its way.` });
    await ana.page.getByText('No withdrawal waits for an operator.').waitFor(SLOW);
    await expect.poll(() => stateOf(id), POLL).toBe('completed');
    expect(String(await node()('getreceivedbyaddress', [address, 1]))).toBe('0.99900000');
  });

  it('a large one takes two operators, and nobody counts twice', async () => {
    const before = await ltc();
    const { address: own } = await trading.wallet.depositAddress({ coin: 'ltc' });
    await payOnChain(stage.demo.chains ?? {}, 'ltc', own, '45');
    await expect.poll(ltc, POLL).not.toBe(before);
    const id = await withdraw('51', await newAddress());
    await open(ana);
    await prove(ana, ana.page.getByRole('button', { name: `Approve ${id}` }));
    await ana.page
      .getByText(/^It is above .*50 LTC.*, up to which one operator is enough\.$/)
      .waitFor(SLOW);
    await decide(ana, 'Approve', id, { said: `Your approval of ${id} is noted.` });
    await ana.page.getByText('You have approved this.').waitFor(SLOW);
    expect(await ana.page.getByRole('button', { name: `Approve ${id}` }).count()).toBe(0);
    expect(await stateOf(id)).toBe('awaiting_approval');
    await open(ben);
    await prove(ben, ben.page.getByRole('button', { name: `Approve ${id}` }));
    const item = ben.page.getByRole('listitem').filter({ hasText: id }).first();
    expect(await item.innerText()).toContain(stage.demo.users.owner.email);
    await decide(ben, 'Approve', id, { said: `${id} is approved and on its way.` });
    await expect.poll(() => stateOf(id), POLL).toBe('completed');
  });

  it('one is rejected with a reason, and the amount is back; who comes too late reads why', async () => {
    const before = await ltc();
    const id = await withdraw('2', await newAddress());
    await open(ana);
    await open(ben);
    await prove(ben, ben.page.getByRole('button', { name: `Reject ${id}` }));
    await prove(ana, ana.page.getByRole('button', { name: `Reject ${id}` }));
    const reason = 'The owner says that it is not theirs.';
    await decide(ana, 'Reject', id, { said: `${id} is rejected.`, reason });
    await expect.poll(() => stateOf(id), POLL).toBe('rejected');
    await expect.poll(ltc, POLL).toBe(before);
    // Ben still sees it, and the server says that it has ended.
    await decide(ben, 'Approve', id, { said: 'This was not done.' });
    const words = await ben.page.getByRole('alertdialog').innerText();
    expect(words).toContain(id);
    expect(words).toMatch(/rejected/);
    await ben.page.keyboard.press('Escape');
  });

  it('a network is paused with a reason and resumed, by the keyboard too', async () => {
    const { page } = ana;
    await open(ana);
    const pause = page.getByRole('button', { name: 'Pause LTC' });
    await prove(ana, pause);
    await pause.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor(SLOW);
    await page.keyboard.press('Escape');
    await expect.poll(() => pause.evaluate((own) => own === document.activeElement)).toBe(true);

    const act = async (verb: 'Pause' | 'Resume', reason: string, said: string) => {
      await page.getByRole('button', { name: `${verb} LTC` }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
      await dialog.getByRole('textbox', { name: /^Type/ }).fill('LTC');
      await dialog.getByRole('button', { name: `${verb} LTC` }).click();
      await prove(ana, page.getByText(said));
    };
    const status = async () =>
      (await trading.public.status({})).networks.find(({ network }) => network === 'LTC');
    const row = page.getByRole('table', { name: 'Networks' }).getByRole('row', { name: /^LTC/ });
    await act('Pause', 'A new release of the node.', 'LTC is paused.');
    await row.getByText('A new release of the node.').waitFor(SLOW);
    await row.getByText('Paused', { exact: true }).waitFor(SLOW);
    await expect
      .poll(status, POLL)
      .toMatchObject({ withdrawStatus: 'paused', reason: 'operators' });
    await act('Resume', 'It runs again.', 'The pause of LTC has ended.');
    await row.getByText('Runs', { exact: true }).waitFor(SLOW);
    await expect.poll(status, POLL).toMatchObject({ withdrawStatus: 'active', reason: '' });
  });

  it('chains and ledger are compared now, and no coin differs', async () => {
    const { page } = ana;
    await open(ana);
    await prove(ana, page.getByRole('button', { name: 'Compare now' }));
    await page.getByRole('button', { name: 'Compare now' }).click();
    await prove(ana, page.getByText('Everything was compared. Chains and ledger are equal.'));
    const table = page.getByRole('table', { name: 'Chains and ledger' });
    for (const name of ['ETH', 'LTC', 'USDT']) {
      const cells = table.getByRole('row', { name: new RegExp(`^${name} `) }).getByRole('cell');
      expect((await cells.nth(0).innerText()).trim()).toBe('Equal');
      expect((await cells.nth(1).innerText()).trim()).toBe('0');
    }
  });

  it('a payment that no block takes gets a higher fee, and two operators void it', async () => {
    const before = await ltc();
    const id = await withdraw('1.2', await newAddress());
    await open(ana);
    await prove(ana, ana.page.getByRole('button', { name: `Approve ${id}` }));
    // The node that mines believes that it costs a coin to take it.
    const holdBack = async () => {
      const pool = (await node()('getrawmempool', [])) as string[];
      for (const txid of pool) await node()('prioritisetransaction', [txid, 0, -100_000_000]);
      return pool.length;
    };
    // Looked for from the beginning: the next block comes within seconds.
    await Promise.all([
      expect.poll(holdBack, { ...POLL, interval: 50 }).toBe(1),
      decide(ana, 'Approve', id, { said: `${id} is approved and on its way.` }),
    ]);

    const itemOf = ({ page }: Operating) =>
      page.getByRole('listitem').filter({ hasText: id }).filter({ hasText: 'Raise fee' }).first();
    const isListed = async () => {
      await open(ana);
      await prove(ana, ana.page.getByRole('heading', { name: 'Payments under way' }));
      return itemOf(ana).isVisible();
    };
    await expect.poll(isListed, { ...POLL, interval: 2000 }).toBe(true);
    const payment = /P\d+/.exec(await itemOf(ana).innerText())?.[0] ?? '';
    const act = async (
      who: Operating,
      verb: 'Raise fee' | 'Resolve',
      { said, reason }: { readonly said: string; readonly reason?: string },
    ) => {
      const title = verb === 'Resolve' ? `Resolve ${payment}` : `Raise the fee of ${payment}`;
      await who.page.getByRole('button', { name: title }).click();
      const dialog = who.page.getByRole('alertdialog', { name: title });
      const button = dialog.getByRole('button', { name: verb, exact: true });
      if (reason !== undefined) {
        await dialog.getByRole('radio', { name: /^Void/ }).waitFor(SLOW);
        await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
      }
      expect(await button.isDisabled()).toBe(true);
      await dialog.getByRole('textbox', { name: /^Type/ }).fill(payment);
      await button.click();
      await prove(who, who.page.getByText(said));
    };
    await act(ana, 'Raise fee', { said: `${payment}: a higher fee is paid with the next look.` });
    // A child that pays for its parent.
    await expect.poll(holdBack, POLL).toBe(2);

    const reason = 'No block takes it.';
    await act(ana, 'Resolve', { said: `${payment}: your decision is noted.`, reason });
    expect(await stateOf(id)).toBe('confirming');
    await open(ben);
    await prove(ben, itemOf(ben));
    expect(await itemOf(ben).innerText()).toContain(
      `Void: \u2068${stage.demo.users.owner.email}\u2069`,
    );
    await act(ben, 'Resolve', { said: `${payment}: decided.`, reason });
    await expect.poll(ltc, POLL).toBe(before);
    expect(await stateOf(id)).toBe('failed');
  });

  it('hot wallets are shown with their bounds, in words and as a bar', async () => {
    const { page } = ana;
    await open(ana);
    await prove(ana, page.getByRole('heading', { name: 'Hot wallets' }));
    await page
      .getByRole('img', { name: /^LTC on LTC: has [0-9.,]+, floor 20, target 400, ceiling 1,000$/ })
      .waitFor(SLOW);
    const item = page.getByRole('listitem').filter({ hasText: 'LTC on LTC' });
    await item.getByText('Within its bounds').waitFor(SLOW);
  });

  it('somebody who may only look sees everything and is offered nothing', async () => {
    const { password } = stage.demo.users.member;
    const { page, complaints } = await visit(stage, '/inbox', { role: 'member' });
    const looks = { page, complaints, app: await addAuthenticator(page, password) };
    await open(looks);
    await prove(looks, page.getByText('Acting here takes the grant treasury.'));
    await page.getByRole('table', { name: 'Networks' }).waitFor(SLOW);
    expect(await page.getByRole('button', { name: /^(Pause|Approve|Compare)/ }).count()).toBe(0);
  });

  it('everybody can read the page, also in Persian on a narrow phone, with something to decide', async () => {
    await withdraw('1.5', await newAddress());
    const pages = ['admin/custody', 'admin/custody'].map((path) => stage.address(path));
    await inspectPages(ana, pages, { language: 'en', width: 1440 });
    await inspectPages(ana, pages, { language: 'fa', width: 320 });
  });
});
