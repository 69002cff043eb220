import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ settings: { ORGANIZATION_NAME: 'Desk <b>&"Co"' } });
});
afterAll(() => server.close());

async function get(path: string): Promise<{ answer: Response; text: string }> {
  const answer = await fetch(`${server.origin}${path}`);
  return { answer, text: await answer.text() };
}

it('the front page names both APIs, their references, health and the quick start', async () => {
  const { answer, text } = await get('/');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const part of [
    `${server.origin}/v1`,
    `${server.origin}/api/v1`,
    'href="/docs/"',
    'href="/v1/public/swagger"',
    'href="/api/v1/server_settings"',
    'href="/health/ready"',
    'id="quick-start"',
  ]) {
    expect(text).toContain(part);
  }
});

it('nothing on it comes from elsewhere; its policy forbids frames, and all scripts but the one of its own', async () => {
  const { answer, text } = await get('/');
  expect(text.match(/<script[^>]*>/g)).toEqual([
    expect.stringMatching(/^<script type="module" src="\/web\/follow-link-[0-9a-f]{12}\.js">$/),
  ]);
  expect(text).not.toMatch(/\sstyle="|\son\w+="/);
  for (const [, source = ''] of text.matchAll(/(?:src|rel="\w+" href)="([^"]*)"/g)) {
    expect(source.replace(server.origin, '')).toMatch(/^\//);
  }
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

it('every link to this server works', async () => {
  const { text } = await get('/');
  const paths = new Set([...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path]) => path));
  expect(paths.size).toBeGreaterThan(8);
  for (const path of paths) {
    const answer = await fetch(`${server.origin}${path}`);
    await answer.arrayBuffer();
    // No engine runs here, so no order would be accepted.
    expect(answer.status, path).toBe(path === '/health/ready' ? 503 : 200);
  }
  // Fragments lead to ids on the same page.
  for (const [, id] of text.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${id}"`);
});

it('it speaks the language that is asked for, or that the browser prefers, and names the other', async () => {
  const { text } = await get('/?lang=fa');
  expect(text).toContain('<html lang="fa" dir="rtl">');
  expect(text).toContain('<h1 id="title">همان‌جا که گفت‌وگو می‌کنید، معامله کنید.</h1>');
  expect(text).toContain('<bdi dir="ltr">');
  expect(text).toContain('href="/?lang=en" lang="en"');
  const preferred = await fetch(`${server.origin}/`, { headers: { 'accept-language': 'fa-IR' } });
  expect(await preferred.text()).toContain('<html lang="fa"');
  expect(preferred.headers.get('vary')).toContain('accept-language');
  expect((await get('/')).text).toContain('<html lang="en" dir="ltr">');
  expect((await get('/nothing?lang=fa')).text).toContain('اینجا چیزی نیست.');
});

it('the name of the organization is text, whatever it contains', async () => {
  const { text } = await get('/');
  expect(text).toContain('Desk &lt;b&gt;&amp;&quot;Co&quot;');
  expect(text).not.toContain('<b>');
});

it('an unknown path gets a page with 404, and its text is escaped', async () => {
  const { answer, text } = await get('/no/such/%3Cplace%3E?x=<b>');
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(text).toContain('Nothing is here.');
  expect(text).not.toContain('<place>');
  expect((await get(`/${'a'.repeat(3000)}`)).text.length).toBeLessThan(10_000);
});

it('unknown paths of the APIs are answered by the APIs', async () => {
  for (const path of ['/v1/no_such', '/api/v1/no_such']) {
    const { answer } = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/json');
  }
});

it('the style may be cached for ever, since its name changes with its content', async () => {
  const path = /href="(\/web\/style-[0-9a-f]{12}\.css)"/.exec((await get('/')).text)?.[1] ?? '';
  const { answer } = await get(path);
  expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(answer.headers.get('cache-control')).toContain('immutable');
});

it('robots and the icon have their usual places', async () => {
  const { text: robots } = await get('/robots.txt');
  expect(robots).toContain('Disallow: /api/');
  expect(robots).toContain(`Sitemap: ${server.origin}/docs/sitemap.xml`);
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    const { answer, text } = await get(path);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    expect(text).toContain('<svg');
  }
});
