// The client as a person meets it: a browser that has signed in at the demo.
import type { Chat } from '@rialto/sdk';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isThorough } from '../../server/src/testing/thorough.ts';
import { seriousFindings } from './axe.ts';
import type { Role, Stage } from './stage.ts';

export interface Visit {
  readonly page: Page;
  /** What the browser complained about. */
  readonly complaints: string[];
}

/** Opens `path`, signs in by the form that comes instead, and waits for the frame. */
export async function visit(
  { browser, demo, address }: Pick<Stage, 'browser' | 'demo' | 'address'>,
  path: string,
  { role = 'member', ...options }: BrowserContextOptions & { readonly role?: Role } = {},
): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  const { email, password } = demo.users[role];
  await page.goto(address(path));
  await page.getByRole('textbox').first().fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('form[action="/accounts/login/"] button[type=submit]').first().click();
  await page.locator('main').waitFor({ timeout: 60_000 });
  return { page, complaints };
}

/** How far the page can be scrolled sideways: not at all. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Changes a setting of the account, as any client can. */
export const changeSetting = (page: Page, name: string, value: string): Promise<void> =>
  page.evaluate(
    async ([key = '', text = '']) => {
      const token = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
      await fetch('/json/settings', {
        method: 'PATCH',
        headers: { 'x-csrftoken': token },
        body: new URLSearchParams({ [key]: text }),
      });
    },
    [name, value],
  );

/** The member, a colleague, and a channel in which both hear each other. */
export interface Company {
  readonly origin: string;
  readonly member: Chat;
  readonly colleague: Chat;
  readonly channelId: number;
  addressOf(topic: string): string;
}

/** In English, and with a key that only breaks the line. */
export async function meetCompany({ origin, chatOf }: Stage): Promise<Company> {
  const [member, colleague] = [chatOf('member'), chatOf('admin')];
  const [mine, theirs] = await Promise.all([
    member.getSubscriptions(),
    colleague.getSubscriptions(),
  ]);
  const shared = mine.subscriptions.find(
    (one) =>
      !one.is_muted && theirs.subscriptions.some(({ stream_id: id }) => id === one.stream_id),
  );
  if (shared === undefined) throw new Error('The demo has no channel that both are in.');
  await member.updateSettings({ default_language: 'en', enter_sends: false });
  const channelId = shared.stream_id;
  const addressOf = (topic: string) =>
    `${origin}/#narrow/channel/${channelId}/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`;
  return { origin, member, colleague, channelId, addressOf };
}

/** A machine that does much at once takes its time. */
const SLOW = { timeout: 60_000 };

/**
 * Loads a page anew, and waits for its title. Beside other browsers a navigation was seen to hang after a change of the
 * language, when another service worker takes over; a person would ask again too.
 */
export async function openPage(page: Page, address: string): Promise<void> {
  const go = () => page.goto(address, { waitUntil: 'domcontentloaded', timeout: 20_000 });
  await go().catch(go);
  await page.locator('main h1').first().waitFor(SLOW);
}

/**
 * Looks at each page in one language and width: everybody can read it, it fits, and the browser does not complain. The
 * gate looks at every other page in English and at the rest in Persian, so at each page once.
 */
export async function inspectPages(
  { page, complaints }: Visit,
  addresses: readonly string[],
  { language, width }: { readonly language: 'en' | 'fa'; readonly width: number },
): Promise<void> {
  complaints.splice(0);
  await page.setViewportSize({ width, height: 900 });
  await changeSetting(page, 'default_language', language);
  const turn = language === 'fa' ? 1 : 0;
  const looked = addresses.filter((_, index) => isThorough || index % 2 === turn);
  for (const address of looked) {
    await openPage(page, address);
    await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached', ...SLOW });
    const busy = page.locator('main [aria-busy]').first();
    await busy.waitFor({ state: 'detached', ...SLOW });
    expect(await sideways(page), address).toBeLessThanOrEqual(0);
    expect(await seriousFindings(page), address).toEqual([]);
  }
  // A busy server asks to come again, which the SDK does; the browser notes it all the same.
  expect(complaints.splice(0).filter((text) => !text.includes('status of 503'))).toEqual([]);
}
