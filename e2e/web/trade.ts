// The trade view as a person uses it: its form, and what stands below the chart.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

export interface TradeView {
  form(): Locator;
  account(): Locator;
  field(name: string): Locator;
  /** What asks before an act. */
  review(): Locator;
  /** The order that was sent last, with its true state. */
  latest(): Locator;
  /** Waits until the streams have begun: the form knows then what is available. */
  isReady(): Promise<void>;
  write(fields: Readonly<Record<string, string>>): Promise<void>;
  choose(label: string, option: string): Promise<void>;
  /** Goes on by Tab until what has the focus is named so. */
  tabTo(name: RegExp): Promise<void>;
  /** Sends what the form holds, by keys alone. */
  placeByKeys(): Promise<void>;
}

const TABS_MAX = 120;

export function tradeView(page: Page): TradeView {
  const form = () => page.getByRole('region', { name: 'Place an order' });
  const field = (name: string) => form().getByRole('textbox', { name, exact: true });
  const review = () => page.getByRole('alertdialog');
  async function tabTo(name: RegExp): Promise<void> {
    for (let presses = 0; presses < TABS_MAX; presses += 1) {
      const named = await page.evaluate(() => {
        const { activeElement: now } = document;
        return now?.getAttribute('aria-label') ?? now?.textContent ?? '';
      });
      if (name.test(named)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${String(name)}.`);
  }
  return {
    form,
    field,
    review,
    tabTo,
    account: () => page.getByRole('region', { name: 'Your account' }),
    latest: () => form().getByRole('listitem').first(),
    async isReady() {
      await form().waitFor();
      const max = form().getByRole('button', { name: 'Max' });
      await expect.poll(() => max.isEnabled()).toBe(true);
    },
    async write(fields) {
      for (const [name, value] of Object.entries(fields)) await field(name).fill(value);
    },
    async choose(label, option) {
      await form().getByRole('combobox', { name: label }).selectOption({ label: option });
    },
    async placeByKeys() {
      await page.keyboard.press('Control+Enter');
      await review().waitFor();
      // On a busy machine prices pause, and a market order then needs one consent more.
      const stale = review().getByRole('checkbox');
      if ((await stale.count()) > 0) {
        await stale.focus();
        await page.keyboard.press('Space');
      }
      await tabTo(/^(?:Buy|Sell) /u);
      await page.keyboard.press('Enter');
      await review().waitFor({ state: 'detached' });
    },
  };
}
