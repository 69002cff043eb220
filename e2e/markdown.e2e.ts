// Renders hostile messages in a real browser: nothing runs, nothing unrequested is fetched, and the
// parsed document is what was written.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { diffHtml } from '../server/src/chat/text/markdown/diff.ts';
import { render } from '../server/src/chat/text/markdown/render.ts';
import { readCases, readHostile } from '../server/src/chat/text/markdown/test-corpus.ts';
import { EXAMPLE_ENV } from '../server/src/chat/text/markdown/test-env.ts';
import { openBrowser } from './browser.ts';

interface Verdict {
  readonly ran: number;
  readonly handlers: string[];
  readonly schemes: string[];
  readonly reparsed: string;
}

// Runs in the page. Each message is inserted into the document as a client would, everything in it
// is clicked, hovered and focused, and then the canary is counted.
const PAGE = `<!doctype html><meta charset="utf-8"><body><div id="message"></div><script>
  window.ran = 0;
  window.canary = () => { window.ran += 1; };
  for (const name of ['alert', 'confirm', 'prompt']) window[name] = window.canary;
  addEventListener('click', (event) => event.preventDefault(), true);
  window.show = async (html) => {
    const box = document.getElementById('message');
    window.ran = 0;
    box.innerHTML = html;
    const handlers = [], schemes = new Set();
    for (const element of box.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) handlers.push(element.tagName + ' ' + name);
        if (name === 'style' && /url\\(|expression/i.test(value) && !/^background-image: url\\("https?:/.test(value))
          handlers.push(element.tagName + ' style ' + value);
      }
      if (/^(script|iframe|object|embed|style|link|meta|base|form|input|button|template)$/i.test(element.tagName))
        handlers.push(element.tagName);
      if (element.href !== undefined && element.getAttribute('href') !== null) schemes.add(new URL(element.href, location).protocol);
      if (element.src) schemes.add(new URL(element.src, location).protocol);
      for (const type of ['mouseover', 'focus', 'click'])
        element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { ran: window.ran, handlers, schemes: [...schemes], reparsed: box.innerHTML };
  };
</script>`;

const ORIGIN = 'https://chat.example';
const SAFE = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:']);
/**
 * Repetitive texts are dangerous for their cost, which is measured elsewhere: a part is enough
 * here.
 */
const hostile = readHostile().map(({ input }) => input.slice(0, 1000));

describe('in a browser', () => {
  let browser: Browser;
  let page: Page;
  const requests = new Set<string>();
  const dialogs: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    // No network: our page is answered here, and every other request is only recorded.
    await page.route('**/*', async (route) => {
      if (route.request().url() === `${ORIGIN}/`)
        return route.fulfill({ contentType: 'text/html', body: PAGE });
      requests.add(route.request().url());
      return route.abort();
    });
    await page.goto(`${ORIGIN}/`);
  });
  afterAll(() => browser.close());

  const show = (html: string): Promise<Verdict> =>
    page.evaluate(`show(${JSON.stringify(html).replaceAll('<', '\\u003c')})`) as Promise<Verdict>;

  it('the canary fires when something does run', async () => {
    expect((await show('<img src="x" onerror="canary()">')).handlers).toEqual(['IMG onerror']);
    await expect.poll(() => page.evaluate('window.ran')).toBeGreaterThan(0);
    expect((await show('<a href="javascript:canary()">x</a>')).schemes).toEqual(['javascript:']);
    expect((await show('<b onclick="canary()">x</b>')).ran).toBeGreaterThan(0);
  });

  it('nothing of the hostile corpus runs, in a message or in its edit history', async () => {
    requests.clear();
    expect(hostile.length).toBeGreaterThanOrEqual(200);
    for (const input of hostile) {
      const { html } = render(input, EXAMPLE_ENV);
      for (const shown of [
        html,
        diffHtml(html, `<p>edited</p>`),
        diffHtml('<p>edited</p>', html),
      ]) {
        const verdict = await show(shown);
        const what = input.slice(0, 200);
        expect(verdict.ran, what).toBe(0);
        expect(verdict.handlers, what).toEqual([]);
        expect(
          verdict.schemes.filter((scheme) => !SAFE.has(scheme)),
          what,
        ).toEqual([]);
      }
    }
    expect(dialogs).toEqual([]);
    expect(page.url()).toBe(`${ORIGIN}/`);
    // Waits for late handlers, for instance of pictures that could not be loaded.
    await page.waitForTimeout(500);
    expect(await page.evaluate('window.ran')).toBe(0);
    // Only preview pictures were requested; nothing else that the author chose.
    const others = [...requests].filter(
      (url) =>
        !/\.(?:png|jpe?g|gif|webp|svg|mp3|mp4)$|\/external_content\/[0-9a-f]{64}\/[0-9a-f]+$/.test(
          url,
        ) || !url.startsWith(`${ORIGIN}/`),
    );
    expect(others).toEqual([]);
  });

  it('every message is parsed into what was written: parsing it again changes nothing', async () => {
    for (const { input, html } of readCases()) {
      const { reparsed } = await show(html);
      expect((await show(reparsed)).reparsed, input).toBe(reparsed);
      // The browser adds nothing and moves nothing: the same tags in the same order.
      const tags = (text: string) => text.match(/<\/?[a-z0-9]+/gi);
      expect(tags(reparsed), input).toEqual(tags(html));
    }
  });
});
