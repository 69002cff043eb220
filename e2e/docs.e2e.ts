// The documentation in a real browser, at a running server: reading, searching, copying, colours, phones, Persian, and
// calls that the page signs. With PICTURES=FOLDER it keeps screenshots.
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOwnKey } from '../server/src/accounts/trading-keys/own-keys.ts';
import { loadConfig } from '../server/src/platform/config/load.ts';
import { createContext } from '../server/src/platform/context.ts';
import { migrate } from '../server/src/platform/db/migrate.ts';
import { startPostgres, type PrivatePostgres } from '../server/src/platform/engines/postgres.ts';
import { examplePerson, type Person } from '../server/src/testing/example.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import { exampleTrader, type Trader } from '../server/src/testing/trader.ts';
import { openBrowser } from './browser.ts';

/** A folder for screenshots of the pages, if set. */
const PICTURES = process.env['PICTURES'];
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SMALL = { width: 320, height: 640 };
const SIGNED = 'trading/account-balances/';

let postgres: PrivatePostgres;
let rialto: RialtoProcess;
let browser: Browser;
let person: Person;
let hmac: Trader;
let ed25519: string;
const pair = generateKeyPairSync('ed25519');

beforeAll(async () => {
  [postgres, browser] = await Promise.all([startPostgres(), openBrowser()]);
  const settings = {
    DATABASE_URL: postgres.serverUrl,
    MASTER_KEY: '5e'.repeat(32),
    LOG_LEVEL: 'error',
    MONEY: 'simulated',
    TRADING_RATE_LIMIT: '1000',
    WEB_RATE_LIMIT: '100000',
  };
  await migrate(postgres.ownerUrl, postgres.serverUrl);
  const ctx = await createContext(loadConfig({ ...settings, ROLES: 'worker' }), {
    onFatal: (error) => {
      throw error;
    },
  });
  person = await examplePerson(ctx);
  hmac = await exampleTrader(ctx);
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const owner = { user: person, address: '127.0.0.1' };
  const { key } = await createOwnKey(ctx, owner, {
    label: '',
    type: 'ed25519',
    publicKey: publicKey.toString('hex'),
    accountId: undefined,
    permissions: ['read'],
    ipAllowlist: [],
    markets: [],
    requireBoundSignature: false,
    expiresAt: undefined,
  });
  ed25519 = key.keyId;
  await ctx.close();
  rialto = await startRialtoProcess('api,engine,relay,worker', settings);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await rialto?.stop();
  await postgres?.remove();
});

