// The web client as a browser gets it: who sees its page, and how its files are served.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type Browser } from '../../testing/browser.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const PASSWORD = 'a long enough secret';
const SCRIPT = 'console.log("client");\n'.repeat(50);
const ENTRY = '/web/assets/client-AbC_1-2.js';

let folder: string;
let server: TestServer;
let ada: Person;
let browser: Browser;

/** A build as Vite leaves it, small. */
async function writeBuild(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'rialto-client-'));
  await mkdir(join(root, '.vite'));
  await mkdir(join(root, 'assets'));
  const files: Record<string, string | Buffer> = {
    '.vite/manifest.json': JSON.stringify({
      'src/main.ts': { file: 'assets/client-AbC_1-2.js', css: ['assets/client-3.css'] },
      'src/app/draw.tsx': { file: 'assets/frame-4.js' },
    }),
    'assets/client-AbC_1-2.js': SCRIPT,
    'assets/client-AbC_1-2.js.br': brotliCompressSync(SCRIPT),
    'assets/client-AbC_1-2.js.gz': gzipSync(SCRIPT),
    'assets/client-3.css': 'body{}',
    'assets/earlier-5.js': 'of the build before',
    'assets/.hidden.js': 'hidden',
    'assets/key.pem': 'of no kind that is served',
    'sw.js': 'self.addEventListener("fetch", () => {});',
    'outside.js': 'outside of the assets',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
  return root;
}

