// A phone in a pocket: its keyboard comes up, it has no network for a minute, and it sleeps so long that the server has
// forgotten its queue. Whatever happened meanwhile, the list is the server's.
import type { Chat } from '@rialto/sdk';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isThorough } from '../../server/src/testing/thorough.ts';
import { meetCompany, visit, type Company } from './client.ts';
import { openStage } from './stage.ts';

const SLOW = { timeout: 60_000 };
const MINUTE_MS = isThorough ? 60_000 : 12_000;
const PHONE = { width: 390, height: 844 };
/** What is left above the keyboard of a phone. */
const ABOVE_KEYBOARD = { width: 390, height: 480 };

let page: Page;
let member: Chat;
let colleague: Chat;
let channelId: number;
let addressOf: Company['addressOf'];
let queueId = '';
let mark = 0;

const stage = openStage(async () => {
  ({ member, colleague, channelId, addressOf } = await meetCompany(stage));
  ({ page } = await visit(stage, '/inbox', { viewport: PHONE, hasTouch: true }));
  page.setDefaultTimeout(SLOW.timeout);
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/json/events') queueId = searchParams.get('queue_id') ?? queueId;
  });
});

const say = async (topic: string, content: string): Promise<number> =>
  (await colleague.sendMessage({ type: 'channel', to: channelId, topic, content })).id;

/** What the page shows of a topic, oldest first. */
const shown = () =>
  page.$$eval('article[data-message]', (rows) =>
    rows.map((row) => Number((row as unknown as { dataset: { message: string } }).dataset.message)),
  );

async function listed(topic: string): Promise<readonly number[]> {
  const { messages } = await colleague.getMessages({
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    narrow: [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: topic },
    ],
  });
  return messages.map(({ id }) => id);
}

/** Everything that can happen to a list while nobody looks at it. */
async function liveOn(topic: string, [edited = 0, deleted = 0]: readonly number[]): Promise<void> {
  mark += 1;
  for (let number = 1; number <= 5; number += 1) await say(topic, `While away ${mark}.${number}.`);
  await colleague.updateMessage({ message_id: edited, content: `Edited while away ${mark}.` });
  await colleague.deleteMessage({ message_id: deleted });
}

async function isTheServers(topic: string): Promise<void> {
  await page.getByText(`Edited while away ${mark}.`).waitFor();
  await expect.poll(shown, SLOW).toEqual(await listed(topic));
}

async function openTopic(topic: string): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let number = 1; number <= 4; number += 1) ids.push(await say(topic, `Before ${number}.`));
  await page.goto(addressOf(topic));
  await expect.poll(shown, SLOW).toEqual(ids);
  return ids;
}

it('above the keyboard of a phone stands what is written, and the page is not moved (row 9)', async () => {
  await openTopic('keyboard');
  await page.locator('[data-compose]').tap();
  await page.setViewportSize(ABOVE_KEYBOARD);
  await page.locator('[data-compose]').fill('Written with the keyboard up.');
  const box = async () => {
    const { x = 0, y = 0, height = 0 } = (await page.locator('[data-compose]').boundingBox()) ?? {};
    return { x, y, end: y + height };
  };
  await expect.poll(async () => (await box()).end, SLOW).toBeLessThanOrEqual(480);
  expect((await box()).y).toBeGreaterThan(0);
  const moved = await page.evaluate(() => [globalThis.scrollX, globalThis.scrollY]);
  expect(moved).toEqual([0, 0]);
  // The last message is still in sight above it.
  const last = await page.locator('article[data-message]').last().boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((await box()).y + 1);
  await page.setViewportSize(PHONE);
  await page.locator('[data-compose]').fill('');
});

it('after a minute without network the list is the server’s, and no page was loaded anew (row 14)', async () => {
  const ids = await openTopic('a minute');
  await page.evaluate(() => Object.assign(globalThis, { stays: true }));
  await page.context().setOffline(true);
  await liveOn('a minute', ids);
  await page.waitForTimeout(MINUTE_MS);
  expect(await shown()).toEqual(ids);
  await page.context().setOffline(false);
  await isTheServers('a minute');
  expect(await page.evaluate(() => 'stays' in globalThis)).toBe(true);
});

it('after a night, when its queue is forgotten, the list is the server’s too (row 14)', async () => {
  const ids = await openTopic('a night');
  await page.evaluate(() => Object.assign(globalThis, { stays: true }));
  await page.locator('[data-compose]').fill('Half a thought before sleep.');
  await page.context().setOffline(true);
  await liveOn('a night', ids);
  await member.deleteQueue({ queue_id: queueId });
  const before = queueId;
  await page.context().setOffline(false);
  await isTheServers('a night');
  await expect.poll(() => queueId, SLOW).not.toBe(before);
  expect(await page.locator('[data-compose]').inputValue()).toBe('Half a thought before sleep.');
  expect(await page.evaluate(() => 'stays' in globalThis)).toBe(true);
});