/** Opens a page, and fails the test for an error in its console or a file that is missing. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  page.on('console', (message) => {
    // A refused call is an answer like others; a page that breaks its own policy is not.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) {
      throw new Error(message.text());
    }
  });
  await page.goto(`${rialto.origin}/docs/${path}`);
  return page;
}

async function look(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `docs-${name}.png`) });
}

/** Nothing is wider than the window, so nobody has to scroll sideways. */
async function fits(page: Page): Promise<void> {
  const wide = await page.evaluate('document.documentElement.scrollWidth');
  expect(wide).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

const background = (page: Page) =>
  page.evaluate('getComputedStyle(document.body).backgroundColor') as Promise<string>;

const LIGHT = 'rgb(255, 255, 255)';
const DARK = 'rgb(21, 26, 33)';

it('the front page leads to a first call in two clicks', async () => {
  const page = await open('../');
  await page.goto(rialto.origin);
  await page.click('a.button[href="/docs/"]');
  await look(page, 'first');
  await page.click('main a[href*="start/trader"] >> nth=0');
  expect(await page.locator('h1').textContent()).toMatch(/trader/i);
  expect(await page.locator('pre').count()).toBeGreaterThan(1);
  await look(page, 'trader');
});

describe('the search', () => {
  it('opens by its key, follows what is typed, and the exact name comes first', async () => {
    const page = await open('concepts/signing/');
    await page.keyboard.press('/');
    await page.keyboard.type('3004');
    await page.locator('.found a').first().waitFor();
    expect(await page.locator('.found a').first().textContent()).toContain('3004');
    await look(page, 'search');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await page.locator('.found a[aria-selected=true]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/errors\/3004\//);
    expect(await page.locator('h1').textContent()).toContain('3004');
  });

  it('closes by Escape, and says what to do when there is nothing', async () => {
    const page = await open('');
    await page.fill('#q', 'zzqqzzqq');
    await page.locator('.found p').waitFor();
    expect(await page.locator('.found').textContent()).toContain('Nothing was found');
    await page.keyboard.press('Escape');
    expect(await page.locator('.found').isVisible()).toBe(false);
  });

  it('works without a script', async () => {
    const page = await open('', { javaScriptEnabled: false });
    await page.fill('#q', 'clientOrderId');
    await page.press('#q', 'Enter');
    await page.waitForURL(/\/docs\/search\/\?q=clientOrderId/);
    expect(await page.locator('.results li').count()).toBeGreaterThan(3);
    await page.click('.results a >> nth=0');
    expect(await page.locator('h1').count()).toBe(1);
  });
});

it('an example is copied with its button, and its language holds on the next page', async () => {
  const page = await open('concepts/signing/', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const tabs = page.locator('fieldset.tabs').first();
  await tabs.locator('label', { hasText: 'Python' }).click();
  const panel = tabs.locator('.panel:visible');
  const shown = await panel.locator('code').textContent();
  await panel.hover();
  await panel.locator('.copy').click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shown);
  expect(await panel.locator('.copy').textContent()).toBe('Copied');
  await page.goto(`${rialto.origin}/docs/${SIGNED}`);
  const next = page.locator('fieldset.tabs').first();
  expect(await next.locator('input:checked').getAttribute('value')).toBe('Python');
});

it('colours follow the system until the reader chooses, and the choice holds', async () => {
  const page = await open('concepts/signing/', { colorScheme: 'dark' });
  expect(await background(page)).toBe(DARK);
  await look(page, 'dark');
  await page.click('.theme');
  expect(await background(page)).toBe(LIGHT);
  await look(page, 'light');
  await page.goto(`${rialto.origin}/docs/`);
  expect(await background(page)).toBe(LIGHT);
  await page.click('.theme');
  expect(await background(page)).toBe(DARK);
  await page.click('.theme');
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await background(page)).toBe(LIGHT);
});

describe.each([
  ['a phone', PHONE],
  ['the smallest phone', SMALL],
])('on %s', (_name, viewport) => {
  it.each([
    '',
    'concepts/signing/',
    SIGNED,
    'errors/3004/',
    'limits/',
    'fa/',
    'operating/limits/',
    'nothing/',
  ])('nobody scrolls sideways, and the heading is in view: %s', async (path) => {
    const page = await open(path, { viewport, hasTouch: true });
    await fits(page);
    const box = await page.locator('h1').boundingBox();
    expect(box?.y).toBeLessThan(viewport.height / 2);
    if (viewport === PHONE) await look(page, `phone-${path.replaceAll('/', '-')}`);
  });

  it('the menu opens over the page, without a script too', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open('concepts/signing/', { viewport, javaScriptEnabled });
      expect(await page.locator('.side').isVisible()).toBe(false);
      await page.click('.menu');
      expect(await page.locator('.side a[aria-current=page]').isVisible()).toBe(true);
      if (viewport === PHONE) await look(page, 'phone-menu');
      await page.click('.side .close');
      expect(await page.locator('.side').isVisible()).toBe(false);
    }
  });
});

