// A browser that has signed in at the demo.
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import type { RunningDemo } from '../../demo/process.ts';

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--headless'],
  });

/** `isNew`: no service worker brings the files of an earlier visit. */
export async function signIn(
  browser: Browser,
  { demo }: RunningDemo,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: isNew ? 'block' : 'allow',
  });
  const page = await context.newPage();
  const { email, password } = demo.users.member;
  await page.goto(new URL('/login/', demo.web_url).href);
  await page.fill('input[name=username]', email);
  await page.fill('input[name=password]', password);
  await Promise.all([
    page.waitForURL((at) => !at.pathname.startsWith('/login')),
    page.press('input[name=password]', 'Enter'),
  ]);
  await page.close();
  return context;
}
