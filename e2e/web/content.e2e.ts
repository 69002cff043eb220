// The content of messages in Chromium, under the client's own content policy: nothing of it runs, nothing of it leaves
// the origin, and every block has its direction. With PICTURES=FOLDER it keeps screenshots.
import { AxeBuilder } from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { render } from '../../server/src/chat/text/markdown/render.ts';
import { readCases, readHostile } from '../../server/src/chat/text/markdown/test-corpus.ts';
import { EXAMPLE_ENV } from '../../server/src/chat/text/markdown/test-env.ts';
import { HOSTILE_TEXTS } from '../../server/src/testing/hostile-texts.ts';
import { MEASURED } from '../../server/src/testing/measured.ts';
import { DIRECTED } from '../../web/src/chat/content/test-directions.ts';
import { literal, openContentPage, ORIGIN, type ContentPage } from './content-page.ts';
import { EVERYTHING } from './everything.ts';
import { HOSTILE_HTML } from './hostile-html.ts';

const PICTURES = process.env['PICTURES'];
const htmlOf = (text: string): string => render(text, EXAMPLE_ENV).html;
/** The folders that pictures and films are loaded from. */
const OWN_FILES = new RegExp(
  `^${ORIGIN}/(?:user_uploads|user_avatars|external_content|static|web/assets)/`,
);

/** Runs in the page: shows messages, touches everything in them, and tells what should not be there. */
const INSPECT = `async (messages) => {
  const wrong = [];
  window.ran = 0;
  harness.show(messages.map((html) => ({ html })));
  for (const button of document.querySelectorAll('[aria-expanded=false]')) button.click();
  await new Promise((resolve) => setTimeout(resolve, 0));
  for (const [index, article] of [...document.querySelectorAll('article')].entries()) {
    const note = (what) => wrong.push(what + ': ' + messages[index].slice(0, 200));
    for (const element of article.querySelectorAll('*')) {
      if (/^(script|iframe|object|embed|style|link|meta|base|form|input|template|foreignobject|use|image|maction)$/i.test(element.tagName)) note(element.tagName);
      for (const { name, value } of element.attributes) {
        if (/^on|^(srcset|srcdoc|poster|ping|autofocus|autoplay|popover|background|formaction|xlink:href)$/i.test(name)) note(name);
        if (/^(href|src)$/.test(name) && !/^(https?:|mailto:|tel:|sms:|[/#])/.test(value)) note(name + ' ' + value);
        if (name === 'style' && /url|position|fixed|expression/i.test(value)) note('style ' + value);
      }
      if (element.tagName === 'BUTTON') continue;
      for (const type of ['mouseover', 'focus', 'click'])
        element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 0));
  if (window.ran > 0) wrong.push('something of these ran: ' + messages.join(' '));
  return wrong;
}`;

let opened: ContentPage;
beforeAll(async () => {
  opened = await openContentPage();
});
afterAll(() => opened.close());
beforeEach(async () => {
  opened.requests.clear();
  opened.complaints.length = 0;
  await opened.call('window.refused.length = 0');
});

const AT_ONCE = 40;
/** Pictures are not there, in a test without a server. */
const MISSING = /ERR_FAILED/;
/** The inert document gave the policy something to refuse: a style element, or a tag too broken to be made neutral. */
const REFUSED = /Applying inline style violates|Executing inline event handler violates/;

async function expectNothing(messages: readonly string[]): Promise<readonly string[]> {
  for (let at = 0; at < messages.length; at += AT_ONCE) {
    const part = messages.slice(at, at + AT_ONCE);
    expect(await opened.call(`(${INSPECT})(${literal(part)})`)).toEqual([]);
  }
  // For what comes late, such as a picture that could not be loaded.
  await opened.page.waitForTimeout(300);
  expect(await opened.call('window.ran')).toBe(0);
  expect([...opened.requests].filter((url) => !OWN_FILES.test(url))).toEqual([]);
  expect(opened.page.url()).toBe(`${ORIGIN}/`);
  return opened.complaints.filter((text) => !MISSING.test(text));
}

describe('hostile content', () => {
  it('is noticed by this test if it does run, and refused by the policy of the page', async () => {
    await opened.call('canary()');
    expect(await opened.call('window.ran')).toBe(1);
    await expect(
      opened.call(`document.createElement('b').setAttribute('onclick', 'canary()')`),
    ).rejects.toThrow(/TrustedScript/);
    await expect(
      opened.call(`new DOMParser().parseFromString('<b>x</b>', 'text/html')`),
    ).rejects.toThrow(/TrustedHTML/);
  });

  it('does nothing when the server rendered it', async () => {
    const texts = [
      ...HOSTILE_TEXTS.map(({ text }) => text),
      ...readHostile().map(({ input }) => input.slice(0, 1000)),
    ];
    expect(texts.length).toBeGreaterThan(1000);
    expect(await expectNothing(texts.map(htmlOf))).toEqual([]);
    // Not even the inert document gave the policy anything to refuse.
    expect(await opened.call('window.refused')).toEqual([]);
  });

  it('does nothing when it comes as HTML that the server would never send', async () => {
    const raw = [...HOSTILE_HTML, ...HOSTILE_TEXTS.map(({ text }) => text)];
    const complaints = await expectNothing(raw);
    expect(complaints.filter((text) => !REFUSED.test(text))).toEqual([]);
    const refused = await opened.call<string[]>('window.refused');
    expect(
      refused.filter((one) => !/^(?:style-src-elem|script-src-attr) inline/.test(one)),
    ).toEqual([]);
  });
});

