// The page of the web client in a real browser, at the demo: it is built, it runs under its policy, and its files are
// small on the wire.
import type { BrowserContext, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openStage } from './stage.ts';

let origin: string;

const stage = openStage(async () => {
  origin = new URL(stage.demo.web_url).origin;
});
async function signIn(context: BrowserContext, next: string): Promise<Page> {
  const page = await context.newPage();
  const { email, password } = stage.demo.users.member;
  await page.goto(`${origin}${next}`);
  await page.fill('[name=username]', email);
  await page.fill('[name=password]', password);
  await Promise.all([page.waitForURL(`${origin}${next}`), page.click('form button[type=submit]')]);
  return page;
}

it('runs at the address that was asked for before signing in, and breaks no rule of its policy', async () => {
  const context = await stage.browser.newContext();
  await context.addInitScript(() => {
    const broken: string[] = [];
    Object.assign(globalThis, { broken });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) =>
      broken.push(`${violatedDirective}: ${sample}`),
    );
  });
  const page = await signIn(context, '/inbox');
  const answers = new Map<string, Record<string, string>>();
  const complaints: string[] = [];
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (answer) => answers.set(answer.url(), answer.headers()));
  await page.reload({ waitUntil: 'load' });
  expect(await page.locator('#root').count()).toBe(1);
  const boot = JSON.parse((await page.locator('#boot').textContent()) ?? '') as object;
  expect(boot).toMatchObject({ user: { email: stage.demo.users.member.email } });
  const scripts = [...answers].filter(([url]) => url.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(0);
  for (const [url, headers] of scripts) {
    expect(headers['content-encoding'], url).toBe('br');
    expect(headers['cache-control'], url).toContain('immutable');
  }
  expect(await page.evaluate('broken')).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

it('has a way for people without script', async () => {
  const context = await stage.browser.newContext({ javaScriptEnabled: false, locale: 'fa' });
  const page = await signIn(context, '/account/?lang=fa');
  await page.goto(`${origin}/inbox?lang=fa`);
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  await page.locator('noscript a').click();
  await page.waitForURL(`${origin}/account/?lang=fa`);
  expect(await page.locator('h1').textContent()).toContain('سلام');
  await context.close();
});
