// Orders by the page, in Chromium, against the demo: placed by keys, changed, canceled; mistakes that are noticed; and a
// network that fails in the middle. However it fails, there is one order, and the page shows its true state.
import type { Balance, Depth, Order } from '@rialto/sdk';
import { decimal, type Trading } from '@rialto/sdk';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { seriousFindings } from './axe.ts';
import { changeSetting, sideways, visit } from './client.ts';
import { openStage } from './stage.ts';
import { tradeView } from './trade.ts';

/** Where the order form is. */
const TRADE = '/trade/btcusdt';
/** The market is open to everybody; its form is not. */
const SIGNED_IN = `/login/?next=${encodeURIComponent(`${TRADE}?part=orders`)}`;
const SYMBOL = 'btcusdt';
const CREATE = '**/json/v1/private/order/create';

let page: Page;
let complaints: string[];
let mine: Trading;
let other: Trading;

const stage = openStage(async () => {
  [mine, other] = [stage.tradingOf('trader_a'), stage.tradingOf('trader_b')];
  ({ page, complaints } = await visit(stage, SIGNED_IN, {
    role: 'trader_a',
    viewport: { width: 1440, height: 900 },
  }));
  await form().waitFor();
});

afterEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().setOffline(false);
  await mine.order.cancelAll({ symbol: SYMBOL });
  await openTrade();
});

const soon = <T>(look: () => T) => expect.poll(look, { timeout: 30_000 });
const view = () => tradeView(page);
const form = () => view().form();
const account = () => view().account();
const field = (name: string) => view().field(name);
const review = () => view().review();
const latest = () => view().latest();
const fill = (fields: Readonly<Record<string, string>>) => view().write(fields);
const choose = (label: string, option: string) => view().choose(label, option);
const tabTo = (name: RegExp) => view().tabTo(name);
const placeByKeys = () => view().placeByKeys();
const openOrders = (): Promise<readonly Order[]> => mine.order.open({ symbol: SYMBOL });

/** Without the marks around numbers, and with plain spaces. */
const plain = async (text: Promise<string>): Promise<string> =>
  (await text).replaceAll(/[\u2066-\u2069]/gu, '').replaceAll('\u00a0', ' ');
const said = () => plain(form().innerText());

async function openTrade(): Promise<void> {
  await page.goto(stage.address(TRADE));
  await view().isReady();
}

/** The market as anybody sees it. */
async function depth(): Promise<Depth & { readonly bid: string; readonly ask: string }> {
  const book = await mine.public.depth({ symbol: SYMBOL });
  return { ...book, bid: book.bids[0]?.price ?? '', ask: book.asks[0]?.price ?? '' };
}

const times = (price: string, factor: string): string =>
  decimal.divide(decimal.multiply(price, factor), '1', 2);

test('by keys alone: a limit order is placed, changed and canceled', async () => {
  const price = times((await depth()).bid, '0.9');
  await page.locator('main').focus();
  await page.keyboard.press('b');
  await page.keyboard.type(price);
  await page.keyboard.press('Tab');
  await page.keyboard.type('0.01');
  await placeByKeys();
  await soon(() => latest().innerText()).toContain('Open');
  const [placed] = await openOrders();
  expect(placed).toMatchObject({ side: 'buy', volume: '0.010000', status: 'open' });
  expect(decimal.equals(placed?.price ?? '0', price)).toBe(true);

  await page.locator('main').focus();
  await tabTo(/^Change order/u);
  await page.keyboard.press('Enter');
  await account().getByRole('textbox', { name: 'New amount' }).waitFor();
  await account().getByRole('textbox', { name: 'New amount' }).focus();
  await page.keyboard.type('0.008');
  await tabTo(/^Save change/u);
  await page.keyboard.press('Enter');
  await soon(async () => (await openOrders())[0]?.volume).toBe('0.008000');

  await page.locator('main').focus();
  await tabTo(/Details of order/u);
  await page.keyboard.press('Shift+X');
  await review().waitFor();
  await tabTo(/^Cancel order/u);
  await page.keyboard.press('Enter');
  await soon(async () => (await openOrders()).length).toBe(0);
  await soon(() => account().innerText()).toContain('No open orders');
  expect(complaints.splice(0)).toEqual([]);
});

