// Reading and writing in a conversation, against the demo: where it opens, what is marked as read, that switching waits
// for nothing, and that a text never lands elsewhere.
import type { Chat } from '@rialto/sdk';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { meetCompany, visit, type Company } from './client.ts';
import { openStage } from './stage.ts';

declare const document: { querySelector(selector: string): unknown };

let page: Page;
let member: Chat;
let colleague: Chat;
let channelId: number;
let addressOf: Company['addressOf'];

const TIMEOUT = { timeout: 60_000 };

const stage = openStage(async () => {
  ({ member, colleague, channelId, addressOf } = await meetCompany(stage));
  ({ page } = await visit(stage, '/inbox', { viewport: { width: 1200, height: 800 } }));
  page.setDefaultTimeout(TIMEOUT.timeout);
});

async function say(topic: string, count: number, start = 1): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let number = start; number < start + count; number++) {
    const content = `${topic} ${number}: ${'one more line of a long day. '.repeat(1 + (number % 5))}`;
    const { id } = await colleague.sendMessage({ type: 'channel', to: channelId, topic, content });
    ids.push(id);
  }
  return ids;
}

async function unreadOf(ids: readonly number[]): Promise<readonly number[]> {
  const { messages } = await member.getMessages({ message_ids: ids });
  return messages.filter(({ flags }) => !(flags ?? []).includes('read')).map(({ id }) => id);
}

const row = (id: number) => page.locator(`[data-message="${id}"]`);

/** By a link, as people go; the page is not loaded again. */
async function goTo(topic: string): Promise<void> {
  await page.evaluate((href) => {
    (globalThis as unknown as { location: { href: string } }).location.href = href;
  }, addressOf(topic));
}

it('opens at the first unread message and marks what was seen, and nothing below (row 8)', async () => {
  const ids = await say('opening', 60);
  await page.goto(addressOf('opening'));
  await row(ids[0] ?? 0).waitFor();
  await page.locator('[data-unread-line]').waitFor();
  expect(await page.locator('[data-unread-line]').innerText()).toContain('60');
  const [first = 0] = ids;
  await expect.poll(async () => (await unreadOf(ids)).includes(first), TIMEOUT).toBe(false);
  const unread = await unreadOf(ids);
  expect(unread.length).toBeGreaterThan(30);
  expect(unread).toContain(ids.at(-1));
  expect(await page.locator('[data-unread-line]').innerText()).toContain('60');
  await page.getByRole('button', { name: /Jump to latest/ }).click();
  await row(ids.at(-1) ?? 0).waitFor();
  await expect
    .poll(async () => (await unreadOf(ids)).includes(ids.at(-1) ?? 0), TIMEOUT)
    .toBe(false);
  // What was jumped over was not seen.
  expect((await unreadOf(ids)).length).toBeGreaterThan(10);
});

it('marks nothing while something lies over the messages (row 8)', async () => {
  await page.getByRole('button', { name: 'Jump to a date' }).click();
  await page.getByRole('dialog').waitFor();
  const [id = 0] = await say('opening', 1, 61);
  await row(id).waitFor();
  await page.waitForTimeout(2_500);
  expect(await unreadOf([id])).toEqual([id]);
  await page.keyboard.press('Escape');
  await expect.poll(() => unreadOf([id]), TIMEOUT).toEqual([]);
});

it('sends once, and the row becomes the message', async () => {
  await page.locator('[data-compose]').fill('Sent from the **box**.');
  await page.keyboard.press('Control+Enter');
  const sent = page.locator('article', { hasText: 'Sent from the box.' });
  await sent.locator('strong').waitFor();
  expect(await page.locator('[data-outbox]').count()).toBe(0);
  expect(await page.locator('[data-compose]').inputValue()).toBe('');
  const { messages } = await member.getMessages({
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow: [{ operator: 'topic', operand: 'opening' }],
    apply_markdown: false,
  });
  expect(messages.filter(({ content }) => content === 'Sent from the **box**.')).toHaveLength(1);
});

it('selects, edits and reacts by keys', async () => {
  await page.evaluate(() =>
    (document as unknown as { activeElement: { blur(): void } }).activeElement.blur(),
  );
  await page.keyboard.press('j');
  const selected = page.locator('article[tabindex="0"]');
  await selected.waitFor();
  await page.keyboard.press('e');
  const field = page.getByRole('textbox', { name: 'Text of the message' });
  await field.fill('Sent and changed.');
  await page.keyboard.press('Control+Enter');
  await page.locator('article', { hasText: 'Sent and changed.' }).waitFor();
  await page.getByRole('button', { name: 'Edited' }).waitFor();
  await page.locator('article', { hasText: 'Sent and changed.' }).focus();
  await page.keyboard.press('+');
  await page.getByRole('button', { name: /You reacted/ }).waitFor();
});

it('marks in the history what an edit took away and what it added', async () => {
  await page.getByRole('button', { name: 'Edited' }).click();
  const history = page.getByRole('dialog', { name: 'History of the message' });
  await history.locator('ins').first().waitFor();
  expect(await history.locator('ins').allInnerTexts()).toContain('changed.');
  expect(await history.locator('del').count()).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await history.waitFor({ state: 'detached' });
});

it('shows a conversation that was open before without a request (row 5)', async () => {
  await say('second place', 3);
  await goTo('second place');
  await page.locator('article', { hasText: 'second place 3' }).waitFor();
  await page.waitForTimeout(1_000);
  const asked: string[] = [];
  await page.route('**/api/v1/messages?**', (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await goTo('opening');
  await page.locator('article', { hasText: 'Sent and changed.' }).waitFor();
  await goTo('second place');
  await page.locator('article', { hasText: 'second place 3' }).waitFor();
  expect(asked).toEqual([]);
  await page.unroute('**/api/v1/messages?**');
});

it('keeps a text where it was begun, and says so (rows 11 and 15)', async () => {
  await page.locator('[data-compose]').fill('half a text');
  await goTo('opening');
  await page.locator('article', { hasText: 'Sent and changed.' }).waitFor();
  expect(await page.locator('[data-compose]').inputValue()).toBe('half a text');
  expect(await page.locator('[data-destination]').innerText()).toContain('second place');
  await page.getByRole('button', { name: 'Write here instead' }).click();
  expect(await page.locator('[data-compose]').inputValue()).toBe('');
  expect(await page.locator('[data-destination]').innerText()).toContain('opening');
  await goTo('second place');
  await expect.poll(() => page.locator('[data-compose]').inputValue(), TIMEOUT).toBe('half a text');
});

it('follows a topic that is moved, and tells the writer (row 15)', async () => {
  const { messages } = await colleague.getMessages({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'topic', operand: 'second place' }],
  });
  await colleague.updateMessage({
    message_id: messages.at(-1)?.id ?? 0,
    topic: 'third place',
    propagate_mode: 'change_all',
  });
  await expect
    .poll(() => page.locator('[data-destination]').innerText(), TIMEOUT)
    .toContain('third place');
  await page.getByText('was moved. Your text goes to the place above').waitFor();
  expect(await page.locator('[data-compose]').inputValue()).toBe('half a text');
});
