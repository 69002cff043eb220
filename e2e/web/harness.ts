// Builds one page of the client by itself and serves it, for suites that look at a part and not at the whole.
import { createServer } from 'node:http';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const WEB = fileURLToPath(new URL('../../web', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

export interface HarnessPage {
  readonly url: string;
  close(): Promise<void>;
}

/** `entry` is a file below `web/src`. */
export async function serveHarness(entry: string): Promise<HarnessPage> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-harness-'));
  await build({
    root: WEB,
    configFile: join(WEB, 'vite.config.ts'),
    mode: 'part',
    base: '/',
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: { page: join(WEB, 'src', entry) },
        output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
      },
    },
  });
  const css = readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .map((name) => `<link rel="stylesheet" href="/${name}">`)
    .join('');
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"><title>Harness</title>' +
    `${css}<div id="root"></div>` +
    '<script type="module" src="/page.js"></script></html>';
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://harness').pathname;
    if (path === '/') {
      response.setHeader('content-type', 'text/html').end(html);
      return;
    }
    try {
      const body = readFileSync(join(folder, path));
      response
        .setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
        .end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
