// All pictures of a language and a theme on one sheet: a row of desktops, tablets and phones for each screen.
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { DEVICES, type Look, type Picture } from './pictures.ts';

/** How large a picture is on the sheet. */
const SCALE = 0.24;

export async function makeSheet(
  browser: Browser,
  pictures: readonly Picture[],
  { folder, file }: { readonly folder: string; readonly file: string },
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1500, height: 800 } });
  await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  await page.setContent(renderSheet(pictures, folder));
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  await page.screenshot({ path: file, type: 'jpeg', quality: 70, fullPage: true });
  await page.close();
}

export function renderSheet(pictures: readonly Picture[], folder: string): string {
  const screens = [...new Set(pictures.map(({ screen }) => screen))];
  const card = (screen: string): string => {
    const images = pictures.filter((one) => one.screen === screen).map((one) => image(one, folder));
    return `<figure><div>${images.join('')}</div><figcaption>${screen}</figcaption></figure>`;
  };
  return `<!doctype html><style>${STYLE}</style><main>${screens.map(card).join('')}</main>`;
}

function image({ file, look }: Picture, folder: string): string {
  const { width, height } = sizeOf(look);
  const address = pathToFileURL(join(folder, file)).href;
  return `<img src="${address}" width="${width}" height="${height}" alt="">`;
}

const sizeOf = ({ device }: Look): { width: number; height: number } => ({
  width: Math.round(DEVICES[device].width * SCALE),
  height: Math.round(DEVICES[device].height * SCALE),
});

const STYLE = `
  body { margin: 0; background: #3a4048; font: 13px system-ui, sans-serif; color: #fff }
  main { display: flex; flex-wrap: wrap; gap: 14px; padding: 14px }
  figure { margin: 0 }
  figure div { display: flex; gap: 6px; align-items: flex-start }
  figcaption { padding-top: 4px }
`;