it('Persian pages mirror, keep code from left to right, and lead to their sister', async () => {
  const page = await open('fa/start/trader/');
  const place = (selector: string) => page.locator(selector).first().boundingBox();
  const [side, main] = [await place('.side'), await place('main')];
  expect(side?.x).toBeGreaterThan(main?.x ?? Infinity);
  const direction = 'getComputedStyle(document.querySelector("pre")).direction';
  expect(await page.evaluate(direction)).toBe('ltr');
  await look(page, 'persian');
  await page.click('.tools a[hreflang=en]');
  await page.waitForURL(/\/docs\/start\/trader\//);
  expect(await page.locator('html').getAttribute('dir')).toBe('ltr');
});

it('a keyboard reaches the main part first, and sees where it is', async () => {
  const page = await open('concepts/signing/');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.className')).toBe('skip');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  const outline = 'getComputedStyle(document.activeElement).outlineStyle';
  expect(await page.evaluate(outline)).toBe('solid');
});

describe('trying an operation', () => {
  const answered = (page: Page) => page.locator('[data-status]').filter({ hasText: /in \d+ ms/ });
  const block = (page: Page, title: string) =>
    page
      .locator('[data-result] figure', { has: page.locator('figcaption', { hasText: title }) })
      .locator('code');

  async function call(page: Page, fields: Record<string, string>): Promise<string> {
    await page.click('details.try > summary');
    for (const [name, value] of Object.entries(fields)) {
      await page.fill(`details.try [name="${name}"]`, value);
    }
    await page.click('details.try [type=submit]');
    await answered(page).waitFor();
    return (await block(page, 'Answer').textContent()) ?? '';
  }

  it('needs nothing where nothing is needed', async () => {
    const page = await open('trading/public-ping/');
    expect(await call(page, {})).toContain('"status": "true"');
  });

  it.each(['HMAC', 'Ed25519'])(
    'signs in the page with %s, shows the text and the clock',
    async (type) => {
      const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const key =
        type === 'HMAC'
          ? { keyId: hmac.keyId, secret: hmac.secret }
          : { keyId: ed25519, secret: pem.replaceAll('\n', ' ') };
      const page = await open(SIGNED);
      const answer = await call(page, key);
      expect(answer).toContain('"status": "true"');
      expect(await block(page, 'Text that was signed').textContent()).toMatch(/timestamp=\d{13}$/);
      expect(await page.locator('[data-result] .hint').textContent()).toMatch(
        /^Your clock is \d+ ms (ahead of|behind) the server's/,
      );
      await look(page, `try-${type}`);
      // Nothing of the key is stored, sent elsewhere, or in the address.
      const kept =
        'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])';
      const secret = key.secret.slice(30, 60);
      expect(await page.evaluate(kept)).not.toContain(secret);
      expect(await page.locator('[data-result]').textContent()).not.toContain(secret);
    },
  );

  it('remembers the key from page to page, and forgets it when the page is loaded again', async () => {
    const page = await open(SIGNED);
    await call(page, { keyId: hmac.keyId, secret: hmac.secret });
    await page.click('.side a[href*="account-info"]');
    await page.waitForURL(/account-info/);
    await page.locator('h1', { hasText: 'account/info' }).waitFor();
    expect(await call(page, {})).toContain('"status": "true"');
    await page.goBack();
    await page.locator('h1', { hasText: 'account/balances' }).waitFor();
    expect(await call(page, {})).toContain('"status": "true"');
    await page.keyboard.press('Escape');
    await page.fill('#q', '3004');
    await page.locator('.found a').first().waitFor();
    await page.reload();
    await page.click('details.try > summary');
    expect(await page.inputValue('details.try [name=secret]')).toBe('');
    expect(await page.inputValue('details.try [name=keyId]')).toBe('');
  });

  it('is right about a clock that is wrong', async () => {
    const page = await open(SIGNED);
    await page.clock.install({ time: Date.now() - 3_600_000 });
    await page.reload();
    const answer = await call(page, { keyId: hmac.keyId, secret: hmac.secret });
    expect(answer).toContain('"status": "true"');
    const told = await page.locator('[data-result] .hint').textContent();
    const behind = Number(/(\d+) ms behind/.exec(told ?? '')?.[1]);
    expect(behind).toBeGreaterThan(3_500_000);
  });

  it('shows a refusal as it is', async () => {
    const page = await open(SIGNED);
    const answer = await call(page, { keyId: hmac.keyId, secret: 'wrong' });
    expect(answer).toContain('"code": "3004"');
    expect(await page.locator('[data-status]').textContent()).toMatch(/^401 in \d+ ms$/);
  });

  it('says what is missing before it sends anything', async () => {
    const page = await open(SIGNED);
    await page.click('details.try > summary');
    await page.click('details.try [type=submit]');
    expect(await page.locator('[data-result] .problem').textContent()).toContain('give your key');
  });

  it('speaks to the chat with an address and an API key', async () => {
    const page = await open('chat/get-own-user/');
    const [email = '', apiKey = ''] = Buffer.from(person.basic.slice('Basic '.length), 'base64')
      .toString()
      .split(':');
    expect(await call(page, { email, apiKey })).toContain('"result": "success"');
    await look(page, 'try-chat');
  });

  it('gives the same call for curl, without the secret', async () => {
    const page = await open(SIGNED, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.click('details.try > summary');
    await page.fill('details.try [name=keyId]', hmac.keyId);
    await page.fill('details.try [name=secret]', hmac.secret);
    await page.click('[data-curl]');
    await page.locator('[data-status]', { hasText: 'Copied' }).waitFor();
    const curl = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(curl).toContain('-hmac "$SECRET"');
    expect(curl).toContain(`${rialto.origin}/v1/private/account/balances?$TEXT`);
    expect(curl).not.toContain(hmac.secret);
  });
});
