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

it('the palette finds markets in both languages, and open orders by what they are', async () => {
  await placeFarOrder();
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
async function placeFarOrder(): Promise<void> {
  const [best] = await trading.public.bestPrices({ symbol: SYMBOL });
  const [market] = await trading.public.markets({ symbol: SYMBOL });
  const price = decimal.roundDown(
    decimal.multiply(best?.bidPrice ?? '0', '0.97'),
    market?.priceStep ?? '1',
  );
  await trading.order.create({
    symbol: SYMBOL,
    side: 'buy',
    type: 'limit',
    price,
    volume: '0.00123',
  });
}
