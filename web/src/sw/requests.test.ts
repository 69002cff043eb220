import { expect, it } from 'vitest';
import { filesIn, isAway, planOf } from './requests.ts';

const ORIGIN = 'https://rialto.example';
const ask = (path: string, more: { method?: string; mode?: RequestMode } = {}) =>
  planOf({ method: 'GET', mode: 'cors', url: new URL(path, ORIGIN).href, ...more }, ORIGIN);
const go = (path: string, method = 'GET') => ask(path, { mode: 'navigate', method });

it.each([
  '/api/v1/messages',
  '/api/v1/events?queue_id=1',
  '/json/v1/orders',
  '/json/users/me/web_push_subscriptions',
  '/v1/public/markets',
  '/user_uploads/1/ab/file.png',
  '/avatar/7',
  '/web/shell',
  '/sw.js',
  '/manifest.webmanifest',
])('leaves %s alone', (path) => {
  expect(ask(path)).toBe('pass');
  expect(ask(path, { method: 'POST' })).toBe('pass');
});

it('keeps files with a hash in their name, and only reads them', () => {
  expect(ask('/web/assets/client-AbC.js')).toBe('file');
  expect(ask('/web/assets/client-AbC.js', { method: 'POST' })).toBe('pass');
  expect(ask('https://evil.example/web/assets/client-AbC.js')).toBe('pass');
  expect(ask('/web/assetsx/a.js')).toBe('pass');
});

it.each([
  '/',
  '/inbox',
  '/recent?only=unread',
  '/settings/notifications',
  '/#narrow/channel/1',
  '/admin/people',
])('has a page for %s', (path) => {
  expect(go(path)).toBe('page');
  // Only the answer to a plain visit may be replaced by another page.
  expect(go(path, 'POST')).toBe('pass');
});

it.each([
  '/login/',
  '/account/',
  '/docs/',
  '/components',
  '/login/#narrow/channel/1',
  '/api/v1/messages',
])('has no page for %s: the server has its own', (path) => {
  expect(go(path)).toBe('pass');
});

it('notices that somebody leaves', () => {
  expect(go('/accounts/logout/', 'POST')).toBe('leave');
  // An answer of the API, or a picture, cannot sign anybody out.
  expect(ask('/accounts/logout/', { method: 'POST' })).toBe('pass');
});

it('takes a server that cannot answer for none, and a refusal for an answer', () => {
  expect([502, 503, 504].map((status) => isAway({ status }))).toEqual([true, true, true]);
  expect([200, 303, 403, 404, 500].some((status) => isAway({ status }))).toBe(false);
});

it('finds the files of a page, each once, and nothing of another place', () => {
  const html =
    '<link rel="stylesheet" href="/web/assets/m-1.css"><script type="module" src="/web/assets/client-2.js"></script>' +
    '<link rel="modulepreload" href="/web/assets/a_b-3.js"><link href="/web/assets/m-1.css">' +
    '<a href="/web/assets/../secret"></a><img src="https://evil.example/web/assets/x.js"><a href="/favicon.svg">';
  expect(filesIn(html)).toEqual([
    '/web/assets/m-1.css',
    '/web/assets/client-2.js',
    '/web/assets/a_b-3.js',
  ]);
});
