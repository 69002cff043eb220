// Takes the pictures of one look: a language, a theme and a device. It also notes what no picture should have.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Demo } from '../demo/summary.ts';
import { SCREENS, type Screen } from './list.ts';
import type { Operator } from './operator.ts';

export interface Look {
  readonly language: 'en' | 'fa';
  readonly theme: 'light' | 'dark';
  readonly device: keyof typeof DEVICES;
}

export const DEVICES = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
} as const;

export interface Picture {
  readonly screen: string;
  readonly look: Look;
  readonly file: string;
  /** Complaints of the browser, a page that scrolls sideways, a screen that did not come. */
  readonly flaws: readonly string[];
}

const READY_MS = 20_000;
/** For pictures, fonts and figures that come after the first paint. */
const SETTLE_MS = 600;

export const nameOf = ({ language, theme, device }: Look): string =>
  `${language}-${theme}-${device}`;

export interface PictureOptions {
  readonly folder: string;
  readonly only: RegExp;
  /** Asked for when a picture needs one. */
  readonly operator: () => Promise<Operator>;
}

export async function takePictures(
  browser: Browser,
  demo: Demo,
  look: Look,
  { folder, only, operator }: PictureOptions,
): Promise<Picture[]> {
  mkdirSync(join(folder, nameOf(look)), { recursive: true });
  const screens = SCREENS.filter(({ name }) => only.test(name));
  const pictures: Picture[] = [];
  for (const as of new Set(screens.map((screen) => screen.as))) {
    const operating = as === 'owner' ? await operator() : undefined;
    const context = await browser.newContext({
      ...(operating !== undefined && { storageState: operating.state }),
      viewport: DEVICES[look.device],
      colorScheme: look.theme,
      locale: look.language === 'fa' ? 'fa-IR' : 'en-GB',
      reducedMotion: 'reduce',
      hasTouch: look.device !== 'desktop',
    });
    if (operating !== undefined) await prepareOperator(context, demo, operating, look);
    else if (as !== undefined) await signIn(context, demo, as, look);
    for (const screen of screens.filter((one) => one.as === as)) {
      pictures.push(await takePicture(context, demo, { screen, look, folder }));
    }
    await context.close();
  }
  return pictures;
}

async function takePicture(
  context: BrowserContext,
  demo: Demo,
  {
    screen,
    look,
    folder,
  }: { readonly screen: Screen; readonly look: Look; readonly folder: string },
): Promise<Picture> {
  const page = await context.newPage();
  page.setDefaultTimeout(READY_MS);
  const flaws: string[] = [];
  page.on('pageerror', ({ message }) => flaws.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') flaws.push(message.text());
  });
  const file = join(nameOf(look), `${screen.name.replaceAll(' ', '-')}.jpg`);
  try {
    await page.goto(addressOf(demo, screen, look));
    await page
      .locator(screen.ready ?? 'main')
      .first()
      .waitFor();
    // What is still asked for has a shape of its own.
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
    await screen.prepare?.(page, demo.users);
    await page.waitForTimeout(SETTLE_MS);
  } catch (error) {
    flaws.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (sideways > 0) flaws.push(`The page scrolls ${sideways} px sideways.`);
  await page.screenshot({ path: join(folder, file), type: 'jpeg', quality: 80 });
  await page.close();
  return { screen: screen.name, look, file, flaws };
}

/** A stranger's language is in the address; of everybody else, in the account. */
function addressOf({ web_url: url }: Demo, { path, as }: Screen, { language }: Look): string {
  const address = new URL(path, url);
  if (as === undefined) address.searchParams.set('lang', language);
  return address.href;
}

async function signIn(
  context: BrowserContext,
  { web_url: url, users }: Demo,
  as: NonNullable<Screen['as']>,
  { language }: Look,
): Promise<void> {
  const page = await context.newPage();
  const { email, password } = users[as];
  await page.goto(new URL('/login/', url).href);
  await page.locator('input[name=username]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await Promise.all([
    page.waitForURL((at) => !at.pathname.startsWith('/login')),
    page.locator('input[name=password]').press('Enter'),
  ]);
  await setLanguage(page, language);
  await page.close();
}

async function prepareOperator(
  context: BrowserContext,
  { web_url: url }: Demo,
  operator: Operator,
  { language }: Look,
): Promise<void> {
  const page = await context.newPage();
  await page.goto(new URL('/inbox', url).href);
  await setLanguage(page, language);
  await operator.prove(page);
  // It stays open: the tab that closes takes the queue of events along, and the next one complains.
}

const setLanguage = (page: Page, language: string): Promise<void> =>
  page.evaluate(async (value) => {
    const token = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
    await fetch('/json/settings', {
      method: 'PATCH',
      headers: { 'x-csrftoken': token },
      body: new URLSearchParams({ default_language: value }),
    });
  }, language);