beforeAll(async () => {
  folder = await writeBuild();
  server = await startTestServer({
    settings: { CHAT_RATE_LIMIT_ANONYMOUS: '100000', ORGANIZATION_NAME: 'Desk <b>' },
    clientFolder: folder,
  });
  ada = await examplePerson(server.ctx, { password: PASSWORD });
  browser = openBrowser(server);
  await browser.signIn(ada.email, PASSWORD);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const bootIn = (html: string): Record<string, unknown> =>
  JSON.parse(/id="boot">(.*)<\/script>/.exec(html)?.[1] ?? '{}') as Record<string, unknown>;

const OWN = [
  '/inbox',
  '/recent',
  '/feed',
  '/mentions',
  '/starred',
  '/drafts',
  '/scheduled',
  '/search?q=a',
  '/wallet',
  '/wallet/statements',
  '/settings',
  '/settings/appearance',
  '/admin',
  '/admin/people',
];
const OPEN = ['/trade', '/trade/btcusdt'];

describe('the page of the client', () => {
  it.each(['/', ...OWN, ...OPEN])('is at %s for somebody who is signed in', async (path) => {
    const { status, text, headers } = await browser.get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain(`<script type="module" src="${ENTRY}"></script>`);
    expect(bootIn(text)).toMatchObject({
      user: { id: ada.id, email: ada.email, fullName: ada.fullName, grants: [] },
      csrfToken: browser.cookies.get('csrftoken'),
      organization: { name: 'Desk <b>' },
      language: 'en',
      theme: 'system',
    });
    expect(text).not.toContain('<b>');
    // Nobody on the way may keep it or frame it.
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('vary')).toContain('cookie');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('has a strict policy, with another nonce each time', async () => {
    const pages = [await browser.get('/'), await browser.get('/')];
    const nonces = pages.map(({ headers, text }) => {
      const policy = headers.get('content-security-policy') ?? '';
      for (const rule of [
        "default-src 'none'",
        "script-src 'self';",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types content default worker',
        `connect-src 'self' ${server.origin.replace('http', 'ws')}`,
      ]) {
        expect(policy).toContain(rule);
      }
      expect(policy).not.toMatch(/unsafe|\*/);
      const [, nonce = ''] = /style-src 'self' 'nonce-([^']+)'/.exec(policy) ?? [];
      expect(text).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
      return nonce;
    });
    expect(nonces[0]).toMatch(/^.{22,}$/);
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it('follows the language and the colours that the person chose', async () => {
    const ben = await examplePerson(server.ctx, { password: PASSWORD });
    const own = openBrowser(server);
    await own.signIn(ben.email, PASSWORD);
    await own.call('PATCH', '/settings', { default_language: 'fa', color_scheme: '2' });
    const { text } = await own.get('/inbox', { 'accept-language': 'en' });
    expect(text).toContain('<html lang="fa" dir="rtl" data-theme="dark">');
    expect(bootIn(text)).toMatchObject({ language: 'fa', theme: 'dark' });
    expect((await own.get('/inbox?lang=en')).text).toContain('<html lang="en" dir="ltr"');
  });

  it.each(OWN)('sends a stranger at %s to sign in, and back', async (path) => {
    const stranger = openBrowser(server);
    const { status, headers } = await stranger.get(path);
    const target = `/login/?lang=en&next=${encodeURIComponent(path)}`;
    expect([status, headers.get('location')]).toEqual([303, target]);
    expect(headers.get('cache-control')).toBe('no-store');
    const { text } = await stranger.get(target);
    const [, next = ''] = /name="next" value="([^"]*)"/.exec(text) ?? [];
    const signedIn = await stranger.signIn(ada.email, PASSWORD, { next });
    expect(signedIn.headers.get('location')).toBe(path);
  });

  it('does not send a stranger back to an endless address', async () => {
    const { headers } = await openBrowser(server).get(`/search?q=${'x'.repeat(3000)}`);
    expect(headers.get('location')).toBe('/login/?lang=en&next=%2F');
  });

  it.each(OPEN)('is at %s for a stranger too, and names nobody', async (path) => {
    const { status, text, headers } = await openBrowser(server).get(path);
    expect(status).toBe(200);
    expect(bootIn(text)).toMatchObject({ user: null });
    expect(bootIn(text)).not.toHaveProperty('csrfToken');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('is not at / for a stranger, nor for a session that is over or forged', async () => {
    for (const cookie of ['', 'sessionid=AAAA', `sessionid=${'A'.repeat(43)}`]) {
      const { text } = await openBrowser(server).get('/', { cookie });
      expect(text).toContain('Trade where you talk.');
      expect(text).not.toContain('id="boot"');
    }
  });

  it('leaves the pages without script as they are, and has one of its own', async () => {
    const { status, text } = await browser.get('/account/');
    expect(status).toBe(200);
    expect(text).toContain(`Hello, <bdi>${ada.fullName}</bdi>.`);
    expect(text).not.toMatch(/<script/);
    expect(text).toContain('Open the client');
    expect(text).not.toContain('not installed on this server');
    const stranger = await openBrowser(server).get('/account/');
    expect(stranger.headers.get('location')).toBe('/login/?lang=en&next=%2Faccount%2F%3Flang%3Den');
  });

  it('takes links to messages that lost their sign', async () => {
    const { headers } = await browser.get('/narrow/channel/1-general/topic/x/near/5');
    expect(headers.get('location')).toBe('/#narrow/channel/1-general/topic/x/near/5');
  });

  it('answers HEAD without a body', async () => {
    const answer = await fetch(`${server.origin}/trade/btcusdt`, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
  });

  it.each([
    '/inbox/',
    '/inbox/x',
    '/trade/',
    '/trade/a/b',
    '/components/x',
    '/web/',
    '/web/assets/',
  ])('is not at %s', async (path) => {
    expect((await browser.get(path)).status).toBe(404);
  });

  it('shows the components where money is simulated', async () => {
    const { text, headers } = await openBrowser(server).get('/components');
    expect(text).toContain(ENTRY);
    expect(headers.get('content-security-policy')).toContain('require-trusted-types-for');
    const real = await startTestServer({ settings: { MONEY: 'real' }, clientFolder: folder });
    try {
      expect((await openBrowser(real).get('/components')).status).toBe(404);
    } finally {
      await real.close();
    }
  });
});

describe('a file of the build', () => {
  interface RawFile {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly body: Buffer;
  }

  /** Sends the path as it is, and leaves the body as it comes: `fetch` would tidy up both. */
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<RawFile>((resolve, reject) => {
      const asked = request(server.origin, { path, headers, method }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const { statusCode: status = 0, headers: given } = answer;
          resolve({ status, headers: given, body: Buffer.concat(parts) });
        });
      });
      asked.on('error', reject).end();
    });

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip', 'br;q=0, gzip;q=0.5', gunzipSync],
    ['br', '*', brotliDecompressSync],
  ])('comes as %s to a browser that takes %s', async (encoding, accepted, unpack) => {
    const { status, headers, body } = await get(ENTRY, { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['vary']).toBe('accept-encoding');
    expect(unpack(body).toString()).toBe(SCRIPT);
    expect(Number(headers['content-length'])).toBe(body.length);
  });

  it.each(['', 'identity', 'br;q=0', 'gzip;q=0.0', 'brotli'])(
    'comes as it is to a browser that takes %j',
    async (accepted) => {
      const { headers, body } = await get(ENTRY, { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBeUndefined();
      expect(body.toString()).toBe(SCRIPT);
    },
  );

  it('may be cached for ever, and is not sent again to who has it', async () => {
    const { headers } = await get(ENTRY);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const tag = headers['etag'] ?? '';
    const again = await get(ENTRY, { 'if-none-match': tag, 'accept-encoding': 'br' });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect((await get(ENTRY, { 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('answers HEAD as GET without a body', async () => {
    const { status, headers, body } = await get(ENTRY, { 'accept-encoding': 'br' }, 'HEAD');
    expect([status, headers['content-encoding'], body.length]).toEqual([200, 'br', 0]);
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });

  it('of an earlier build is still there', async () => {
    expect((await get('/web/assets/earlier-5.js')).body.toString()).toBe('of the build before');
  });

  it.each([
    '/web/assets/../outside.js',
    '/web/assets/..%2foutside.js',
    '/web/assets/%2e%2e%2foutside.js',
    '/web/assets/..%5coutside.js',
    '/web/assets/%252e%252e%252foutside.js',
    '/web/assets/....//outside.js',
    '/web/assets//etc/passwd',
    '/web/assets/%2fetc%2fpasswd',
    '/web/assets/../.vite/manifest.json',
    '/web/assets/.hidden.js',
    '/web/assets/key.pem',
    '/web/assets/client-AbC_1-2.js%00.css',
    '/web/assets/client-AbC_1-2.js.br',
    '/web/assets/client-AbC_1-2.js/',
    '/web/assets/CLIENT-ABC_1-2.js',
    '/web/assets/constructor',
    `/web/assets/${'a'.repeat(300)}.js`,
    `/web/assets/${'a'.repeat(8000)}.js`,
    '/web/outside.js',
    '/web/.vite/manifest.json',
  ])('is not %s', async (path) => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(body.toString()).not.toMatch(/outside of|root:|hidden$|src\/main|of no kind/);
    expect(body.length).toBeLessThan(10_000);
  });

  it('is read and nothing else', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expect((await get(ENTRY, {}, method)).status).toBe(404);
    }
  });
});

it('the service worker is asked for anew, with a tag of its content', async () => {
  // The page asks for it in the language that it shows.
  const answer = await fetch(`${server.origin}/sw.js?lang=fa`);
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  // It may call this server, and nobody else.
  expect(answer.headers.get('content-security-policy')).toContain("connect-src 'self';");
  expect(await answer.text()).toContain('addEventListener');
  const tag = answer.headers.get('etag') ?? '';
  const again = await fetch(`${server.origin}/sw.js`, { headers: { 'if-none-match': tag } });
  expect(again.status).toBe(304);
  await writeFile(join(folder, 'sw.js'), 'self.addEventListener("fetch", () => {}) ');
  const next = await fetch(`${server.origin}/sw.js`, { headers: { 'if-none-match': tag } });
  expect(next.status).toBe(200);
});

it('the page for a service worker is the same for everybody, and as strict as the others', async () => {
  for (const one of [browser, openBrowser(server)]) {
    const { status, text, headers } = await one.get('/web/shell?lang=fa');
    expect(status).toBe(200);
    expect(text).toContain(`<script type="module" src="${ENTRY}"></script>`);
    expect(text).toContain('<html lang="fa" dir="rtl">');
    expect(bootIn(text)).toMatchObject({ user: null, isKept: true, language: 'fa' });
    expect(text).not.toContain(ada.email);
    expect(text).not.toContain('csrfToken');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
  }
  expect(bootIn((await browser.get('/inbox')).text)).not.toHaveProperty('isKept');
});

it('the manifest speaks the language of the page', async () => {
  const read = async (lang: string) =>
    (await fetch(`${server.origin}/manifest.webmanifest?lang=${lang}`)).json();
  expect(await read('fa')).toMatchObject({
    lang: 'fa',
    dir: 'rtl',
    id: '/',
    shortcuts: [{ name: 'صندوق ورودی', url: '/inbox' }, { url: '/recent' }],
  });
  expect(await read('en')).toMatchObject({ lang: 'en', dir: 'ltr', id: '/' });
});

it('the manifest has the name of the organization and pictures that can be cached', async () => {
  const answer = await fetch(`${server.origin}/manifest.webmanifest`);
  expect(answer.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
  const manifest = (await answer.json()) as { icons: { src: string }[] };
  expect(manifest).toMatchObject({ name: 'Desk <b>', start_url: '/', display: 'standalone' });
  expect(manifest.icons.map(({ src }) => src)).toContain('/web/assets/icon-192-1.png');
});

it('without a build everything is as before, and the log says what to run', async () => {
  const bare = await startTestServer({ clientFolder: join(folder, 'nowhere') });
  try {
    const person = await examplePerson(bare.ctx, { password: PASSWORD });
    const own = openBrowser(bare);
    await own.signIn(person.email, PASSWORD);
    expect((await own.get('/')).text).toContain('Hello, ');
    for (const path of [
      ...OWN,
      ...OPEN,
      '/components',
      ENTRY,
      '/sw.js',
      '/web/shell',
      '/manifest.webmanifest',
    ]) {
      const { status, headers } = await own.get(path);
      expect([path, status]).toEqual([path, 404]);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  } finally {
    await bare.close();
  }
});
