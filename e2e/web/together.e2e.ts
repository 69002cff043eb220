// Trade beside talk, against the demo: prices in the conversation of a market, and the palette that finds markets and
// orders.
import { decimal, type Trading } from '@rialto/sdk';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousFindings } from './axe.ts';
import { meetCompany, visit, type Company } from './client.ts';
import { openStage } from './stage.ts';

const SLOW = { timeout: 60_000 };
const SYMBOL = 'btcusdt';

let page: Page;
let complaints: string[];
let company: Company;
let channelId: number;
let trading: Trading;

const stage = openStage(async () => {
  company = await meetCompany(stage);
  trading = stage.tradingOf('trader_a');
  const { subscriptions } = await company.member.getSubscriptions();
  channelId = subscriptions.find(({ name }) => name === SYMBOL)?.stream_id ?? 0;
  await company.member.sendMessage({
    type: 'channel',
    to: channelId,
    topic: 'prices',
    content: `Look at [the chart](${company.origin}/trade/${SYMBOL}) before you answer.`,
  });
  ({ page, complaints } = await visit(stage, `/#narrow/channel/${channelId}/topic/prices`, {
    viewport: { width: 1300, height: 800 },
  }));
  page.setDefaultTimeout(SLOW.timeout);
});

it('the conversation of a market has its price in the head, and the way to its chart', async () => {
  const link = page.getByRole('banner').or(page.locator('main')).getByRole('link', {
    name: 'Trade BTC/USDT',
  });
  await link.first().waitFor();
  expect(await link.first().getAttribute('href')).toBe(`/trade/${SYMBOL}`);
  await expect.poll(() => link.first().innerText(), SLOW).toMatch(/\d{2},?\d{3}/);
});

it('a message says what the market cost when it was sent, no more than anybody knew then', async () => {
  const row = page.locator('article[data-message]', { hasText: 'Look at the chart' });
  const shown = row.locator('[data-price-then]');
  await shown.waitFor();
  const sentAt = Date.parse((await row.locator('time').first().getAttribute('datetime')) ?? '');
  const candles = await trading.public.candlesticks({
    symbol: SYMBOL,
    resolution: '1m',
    from: sentAt - 3_600_000,
    to: sentAt,
    limit: 100,
  });
  const before = candles.filter(({ time }) => Number(time) + 60_000 <= sentAt);
  expect(await shown.getAttribute('data-price-then')).toBe(before.at(-1)?.close);
});

it('a link to a market shows what it costs now; a channel that is no market shows nothing', async () => {
  await page.locator(`[data-market-figures="${SYMBOL}"]`).first().waitFor();
  const findings = await seriousFindings(page);
  expect(findings).toEqual([]);
  await page.evaluate((href) => {
    location.href = href;
  }, company.addressOf('nothing to trade'));
  await page.locator('[data-compose]').waitFor();
  expect(await page.locator('[data-price-then], [data-market-figures]').count()).toBe(0);
});

it('a link to an order unfolds for its owner alone, who finds the order marked behind it', async () => {
  const { orderId } = await placeFarOrder('0.00234');
  const href = `${company.origin}/trade/${SYMBOL}?order=${orderId}`;
  const refused = page.waitForResponse((answer) => answer.url().includes('/order/get?'), {
    timeout: 150_000,
  });
  await company.member.sendMessage({
    type: 'channel',
    to: channelId,
    topic: 'prices',
    content: `Is [this order](${href}) yours?`,
  });
  const row = (at: Page) => at.locator('article[data-message]', { hasText: 'Is this order' });
  const desk = await visit(stage, `/#narrow/channel/${channelId}/topic/prices`, {
    role: 'trader_a',
    viewport: { width: 1440, height: 900 },
  });
  desk.page.setDefaultTimeout(SLOW.timeout);
  const card = row(desk.page).locator(`[data-order-card="${orderId}"]`);
  // Between the words stand marks of direction.
  await card.getByText(/Buy \W?0\.00234/u).waitFor();
  await card.getByText('Open', { exact: true }).waitFor();
  expect(await seriousFindings(desk.page)).toEqual([]);

  // Somebody else has the link, and nothing more.
  await page.evaluate((to) => {
    location.href = to;
  }, `${company.origin}/#narrow/channel/${channelId}/topic/prices`);
  await row(page).getByRole('link', { name: 'this order' }).waitFor();
  expect((await refused).status()).toBe(404);
  expect(await row(page).locator('[data-order-card], [data-market-figures]').count()).toBe(0);

  await row(desk.page).getByRole('link', { name: 'this order' }).click();
  await desk.page.locator(`[data-linked-order="${orderId}"]`).waitFor();
  const marked = desk.page.locator('tr[aria-current=true]');
  await marked.locator(`[data-order="${orderId}"]`).waitFor();
  expect(new URL(desk.page.url()).searchParams.get('order')).toBe(orderId);
  expect(await seriousFindings(desk.page)).toEqual([]);

  // An order that has ended is found by its id, and shown although it is not open.
  await trading.order.cancel({ orderId });
  await desk.page.getByRole('button', { name: 'Close the linked order' }).click();
  await desk.page.keyboard.press('Control+k');
  await desk.page.getByRole('dialog').getByRole('combobox').fill(orderId);
  await desk.page.getByRole('option', { name: /Buy 0\.00234/u }).click();
  const linked = desk.page.locator(`[data-linked-order="${orderId}"]`);
  await linked.getByText(/Canceled|Cancelled/u).waitFor();
  expect(desk.complaints).toEqual([]);
  // The browser notes that the other one was refused.
  complaints.splice(0);
}, 180_000);

it('the palette finds markets in both languages, and open orders by what they are', async () => {
  await placeFarOrder('0.00123');
  const desk = await visit(stage, '/inbox', { role: 'trader_a' });
  desk.page.setDefaultTimeout(SLOW.timeout);
  await desk.page.keyboard.press('Control+k');
  const box = desk.page.getByRole('dialog').getByRole('combobox');
  await box.fill('بیت');
  const option = (text: string) => desk.page.getByRole('option', { name: text });
  await option('BTC/USDT').first().waitFor();
  await box.fill('$buy 0.00123');
  await option('Buy 0.00123 BTC/USDT at').first().waitFor();
  expect([...complaints, ...desk.complaints]).toEqual([]);
});

/** Below the market, so that it stays. */
async function placeFarOrder(volume: string): Promise<{ readonly orderId: string }> {
  const [best] = await trading.public.bestPrices({ symbol: SYMBOL });
  const [market] = await trading.public.markets({ symbol: SYMBOL });
  const price = decimal.roundDown(
    decimal.multiply(best?.bidPrice ?? '0', '0.97'),
    market?.priceStep ?? '1',
  );
  return trading.order.create({ symbol: SYMBOL, side: 'buy', type: 'limit', price, volume });
}
