// The components in a real browser, under the content policy that the client gets.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../browser.ts';
import { seriousFindings } from './axe.ts';
import { openGallery, type Gallery } from './gallery.ts';

type Language = 'en' | 'fa';

let gallery: Gallery;
let browser: Browser;
/** One page for each language, opened once: opening is what takes long. */
const pages = new Map<Language, Page>();
/** What the browser complained about: errors of scripts, and everything that the content policy refused. */
const complaints: string[] = [];

beforeAll(async () => {
  [gallery, browser] = await Promise.all([openGallery(), openBrowser()]);
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  for (const language of ['en', 'fa'] as const) {
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(`${gallery.url}?language=${language}`);
    await section(page, 'icons').waitFor();
    await page.evaluate(() => document.fonts.ready);
    pages.set(language, page);
  }
});

afterEach(() => {
  expect(complaints.splice(0)).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  await gallery?.close();
});

interface Look {
  language?: Language;
  theme?: 'dark' | 'light';
  density?: 'comfortable' | 'compact';
  palette?: 'classic' | 'colour-blind' | 'red-up' | 'monochrome';
  width?: number;
}

/** The page of a language in a look. The page's attributes are all that a look is. */
async function show(look: Look = {}): Promise<Page> {
  const { language = 'en', width = 1280, ...rest } = look;
  const page = pages.get(language);
  if (page === undefined) throw new Error('The gallery was not opened.');
  await page.bringToFront();
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate((attributes) => Object.assign(document.documentElement.dataset, attributes), {
    theme: 'dark',
    density: 'comfortable',
    palette: 'classic',
    ...rest,
  });
  // Colours change with the next frame.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  return page;
}

const section = (page: Page, name: string) => page.locator(`[data-section="${name}"]`);

test.each([
  { theme: 'dark', language: 'en', palette: 'classic', density: 'comfortable' },
  { theme: 'light', language: 'fa', palette: 'colour-blind', density: 'compact' },
  { theme: 'dark', language: 'fa', palette: 'red-up', density: 'compact' },
  { theme: 'light', language: 'en', palette: 'monochrome', density: 'comfortable' },
] as const)("Nothing is out of anybody's reach: %j.", async (look) => {
  expect(await seriousFindings(await show(look))).toEqual([]);
});

test('Nor is anything in a dialog.', async () => {
  const page = await show({ language: 'fa', theme: 'light' });
  await section(page, 'overlays').getByRole('button').nth(2).click();
  await page.getByRole('alertdialog').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
});

test('The content policy is in force: no HTML but the empty one passes.', async () => {
  const write = (html: string) =>
    `document.createElement('div').innerHTML = ${JSON.stringify(html)}`;
  const page = await show();
  expect(await page.evaluate(write(''))).toBe('');
  await expect(page.evaluate(write('<b>x</b>'))).rejects.toThrow('TrustedHTML');
  expect(complaints.splice(0).join()).toContain('TrustedHTML');
});

test.each(['en', 'fa'] as const)(
  'A page of 320 or 390 pixels is not wider than its window, and a finger finds 44 pixels: %s.',
  async (language) => {
    for (const width of [320, 390]) {
      const page = await show({ language, width, density: 'compact' });
      const found = await page.evaluate(() => {
        const targets = [
          ...document.querySelectorAll('main button, main a, main input, main label'),
        ]
          .filter((element) => element.closest('[aria-hidden="true"], .sr-only') === null)
          // What is inside a label is touched by its label; the label of a text field is no target.
          .filter((element) =>
            element instanceof HTMLLabelElement
              ? element.querySelector('input') !== null
              : element.closest('label') === null,
          )
          .map((element) =>
            element instanceof HTMLInputElement ? element.parentElement : element,
          );
        return {
          width: document.documentElement.scrollWidth,
          small: targets.flatMap((element) => {
            const { width, height } = element?.getBoundingClientRect() ?? { width: 0, height: 0 };
            return width > 0 && height < 43.5
              ? [`${element?.outerHTML.slice(0, 150)} ${height}`]
              : [];
          }),
        };
      });
      expect(found).toEqual({ width, small: [] });
    }
  },
);

/** What has a place of its own, whatever the text: parts, columns, boxes of fields, marks at their edges. */
const PLACED = [
  'main',
  '[data-section]',
  '[data-section="in-use"] > *',
  '[data-section="in-use"] nav [data-icon]',
  '[data-section="in-use"] article > span',
  '[data-section="fields"] input:not([aria-hidden] *)',
  '[data-section="fields"] textarea',
  '[data-section="fields"] [data-icon="chevronDown"]',
  '[data-section="fields"] [data-icon="search"]',
  '[data-section="choices"] label > span.shrink-0',
  '[data-section="notices"] [role="status"]',
  '[data-section="notices"] [role="status"] > [data-icon]',
  '[data-section="notices"] [role="status"] [data-icon="close"]',
  '[data-section="states"] > div > div',
  '[data-section="tables"] [role="region"]',
  '[data-section="people"] > div:first-of-type > span',
] as const;

async function placesIn(language: Language): Promise<Record<string, [number, number][]>> {
  const page = await show({ language });
  return page.evaluate((selectors) => {
    const width = document.documentElement.clientWidth;
    const isMirrored = document.documentElement.dir === 'rtl';
    const placesOf = (selector: string) =>
      [...document.querySelectorAll(selector)]
        .filter((element) => element.closest('[data-no-mirror]') === null)
        .map((element): [number, number] => {
          const { left, right } = element.getBoundingClientRect();
          return isMirrored ? [width - right, width - left] : [left, right];
        });
    return Object.fromEntries(selectors.map((selector) => [selector, placesOf(selector)]));
  }, PLACED);
}

