// The page of web/src/chat/content/harness.tsx in Chromium, under the policy that the client is served with: no script
// or style in HTML, no string that becomes HTML, nothing of another origin.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { openBrowser } from '../browser.ts';

const WEB = fileURLToPath(new URL('../../web', import.meta.url));
export const ORIGIN = 'https://chat.example';
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types content default',
].join('; ');
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  woff2: 'font/woff2',
};
/** A grey picture, for everything that our server would send. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#789"/><circle cx="400" cy="300" r="150" fill="#cde"/></svg>';

export interface ContentPage {
  readonly page: Page;
  /** Addresses that the page asked for, besides its own files. */
  readonly requests: Set<string>;
  /** What the console said of errors, and what the policy refused. */
  readonly complaints: string[];
  /** Pictures answer only if a test wants to see them. */
  answerPictures: boolean;
  call<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

export async function openContentPage(): Promise<ContentPage> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-content-'));
  await build({
    root: WEB,
    configFile: join(WEB, 'vite.config.ts'),
    mode: 'part',
    logLevel: 'error',
    build: {
      outDir: folder,
      rolldownOptions: {
        // Beside the pages of the client, which the configuration names.
        input: { harness: join(WEB, 'src/chat/content/harness.tsx') },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  const styles = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.css'));
  const links = styles.map((name) => `<link rel="stylesheet" href="/assets/${name}">`).join('');
  const body = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">${links}<div id="root"></div><script type="module" src="/harness.js"></script>`;
  const browser: Browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  const opened: ContentPage = {
    page,
    requests: new Set(),
    complaints: [],
    answerPictures: false,
    call: (expression) => page.evaluate(expression),
    async close() {
      await browser.close();
      await rm(folder, { recursive: true });
    },
  };
  page.on('console', (message) => {
    if (message.type() === 'error') opened.complaints.push(message.text());
  });
  page.on('pageerror', (error) => opened.complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    opened.complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(`
    window.ran = 0;
    window.canary = () => { window.ran += 1; };
    window.refused = [];
    for (const name of ['alert', 'confirm', 'prompt', 'open']) window[name] = window.canary;
    addEventListener('securitypolicyviolation', (event) => window.refused.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
    addEventListener('click', (event) => event.preventDefault());
  `);
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    if (url.href === `${ORIGIN}/`) {
      const headers = { 'content-type': 'text/html', 'content-security-policy': POLICY };
      return route.fulfill({ headers, body });
    }
    if (url.origin === ORIGIN && /^\/(?:harness\.js$|assets\/)/.test(url.pathname)) {
      const contentType = TYPES[url.pathname.split('.').at(-1) ?? ''] ?? 'text/plain';
      return route.fulfill({ contentType, body: readFileSync(join(folder, url.pathname)) });
    }
    opened.requests.add(url.href);
    return opened.answerPictures && url.origin === ORIGIN
      ? route.fulfill({ contentType: 'image/svg+xml', body: PICTURE })
      : route.abort();
  });
  await page.goto(`${ORIGIN}/`);
  // Modules run before the page is loaded, which `goto` waits for.
  if ((await page.evaluate('typeof harness')) === 'undefined') {
    await opened.close();
    throw new Error(`The harness did not start: ${opened.complaints.join('; ')}`);
  }
  return opened;
}

/** A value as an expression of the page. */
export const literal = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
