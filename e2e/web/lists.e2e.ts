// The lists of the client at the demo: what waits to be read, and what was said lately.
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chat } from '@rialto/sdk';
import { seriousFindings } from './axe.ts';
import { openStage } from './stage.ts';

let origin: string;
let reader: Chat;
let writer: Chat;
let channel: { readonly stream_id: number; readonly name: string };

const TOPIC = 'Quotes of the morning';
const SLOW = { timeout: 60_000 };

const stage = openStage(async () => {
  ({ origin } = stage);
  [reader, writer] = [stage.chatOf('trader_a'), stage.chatOf('trader_b')];
  const { subscriptions } = await reader.getSubscriptions();
  const found = subscriptions.find(({ invite_only: isPrivate }) => !isPrivate);
  if (found === undefined) throw new Error('The demo has no public channel.');
  channel = found;
  await writer.subscribe({ subscriptions: [{ name: channel.name }] });
  await reader.markAllAsRead();
});

async function signIn(context: BrowserContext, next: string): Promise<Page> {
  const page = await context.newPage();
  const { email, password } = stage.demo.users.trader_a;
  await page.goto(`${origin}${next}`);
  await page.fill('[name=username]', email);
  await page.fill('[name=password]', password);
  await Promise.all([page.waitForURL(`${origin}${next}`), page.click('form button[type=submit]')]);
  return page;
}

const say = (content: string, topic = TOPIC) =>
  writer.sendMessage({ type: 'channel', to: channel.stream_id, topic, content });

/** What the server says is unread there. */
async function unreadAtServer(): Promise<number> {
  const { messages } = await reader.getMessages({
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [
      { operator: 'channel', operand: channel.stream_id },
      { operator: 'topic', operand: TOPIC },
      { operator: 'is', operand: 'unread' },
    ],
  });
  return messages.length;
}

const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });

describe('the inbox', () => {
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    context = await stage.browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await signIn(context, '/inbox');
    await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor(SLOW);
  }, 120_000);
  afterAll(() => context?.close());

  it('is empty when everything was read, and says so', async () => {
    await page.getByText('You are all caught up.').waitFor(SLOW);
  });

  it('counts exactly the messages that are unread, as they come (row 7)', async () => {
    for (const n of [1, 2, 3]) await say(`Quote ${n}`);
    const row = rowOf(page, TOPIC);
    await expect.poll(() => row.innerText(), SLOW).toContain('3');
    expect(await unreadAtServer()).toBe(3);
  });

  it('marks a mention', async () => {
    const { full_name: name } = await reader.getOwnUser();
    await say(`@**${name}** please look`);
    await rowOf(page, TOPIC).getByRole('img', { name: 'You are mentioned' }).waitFor(SLOW);
  });

  it('is gone through by arrow keys: close, open, and Enter opens the conversation', async () => {
    await page.getByRole('row').first().focus();
    await page.keyboard.press('End');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent ?? ''))
      .toContain(TOPIC);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await rowOf(page, TOPIC).waitFor({ state: 'detached', ...SLOW });
    await page.keyboard.press('ArrowRight');
    await rowOf(page, TOPIC).waitFor(SLOW);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.hash.includes(`/topic/`), SLOW);
    await page.goBack();
    await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor(SLOW);
  });

  it('finds a conversation by a part of its name, and says when there is none', async () => {
    await say('One more');
    await rowOf(page, TOPIC).waitFor(SLOW);
    const filter = page.getByRole('textbox', { name: 'Filter conversations' });
    await filter.fill('of the MORN');
    await rowOf(page, TOPIC).waitFor(SLOW);
    await filter.fill('nothing like it');
    await page.getByText('No unread conversation fits').waitFor(SLOW);
    await filter.press('Escape');
    await rowOf(page, TOPIC).waitFor(SLOW);
  });

  it('marks a conversation as read, and takes it back', async () => {
    const row = rowOf(page, TOPIC);
    await row.hover();
    await row.getByRole('button', { name: 'Mark as read' }).click();
    await row.waitFor({ state: 'detached', ...SLOW });
    expect(await unreadAtServer()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor(SLOW);
    await expect.poll(unreadAtServer, SLOW).toBeGreaterThan(0);
  });

  it('has nothing that keeps somebody out', async () => {
    expect(await seriousFindings(page)).toEqual([]);
  });
});