test('The Persian page is the mirror of the English one.', async () => {
  const [english, persian] = [await placesIn('en'), await placesIn('fa')];
  for (const selector of PLACED) {
    const [ours = [], theirs = []] = [english[selector], persian[selector]];
    expect(ours.length, selector).toBeGreaterThan(0);
    expect(theirs.length, selector).toBe(ours.length);
    for (const [index, [start, end]] of ours.entries()) {
      const [otherStart = NaN, otherEnd = NaN] = theirs[index] ?? [];
      const off = Math.max(Math.abs(start - otherStart), Math.abs(end - otherEnd));
      expect(off, `${selector} ${index}`).toBeLessThanOrEqual(1);
    }
  }
});

test('Icons that point along the line turn around, others do not.', async () => {
  const turnedIn = async (language: Language) =>
    section(await show({ language }), 'icons').evaluate((part) =>
      [...part.querySelectorAll<SVGElement>('[data-icon]')]
        .filter((icon) => getComputedStyle(icon).scale.startsWith('-1'))
        .map((icon) => icon.dataset['icon']),
    );
  expect(await turnedIn('en')).toEqual([]);
  const persian = await turnedIn('fa');
  expect(persian).toEqual(expect.arrayContaining(['back', 'forward', 'reply', 'send', 'topic']));
  for (const name of ['clock', 'check', 'search', 'chart', 'triangleUp'])
    expect(persian).not.toContain(name);
});

test('The keyboard reaches every control, and each shows where it is.', async () => {
  const page = await show();
  const count = await page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button:not([disabled]), input:not([disabled]), textarea, [tabindex="0"]',
    );
    const controls = [...all].filter(
      (element) =>
        element.closest('[aria-hidden="true"]') === null &&
        // Of radio buttons and tabs, one stands for its group.
        !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked) &&
        !(element.role === 'tab' && element.ariaSelected !== 'true'),
    );
    for (const [index, element] of controls.entries()) element.dataset['reach'] = String(index);
    return controls.length;
  });
  expect(count).toBeGreaterThan(60);
  const unseen: string[] = [];
  // Twice more: at the end the focus leaves the page and comes back at its beginning.
  for (let press = 0; press < count + 2; press += 1) {
    await page.keyboard.press('Tab');
    const withoutRing = await page.evaluate(() => {
      const active = document.activeElement;
      if (!(active instanceof HTMLElement) || active === document.body) return undefined;
      delete active.dataset['reach'];
      const inLabel = active.closest('label')?.querySelectorAll('*') ?? [];
      const hasRing = [active, active.parentElement, ...inLabel].some((element) => {
        if (element === null) return false;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
      });
      return hasRing ? undefined : active.outerHTML.slice(0, 150);
    });
    if (withoutRing !== undefined) unseen.push(withoutRing);
  }
  expect(unseen).toEqual([]);
  const missed = await page
    .locator('[data-reach]')
    .evaluateAll((all) => all.map((element) => element.outerHTML.slice(0, 150)));
  expect(missed).toEqual([]);
});

test('Menus and dialogs open by keys, keep the focus and give it back.', async () => {
  const page = await show({ language: 'fa' });
  const openers = section(page, 'overlays').getByRole('button');
  const hasFocus = (index: number) =>
    openers.nth(index).evaluate((opener) => opener === document.activeElement);
  const focused = () =>
    page.evaluate(() => document.activeElement?.role ?? document.activeElement?.tagName);
  await openers.nth(0).focus();
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('menuitem');
  await page.keyboard.press('Escape');
  await expect.poll(() => hasFocus(0)).toBe(true);

  await openers.nth(2).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog');
  const act = dialog.getByRole('button').last();
  await expect.poll(focused).toBe('INPUT');
  expect(await act.isDisabled()).toBe(true);
  await page.keyboard.type('btcusdt');
  expect(await act.isDisabled()).toBe(false);
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  }
  expect(await page.evaluate(() => document.getAnimations().length), 'no motion').toBe(0);
  await page.keyboard.press('Escape');
  await expect.poll(() => hasFocus(2)).toBe(true);
});

test('A field of decimals takes the digits of both languages and asks about a comma.', async () => {
  const page = await show();
  const fields = section(page, 'fields');
  const price = fields.getByLabel('Price');
  const shown = async (text: string) => {
    await price.fill(text);
    await price.blur();
    return price.inputValue();
  };
  expect(await shown('۶۴٬۲۱۱٫۵')).toBe('64,211.5');
  expect(await shown('64,210.50 USDT')).toBe('64,210.50');
  expect(await shown('1,25')).toBe('1,25');
  await fields.getByRole('button', { name: 'Use 1.25' }).click();
  await expect.poll(() => price.inputValue()).toBe('1.25');
  expect(await shown('1e5')).toBe('1e5');
  expect(await price.getAttribute('aria-invalid')).toBe('true');
});

test.each(['en', 'fa'] as const)(
  'Up and down are told apart without colour: %s.',
  async (language) => {
    const page = await show({ language, palette: 'monochrome' });
    const changes = await page.locator('[data-change]').evaluateAll((all) =>
      all.map((change) => ({
        way: change.getAttribute('data-change') ?? '',
        icon: change.querySelector('[data-icon]')?.getAttribute('data-icon'),
        sign: change.textContent.slice(0, 1),
      })),
    );
    expect(new Set(changes.map(({ way }) => way)).size).toBe(3);
    for (const { way, icon, sign } of changes) {
      expect(icon).toBe({ up: 'triangleUp', down: 'triangleDown' }[way]);
      if (way !== 'none') expect(sign).toBe(way === 'up' ? '+' : '−');
    }
  },
);
