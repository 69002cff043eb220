// The book on the screen: what its rows say, how often they are painted, and whether it is the server's.
import type { Depth } from '@rialto/sdk';
import type { Page } from 'playwright-core';

export interface ShownLevel {
  readonly price: string;
  readonly volume: string;
}

/** What the rows say, best first, as plain decimals. */
export const readRows = (page: Page, side: 'bids' | 'asks'): Promise<ShownLevel[]> =>
  page.evaluate((wanted) => {
    const rows = [...document.querySelectorAll<HTMLElement>(`[data-side="${wanted}"]`)]
      .filter((row) => !row.hidden)
      .sort((a, b) => Number(a.dataset['row']) - Number(b.dataset['row']));
    const plain = (row: HTMLElement, part: string) =>
      [...row.querySelectorAll(`[data-part^="${part}"]`)]
        .map((one) => one.textContent)
        .join('')
        .replaceAll(',', '');
    return rows.map((row) => ({ price: plain(row, 'price'), volume: plain(row, 'volume') }));
  }, side);

/** Undefined where the address has asked often enough for now. */
async function readDepth(page: Page, symbol: string): Promise<Depth | undefined> {
  const { status, text } = await page.evaluate(async (name) => {
    const answer = await fetch(`/v1/public/depth?symbol=${name}`);
    return { status: answer.status, text: await answer.text() };
  }, symbol);
  if (status === 429) return undefined;
  if (status !== 200) throw new Error(`The depth was refused with ${status}: ${text}`);
  return (JSON.parse(text) as { result: Depth }).result;
}

/** What differs between the rows and the server's book; empty if nothing does, undefined if the server did not say. */
export async function differsFromDepth(page: Page, symbol: string): Promise<string | undefined> {
  const [bids, asks] = await Promise.all([readRows(page, 'bids'), readRows(page, 'asks')]);
  const depth = await readDepth(page, symbol);
  if (depth === undefined) return undefined;
  if (bids.length < 3) return `only ${bids.length} bids are shown`;
  const differs = (side: string, shown: readonly ShownLevel[], own: readonly ShownLevel[]) =>
    shown.flatMap(({ price, volume }, row) => {
      const real = own[row];
      return price === real?.price && volume === real.volume
        ? []
        : [`${side} ${row}: ${volume} at ${price}, really ${real?.volume} at ${real?.price}`];
    });
  const all = [...differs('bid', bids, depth.bids), ...differs('ask', asks, depth.asks)];
  return all.length === 0 ? '' : `${all.length} rows, first ${all[0]}`;
}

/** Counts the frames in which rows changed, for so long. */
export const countPaints = (page: Page, ms: number): Promise<number> =>
  page.evaluate(
    (until) =>
      new Promise<number>((resolve) => {
        const seen = new Set<number>();
        let frame = 0;
        let isOn = true;
        const count = () => {
          frame += 1;
          if (isOn) requestAnimationFrame(count);
        };
        requestAnimationFrame(count);
        const watch = new MutationObserver(() => seen.add(frame));
        for (const row of document.querySelectorAll('[data-row]')) {
          watch.observe(row, { characterData: true, subtree: true });
        }
        setTimeout(() => {
          isOn = false;
          watch.disconnect();
          resolve(seen.size);
        }, until);
      }),
    ms,
  );
