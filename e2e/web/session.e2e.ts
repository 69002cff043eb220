// The end of a session under an open page, and who has read a message.
import type { Chat } from '@rialto/sdk';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { visit } from './client.ts';
import { openStage } from './stage.ts';

const SLOW = { timeout: 60_000 };
const soon = <T>(look: () => T) => expect.poll(look, SLOW);

let page: Page;
let member: Chat;
let colleague: Chat;
let owner: Chat;
let channelId: number;
let origin: string;

const stage = openStage(async () => {
  const { users } = stage.demo;
  ({ origin } = stage);
  [member, colleague, owner] = [
    stage.chatOf('member'),
    stage.chatOf('admin'),
    stage.chatOf('owner'),
  ];
  await owner.subscribe({
    subscriptions: [{ name: 'sessions' }],
    principals: [users.owner.user_id, users.admin.user_id, users.member.user_id],
  });
  const { subscriptions } = await owner.getSubscriptions();
  channelId = subscriptions.find(({ name }) => name === 'sessions')?.stream_id ?? 0;
  await member.updateSettings({ default_language: 'en', enter_sends: false });
  await colleague.sendMessage({
    type: 'channel',
    to: channelId,
    topic: 'a topic, with a comma',
    content: 'Read me.',
  });
  // A stranger's link to a message asks to sign in, and leads to the message then.
  ({ page } = await visit(stage, addressOf(), { viewport: { width: 1200, height: 800 } }));
  page.setDefaultTimeout(SLOW.timeout);
});

const addressOf = () => `/#narrow/channel/${channelId}/topic/a.20topic.2C.20with.20a.20comma`;
const compose = () => page.locator('[data-compose]');

/** Ends the session at the server, as another device does; the page has to find out by itself. */
const endSession = () =>
  page.evaluate(async () => {
    const token = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
    await fetch('/json/sessions', { method: 'DELETE', headers: { 'x-csrftoken': token } });
  });

async function signIn(who: 'member' | 'admin'): Promise<void> {
  const { email, password } = stage.demo.users[who];
  await page.fill('input[name=username]', email);
  await page.fill('input[name=password]', password);
  await page.locator('form[action="/accounts/login/"] button[type=submit]').first().click();
  await page.locator('main').waitFor();
}

async function openReaders(): Promise<void> {
  const message = page.locator('article[data-message]', { hasText: 'Read me.' });
  await message.hover();
  await message.getByRole('button', { name: 'More actions' }).click();
}

it('after signing in, one is at the topic of the address', async () => {
  await page.locator('article', { hasText: 'Read me.' }).waitFor();
  expect(new URL(page.url()).hash).toBe(new URL(addressOf(), origin).hash);
});

it('the menu of a message says who has read it', async () => {
  await soon(async () => {
    const { messages } = await member.getMessages({
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: channelId }],
    });
    return messages.at(-1)?.flags?.includes('read');
  }).toBe(true);
  await openReaders();
  await page.getByRole('menuitem', { name: 'Who has read it' }).click();
  const { full_name: name } = await member.getOwnUser();
  await page.getByRole('dialog').getByText(name).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('where the organization does not allow it, the menu has no such item', async () => {
  await owner.updateRealm({ enable_read_receipts: false });
  await soon(async () => {
    await openReaders();
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
    const count = await page.getByRole('menuitem', { name: 'Who has read it' }).count();
    await page.keyboard.press('Escape');
    return count;
  }).toBe(0);
  await owner.updateRealm({ enable_read_receipts: true });
});

it('formatted text is pasted as Markdown, and undo takes it away again', async () => {
  await compose().click();
  const paste = (html: string, text: string) =>
    compose().evaluate(
      (field, [asHtml = '', asText = '']) => {
        const data = new DataTransfer();
        data.setData('text/html', asHtml);
        data.setData('text/plain', asText);
        field.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      },
      [html, text],
    );
  await paste('<p>A <b>bold</b> <a href="https://example.org/">link</a></p>', 'A bold link');
  await soon(() => compose().inputValue()).toBe('A **bold** [link](https://example.org/)');
  await page.keyboard.press('Control+z');
  await soon(() => compose().inputValue()).toBe('');
  await paste('<b>x</b>'.repeat(6_000), 'x'.repeat(6_000));
  await page.getByRole('button', { name: 'Attach as a file' }).waitFor();
  await page.getByRole('button', { name: 'Keep as text' }).click();
  await compose().fill('');
});

it('a session that ends says so, and keeps what was written and where one was', async () => {
  await compose().fill('half a thought');
  await endSession();
  const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  await dialog.getByRole('link', { name: 'Sign in again' }).click();
  await signIn('member');
  await page.locator('article', { hasText: 'Read me.' }).waitFor();
  expect(new URL(page.url()).hash).toBe(new URL(addressOf(), origin).hash);
  await soon(() => compose().inputValue()).toBe('half a thought');
});

it('another person who signs in instead sees nothing of it', async () => {
  await compose().fill('half a thought, and more');
  await endSession();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await signIn('admin');
  await page.locator('article', { hasText: 'Read me.' }).waitFor();
  await page.waitForTimeout(3_000);
  expect(await compose().inputValue()).toBe('');
  await page.goto(`${origin}/drafts`);
  await page.locator('main h1').first().waitFor();
  expect(await page.locator('main').innerText()).not.toContain('half a thought');
});
