// Builds the gallery of components and serves it as strictly as the server serves the client.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';

export interface Gallery {
  readonly url: string;
  close(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../..');
const PATH = '/components';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

interface ManifestEntry {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

export async function openGallery(): Promise<Gallery> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-gallery-'));
  await promisify(execFile)(
    join(ROOT, 'node_modules/.bin/vite'),
    // The client's files have a path of their own on the server; here they are at the root.
    ['build', '--base', '/', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'],
    { cwd: join(ROOT, 'web') },
  );
  const manifest = JSON.parse(
    await readFile(join(folder, '.vite/manifest.json'), 'utf8'),
  ) as Record<string, ManifestEntry>;
  const entry = manifest['src/main.ts'];
  if (entry === undefined) throw new Error('The build has no client.');
  const styles = [entry, ...(entry.imports ?? []).map((name) => manifest[name])]
    .flatMap((part) => part?.css ?? [])
    .map((file) => `<link rel="stylesheet" href="/${file}">`);

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://gallery').pathname;
    if (path !== PATH) {
      const file = resolve(folder, `.${path}`);
      const type = TYPES[extname(file)];
      if (type === undefined || !file.startsWith(folder + sep)) {
        response.writeHead(path === '/favicon.ico' ? 204 : 404).end();
        return;
      }
      readFile(file).then(
        (body) => response.writeHead(200, { 'content-type': type }).end(body),
        () => response.writeHead(404).end(),
      );
      return;
    }
    const nonce = randomBytes(16).toString('base64');
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types content default`,
      })
      .end(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Components</title><meta property="csp-nonce" nonce="${nonce}">${styles.join('')}<script type="module" src="/${entry.file}"></script></head><body><div id="root"></div></body></html>`,
      );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
