import { expect, it } from 'vitest';
import type { Boot } from '../api/boot.ts';
import { forgetCaches, keepBoot, readKeptBoot } from '../api/kept-boot.ts';
import { createFileKeeper, trim } from './files.ts';
import { memoryCaches } from './testing.ts';

const HTML =
  '<script src="/web/assets/client-1.js"></script><link href="/web/assets/m-1.css" rel="stylesheet">';
const BOOT: Boot = {
  csrfToken: 'token',
  user: { id: 7, email: 'ada@rialto.example', fullName: 'Ada' },
  language: 'en',
  theme: 'system',
  organization: { name: 'Rialto' },
};

function open({
  build = 'b1',
  language = 'en',
  missing = [] as readonly string[],
  caches = memoryCaches(),
} = {}) {
  const asked: { address: string; credentials: string | undefined }[] = [];
  const get = async (request: string | Request, options?: RequestInit) => {
    const address = typeof request === 'string' ? request : new URL(request.url).pathname;
    asked.push({ address, credentials: options?.credentials });
    if (missing.includes(address)) return new Response('', { status: 404 });
    return new Response(address.startsWith('/web/shell') ? HTML : `of ${address}`);
  };
  const keeper = createFileKeeper({
    build,
    language,
    views: ['/web/assets/view-1.js'],
    storage: caches.storage,
    get,
    slowMs: 20,
  });
  return { keeper, asked, caches, name: `rialto-files-${build}-${language}` };
}

const request = (path: string) => new Request(`https://rialto.example${path}`);
const never = new Promise<Response>(() => undefined);
const textOf = async (answer: Promise<Response>) => (await answer).text();

it('keeps the page for nobody in particular, the files it begins with, and the views', async () => {
  const { keeper, asked, caches, name } = open({ language: 'fa' });
  await keeper.fill();
  expect(caches.paths(name).sort()).toEqual([
    '/web/assets/client-1.js',
    '/web/assets/m-1.css',
    '/web/assets/view-1.js',
    '/web/shell',
  ]);
  expect(asked[0]).toEqual({ address: '/web/shell?lang=fa', credentials: 'omit' });
});

it('is not ready unless all that the page begins with came; a view may be missing', async () => {
  const entry = open({ missing: ['/web/assets/client-1.js'] });
  await expect(entry.keeper.fill()).rejects.toThrow('client-1.js');
  expect(entry.caches.paths(entry.name)).not.toContain('/web/shell');
  const page = open({ missing: ['/web/shell?lang=en'] });
  await expect(page.keeper.fill()).rejects.toThrow('no page');
  const view = open({ missing: ['/web/assets/view-1.js'] });
  await view.keeper.fill();
  expect(view.caches.paths(view.name)).toContain('/web/shell');
});

it('asks for a file once, and never keeps one that is missing', async () => {
  const { keeper, asked, caches, name } = open({ missing: ['/web/assets/gone.js'] });
  const work: Promise<unknown>[] = [];
  for (let time = 0; time < 2; time++) {
    const answer = keeper.file(request('/web/assets/x-1.js'), (one) => work.push(one));
    expect(await textOf(answer)).toBe('of /web/assets/x-1.js');
    await Promise.all(work);
  }
  expect(asked).toHaveLength(1);
  const gone = await keeper.file(request('/web/assets/gone.js'), (one) => work.push(one));
  expect(gone.status).toBe(404);
  await Promise.all(work);
  expect(caches.paths(name)).toEqual(['/web/assets/x-1.js']);
});

it('keeps a bounded number of files, the latest ones, and always the page', async () => {
  const { storage, paths } = memoryCaches();
  const cache = await storage.open('one');
  await cache.put('/web/shell', new Response());
  for (let n = 0; n < 8; n++) {
    await cache.put(`/web/assets/${n}.js`, new Response());
    await trim(cache, 5);
  }
  expect(paths('one')).toHaveLength(6);
  expect(paths('one')).toContain('/web/shell');
  expect(paths('one')).not.toContain('/web/assets/2.js');
  expect(paths('one')).toContain('/web/assets/3.js');
});

it('deletes the files of other builds and languages, and nothing else', async () => {
  const caches = memoryCaches();
  for (const name of ['rialto-files-b0-en', 'rialto-files-b1-fa', 'another', 'rialto-person']) {
    await caches.storage.open(name);
  }
  const { keeper, name } = open({ caches });
  await keeper.fill();
  await keeper.tidy();
  expect(caches.names().sort()).toEqual(['another', name, 'rialto-person']);
});

it('shows the server’s page if there is one, and the kept one if not', async () => {
  const { keeper } = open();
  const page = (answer: Response | Promise<Response>) =>
    textOf(keeper.page(Promise.resolve(answer)));
  await expect(page(Promise.reject(new TypeError('no network')))).rejects.toThrow('no network');
  await keeper.fill();
  expect(await page(new Response('fresh'))).toBe('fresh');
  expect(await page(new Response('refused', { status: 403 }))).toBe('refused');
  expect(await page(Promise.reject(new TypeError('no network')))).toBe(HTML);
  expect(await page(new Response('down', { status: 503 }))).toBe(HTML);
  expect(await textOf(keeper.page(never))).toBe(HTML);
});

it('forgets who was signed in when the server sends them to sign in', async () => {
  const { keeper, caches } = open();
  await keepBoot(BOOT, caches.storage);
  await keeper.page(Promise.resolve(new Response('fresh')));
  expect(await readKeptBoot(caches.storage)).toEqual(BOOT);
  const away = new Response('');
  Object.defineProperty(away, 'type', { value: 'opaqueredirect' });
  await keeper.page(Promise.resolve(away));
  expect(await readKeptBoot(caches.storage)).toBeUndefined();
});

it('signing out leaves no cache of ours, and none of others is touched', async () => {
  const { keeper, caches } = open();
  await keeper.fill();
  await keepBoot(BOOT, caches.storage);
  await caches.storage.open('another');
  await forgetCaches(caches.storage);
  expect(caches.names()).toEqual(['another']);
  // Looking for somebody makes no cache either.
  expect(await readKeptBoot(caches.storage)).toBeUndefined();
  expect(caches.names()).toEqual(['another']);
});
