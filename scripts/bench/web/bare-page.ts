// An empty React page, built and served like the client: what the library and the browser cost by themselves.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { command, ROOT } from '../../tests.ts';

export interface BarePage {
  readonly url: string;
  close(): Promise<void>;
}

const ENTRY = `import { createRoot } from 'react-dom/client';
import { createElement } from 'react';
createRoot(document.querySelector('#root')).render(createElement('main', { 'data-content': '' }, 'Nothing'));
`;
const PAGE =
  '<!doctype html><title>Bare</title><div id="root"></div><script type="module" src="/entry.js"></script>';

export async function serveBarePage(): Promise<BarePage> {
  // Inside of the workspace, where React is found.
  const folder = await mkdtemp(join(ROOT, 'web/.bare-'));
  try {
    await writeFile(join(folder, 'entry.js'), ENTRY);
    const vite = createRequire(join(ROOT, 'web/package.json')).resolve('vite/package.json');
    const built = await command(process.execPath, [
      join(dirname(vite), 'bin/vite.js'),
      'build',
      folder,
      '--config',
      await writeConfig(folder),
      '--logLevel',
      'error',
    ]);
    if (!built.passed) throw new Error(`The bare page could not be built.\n${built.output}`);
    const script = await promisify(brotliCompress)(await readFile(join(folder, 'dist/entry.js')));
    return await serve(script);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeConfig(folder: string): Promise<string> {
  const file = join(folder, 'vite.config.js');
  await writeFile(
    file,
    `export default { build: { rolldownOptions: { input: ${JSON.stringify(join(folder, 'entry.js'))}, output: { entryFileNames: 'entry.js' } } } };\n`,
  );
  return file;
}

async function serve(script: Buffer): Promise<BarePage> {
  const server = createServer(({ url }, response) => {
    if (url === '/entry.js') {
      response
        .writeHead(200, { 'content-type': 'text/javascript', 'content-encoding': 'br' })
        .end(script);
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
