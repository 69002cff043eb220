// Files in the client, against the demo: one that was cut goes on where it was, and one whose draft was left ends up there.
import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { meetCompany, visit, type Company } from './client.ts';
import { openStage } from './stage.ts';

const SLOW = { timeout: 60_000 };
const MIB = 1024 * 1024;
const FILE = { name: 'ten.bin', mimeType: 'application/octet-stream', buffer: bytesOf(10 * MIB) };

let page: Page;
let company: Company;

const stage = openStage(async () => {
  company = await meetCompany(stage);
  for (const topic of ['files', 'elsewhere']) {
    const { channelId: to, colleague } = company;
    await colleague.sendMessage({ type: 'channel', to, topic, content: `Here is ${topic}.` });
  }
  // A file in pieces would pass a service worker unseen by the test.
  ({ page } = await visit(stage, '/inbox', { serviceWorkers: 'block' }));
  page.setDefaultTimeout(SLOW.timeout);
});

/** Nothing that a proxy could shorten. */
function bytesOf(length: number): Buffer {
  let seed = 7;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed & 255;
    }),
  );
}

async function goTo(topic: string): Promise<void> {
  await page.evaluate((href) => {
    location.href = href;
  }, company.addressOf(topic));
  await page.locator('article', { hasText: `Here is ${topic}.` }).waitFor();
}

const text = () => page.locator('[data-compose]').inputValue();
const attach = () => page.locator('[data-compose-area] input[type=file]').setInputFiles(FILE);
const PIECES = '**/api/v1/tus/**';

interface Piece {
  readonly at: number;
  readonly bytes: number;
}

/** Notes the pieces that go to the server, and holds or cuts those that a test chooses. */
async function watchPieces(
  decide: (piece: Piece) => 'pass' | 'cut' | Promise<void>,
): Promise<Piece[]> {
  const passed: Piece[] = [];
  await page.route(PIECES, async (route: Route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.continue();
    const at = Number(await request.headerValue('upload-offset'));
    const piece = { at, bytes: request.postDataBuffer()?.length ?? 0 };
    const decision = decide(piece);
    if (decision === 'cut') return route.abort('connectionreset');
    if (decision !== 'pass') await decision;
    passed.push(piece);
    return route.continue();
  });
  return passed;
}

it('a file that is cut at nine tenths goes on there (row 20)', async () => {
  await goTo('files');
  let cuts = 0;
  const passed = await watchPieces(({ at }) => {
    if (at < 9 * MIB || cuts >= 2) return 'pass';
    cuts += 1;
    return 'cut';
  });
  await attach();
  await expect.poll(text, SLOW).toMatch(/^\[ten\.bin\]\(\/user_uploads\/[^)]+\)\n$/);
  expect(cuts).toBe(2);
  expect(passed.map(({ at }) => at)).toEqual(Array.from({ length: 10 }, (_value, at) => at * MIB));
  await page.unroute(PIECES);
  // What arrived is what was sent.
  const path = /\((\/user_uploads\/[^)]+)\)/.exec(await text())?.[1] ?? '';
  const size = await page.evaluate(
    async (address) => (await (await fetch(address)).arrayBuffer()).byteLength,
    path,
  );
  expect(size).toBe(FILE.buffer.length);
  await page.locator('[data-compose]').fill('');
}, 180_000);

it('a file whose draft was left ends up in that draft, and the other text can be sent (row 11)', async () => {
  await goTo('files');
  const gate = Promise.withResolvers<void>();
  await watchPieces(({ at }) => (at >= 5 * MIB ? gate.promise : 'pass'));
  await page.locator('[data-compose]').fill('The figures:\n');
  await attach();
  await page.getByRole('list', { name: 'Files' }).waitFor();
  await goTo('elsewhere');
  // Both stay where they were meant for.
  expect(await text()).toContain('The figures:');
  await page.getByRole('button', { name: 'Write here instead' }).click();
  await expect.poll(text, SLOW).toBe('');
  expect(await page.getByRole('list', { name: 'Files' }).count()).toBe(0);
  await page.locator('[data-compose]').fill('Something else meanwhile.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('article', { hasText: 'Something else meanwhile.' }).waitFor();
  gate.resolve();
  await goTo('files');
  await expect.poll(text, SLOW).toMatch(/^The figures:\n\[ten\.bin\]\(\/user_uploads\/[^)]+\)\n$/);
  await page.unroute(PIECES);
}, 180_000);