describe('on a phone in Persian', () => {
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    await reader.updateSettings({ default_language: 'fa' });
    context = await stage.browser.newContext({ viewport: { width: 390, height: 844 } });
    page = await signIn(context, '/inbox');
    await page.getByRole('heading', { name: 'صندوق ورودی' }).waitFor(SLOW);
  }, 120_000);
  afterAll(async () => {
    await reader.updateSettings({ default_language: 'en' });
    await context?.close();
  });

  it.each(['/inbox', '/recent', '/drafts', '/scheduled', '/channels'])(
    '%s fits the width, and nothing in it keeps somebody out',
    async (path) => {
      await page.goto(`${origin}${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor(SLOW);
      const isWide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      expect(isWide).toBe(false);
      expect(await seriousFindings(page)).toEqual([]);
    },
  );

  it('cuts a description at its own end, wherever the page begins', async () => {
    await page.goto(`${origin}/channels`);
    const cut = page.locator('main li bdi').filter({ hasText: /^[A-Za-z].{40}/ });
    await cut.first().waitFor(SLOW);
    const looks = await cut.evaluateAll((all) =>
      all.map((one) => {
        const { direction, textOverflow } = getComputedStyle(one);
        return `${direction} ${textOverflow}`;
      }),
    );
    expect(new Set(looks)).toEqual(new Set(['ltr ellipsis']));
  });

  it('leaves the palette by a button, for it has no Esc', async () => {
    await page.goto(`${origin}/inbox?over=palette`);
    await page.getByRole('button', { name: 'بستن جست‌وجو' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached', ...SLOW });
  });

  it('gives the room of the box to the messages, until somebody wants to write', async () => {
    await page.goto(`${origin}/feed`);
    await page.locator('article[data-message]').first().waitFor(SLOW);
    const box = page.locator('[data-compose-area]');
    const send = box.getByRole('button', { name: 'ارسال', exact: true });
    expect((await box.boundingBox())?.height).toBeLessThan(72);
    expect(await send.isVisible()).toBe(false);
    await box.locator('textarea').click();
    await send.waitFor();
    expect(await box.locator('[data-destination]').isVisible()).toBe(true);
  });
});

describe('views of several conversations', () => {
  let context: BrowserContext;
  let page: Page;

  /** Rows that lay on each other in a frame that was painted. */
  const overlaps = () => page.evaluate(() => (globalThis as { overlaps?: string[] }).overlaps);

  beforeAll(async () => {
    await say('Zanzibar', 'Islands');
    await say('Zanzibar again', 'Coasts');
    context = await stage.browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    });
    page = await signIn(context, '/feed');
    await page.addInitScript(() => {
      const found: string[] = [];
      (globalThis as { overlaps?: string[] }).overlaps = found;
      const look = () => {
        const rows = [...document.querySelectorAll('[role=feed] > [data-key]')];
        const boxes = rows.map((row) => row.getBoundingClientRect());
        boxes.forEach((box, index) => {
          const before = boxes[index - 1];
          if (before !== undefined && box.top < before.bottom - 1) found.push(`row ${index}`);
        });
        // After the frame was painted, and not while it is made.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', look);
          port1.start();
          port2.postMessage(0);
        });
      };
      look();
    });
  }, 120_000);
  afterAll(() => context?.close());

  it('name a conversation once, while its own row can be seen', async () => {
    await page.goto(`${origin}/search?q=zanzibar`);
    const found = page.getByRole('feed', { name: /^Messages in Search: .?zanzibar/ });
    await found.getByRole('link', { name: 'Coasts' }).waitFor(SLOW);
    expect(await page.locator('main').getByRole('link', { name: 'Islands' }).count()).toBe(1);
    expect(await page.locator('[data-sticky-place]').count()).toBe(0);
    await page.goto(`${origin}/feed`);
    await page.locator('article[data-message]').nth(3).waitFor(SLOW);
    await page.locator('[data-scroller]').hover();
    await page.mouse.wheel(0, -450);
    await page.locator('[data-sticky-place]').waitFor(SLOW);
  });

  it('never lay one row on another, also without motion', async () => {
    for (const path of ['/feed', '/search?q=zanzibar', '/search?q=the']) {
      await page.goto(`${origin}${path}`);
      await page.locator('article[data-message]').first().waitFor(SLOW);
      await page.waitForTimeout(500);
      expect(await overlaps(), path).toEqual([]);
    }
  });

  it('have one heading for a search, and say what to do when nothing fits', async () => {
    await page.goto(`${origin}/search?q=zzzzqqqq`);
    await page.getByText('No message fits this search.').waitFor(SLOW);
    expect(await page.locator('main h1').allInnerTexts()).toEqual(['Search']);
  });

  it('show a resolved topic by a picture with a word, in the palette too', async () => {
    const { id } = await say('The teapot is clean', 'Tea');
    await writer.updateMessage({ message_id: id, topic: '✔ Tea', propagate_mode: 'change_all' });
    await page.goto(`${origin}/search?q=teapot`);
    const bar = page.locator('[data-key]').filter({ hasText: 'The teapot is clean' });
    await bar.getByRole('img', { name: 'Resolved' }).waitFor(SLOW);
    expect(await bar.innerText()).not.toContain('✔');
    await page.goto(`${origin}/feed?over=palette`);
    await page.getByRole('combobox').fill('#tea');
    const option = page.getByRole('option').filter({ hasText: 'Tea' }).first();
    await option.getByRole('img', { name: 'Resolved' }).waitFor(SLOW);
    expect(await option.innerText()).not.toContain('✔');
  });
});

describe('recent conversations', () => {
  it('put the latest first, and keep their chips in the address', async () => {
    const context = await stage.browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await signIn(context, '/recent');
    await say('The latest of all');
    const first = page.locator('[data-row]').first();
    await expect.poll(() => first.innerText(), SLOW).toContain(TOPIC);
    // A column of times has one form, and the newest is a moment old.
    expect(await page.locator('main li time').first().innerText()).toMatch(/^\d\d:\d\d$/);
    const chips = page.getByRole('group', { name: 'Show only' });
    await chips.getByRole('button', { name: 'Direct messages' }).click();
    await page.waitForURL(/only=direct/, SLOW);
    await page.reload();
    await chips.getByRole('button', { name: 'Direct messages', pressed: true }).waitFor(SLOW);
    expect(await page.locator('[data-row]', { hasText: TOPIC }).count()).toBe(0);
    await context.close();
  });
});
