// A large upload over a bad connection, and uploaded files that try to run as programs.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { examplePerson, type Person } from '../server/src/testing/example.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import { openBrowser } from './browser.ts';
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts';

const MEBIBYTE = 1024 * 1024;
const FILE_BYTES = 200 * MEBIBYTE;
const CUTS = 5;

let deployment: TestDeployment;
let server: RialtoProcess;
let proxy: FaultProxy;
let ada: Person;

beforeAll(async () => {
  deployment = await startDeployment({
    CHAT_RATE_LIMIT: '100000',
    CHAT_RATE_LIMIT_ANONYMOUS: '100000',
    MAX_FILE_UPLOAD_SIZE_MIB: '300',
  });
  server = await startRialtoProcess('api,relay', deployment.environment);
  proxy = await startFaultProxy({ host: '127.0.0.1', port: server.port });
  ada = await examplePerson(deployment.ctx, { fullName: 'Ada' });
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
  await deployment.close();
});

/** The resident memory of the process, mapped files included. */
const residentBytes = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024;

/** The same bytes each time they are read, computed from their position instead of stored. */
const BLOCK = randomBytes(MEBIBYTE);
function* blocks(from: number): Generator<Buffer, void> {
  for (let at = from; at < FILE_BYTES;) {
    const inBlock = at % MEBIBYTE;
    const block = Buffer.from(BLOCK.subarray(inBlock));
    // Each block differs from the others, so that a lost or doubled one is noticed.
    if (inBlock === 0) block.writeUInt32BE(at / MEBIBYTE, 0);
    yield block;
    at += block.length;
  }
}

it('200 MB arrive intact though the connection is cut five times, and memory stays flat', async () => {
  const expected = createHash('sha256');
  for (const block of blocks(0)) expected.update(block);
  const before = residentBytes();
  let peak = before;
  const sampling = setInterval(() => (peak = Math.max(peak, residentBytes())), 50);
  const cutsAt = Array.from({ length: CUTS }, () => Math.random() * FILE_BYTES * 0.95).sort(
    (a, b) => a - b,
  );
  let cuts = 0;
  const startedMs = performance.now();
  const url = await new Promise<string>((resolve, reject) => {
    const upload = new Upload(Readable.from(blocks(0)), {
      endpoint: `http://127.0.0.1:${proxy.port}/api/v1/tus`,
      uploadSize: FILE_BYTES,
      chunkSize: 16 * MEBIBYTE,
      headers: { Authorization: ada.basic },
      metadata: { filename: 'large.bin' },
      retryDelays: Array.from({ length: 50 }, () => 100),
      onProgress: (sent) => {
        if (cuts >= CUTS || sent < (cutsAt[cuts] ?? Infinity)) return;
        cuts += 1;
        proxy.silence();
        proxy.heal();
      },
      onError: reject,
      onSuccess: ({ lastResponse }) =>
        resolve((JSON.parse(lastResponse.getBody()) as { url: string }).url),
    });
    upload.start();
  });
  const seconds = (performance.now() - startedMs) / 1000;
  clearInterval(sampling);
  const answer = await fetch(`${server.origin}${url}`, { headers: { authorization: ada.basic } });
  const arrived = createHash('sha256');
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    arrived.update(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    peak = Math.max(peak, residentBytes());
  }
  const grown = (peak - before) / MEBIBYTE;
  console.log(
    `200 MB in ${seconds.toFixed(1)} s, ${cuts} cuts; memory ${(before / MEBIBYTE).toFixed(0)} MB before, ` +
      `${(peak / MEBIBYTE).toFixed(0)} MB at most: ${grown.toFixed(0)} MB more for ${FILE_BYTES / MEBIBYTE} MB`,
  );
  expect(cuts).toBe(CUTS);
  expect(bytes).toBe(FILE_BYTES);
  expect(arrived.digest('hex')).toBe(expected.digest('hex'));
  // Socket buffers and garbage not yet collected; not the file.
  expect(grown).toBeLessThan(100);
});

const CANARY = "document.title='ran';new Image().src='/canary';";
const HOSTILE: readonly (readonly [name: string, type: string, bytes: string])[] = [
  [
    'x.svg',
    'image/svg+xml',
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${CANARY.replaceAll('"', '&quot;')}"><script>${CANARY}</script></svg>`,
  ],
  [
    'x.html',
    'text/html',
    `<!doctype html><script>${CANARY}</script><img src=x onerror="${CANARY}">`,
  ],
  ['x.txt', 'text/html', `<!doctype html><script>${CANARY}</script>`],
  ['x.gif', 'image/gif', `GIF89a/*\u0001\u0000\u0001\u0000*/=1;${CANARY}`],
  [
    'x.xhtml',
    'application/xhtml+xml',
    `<html xmlns="http://www.w3.org/1999/xhtml"><script>${CANARY}</script></html>`,
  ],
];

it('nothing uploaded runs on our origin, opened or embedded', async () => {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    // A page of our origin without any restrictions, unlike our real ones: only the file's own
    // headers may refuse.
    const bare = `${server.origin}/bare`;
    await page.route(bare, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>bare</title>' }),
    );
    for (const [name, type, bytes] of HOSTILE) {
      const body = new FormData();
      body.set('file', new Blob([Buffer.from(bytes, 'latin1')], { type }), name);
      const posted = await fetch(`${server.origin}/api/v1/user_uploads`, {
        method: 'POST',
        body,
        headers: { authorization: ada.basic },
      });
      const { url } = (await posted.json()) as { url: string };
      const address = `${server.origin}${url}?api_key=${ada.chatKey}`;
      // Opened: it is shown as its type, or saved, which ends the navigation.
      const isSaved = await page.goto(address).then(
        () => false,
        () => true,
      );
      const title = isSaved ? '' : await page.title();
      // Embedded in a page of our own origin, in every way that runs code.
      await page.goto(`${server.origin}/static/images/realm-icon.png`);
      await page.goto(bare);
      const ran = await page.evaluate(async (source) => {
        const frame = Object.assign(document.createElement('iframe'), { src: source });
        const script = Object.assign(document.createElement('script'), { src: source });
        const object = Object.assign(document.createElement('object'), { data: source });
        const image = Object.assign(document.createElement('img'), { src: source });
        document.body.append(frame, script, object, image);
        await new Promise((resolve) => setTimeout(resolve, 300));
        let inside = '';
        try {
          inside = frame.contentDocument?.title ?? '';
        } catch {
          inside = 'out of reach';
        }
        return { title: document.title, inside };
      }, address);
      const sang = requests.filter((url) => url.includes('/canary')).length;
      const what = isSaved ? 'saved' : `shown as ${JSON.stringify(title)}`;
      console.log(`${name} as ${type}: ${what}, canaries: ${sang}`);
      expect([title, ran.title, ran.inside]).not.toContain('ran');
      expect(sang).toBe(0);
    }
    // The canary does fire where it may.
    await page.goto(bare);
    await page.evaluate(CANARY);
    await expect.poll(() => requests.filter((url) => url.includes('/canary')).length).toBe(1);
  } finally {
    await browser.close();
  }
});
