// The frame of the client in Chromium, against the demo: arriving, keys, the palette, languages, widths, settings.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { seriousFindings } from './axe.ts';
import { changeSetting, sideways, visit } from './client.ts';
import { openStage } from './stage.ts';

let page: Page;
let complaints: string[];

const stage = openStage(async () => {
  ({ page, complaints } = await visit(stage, '/recent?only=unread', {
    viewport: { width: 1440, height: 900 },
  }));
});

/** A browser beside other tests takes its time. */
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });
const pathNow = () => new URL(page.url()).pathname;
const open = async (path: string) => {
  await page.goto(stage.address(path));
  await page.locator('main h1').first().waitFor();
};

test('after signing in one is where one wanted to go, and nothing complained', () => {
  const { pathname, search } = new URL(page.url());
  expect(`${pathname}${search}`).toBe('/recent?only=unread');
  expect(complaints.splice(0)).toEqual([]);
});

test('the frame has its landmarks, and the first stop of Tab is the way past them', async () => {
  await open('/inbox');
  for (const role of ['banner', 'main', 'complementary'] as const) {
    expect(await page.getByRole(role).count()).toBe(1);
  }
  expect(await page.getByRole('navigation').count()).toBeGreaterThan(0);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to main content' });
  expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
});

test('keys alone: lists, the palette, a channel, and back', async () => {
  await open('/inbox');
  await page.locator('main').focus();
  await page.keyboard.press('t');
  await soon(pathNow).toBe('/recent');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('btcus');
  await soon(() => page.getByRole('option', { selected: true }).innerText()).toContain('btcusdt');
  await page.keyboard.press('Enter');
  await soon(() => page.url()).toContain('#narrow/channel/');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.goBack();
  await soon(pathNow).toBe('/recent');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('Back closes what lies over a view, and a reload keeps it', async () => {
  await open('/inbox');
  await page.locator('main').focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.reload();
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(pathNow()).toBe('/inbox');
});

test('a link of another client opens the right place behind any path', async () => {
  await open('/inbox');
  const link = page.getByRole('navigation').locator('a[href^="/#narrow/channel/"]').first();
  const hash = new URL((await link.getAttribute('href')) ?? '', stage.demo.web_url).hash;
  await page.goto(stage.address(`/starred${hash}`));
  await soon(() => new URL(page.url()).pathname + new URL(page.url()).hash).toBe(`/${hash}`);
});

test('in Persian everything is mirrored, and the window stays where it was', async () => {
  await open('/inbox');
  const mark = page.getByRole('banner').locator('a').first();
  const before = await mark.boundingBox();
  await changeSetting(page, 'default_language', 'fa');
  await soon(() => page.evaluate(() => document.documentElement.dir)).toBe('rtl');
  const after = await mark.boundingBox();
  expect(Math.round((after?.x ?? 0) + (after?.width ?? 0))).toBe(1440 - Math.round(before?.x ?? 0));
  expect(await page.getByRole('main').locator('h1').first().innerText()).toBe('صندوق ورودی');
  await changeSetting(page, 'default_language', 'en');
  await soon(() => page.evaluate(() => document.documentElement.dir)).toBe('ltr');
});

const PAGES = ['/inbox', '/settings/appearance', '/settings/notifications', '/settings/keys'];
const WIDTHS = [1440, 1024, 768, 390, 320];

test.each(['en', 'fa'])(
  'no width scrolls sideways, and axe finds nothing serious: %s',
  async (language) => {
    await changeSetting(page, 'default_language', language);
    for (const path of PAGES) {
      await open(path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        expect([path, width, await sideways(page)]).toEqual([path, width, 0]);
      }
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await seriousFindings(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    }
    await changeSetting(page, 'default_language', 'en');
    expect(complaints.splice(0)).toEqual([]);
  },
  180_000,
);

test('a theme goes to the account; a density stays in the browser', async () => {
  await open('/settings/appearance');
  await page.getByText('Dark', { exact: true }).click();
  await soon(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await page.getByText('Compact', { exact: true }).click();
  await page.reload();
  await page.locator('main h1').first().waitFor();
  // What this browser stored may be older than the setting, until the server has answered.
  await soon(() =>
    page.evaluate(() => ({
      theme: document.documentElement.dataset['theme'],
      density: document.documentElement.dataset['density'],
    })),
  ).toMatchObject({ theme: 'dark', density: 'compact' });
  await changeSetting(page, 'color_scheme', '1');
});

test('a key of the chat is made after a proof, shown once, and revoked', async () => {
  await open('/settings/keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('journey');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const made = page.getByRole('alertdialog', { name: 'Your new key' });
  const password = page.getByLabel('Your password');
  await made.or(password).first().waitFor();
  if (await password.isVisible()) {
    await password.fill(stage.demo.users.member.password);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  }
  await made.waitFor();
  expect((await made.locator('code').innerText()).length).toBeGreaterThan(20);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('button', { name: 'Revoke key “journey”' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('journey', { exact: true }).waitFor({ state: 'detached' });
});