test('a market order is filled, and stands in the history and among the fills', async () => {
  await choose('Order type', 'Market');
  await fill({ Total: '200' });
  await soon(said).toContain('Buy BTC for 200.00 USDT');
  await field('Total').focus();
  await placeByKeys();
  await soon(() => latest().innerText()).toMatch(/Filled|Expired|Canceled/u);
  const { items } = await mine.order.history({ symbol: SYMBOL, limit: 1 });
  expect(items[0]).toMatchObject({ type: 'market', total: '200' });
  await account().getByRole('tab', { name: 'History' }).click();
  await soon(() => account().getByRole('row').nth(1).innerText()).toContain('Market');
  await account().getByRole('tab', { name: 'Fills' }).click();
  await soon(() => account().getByRole('row').nth(1).innerText()).toContain('Taker');
});

test('a limit 5 % through the market is noticed, and 20 % needs the symbol', async () => {
  const { ask } = await depth();
  await fill({ Price: times(ask, '1.02'), Amount: '0.001' });
  await soon(() => form().getByText('worse than the market').count()).toBe(0);
  await fill({ Price: times(ask, '1.08') });
  await form().getByText('worse than the market').waitFor();

  await form().getByRole('radio', { name: 'Sell' }).check({ force: true });
  await choose('Order type', 'Take-profit limit');
  await fill({ 'Trigger price': times(ask, '1.1'), Price: times(ask, '0.84'), Amount: '0.001' });
  await field('Amount').focus();
  await page.keyboard.press('Control+Enter');
  const place = review().getByRole('button', { name: /^Sell/u });
  expect(await place.isDisabled()).toBe(true);
  await review().getByRole('textbox', { name: 'Type BTCUSDT to confirm' }).fill('btcusdt');
  expect(await place.isEnabled()).toBe(true);
  await review().getByRole('button', { name: 'Back' }).click();
  expect(await openOrders()).toEqual([]);
});

test('slippage above 2 % and a quarter of the book are noticed', async () => {
  const { ask } = await depth();
  await other.order.create({
    symbol: SYMBOL,
    side: 'sell',
    type: 'limit',
    price: times(ask, '1.045'),
    volume: '8',
  });
  await choose('Order type', 'Market');
  await fill({ Amount: '9' });
  await form().getByText('worse than the best price').waitFor();
  await form().getByText('of everything that the book shows').waitFor();
  await fill({ Amount: '0.001' });
  await soon(() => form().getByText('worse than the best price').count()).toBe(0);
  await other.order.cancelAll({ symbol: SYMBOL });
});

test('errors teach the rule and the value', async () => {
  const { bid } = await depth();
  await fill({ Price: times(bid, '0.9'), Amount: '0.00001' });
  await soon(said).toMatch(/Minimum order value is 5\.00 USDT\. Yours is 0\.6\d* USDT\./u);
  await fill({ Price: '60000.123' });
  await soon(said).toContain('Price has 3 decimals. This market allows 2.');
  await fill({ Price: times(bid, '0.9'), Amount: '900' });
  await soon(said).toMatch(/You need [\d,.]+ USDT and have [\d,.]+ USDT available\./u);
});

test('Max never exceeds what is available', async () => {
  const available = async (coin: string): Promise<string> => {
    const balances: readonly Balance[] = await mine.account.balances({ coin });
    return balances[0]?.available ?? '0';
  };
  const read = async (name: string) => (await field(name).inputValue()).replaceAll(',', '');
  await form().getByRole('radio', { name: 'Sell' }).check({ force: true });
  await form().getByRole('button', { name: 'Max' }).click();
  const [amount, base] = [await read('Amount'), await available('btc')];
  expect(decimal.compare(amount, base)).toBeLessThanOrEqual(0);
  expect(decimal.compare(decimal.subtract(base, amount), '0.000001')).toBeLessThan(0);

  await form().getByRole('radio', { name: 'Buy' }).check({ force: true });
  const price = times((await depth()).bid, '0.9');
  await fill({ Price: price });
  const [bought, quote] = [await read('Amount'), await available('usdt')];
  expect(decimal.compare(decimal.multiply(bought, price), quote)).toBeLessThanOrEqual(0);
  expect(decimal.compare(await read('Total'), quote)).toBeLessThanOrEqual(0);
});

test('Persian digits give the same order', async () => {
  await fill({ Price: '۶۰٬۰۰۰٫۵۰', Amount: '۰٫۰۱' });
  await field('Amount').focus();
  await page.keyboard.press('Control+Enter');
  await soon(() => plain(review().innerText())).toContain('60,000.50 USDT');
  await page.keyboard.press('Enter');
  await soon(async () => (await openOrders())[0]?.price).toBe('60000.50');
  expect((await openOrders())[0]?.volume).toBe('0.010000');
});

async function enterLimit(): Promise<void> {
  await fill({ Price: '60000', Amount: '0.01' });
  await field('Amount').focus();
}