describe('every message of the corpus', () => {
  it('is shown whole, without a notice', async () => {
    const unknown = await opened.call(
      `${literal(readCases().map(({ html }) => html))}.filter((html) => {
        harness.show([{ html }]);
        return document.querySelector('[data-unknown]') !== null;
      })`,
    );
    expect(unknown).toEqual([]);
    expect(opened.complaints.filter((text) => !MISSING.test(text))).toEqual([]);
  });

  it('is read in little more time than its HTML is parsed', MEASURED, async () => {
    const pages = readCases().map(({ html }) => html);
    const hundred = Array.from({ length: 100 }, (_, index) => pages[index % pages.length]);
    const { own, plain } = await opened.call<{ own: number; plain: number }>(
      `harness.measure(${literal(hundred)})`,
    );
    console.log(
      `100 messages: ${own.toFixed(1)} ms to nodes, ${plain.toFixed(1)} ms for the browser's parser alone (${(own / plain).toFixed(2)} times)`,
    );
    expect(own / plain).toBeLessThan(4);
  });
});

describe('directions', () => {
  it.each(['en', 'fa'])('are per block and line, in a page in %s', async (language) => {
    for (const { text, sides } of DIRECTED) {
      const found = await opened.call<string[]>(`(() => {
        harness.show([{ html: ${literal(htmlOf(text))} }], { language: '${language}' });
        for (const button of document.querySelectorAll('[aria-expanded=false]')) button.click();
        return new Promise((resolve) => setTimeout(() => resolve(
          [...document.querySelectorAll('article :is(p, [role=heading], th, td, li > div, .content-blocks > div:not([role], [class]), span.block)')]
            .filter((one) => one.querySelector('span.block') === null)
            .map((one) => getComputedStyle(one).direction)), 0));
      })()`);
      const page = language === 'fa' ? 'rtl' : 'ltr';
      expect(found, text).toEqual(sides.map((side) => side ?? page));
    }
  });

  it('are from left to right in code, formulas and addresses', async () => {
    const html = htmlOf('سلام `code` و $$x$$ و https://example.com/a\n```\ncode\n```');
    await opened.call(`harness.show([{ html: ${literal(html)} }], { language: 'fa' })`);
    const found = await opened.call(
      `[...document.querySelectorAll('article :is(code, math, a, pre)')].map((one) => getComputedStyle(one).direction)`,
    );
    expect(new Set(found as string[])).toEqual(new Set(['ltr']));
  });
});

describe('a reader', () => {
  it('opens conversations inside the client, and other pages outside of it', async () => {
    const html = htmlOf('#**general>Lunch** and https://example.com/');
    await opened.call(`harness.show([{ html: ${literal(html)} }])`);
    await opened.page.locator('article a').first().click();
    expect(await opened.call('harness.opened.at(-1)')).toBe(
      '#narrow/channel/9/topic/Lunch/with/214',
    );
    const outside = opened.page.locator('article a').last();
    expect(await outside.getAttribute('rel')).toContain('noopener noreferrer');
    expect(await outside.getAttribute('target')).toBe('_blank');
    expect(opened.page.url()).toBe(`${ORIGIN}/`);
  });

  it('sees a spoiler on asking, and loads nothing of it before', async () => {
    const html = htmlOf('```spoiler Look\nhttps://example.com/cat.png\n```');
    await opened.call(`harness.show([{ html: ${literal(html)} }])`);
    expect(opened.requests.size).toBe(0);
    const button = opened.page.getByRole('button', { name: 'Show spoiler' });
    await button.focus();
    await opened.page.keyboard.press('Enter');
    await expect.poll(() => opened.requests.size).toBe(1);
    await opened.page.getByRole('button', { name: 'Hide spoiler' }).waitFor();
  });

  it('votes, and adds to a poll', async () => {
    const submessages = [
      {
        id: 1,
        senderId: 1,
        type: 'widget',
        content: JSON.stringify({
          widget_type: 'poll',
          extra_data: { question: 'Where?', options: ['Roof', 'Bar'] },
        }),
      },
    ];
    await opened.call(
      `harness.show([{ html: '<p>/poll</p>', submessages: ${literal(submessages)} }])`,
    );
    await opened.page.getByRole('button', { name: 'Bar' }).click();
    await opened.page.getByRole('textbox', { name: 'New option' }).fill('Park');
    await opened.page.keyboard.press('Enter');
    await expect
      .poll(() => opened.call('harness.sent'))
      .toEqual([
        '{"type":"vote","key":"canned,1","vote":1}',
        '{"type":"new_option","idx":1,"option":"Park"}',
      ]);
  });
});

describe('a page of everything', () => {
  it.each(
    (['dark', 'light'] as const).flatMap((theme) =>
      (['en', 'fa'] as const).flatMap((language) =>
        [1000, 390].map((width) => ({ theme, language, width })),
      ),
    ),
  )('is accessible and fits: $theme $language $width', async ({ theme, language, width }) => {
    opened.answerPictures = true;
    await opened.page.setViewportSize({ width, height: 900 });
    await opened.call(`harness.show(${literal(EVERYTHING)}, ${literal({ theme, language })})`);
    // Pictures are loaded when they come near the screen.
    await opened.call(`document.images.length && [...document.images].at(-1).scrollIntoView()`);
    await expect
      .poll(() => opened.call(`[...document.images].every((one) => one.complete)`), {
        timeout: 10_000,
      })
      .toBe(true);
    expect(
      await opened.call('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
    const { violations } = await new AxeBuilder({ page: opened.page })
      .include('article')
      .setLegacyMode(true)
      .analyze();
    expect(
      violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
        ),
    ).toEqual([]);
    expect(opened.complaints).toEqual([]);
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    const path = join(PICTURES, `content-${theme}-${language}-${width}.png`);
    await opened.page.screenshot({ path, fullPage: true });
  });
});