test('two clicks give one order', async () => {
  await enterLimit();
  await page.keyboard.press('Control+Enter');
  await review()
    .getByRole('button', { name: /^Buy/u })
    .evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
  await soon(() => latest().innerText()).toContain('Open');
  expect(await openOrders()).toHaveLength(1);
});

test('an answer that is lost: one order, and its true state', async () => {
  let lost = 0;
  await page.route(CREATE, async (route) => {
    lost += 1;
    if (lost > 2) return route.continue();
    // The venue gets it; the page never hears.
    await route.fetch();
    await route.abort('connectionreset');
  });
  await enterLimit();
  await placeByKeys();
  await soon(() => latest().innerText()).toContain('Open');
  const orders = await openOrders();
  expect(orders).toHaveLength(1);
  await soon(() => account().getByRole('row').count()).toBe(2);
});

test('a network that is cut while sending, and comes back: one order', async () => {
  await enterLimit();
  await page.keyboard.press('Control+Enter');
  await review().waitFor();
  await page.context().setOffline(true);
  await page.keyboard.press('Enter');
  await soon(() => latest().innerText()).toContain('Checking');
  await page.context().setOffline(false);
  await soon(() => latest().innerText()).toMatch(/Open|Not placed/u);
  const isPlaced = (await latest().innerText()).includes('Open');
  expect(await openOrders()).toHaveLength(isPlaced ? 1 : 0);
});

test('a network that stays away: not placed, and nothing was', async () => {
  await page.route(CREATE, (route) => route.abort('internetdisconnected'));
  await enterLimit();
  await placeByKeys();
  await soon(() => latest().innerText()).toContain('Checking');
  await soon(() => latest().innerText()).toContain('Not placed');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(await openOrders()).toEqual([]);
});

const intents = (): Promise<number> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('intent:')).length);

test('a reload after the venue took it: one order, and the page shows it', async () => {
  const taken = Promise.withResolvers<number>();
  await page.route(CREATE, async (route) => {
    const kept = await intents();
    await route.fetch();
    taken.resolve(kept);
  });
  await enterLimit();
  await placeByKeys();
  expect(await taken.promise).toBe(1);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await openTrade();
  await soon(() => account().getByRole('row').count()).toBe(2);
  await soon(intents).toBe(0);
  expect(await openOrders()).toHaveLength(1);
});

test('a reload before the venue heard of it: the same order goes on, or was not placed', async () => {
  const held = Promise.withResolvers<void>();
  // Leaving the page ends the request that hangs; the next one goes through.
  await page.route(CREATE, () => held.resolve(), { times: 1 });
  await enterLimit();
  await placeByKeys();
  await held.promise;
  expect(await intents()).toBe(1);
  await openTrade();
  await soon(() => latest().innerText()).toMatch(/Open|Not placed/u);
  const isPlaced = (await latest().innerText()).includes('Open');
  expect(await openOrders()).toHaveLength(isPlaced ? 1 : 0);
  expect(await intents()).toBe(0);
});

test('lists stand together and are canceled together', async () => {
  const { bid } = await depth();
  await form().getByRole('radio', { name: 'Sell' }).check({ force: true });
  await choose('Order type', 'OCO: limit and stop');
  await fill({
    'Limit price': times(bid, '1.1'),
    'Trigger price': times(bid, '0.9'),
    Amount: '0.01',
  });
  await field('Amount').focus();
  await placeByKeys();
  await soon(async () => (await openOrders()).length).toBe(2);
  await soon(() =>
    account()
      .getByText(/^List \d+/u)
      .count(),
  ).toBe(1);
  await account().getByRole('button', { name: 'Cancel list' }).click();
  await review().getByRole('button', { name: 'Cancel list' }).click();
  await soon(async () => (await openOrders()).length).toBe(0);
});

for (const [name, viewport] of [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test(`nothing serious for readers on ${name}, in both languages`, async () => {
    const visited = await visit(stage, SIGNED_IN, { role: 'trader_b', viewport });
    for (const language of ['en', 'fa']) {
      await changeSetting(visited.page, 'default_language', language);
      await soon(() => visited.page.locator('html').getAttribute('lang')).toBe(language);
      await visited.page.getByRole('tab').first().waitFor();
      for (const tab of await visited.page.getByRole('tab').all()) {
        await tab.click();
        expect(await seriousFindings(visited.page)).toEqual([]);
        expect(await sideways(visited.page)).toBeLessThanOrEqual(0);
      }
    }
    await changeSetting(visited.page, 'default_language', 'en');
    await visited.page.context().close();
  }, 400_000);
}
